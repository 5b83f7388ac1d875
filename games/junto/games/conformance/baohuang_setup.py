"""Deals of Baohuang that stand as a conformance case says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from junto.games.actions import ShowCards
from junto.games.baohuang.deal import BaohuangDeal
from junto.games.baohuang.game import Baohuang
from junto.games.baohuang.naming import SHOWN
from junto.games.baohuang.offer import PLAYERS, Offering
from junto.games.baohuang.tribute import Owed
from junto.games.cards import BIG_JOKER, SMALL_JOKER, Card, card_text, parse_card
from junto.games.climbing.ranks import RANKS, rank_of_card
from junto.games.conformance.case import Case
from junto.games.conformance.climbing import cards_of_ranks
from junto.games.view import (
    Alliance,
    BaohuangDetails,
    Clearing,
    ClimbingPlay,
    HandView,
    Own,
    Phase,
    Role,
    Round,
    SeatRole,
    Shared,
)

TRIPLE: Final = parse_card("S9")
"""The card that an emperor shows where a case does not say which."""
MODES: Final = {
    "partner": Alliance.PARTNER,
    "hidden_solo": Alliance.HIDDEN_SOLO,
    "open_solo": Alliance.OPEN_SOLO,
}
_HAND: Final = 43
_JOKERS: Final = {"B": SMALL_JOKER, "R": BIG_JOKER}
_MODE_NAMES: Final = {alliance: name for name, alliance in MODES.items()}


def game_of(case: Case) -> Baohuang:
    """Return the rules that a case is about."""
    preset = case.given.get("preset") or (case.given.get("previous") or {}).get("preset") or "classic"
    return Baohuang({"preset": preset, **case.options})


def suited(texts: Iterable[str]) -> list[Card]:
    """Return the cards of their texts, `S9`, `B` or `R`."""
    return [_JOKERS[text] if text in _JOKERS else parse_card(text) for text in texts]


def at_play(
    game: Baohuang,
    hands: Sequence[Sequence[Card]],
    *,
    leader: int = 0,
    named: Card | None = None,
    finished: Sequence[int] = (),
    court: tuple[int, int | None, Alliance] = (0, 1, Alliance.PARTNER),
    cleared: Sequence[Sequence[int]] = (),
) -> BaohuangDeal:
    """Return a deal in which `leader` begins a round; `named` is None for a card that nobody holds.

    `court` are the emperor, his guard, and whether he has one; that is known only of an open solo.
    """
    emperor, guard, alliance = court
    is_open = alliance is Alliance.OPEN_SOLO
    if named is None:
        named = next(card for card in range(SMALL_JOKER) if all(card not in hand for hand in hands))
    shared = Shared(
        number=1,
        phase=Phase.PLAY,
        hands=tuple(HandView(seat, len(hand)) for seat, hand in enumerate(hands)),
        to_act=leader,
        roles=(SeatRole(emperor, Role.DECLARER),),
        climbing=ClimbingPlay((Round(leader),), tuple(finished)),
        details=BaohuangDetails(
            named=ShowCards(named, SHOWN + is_open),
            alliance=alliance if is_open else None,
            clearings=tuple(Clearing(seat, by_seat) for seat, by_seat in cleared),
        ),
    )
    held = tuple(tuple(sorted(hand)) for hand in hands)
    owns = tuple(Own(seat, hand) for seat, hand in enumerate(held))
    return BaohuangDeal(game, shared, owns, held, Offering(emperor), alliance=alliance, guard=guard)


def before_last_play(game: Baohuang, score: Mapping[str, Any], cleared: Sequence[Sequence[int]] = ()) -> BaohuangDeal:
    """Return a deal that ends with its next play, in the order that a case says."""
    *finished, leader, last = score["order"]
    hands: list[Sequence[Card]] = [[] for _ in range(PLAYERS)]
    hands[leader], hands[last] = cards_of_ranks("4"), cards_of_ranks("5")
    court = score["emperor"], score["guard"], MODES[score["mode"]]
    return at_play(game, hands, leader=leader, finished=finished, court=court, cleared=cleared)


def offered(case: Case) -> BaohuangDeal:
    """Return a deal before its first offer: each seat has so many twos and jokers, and qualifies or not."""
    game, start = game_of(case), case.given["start"]
    hands = [_hand(seat, _HAND + (game.street and number == start)) for number, seat in enumerate(case.given["seats"])]
    previous = case.given.get("previous_emperor")
    owed = None if previous is None else nothing_owed(previous)
    return dealt(game, hands, start, owed)


def dealt(game: Baohuang, hands: Sequence[Sequence[Card]], first: int, owed: Owed | None = None) -> BaohuangDeal:
    """Return a deal of these hands before its first offer."""
    deal = game.deal_hands(1, hands, first, owed).deal
    assert isinstance(deal, BaohuangDeal)
    return deal


def nothing_owed(emperor: int) -> Owed:
    """Return what a drawn deal of this emperor leaves."""
    return Owed(emperor, (emperor + 1) % PLAYERS, Alliance.PARTNER, tuple(range(PLAYERS)), 0)


def court_fields(alliance: Alliance | None, guard: int | None) -> dict[str, Any]:
    """Return whether there is a guard and who it is, as cases write it."""
    return {"mode": _MODE_NAMES.get(alliance) if alliance else None, "guard": guard}


def show_fields(show: ShowCards) -> list[str]:
    """Return what is shown, as cases write it."""
    return [f"show{show.count}", card_text(show.card)]


def _hand(seat: Mapping[str, Any], size: int) -> list[Card]:
    hand = [*cards_of_ranks("".join(rank * seat[rank] for rank in "2BR"))]
    hand += [TRIPLE] * SHOWN if seat["can"] else []
    return [*hand, *_padding(size - len(hand))]


def _padding(size: int) -> Iterator[Card]:
    """Yield so many cards that no emperor could show: two of each at most."""
    cards = [card for card in range(SMALL_JOKER) if RANKS[rank_of_card(card)] != "2" and card != TRIPLE]
    yield from (cards * 2)[:size]
