"""Views and prompts on the wire: nothing is lost, nothing gets in."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from google.protobuf import text_format
from google.protobuf.descriptor import Descriptor
from hypothesis import given

from junto.games import view
from junto.games.shuffle import DealSeed
from junto.games.view import DealResult, MatchView, Outcome, Own, Phase, Prompt, Shared
from junto.v1 import actions_pb2, views_pb2
from junto.wire.errors import WireError
from junto.wire.promises import Promise, read_promise, read_reveal
from junto.wire.prompts import prompt_bytes, read_prompt, write_prompt
from junto.wire.reading import read_own, read_shared
from junto.wire.results import read_match_view, read_result, write_match_view
from junto.wire.times import read_time
from junto.wire.views import shared_bytes, write_own, write_shared

from .values import ACTIONS, MATCH_VIEWS, OWN, PROMPTS, SHARED
from .walks import domain_cards, repeated_singulars, wire_cards

SEED = DealSeed(bytes(range(32)), (b"", b"\x01\x02", b""))
PROMISE = Promise(SEED.commitment, 1_796_000_000_123)

# What a field of the domain is called in the API, where that is another name.
RENAMED = {
    "Choices": {
        "passing": "pass", "bids": "bid", "trumps": "choose_trump", "contract_rise": "choose_trump",
        "callable": "call_card", "play": "play_card", "doubling": "double_bid", "redoubling": "redouble_bid",
        "claim_up_to": "claim", "answering_claim": "agree_to_claim", "combination": "play_combination",
        "accepting": "accept_offer", "declining": "decline_offer", "showing": "show_cards",
        "applying": "apply_for_lead",
    },
    "Shared": {"details": "napoleon"},
}  # fmt: skip
# Fields of the API that the domain's objects do not have: the table's, and those that go with another one.
PREPARED = {
    "SharedView": {"commitment", "bridge", "whist", "dou_dizhu", "baohuang"},
    "DealResult": {"reveal"},
    "LastDeal": {"alliance", "clearings"},
    "Choices": {"refuse_claim"},
    "Prompt": {"version", "deadline", "default_action"},
}  # fmt: skip
COUNTERPARTS: dict[type[Any], Descriptor] = {
    view.Shared: views_pb2.SharedView.DESCRIPTOR,
    view.Own: views_pb2.OwnView.DESCRIPTOR,
    view.HandView: views_pb2.HandView.DESCRIPTOR,
    view.SeatAction: views_pb2.SeatAction.DESCRIPTOR,
    view.Contract: views_pb2.Contract.DESCRIPTOR,
    view.CalledCard: views_pb2.CalledCard.DESCRIPTOR,
    view.SeatRole: views_pb2.SeatRole.DESCRIPTOR,
    view.TrickPlay: views_pb2.TrickPlay.DESCRIPTOR,
    view.Trick: views_pb2.Trick.DESCRIPTOR,
    view.TrickCard: views_pb2.TrickCard.DESCRIPTOR,
    view.Tally: views_pb2.Tally.DESCRIPTOR,
    view.DealResult: views_pb2.DealResult.DESCRIPTOR,
    view.SeatResult: views_pb2.SeatResult.DESCRIPTOR,
    view.NapoleonDetails: views_pb2.NapoleonDetails.DESCRIPTOR,
    view.BridgeDetails: views_pb2.BridgeDetails.DESCRIPTOR,
    view.Pile: views_pb2.Pile.DESCRIPTOR,
    view.PointReport: views_pb2.PointReport.DESCRIPTOR,
    view.PendingClaim: views_pb2.PendingClaim.DESCRIPTOR,
    view.WhistDetails: views_pb2.WhistDetails.DESCRIPTOR,
    view.Round: views_pb2.Round.DESCRIPTOR,
    view.ClimbingPlay: views_pb2.ClimbingPlay.DESCRIPTOR,
    view.DouDizhuDetails: views_pb2.DouDizhuDetails.DESCRIPTOR,
    view.BaohuangDetails: views_pb2.BaohuangDetails.DESCRIPTOR,
    view.Payment: views_pb2.Payment.DESCRIPTOR,
    view.Tribute: views_pb2.Tribute.DESCRIPTOR,
    view.Clearing: views_pb2.Clearing.DESCRIPTOR,
    view.MatchView: views_pb2.MatchView.DESCRIPTOR,
    view.LastDeal: views_pb2.LastDeal.DESCRIPTOR,
    view.Prompt: actions_pb2.Prompt.DESCRIPTOR,
    view.Choices: actions_pb2.Choices.DESCRIPTOR,
    view.DiscardChoice: actions_pb2.DiscardChoice.DESCRIPTOR,
    view.PlayChoice: actions_pb2.PlayCardChoice.DESCRIPTOR,
    view.LeadCall: actions_pb2.LeadCall.DESCRIPTOR,
    view.CombinationChoice: actions_pb2.PlayCombinationChoice.DESCRIPTOR,
    view.Declining: actions_pb2.DeclineOfferChoice.DESCRIPTOR,
}


@given(SHARED)
def test_what_everybody_knows_comes_back(shared: Shared) -> None:
    """No field of a shared view is lost or changed on the wire."""
    assert read_shared(write_shared(shared)) == shared


@given(OWN)
def test_what_one_seat_knows_comes_back(own: Own) -> None:
    """No field of a seat's own view is lost or changed on the wire."""
    assert read_own(write_own(own)) == own


