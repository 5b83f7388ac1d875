"""The API's own promises: it lints, it does not break what was published, it can say what ten games need."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import protovalidate
import pytest
from google.protobuf import descriptor_pool, message_factory, text_format
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet
from google.protobuf.message import Message

from junto.v1 import actions_pb2, errors_pb2, strategies_pb2, tables_pb2, views_pb2

ROOT = Path(__file__).resolve().parents[2]
IMAGE = ROOT / "proto" / "junto.binpb"
PUBLISHED = ROOT / "tests" / "api" / "junto-v1.binpb.gz"
EXAMPLES = sorted((ROOT / "docs" / "examples").glob("*.txtpb"))
UUID = "2b1f4a7e-7d1e-4c39-9a39-0f7e7a1c1d11"

# Per game: an action, choices that allow it, and what is special in the view that everybody has.
GAMES = {
    "napoleon-tw": (
        "play_card { card: CARD_BIG_JOKER named_suit: SUIT_CLUBS }",
        """play_card { from_seat: 4 cards: [CARD_CLUB_TWO, CARD_BIG_JOKER] naming: CARD_BIG_JOKER
        calls { called: CARD_SMALL_JOKER leads: CARD_CLUB_TWO } }""",
        """number: 3 phase: PHASE_PLAY to_act: 4 contract { declarer: 4 bid { amount: 11 } target: 12 }
        put_back: CARD_HEART_KING called { card: CARD_CLUB_ACE } called { card: CARD_CLUB_KING holder: 1 }
        roles { seat: 4 role: ROLE_DECLARER } roles { seat: 1 role: ROLE_PARTNER } napoleon { counting_cards: 15 }
        tricks { trump: STRAIN_CLUBS total_tricks: 7 tricks { leader: 4 } tallies { seat: 1 points: 3 tricks: 1 } }""",
    ),
    "napoleon-4p": (
        "bid { amount: 11 }",
        "pass {} bid { bids { amount: 11 } bids { amount: 12 } }",
        """number: 1 phase: PHASE_AUCTION dealer: 2 to_act: 3 kitty_size: 5
        calls { seat: 2 action { bid { amount: 10 } } } napoleon { counting_cards: 16 jokers_strong: true }""",
    ),
    "napoleon-jp": (
        "call_card { card: CARD_SPADE_ACE }",
        "call_card { cards: [CARD_SPADE_ACE, CARD_SPADE_JACK, CARD_BIG_JOKER] }",
        """number: 2 phase: PHASE_CALL dealer: 0 to_act: 1
        contract { declarer: 1 bid { amount: 14 strain: STRAIN_SPADES } target: 14 }
        tricks { trump: STRAIN_SPADES total_tricks: 10 } napoleon { counting_cards: 20 }""",
    ),
    "hundred": (
        "discard { cards: [CARD_HEART_FOUR, CARD_CLUB_SEVEN] }",
        "discard { count: 2 cards: [CARD_HEART_FOUR, CARD_CLUB_SEVEN, CARD_SPADE_ACE] }",
        """number: 5 phase: PHASE_EXCHANGE dealer: 3 to_act: 0
        contract { declarer: 0 bid { amount: 80 } target: 80 } roles { seat: 2 role: ROLE_PARTNER }""",
    ),
    "bridge": (
        "claim { tricks: 4 }",
        "play_card { from_seat: 2 cards: CARD_DIAMOND_ACE } claim { tricks_left: 6 }",
        """number: 9 phase: PHASE_PLAY dealer: 0 to_act: 2 hands { seat: 2 size: 6 open: CARD_DIAMOND_ACE }
        contract { declarer: 0 bid { amount: 3 strain: STRAIN_NO_TRUMP } target: 9 doubling: DOUBLING_REDOUBLED }
        roles { seat: 2 role: ROLE_PARTNER } tricks { trump: STRAIN_NO_TRUMP total_tricks: 13 }
        bridge { board: 9 vulnerability: VULNERABILITY_EAST_WEST dummy: 2 }""",
    ),
    "bridge-3p": (
        "redouble_bid {}",
        "pass {} redouble_bid {} bid { bids { amount: 3 strain: STRAIN_DIAMONDS } }",
        """number: 1 phase: PHASE_AUCTION to_act: 0 hands { seat: 0 size: 13 } hands { seat: 3 size: 13 }
        calls { seat: 2 action { double_bid {} } } bridge { board: 1 pile { row: [CARD_UNSPECIFIED, CARD_CLUB_TEN]
        reports { seat: 1 points: 5 } reports { seat: 2 } } }""",
    ),
    "whist": (
        "play_card { card: CARD_HEART_THREE }",
        "play_card { from_seat: 1 cards: [CARD_HEART_THREE, CARD_HEART_ACE] follow: SUIT_HEARTS }",
        """number: 4 phase: PHASE_PLAY dealer: 3 to_act: 1 hands { seat: 3 size: 13 open: CARD_DIAMOND_QUEEN }
        tricks { trump: STRAIN_DIAMONDS total_tricks: 13 } whist { turned: CARD_DIAMOND_QUEEN }""",
    ),
    "dou-dizhu": (
        "play_combination { cards: [CARD_SMALL_JOKER, CARD_BIG_JOKER] }",
        """pass {} play_combination { to_beat { kind: COMBINATION_KIND_BOMB key: RANK_FOUR length: 4
        ranks: [RANK_FOUR, RANK_FOUR, RANK_FOUR, RANK_FOUR] } plays { kind: COMBINATION_KIND_ROCKET length: 1
        key: RANK_BIG_JOKER ranks: [RANK_BIG_JOKER, RANK_SMALL_JOKER] } }""",
        """number: 1 phase: PHASE_PLAY to_act: 1 kitty: [CARD_CLUB_THREE, CARD_CLUB_FOUR, CARD_HEART_TWO]
        contract { declarer: 2 bid { amount: 2 } } climbing { rounds {} } dou_dizhu { bombs: 1 multiplier: 2 }""",
    ),
    "shuangkou": (
        "play_combination { cards: [CARD_SPADE_EIGHT, CARD_SPADE_EIGHT, CARD_HEART_EIGHT, CARD_CLUB_EIGHT] }",
        """pass {} play_combination { to_beat { kind: COMBINATION_KIND_TRIO key: RANK_KING length: 1
        ranks: [RANK_KING, RANK_KING, RANK_KING] } plays { kind: COMBINATION_KIND_BOMB key: RANK_EIGHT length: 4
        ranks: [RANK_EIGHT, RANK_EIGHT, RANK_EIGHT, RANK_EIGHT] } omitted: 3 }""",
        """number: 2 phase: PHASE_PLAY to_act: 3 climbing { finished: [1] rounds { actions { seat: 1
        action { play_combination { cards: [CARD_CLUB_KING, CARD_CLUB_KING, CARD_HEART_KING] } }
        combination { kind: COMBINATION_KIND_TRIO key: RANK_KING length: 1 ranks: [12, 12, 12] } } } }""",
    ),
    "baohuang": (
        "decline_offer {}",
        "accept_offer {} decline_offer { gives: CARD_SPADE_FOUR } show_cards { ways { card: CARD_CLUB_SIX count: 4 } }",
        """number: 7 phase: PHASE_OFFER to_act: 2 calls { seat: 1 action { decline_offer {} } }
        baohuang { pot: [CARD_BIG_JOKER, CARD_SPADE_FOUR] alliance: ALLIANCE_HIDDEN_SOLO
        named { card: CARD_HEART_TEN count: 3 } tributes { from_seat: 0 to_seat: 4 card: CARD_SPADE_TWO } }""",
    ),
}  # fmt: skip


def buf(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run buf, which stands beside this Python."""
    program = Path(sys.executable).parent / "buf"
    return subprocess.run([program, *arguments], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize("package", ["junto/v1", "junto/internal"])
def test_the_api_lints(package: str) -> None:
    """Every message, field and value is named and documented as buf's standard wants it."""
    done = buf("lint", IMAGE, "--path", package)
    assert done.returncode == 0, done.stdout


def test_nothing_published_was_broken() -> None:
    """The API of today can be used by every client of the published one."""
    done = buf("breaking", IMAGE, "--path", "junto/v1", "--against", PUBLISHED)
    assert done.returncode == 0, done.stdout


def _renumbered(file: FileDescriptorProto) -> None:
    next(message for message in file.message_type if message.name == "Table").field[1].number = 99


def _without_a_field(file: FileDescriptorProto) -> None:
    del next(message for message in file.message_type if message.name == "Table").field[2]


def _of_another_type(file: FileDescriptorProto) -> None:
    next(message for message in file.message_type if message.name == "Table").field[
        0
    ].type = FieldDescriptorProto.TYPE_BYTES


def _without_a_method(file: FileDescriptorProto) -> None:
    del file.service[0].method[0]


def _with_a_renamed_value(file: FileDescriptorProto) -> None:
    file.enum_type[0].value[1].name = "TABLE_STATUS_FRESH"


@pytest.mark.parametrize(
    "change", [_renumbered, _without_a_field, _of_another_type, _without_a_method, _with_a_renamed_value]
)
def test_a_breaking_change_is_found(tmp_path: Path, change: Callable[[FileDescriptorProto], None]) -> None:
    """The comparison with the published API fails when it should."""
    image = FileDescriptorSet.FromString(gzip.decompress(PUBLISHED.read_bytes()))
    change(next(file for file in image.file if file.name == "junto/v1/tables.proto"))
    broken = tmp_path / "broken.binpb"
    broken.write_bytes(image.SerializeToString())
    done = buf("breaking", broken, "--path", "junto/v1", "--against", PUBLISHED)
    assert done.returncode != 0
    assert "junto/v1/tables.proto" in done.stdout + done.stderr


def test_an_action_has_the_number_of_its_choice() -> None:
    """For every field of a prompt's choices the action of that name has that number, and the other way round."""
    kinds = {field.name: field.number for field in actions_pb2.Action.DESCRIPTOR.fields}
    choices = {field.name: field.number for field in actions_pb2.Choices.DESCRIPTOR.fields}
    assert kinds == choices


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_api_can_say_what_a_game_needs(game: str) -> None:
    """Each of the ten games' typical action, choices and view exist, are valid, and survive both forms."""
    action_text, choices_text, view_text = GAMES[game]
    action = text_format.Parse(action_text, actions_pb2.Action())
    prompt = text_format.Parse(f"seat: 4 version: 1 choices {{ {choices_text} }}", actions_pb2.Prompt())
    view = text_format.Parse(f"shared {{ {view_text} }}", views_pb2.DealView())
    for message in (action, prompt, view):
        protovalidate.validate(message)
        assert type(message).FromString(message.SerializeToString()) == message
    kind = action.WhichOneof("kind")
    assert kind is not None
    assert prompt.choices.HasField(kind)


def message_of(name: str) -> Message:
    """Return an empty message of a full name."""
    return message_factory.GetMessageClass(descriptor_pool.Default().FindMessageTypeByName(name))()


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_what_its_header_says(path: Path) -> None:
    """Every example of the documentation parses as its message and meets the constraints."""
    text = path.read_text(encoding="utf-8")
    header = re.search(r"# proto-message: (\S+)", text)
    assert header
    protovalidate.validate(text_format.Parse(text, message_of(header[1])))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Action", ""),
        ("Action", "bid { amount: 0 }"),
        ("Action", "bid { amount: 101 }"),
        ("Action", "play_card {}"),
        ("Action", "play_card { card: 55 }"),
        ("Action", "discard { cards: [3, 3] }"),
        ("Action", "claim { tricks: 28 }"),
        ("ActRequest", "request_id: 'x' table_id: 't' expected_version: 1 action { pass {} }"),
        ("ActRequest", f"request_id: '{UUID}' table_id: 't' action {{ pass {{}} }}"),
        ("ActRequest", f"request_id: '{UUID}' expected_version: 1 action {{ pass {{}} }}"),
        ("ActRequest", f"request_id: '{UUID}' table_id: 't' expected_version: 1"),
        ("Budget", ""),
        ("Budget", "time {}"),
        ("Budget", "time { seconds: 61 }"),
        ("Budget", "iterations: 0"),
        ("AddEntropyRequest", f"request_id: '{UUID}' table_id: 't' deal_number: 1 entropy: 'XY'"),
        ("AddEntropyRequest", f"request_id: '{UUID}' table_id: 't' deal_number: 1 entropy: ''"),
        ("AddEntropyRequest", f"request_id: '{UUID}' table_id: 't' deal_number: 1 entropy: '{'00' * 33}'"),
        ("RuleSet", "game_id: 'Napoleon TW'"),
        ("TableSettings", "turn_time { nanos: 1 }"),
        ("TableSettings", "deals: 0"),
        ("ListTablesRequest", "page_size: 101"),
        ("SignInAsGuestRequest", f"request_id: '{UUID}' display_name: '{'x' * 41}'"),
    ],
)
def test_a_constraint_refuses(name: str, text: str) -> None:
    """What the .proto files forbid is refused, whatever server stands behind them."""
    message = text_format.Parse(text, message_of(f"junto.v1.{name}"))
    with pytest.raises(protovalidate.ValidationError):
        protovalidate.validate(message)


def test_every_constraint_compiles() -> None:
    """No message of the API has a constraint that cannot be evaluated."""
    for module in (actions_pb2, strategies_pb2, tables_pb2, views_pb2):
        for name in module.DESCRIPTOR.message_types_by_name:
            protovalidate.collect_violations(message_of(f"junto.v1.{name}"))


def test_reasons_are_numbered_by_their_status() -> None:
    """Reasons of one status code stand in one block of numbers, so that a client can group them."""
    values = errors_pb2.ErrorReason.DESCRIPTOR.values
    assert [value.number for value in values] == sorted({value.number for value in values})
    assert all(value.name.startswith("ERROR_REASON_") for value in values)
