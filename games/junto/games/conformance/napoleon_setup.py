"""Deals of games with a called partner that stand where a conformance case begins.

A case gives only what matters; the rest of the deal is filled in. In a deal that begins in the middle, tricks that
were played before have a winner and no cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from junto.games.actions import Action, Bid, CallCard, ChooseTrump, Discard, Pass, Play, parse
from junto.games.cards import SUITS, Card, cards_in, mask_of, parse_card, parse_cards
from junto.games.conformance.case import Case
from junto.games.conformance.driving import after, cards_of, is_legal, texts_of
from junto.games.events import CardsShown, Event, PhaseChanged, Zone
from junto.games.napoleon import HouseRules, NapoleonDeal, NapoleonGame
from junto.games.tricks.kernel import NO_CARD, NOBODY
from junto.games.tricks.terms import rules_of_deal
from junto.games.view import (
    CalledCard,
    Contract,
    HandView,
    Own,
    Phase,
    Role,
    SeatRole,
    Shared,
    Tally,
    Trick,
    TrickPlay,
)

_SPADES: Final = 0
_LAST_TRICK: Final = parse_cards("S9 H3 H4 H6 H7 D3 D4")
"""Cards that count in no game; with spades trumps the first one wins."""
_COURTS: Final = parse_cards("CJ CQ CK CA DJ DQ")
_PLAIN_CARDS: Final = parse_cards("S2 H2 D2 C2 S3 H3 D3 C3")


def dealt(
    game: NapoleonGame, first: int, hand: Sequence[Card] = (), kitty: Sequence[Card] = (), others: Iterable[Card] = ()
) -> NapoleonDeal:
    """Return a deal in which seat `first` bids first and has `hand`.

    What is missing from hand and kitty is made up with any cards, but for those of `others`.
    """
    house = game.house
    spare = [card for card in game.pack if card not in {*hand, *kitty, *others}]
    hand = [*hand, *(spare.pop(0) for _ in range(house.tricks - len(hand)))]
    kitty = [*kitty, *(spare.pop(0) for _ in range(house.kitty - len(kitty)))]
    left = [card for card in game.pack if card not in {*hand, *kitty}]
    size = house.tricks
    hands = [left[place * size : (place + 1) * size] for place in range(house.seats - 1)]
    deal = game.deal_hands(1, [*hands[:first], hand, *hands[first:]], kitty, first).deal
    assert isinstance(deal, NapoleonDeal)
    return deal


def won(deal: NapoleonDeal, bid: int | None = None, trump: int = _SPADES) -> NapoleonDeal:
    """Return the deal after its first bidder has won the auction (None: with the lowest bid) and named trumps."""
    assert deal.prompt is not None
    bids = deal.prompt.choices.bids
    deal = after(deal, bids[0] if bid is None else Bid(bid))
    while deal.phase is Phase.AUCTION:
        deal = after(deal, Pass())
    return after(deal, ChooseTrump(trump)) if deal.phase is Phase.TRUMP else deal


def before_trick(
    game: NapoleonGame, case: Case, hands: Mapping[int, Iterable[Card]], *, leader: int, declarer: int
) -> NapoleonDeal:
    """Return a deal in which `leader` is to lead the case's trick."""
    given, called = case.given, called_cards(case)
    masks = [mask_of(hands.get(seat, ())) for seat in range(game.seats)]
    holders = [next((s for s, mask in enumerate(masks) if mask >> card & 1), NOBODY) for card in called]
    trump, number = SUITS.index(given.get("trump", "S")), given.get("trick_no", 1)
    return at_play(game, masks, declarer, holders, called, leader=leader, trump=trump, trick=number)


def at_play(
    game: NapoleonGame,
    hands: Sequence[int],
    declarer: int,
    holders: Sequence[int] = (),
    called: Sequence[Card] = (),
    *,
    leader: int,
    trump: int = _SPADES,
    trick: int = 1,
    contract: int | None = None,
    points: Mapping[int, int] | None = None,
    put_back: tuple[Card, ...] = (),
) -> NapoleonDeal:
    """Return a deal in which `leader` is to lead trick number `trick`; seats have captured these `points`."""
    house, captured = game.house, points or {}
    target = house.min_bid if contract is None else contract
    shared = Shared(
        number=1,
        phase=Phase.PLAY,
        hands=tuple(HandView(seat, hand.bit_count()) for seat, hand in enumerate(hands)),
        to_act=leader,
        contract=Contract(declarer, Bid(target, trump if house.bids_name_suits else None), target),
        called=tuple(map(CalledCard, called)),
        roles=(SeatRole(declarer, Role.DECLARER),),
        tricks=TrickPlay(
            house.tricks,
            trump,
            (Trick(leader, winner=leader),) * (trick - 1),
            tuple(Tally(seat, points=captured.get(seat, 0)) for seat in range(house.seats)),
        ),
    )
    owns = tuple(Own(seat, tuple(cards_in(hand))) for seat, hand in enumerate(hands))
    rules = rules_of_deal(house.terms, trump, *(*called, NO_CARD, NO_CARD)[:2])
    return NapoleonDeal(game, shared, owns, tuple(hands), rules, put_back=put_back, holders=tuple(holders))