@given(MATCH_VIEWS)
def test_what_is_carried_between_deals_comes_back(match: MatchView) -> None:
    """No field of a match's view is lost or changed on the wire."""
    assert read_match_view(write_match_view(match)) == match


@given(PROMPTS, ACTIONS)
def test_a_prompt_comes_back(prompt: Prompt, default: Any) -> None:
    """No choice of a prompt is lost or changed on the wire; version, deadline and default come with it."""
    message = write_prompt(prompt, 41, 1_796_000_000_007, default)
    assert read_prompt(message) == prompt
    assert (message.version, read_time(message.deadline)) == (41, 1_796_000_000_007)
    assert not write_prompt(prompt, 41).HasField("deadline")
    assert not list(repeated_singulars(prompt_bytes(prompt, 41, 7, default), message.DESCRIPTOR))


@pytest.mark.parametrize("domain", COUNTERPARTS, ids=lambda cls: cls.__name__)
def test_fields_have_counterparts(domain: type[Any]) -> None:
    """A field added to a view has to be added to its message, and the other way round (or listed here)."""
    descriptor = COUNTERPARTS[domain]
    renamed = RENAMED.get(domain.__name__, {})
    here = {renamed.get(field.name, field.name) for field in dataclasses.fields(domain)}
    there = {field.name for field in descriptor.fields}
    assert here | PREPARED.get(descriptor.name, set()) == there


def test_every_view_type_is_checked() -> None:
    """A new dataclass of the domain's views has to be listed in this file."""
    defined = {cls for cls in vars(view).values() if dataclasses.is_dataclass(cls) and cls.__module__ == view.__name__}
    assert defined == set(COUNTERPARTS)


@given(SHARED)
def test_no_card_gets_into_a_shared_view(shared: Shared) -> None:
    """The cards of the message are those of the domain's view: none more, none less."""
    assert wire_cards(write_shared(shared)) == domain_cards(shared)


@given(OWN)
def test_no_card_gets_into_an_own_view(own: Own) -> None:
    """The cards of the message are those of the domain's view: none more, none less."""
    assert wire_cards(write_own(own)) == domain_cards(own)


@given(SHARED)
def test_parts_are_joined_without_repeating_a_field(shared: Shared) -> None:
    """A decoder that does not merge repeated messages reads the same: none stands twice."""
    payload = shared_bytes(shared, PROMISE)
    assert not list(repeated_singulars(payload, views_pb2.SharedView.DESCRIPTOR))
    assert views_pb2.SharedView.FromString(payload) == write_shared(shared, PROMISE)


