"""What a seat may do as a message, and back. A prompt tells its seat's cards: it goes to that seat alone."""

from __future__ import annotations

from functools import lru_cache

from junto.games.actions import Action, ShowCards
from junto.games.view import Choices, CombinationChoice, Declining, DiscardChoice, LeadCall, PlayChoice, Prompt
from junto.v1 import actions_pb2
from junto.wire.actions import read_bid, write_action, write_bid
from junto.wire.cards import (
    CARDS,
    SUITS,
    read_card,
    read_cards,
    read_suit,
    write_cards,
)
from junto.wire.combinations import read_combination, write_combination
from junto.wire.results import optional, read_phase
from junto.wire.times import write_time


def write_prompt(
    prompt: Prompt,
    version: int,
    deadline_ms: int | None = None,
    default_action: Action | None = None,
) -> actions_pb2.Prompt:
    """Return the message of a decision.

    `version` is the table's when the decision arose; `deadline_ms` (since 1970) is when `default_action`
    is taken, None at a table without clocks.
    """
    return actions_pb2.Prompt.FromString(prompt_bytes(prompt, version, deadline_ms, default_action))


def prompt_bytes(
    prompt: Prompt,
    version: int,
    deadline_ms: int | None = None,
    default_action: Action | None = None,
) -> bytes:
    """Return the serialised message of a decision, as `write_prompt`."""
    about = actions_pb2.Prompt(
        seat=prompt.seat,
        phase=actions_pb2.Phase.ValueType(prompt.phase.value),
        version=version,
        deadline=None if deadline_ms is None else write_time(deadline_ms),
        choices=write_choices(prompt.choices),
    )
    return about.SerializeToString() + (b"" if default_action is None else _default(default_action))


@lru_cache(4096)
def _default(action: Action) -> bytes:
    return actions_pb2.Prompt(default_action=write_action(action)).SerializeToString()


def write_choices(choices: Choices) -> actions_pb2.Choices:
    """Return the message of what may be done."""
    message = actions_pb2.Choices()
    if choices.passing:
        getattr(message, "pass").SetInParent()
    if choices.bids:
        message.bid.bids.extend([write_bid(bid) for bid in choices.bids])
    if choices.trumps:
        message.choose_trump.suits.extend([SUITS[suit] for suit in choices.trumps])
        message.choose_trump.contract_rise = choices.contract_rise
    if choices.discard is not None:
        message.discard.CopyFrom(_write_discard(choices.discard))
    if choices.callable:
        message.call_card.cards.extend(write_cards(choices.callable))
    if choices.play is not None:
        message.play_card.CopyFrom(_write_play(choices.play))
    if choices.combination is not None:
        message.play_combination.CopyFrom(_write_combinations(choices.combination))
    if choices.accepting:
        message.accept_offer.SetInParent()
    if choices.declining is not None:
        gives = choices.declining.gives
        message.decline_offer.CopyFrom(actions_pb2.DeclineOfferChoice(gives=None if gives is None else CARDS[gives]))
    if choices.showing:
        message.show_cards.ways.extend([write_action(way).show_cards for way in choices.showing])
    if choices.applying:
        message.apply_for_lead.SetInParent()
    if choices.doubling:
        message.double_bid.SetInParent()
    if choices.redoubling:
        message.redouble_bid.SetInParent()
    if choices.claim_up_to is not None:
        message.claim.CopyFrom(actions_pb2.ClaimChoice(tricks_left=choices.claim_up_to))
    if choices.answering_claim:
        message.agree_to_claim.SetInParent()
        message.refuse_claim.SetInParent()
    return message


def _write_discard(choice: DiscardChoice) -> actions_pb2.DiscardChoice:
    return actions_pb2.DiscardChoice(
        count=choice.count,
        cards=write_cards(choice.cards),
        costly=write_cards(choice.costly),
        costly_limit=choice.costly_limit,
    )


def _write_play(choice: PlayChoice) -> actions_pb2.PlayCardChoice:
    return actions_pb2.PlayCardChoice(
        from_seat=choice.from_seat,
        cards=write_cards(choice.cards),
        follow=None if choice.follow is None else SUITS[choice.follow],
        naming=write_cards(choice.naming),
        calls=[actions_pb2.LeadCall(called=CARDS[call.called], leads=write_cards(call.leads)) for call in choice.calls],
    )


def _write_combinations(choice: CombinationChoice) -> actions_pb2.PlayCombinationChoice:
    return actions_pb2.PlayCombinationChoice(
        to_beat=None if choice.to_beat is None else write_combination(choice.to_beat),
        plays=map(write_combination, choice.plays),
        omitted=choice.omitted,
    )


def read_prompt(message: actions_pb2.Prompt) -> Prompt:
    """Return the decision of a message: its seat, phase and choices.

    Raises:
        WireError: the phase, a card or a suit is none of this game server's.
    """
    return Prompt(message.seat, read_phase(message.phase), read_choices(message.choices))


def read_choices(message: actions_pb2.Choices) -> Choices:
    """Return what may be done, out of its message.

    Raises:
        WireError: a card, a suit or a bid is none of this game server's.
    """
    return Choices(
        passing=message.HasField("pass"),
        bids=tuple(read_bid(bid) for bid in message.bid.bids),
        trumps=tuple(read_suit(suit) for suit in message.choose_trump.suits),
        contract_rise=message.choose_trump.contract_rise,
        discard=_read_discard(message.discard) if message.HasField("discard") else None,
        callable=read_cards(message.call_card.cards),
        play=_read_play(message.play_card) if message.HasField("play_card") else None,
        combination=_read_combinations(message.play_combination) if message.HasField("play_combination") else None,
        accepting=message.HasField("accept_offer"),
        declining=_read_declining(message.decline_offer) if message.HasField("decline_offer") else None,
        showing=tuple(ShowCards(read_card(way.card), way.count) for way in message.show_cards.ways),
        applying=message.HasField("apply_for_lead"),
        doubling=message.HasField("double_bid"),
        redoubling=message.HasField("redouble_bid"),
        claim_up_to=message.claim.tricks_left if message.HasField("claim") else None,
        answering_claim=message.HasField("agree_to_claim"),
    )


def _read_discard(message: actions_pb2.DiscardChoice) -> DiscardChoice:
    return DiscardChoice(
        count=message.count,
        cards=read_cards(message.cards),
        costly=read_cards(message.costly),
        costly_limit=optional(message, "costly_limit"),
    )


def _read_combinations(message: actions_pb2.PlayCombinationChoice) -> CombinationChoice:
    return CombinationChoice(
        to_beat=read_combination(message.to_beat) if message.HasField("to_beat") else None,
        plays=tuple(map(read_combination, message.plays)),
        omitted=message.omitted,
    )


def _read_declining(message: actions_pb2.DeclineOfferChoice) -> Declining:
    return Declining(read_card(message.gives) if message.HasField("gives") else None)


def _read_play(message: actions_pb2.PlayCardChoice) -> PlayChoice:
    return PlayChoice(
        from_seat=message.from_seat,
        cards=read_cards(message.cards),
        follow=read_suit(message.follow) if message.HasField("follow") else None,
        naming=read_cards(message.naming),
        calls=tuple(LeadCall(read_card(call.called), read_cards(call.leads)) for call in message.calls),
    )