def played_out(
    game: NapoleonGame,
    declarer: int,
    holders: Sequence[int],
    contract: int,
    *,
    captured: int,
    buried: int = 0,
    won_by_opponents: bool = False,
) -> NapoleonDeal:
    """Return a deal that is over after a last trick without points, in which his side has captured so many.

    The cards put back are worth `buried`; what is left the opponents have. The last trick is the declarer's, or
    theirs.
    """
    house = game.house
    opponent = next(seat for seat in range(house.seats) if seat not in {declarer, *holders})
    leader = opponent if won_by_opponents else declarer
    hands = [0] * house.seats
    for steps in range(house.seats):
        hands[(leader + steps) % house.seats] = 1 << _LAST_TRICK[steps]
    deal = at_play(
        game,
        hands,
        declarer,
        holders,
        leader=leader,
        trick=house.tricks,
        contract=contract,
        points={declarer: captured, opponent: house.most_points - captured - buried},
        put_back=tuple(_worth(house, buried)),
    )
    while deal.to_act is not None:
        deal = after(deal, Play(next(cards_in(deal.hand))))
    return deal


def _worth(house: HouseRules, points: int) -> Iterator[Card]:
    """Yield cards that count so much together, the most valuable first."""
    left = points
    for card in sorted(cards_in(house.terms.counting), key=lambda card: -house.worth((card,))):
        if house.worth((card,)) <= left:
            left -= house.worth((card,))
            yield card
    if left:
        raise ValueError(f"no cards count {points} together")


def given_up(game: NapoleonGame, declarer: int, contract: int) -> NapoleonDeal:
    """Return a deal that is over because court cards that were put back raised the contract so high."""
    house = game.house
    rise = max(1, contract - house.most_points)
    put_back = (*_COURTS[:rise], *_PLAIN_CARDS[: house.kitty - rise])
    return after(won(dealt(game, declarer, put_back), contract - rise), Discard(put_back))


# Cards and actions as the cases write them.


def called_cards(case: Case) -> list[Card]:
    """Return the cards that the declarer has called, where a case says so."""
    return cards_of(case.given.get("secretary") or ())


def call_of(call: int | str) -> Action:
    """Return a call of an auction: `P`, a number, a number and a suit."""
    return Pass() if call == "P" else parse(f"bid {call}")


def laid(deal: NapoleonDeal, plays: Sequence[Mapping[str, Any]], calls: Iterable[Card] = ()) -> list[Play]:
    """Return the plays of a trick; a lead that has to name a suit and is said to name none names its own."""
    cards = [Play(parse_card(play["card"])) for play in plays]
    if cards:
        named = plays[0].get("names")
        own = None if is_legal(deal, cards[0]) else cards[0].card // 13
        cards[0] = Play(cards[0].card, SUITS.index(named) if named else own, tuple(calls))
    return cards


def action_of(deal: NapoleonDeal, taken: Mapping[str, Any]) -> Action:
    """Return an action of a whole deal."""
    match taken["action"]:
        case "pass":
            return Pass()
        case "bid":
            return call_of(taken["value"])
        case "trump" | "change_trump":
            return ChooseTrump(SUITS.index(taken["suit"]))
        case "discard":
            return Discard(tuple(cards_of(taken["cards"])))
        case "name":
            return CallCard(parse_card(taken["card"]))
        case "play":
            return _play(deal, taken)
        case other:
            raise ValueError(f"there is no action {other!r}")


def _play(deal: NapoleonDeal, taken: Mapping[str, Any]) -> Play:
    card, named = parse_card(taken["card"]), taken.get("names")
    naming = SUITS.index(named) if named else None
    calls: list[Card] = []
    for call in taken.get("calls") or ():
        if call == "secretary":
            names = [known.card for known in deal.shared.called]
            calls.append(next((c for c in names if is_legal(deal, Play(card, naming, (c,)))), names[0]))
        else:
            calls.append(parse_card(call))
    return Play(card, naming, tuple(calls))


# What is asked of a deal.


def shown_courts(events: Iterable[Event]) -> list[str]:
    """Return the court cards that were shown when they were put back, before the deal was over."""
    shown: list[Card] = []
    for event in events:
        if event == PhaseChanged(Phase.OVER):
            break
        if isinstance(event, CardsShown) and event.at.zone is Zone.PUT_BACK:
            shown += event.cards
    return texts_of(shown)