@given(SHARED)
def test_a_remembered_part_is_as_good_as_new(shared: Shared) -> None:
    """Equal views give equal bytes, whether their parts were serialised before or not."""
    first = shared_bytes(shared)
    again = read_shared(views_pb2.SharedView.FromString(first))
    assert shared_bytes(shared) == first
    assert shared_bytes(again) == first


def test_promise_and_reveal_come_back() -> None:
    """What was promised and what was revealed can be read out of a finished deal's view."""
    over = Shared(1, Phase.OVER, (), result=DealResult(Outcome.VOID))
    message = write_shared(over, PROMISE, SEED)
    assert read_promise(message.commitment) == PROMISE
    assert read_reveal(message.result.reveal) == SEED
    assert read_result(message.result) == over.result


def test_a_secret_is_not_revealed_before_the_end() -> None:
    """Asked to write the secret of a deal without a result, the wire refuses."""
    with pytest.raises(WireError, match="when the deal is over"):
        shared_bytes(Shared(1, Phase.PLAY, ()), PROMISE, SEED)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "phase: 77",
        "phase: PHASE_PLAY roles { seat: 1 }",
        "phase: PHASE_PLAY roles { seat: 1 role: 9 }",
        "phase: PHASE_PLAY kitty: [0]",
        "phase: PHASE_PLAY hands { open: 60 }",
        "phase: PHASE_PLAY calls { seat: 1 }",
        "phase: PHASE_PLAY tricks { trump: 6 }",
        "phase: PHASE_PLAY tricks { tricks { led_suit: 5 } }",
        "phase: PHASE_PLAY tricks { tricks { cards { seat: 1 } } }",
        "phase: PHASE_PLAY contract { bid {} doubling: 4 }",
        "phase: PHASE_OVER result {}",
        "phase: PHASE_OVER result { outcome: OUTCOME_MADE seats { role: 4 } }",
        "phase: PHASE_PLAY whist {}",
        "phase: PHASE_PLAY bridge { board: 1 vulnerability: 5 }",
        "phase: PHASE_PLAY bridge { board: 1 vulnerability: VULNERABILITY_NONE pile { row: 55 } }",
        "phase: PHASE_PLAY dou_dizhu { spring: 4 }",
        "phase: PHASE_PLAY baohuang { alliance: 4 }",
        "phase: PHASE_PLAY baohuang { pot: [0] }",
        "phase: PHASE_PLAY baohuang { tributes { from_seat: 1 to_seat: 2 } }",
        "phase: PHASE_PLAY climbing { rounds { actions { seat: 1 } } }",
        "phase: PHASE_PLAY climbing { rounds { actions { action { pass {} } combination { kind: 77 key: 3 } } } }",
        "phase: PHASE_PLAY climbing { rounds { actions { action { pass {} } combination { kind: 1 key: 77 } } } }",
    ],
)
def test_a_view_that_cannot_be_understood_is_refused(text: str) -> None:
    """A number that this game server does not know is an error, never a wrong card or role."""
    message = text_format.Parse(text, views_pb2.SharedView())
    with pytest.raises(WireError):
        read_shared(message)


def test_scores_out_of_order_are_refused() -> None:
    """A match's scores are by seat, without a gap."""
    with pytest.raises(WireError, match="by seat"):
        read_match_view(text_format.Parse("scores { seat: 1 score: 3 }", views_pb2.MatchView()))


@pytest.mark.parametrize("seed", ["xyz", "00", "00" * 33])
def test_a_seed_that_is_none_is_refused(seed: str) -> None:
    """A revealed seed is 32 bytes in hexadecimal."""
    with pytest.raises(WireError, match="seed"):
        read_reveal(views_pb2.Reveal(seed=seed))
