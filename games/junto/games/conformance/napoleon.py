"""Conformance cases of Taiwanese Napoleon, each driven through a deal of the real rules.

A case gives only what matters; the rest of the deal is filled in. Cases that begin in the middle get a deal
that stands there: tricks that were played before have a winner and no cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from junto.games.actions import Action, Bid, CallCard, ChooseTrump, Discard, Pass, Play
from junto.games.cards import SUITS, Card, card_text, cards_in, mask_of, parse_card, parse_cards
from junto.games.catalog import open_game
from junto.games.conformance.case import Adapter, Answer, Case
from junto.games.core import RuleError
from junto.games.events import CardsShown, PhaseChanged, Seen, TrickWon, Zone
from junto.games.napoleon import NapoleonDeal, NapoleonGame
from junto.games.shuffle import SECRET_BYTES, DealSeed
from junto.games.tricks.kernel import NO_CARD, NOBODY
from junto.games.tricks.terms import rules_of_deal
from junto.games.view import (
    CalledCard,
    Contract,
    HandView,
    Outcome,
    Own,
    Phase,
    Role,
    SeatRole,
    Shared,
    Tally,
    Trick,
    TrickPlay,
)

_PLAYERS_BY_TRICKS: Final = {17: 3, 12: 4, 10: 5, 8: 6, 7: 7}
_PLAYERS: Final = 5
_LOWEST_BID: Final = 9
"""The lowest bid that any table has."""
_PLAIN_CARDS: Final = parse_cards("S2 H2 D2 C2 S3 H3 D3 C3 S4 H4 D4 C4 S5 H5 D5 C5 S6 H6 D6 C6 S7 H7 D7 C7")
_COURTS: Final = parse_cards("CJ CQ CK CA DJ DQ")

# The kinds of cases.


def trick(case: Case) -> Answer:
    """Say who wins a trick, and how many court cards it has."""
    plays = case.when["plays"]
    hands = {play["seat"]: _cards([play["card"]]) for play in plays}
    leader = plays[0]["seat"]
    deal = _before_trick(_game(case, len(plays)), case, hands, leader=leader, napoleon=leader)
    _, events = _run(deal, _laid(deal, plays))
    won = next(seen.event for seen in events if isinstance(seen.event, TrickWon))
    return {"winner": won.winner, "points": won.points}


def legal(case: Case) -> Answer:
    """Say which cards may be played."""
    plays, hand = case.given["plays"], _cards(case.given["hand"])
    calls = case.given.get("calls") or {}
    game = _game(case, _players_at_play(case))
    leader = plays[0]["seat"] if plays else 0
    hands = {play["seat"]: _cards([play["card"]]) for play in plays}
    hands[(leader + len(plays)) % game.seats] = hand
    # A secretary card that nobody is said to have is the leader's: he may call it all the same.
    shown = {card for cards in hands.values() for card in cards}
    hands[leader] = [*hands[leader], *(card for card in _secretaries(case) if card not in shown)]
    napoleon = leader if calls.get("secretary") else (leader - 1) % game.seats
    deal = _before_trick(game, case, hands, leader=leader, napoleon=napoleon)
    called = _cards(text for text in (calls.get("secretary"), calls.get("joker")) if text)
    deal = _after(deal, *_laid(deal, plays, called))
    assert deal.prompt is not None
    assert deal.prompt.choices.play is not None
    return {"cards": _texts(card for card in deal.prompt.choices.play.cards if card in hand)}


def lead_call(case: Case) -> Answer:
    """Say whether a call may be attached to a lead."""
    given, call = case.given, case.when["call"]
    game = _game(case, _players_at_play(case))
    card, secretaries = parse_card(given["card"]), _secretaries(case)
    gone = given.get("secretary_played", False)
    played = _cards(gone) if isinstance(gone, list) else secretaries if gone else []
    hands = {0: [card], 1: [other for other in secretaries if other != card and other not in played]}
    napoleon = 0 if given.get("leader_is_napoleon") else 1
    deal = _before_trick(game, case, hands, leader=0, napoleon=napoleon)
    naming = None if _is_legal(deal, Play(card)) else 0
    called = secretaries if call == "secretary" else _cards([call])
    return {"allowed": any(_is_legal(deal, Play(card, naming, (other,))) for other in called)}


def auction(case: Case) -> Answer:
    """Say how an auction stands after some calls."""
    deal = _dealt(_game(case), case.given["first_bidder"])
    for index, call in enumerate(case.when["calls"]):
        try:
            deal = _after(deal, Pass() if call == "P" else Bid(call))
        except RuleError:
            return {"result": "illegal", "index": index}
    if deal.is_over:
        return {"result": "redeal"}
    contract = deal.shared.contract
    if contract is not None:
        return {"result": "won", "winner": contract.declarer, "bid": contract.bid.amount}
    assert deal.prompt is not None
    return {"result": "open", "to_act": deal.to_act, "min_bid": deal.prompt.choices.bids[0].amount}


def exchange(case: Case) -> Answer:
    """Say what putting cards back leads to."""
    hand, kitty = _cards(case.given["hand"]), _cards(case.given["kitty"])
    put_back, change = _cards(case.when["discard"]), case.when.get("change_trump")
    trump = SUITS.index(case.given.get("trump", "S"))
    game = _game(case, _players_by_sizes(hand, kitty))
    deal = _exchanging(_dealt(game, 0, hand, kitty, put_back), case.given["bid"], trump)
    changes = [ChooseTrump(SUITS.index(change))] if change else []
    try:
        deal, events = _run(deal, [*changes, Discard(tuple(put_back))])
    except RuleError:
        return {"outcome": "illegal"}
    outcome = "immediate_loss" if deal.is_over else "continue"
    return {"outcome": outcome, "contract": deal.target, "trump": SUITS[deal.trump], "revealed": _revealed(events)}


def partner(case: Case) -> Answer:
    """Say whether a card may be called, and whether its caller is then alone."""
    hand, put_back = _cards(case.given["hand"]), _cards(case.given.get("discards", ()))
    already = case.given.get("already") or []
    before = _cards([already] if isinstance(already, str) else already)
    card = parse_card(case.when["card"])
    game = _game(case, 7 if before else _players_by_sizes(hand, put_back), min_bid=_LOWEST_BID)
    deal = _exchanging(_dealt(game, 0, hand, put_back, [card, *before]), _LOWEST_BID, trump=0)
    deal = _after(deal, Discard(deal.owns[0].kitty), *map(CallCard, before))
    if not _is_legal(deal, CallCard(card)):
        return {"legal": False}
    return {"legal": True, "solo": set(_after(deal, CallCard(card)).holders) == {0}}


def score(case: Case) -> Answer:
    """Say what a deal is worth: its last trick is played, or too many court cards are put back."""
    deal = _given_up(case) if case.when.get("immediate_loss") else _played_out(case)
    assert deal.shared.result is not None
    return {"scores": deal.scores, "made": deal.shared.result.outcome is Outcome.MADE}


def sizes(case: Case) -> Answer:
    """Say how many cards a hand and the kitty have."""
    game = _game(case)
    shared = game.deal(game.new_match().opened(), DealSeed(bytes(SECRET_BYTES), (b"",) * game.seats)).deal.shared
    return {"hand": min(hand.size for hand in shared.hands), "kitty": shared.kitty_size}


def flow(case: Case) -> Answer:
    """Say how a whole deal goes."""
    given = case.given
    game = _game(case, len(given["hands"]))
    dealt = game.deal_hands(1, [_cards(hand) for hand in given["hands"]], _cards(given["kitty"]), given["first_bidder"])
    deal, events = dealt.deal, list(dealt.events)
    for taken in case.when["actions"]:
        assert isinstance(deal, NapoleonDeal)
        if taken["seat"] != deal.to_act:
            raise ValueError(f"it is seat {deal.to_act}'s turn, not seat {taken['seat']}'s")
        deal, new = _run(deal, [_action(deal, taken)])
        events += new
    assert isinstance(deal, NapoleonDeal)
    return _whole(deal, events)


def _whole(deal: NapoleonDeal, events: Sequence[Seen]) -> Answer:
    contract, tricks, result = deal.contract, deal.shared.tricks, deal.shared.result
    assert tricks is not None
    assert result is not None
    return {
        "declarer": contract.declarer,
        "bid": contract.bid.amount,
        "contract": contract.target,
        "trump": SUITS[deal.trump],
        "partner": _partner(deal.holders),
        "winners": [trick.winner for trick in tricks.tricks],
        "points_by_seat": [tally.points for tally in tricks.tallies],
        "captured": result.captured,
        "made": result.outcome is Outcome.MADE,
        "scores": deal.scores,
        "revealed": _revealed(events),
    }


def _partner(holders: Sequence[int]) -> int | list[int] | None:
    """Return who had the called card; for two cards a list, None where none was called."""
    if len(holders) > 1:
        return list(holders)
    return holders[0] if holders else None


ADAPTER: Final[Adapter] = {
    "trick": trick,
    "legal": legal,
    "lead_call": lead_call,
    "auction": auction,
    "exchange": exchange,
    "partner": partner,
    "score": score,
    "deal": sizes,
    "flow": flow,
}


# The games and deals that the cases ask for.


def _game(case: Case, players: int = _PLAYERS, **usual: int) -> NapoleonGame:
    """Return the case's game; `players` and the `usual` options hold where the case sets no others."""
    game = open_game("napoleon-tw", {**usual, "players": case.given.get("players", players), **case.options})
    assert isinstance(game, NapoleonGame)
    return game


def _players_at_play(case: Case) -> int:
    """Return how many play, by the number of tricks or of secretary cards."""
    usual = 7 if len(_secretaries(case)) > 1 else _PLAYERS
    return _PLAYERS_BY_TRICKS.get(case.given.get("total_tricks", 0), usual)


def _players_by_sizes(hand: Sequence[Card], kitty: Sequence[Card]) -> int:
    """Return how many play, if the numbers of cards tell; else the usual number."""
    players = _PLAYERS_BY_TRICKS.get(len(hand), _PLAYERS)
    return players if len(kitty) + players * len(hand) == len(SUITS) * 13 + 2 else _PLAYERS


def _dealt(
    game: NapoleonGame, first: int, hand: Sequence[Card] = (), kitty: Sequence[Card] = (), others: Iterable[Card] = ()
) -> NapoleonDeal:
    """Return a deal in which seat `first` bids first and has `hand`.

    What is missing from hand and kitty is made up with any cards, but for those of `others`.
    """
    house = game.house
    spare = [card for card in house.pack if card not in {*hand, *kitty, *others}]
    hand = [*hand, *(spare.pop(0) for _ in range(house.tricks - len(hand)))]
    kitty = [*kitty, *(spare.pop(0) for _ in range(house.kitty - len(kitty)))]
    left = [card for card in house.pack if card not in {*hand, *kitty}]
    size = house.tricks
    hands = [left[place * size : (place + 1) * size] for place in range(house.seats - 1)]
    deal = game.deal_hands(1, [*hands[:first], hand, *hands[first:]], kitty, first).deal
    assert isinstance(deal, NapoleonDeal)
    return deal


def _exchanging(deal: NapoleonDeal, bid: int, trump: int) -> NapoleonDeal:
    """Return the deal after its first bidder has won the auction and taken the kitty."""
    deal = _after(deal, Bid(bid))
    while deal.phase is Phase.AUCTION:
        deal = _after(deal, Pass())
    return _after(deal, ChooseTrump(trump))


def _before_trick(
    game: NapoleonGame, case: Case, hands: Mapping[int, Iterable[Card]], *, leader: int, napoleon: int
) -> NapoleonDeal:
    """Return a deal in which `leader` is to lead the case's trick."""
    given, secretaries = case.given, _secretaries(case)
    masks = [mask_of(hands.get(seat, ())) for seat in range(game.seats)]
    holders = [next((s for s, mask in enumerate(masks) if mask >> card & 1), NOBODY) for card in secretaries]
    contract = Contract(napoleon, Bid(_LOWEST_BID), _LOWEST_BID)
    trump, number = SUITS.index(given.get("trump", "S")), given.get("trick_no", 1)
    return _at_play(game, masks, contract, holders, secretaries, leader=leader, trump=trump, trick=number)


def _at_play(
    game: NapoleonGame,
    hands: Sequence[int],
    contract: Contract,
    holders: Sequence[int],
    secretaries: Sequence[Card] = (),
    *,
    leader: int,
    trump: int,
    trick: int,
    captured: int = 0,
) -> NapoleonDeal:
    """Return a deal in which `leader` is to lead trick number `trick`; Napoleon has `captured` so many court cards."""
    house, napoleon = game.house, contract.declarer
    tallies = [Tally(seat) for seat in range(house.seats)]
    tallies[napoleon] = Tally(napoleon, trick - 1, captured)
    shared = Shared(
        number=1,
        phase=Phase.PLAY,
        hands=tuple(HandView(seat, hand.bit_count()) for seat, hand in enumerate(hands)),
        to_act=leader,
        contract=contract,
        called=tuple(map(CalledCard, secretaries)),
        roles=(SeatRole(napoleon, Role.DECLARER),),
        tricks=TrickPlay(house.tricks, trump, (Trick(leader, winner=leader),) * (trick - 1), tuple(tallies)),
    )
    owns = tuple(Own(seat, tuple(cards_in(hand))) for seat, hand in enumerate(hands))
    rules = rules_of_deal(house.terms, trump, *(*secretaries, NO_CARD, NO_CARD)[:2])
    return NapoleonDeal(game, shared, owns, tuple(hands), rules, holders=tuple(holders))


def _played_out(case: Case) -> NapoleonDeal:
    """Return a deal that is over after a last trick without court cards, all others Napoleon's."""
    given, game = case.given, _game(case)
    napoleon, target = given["napoleon"], given["contract"]
    hands = [1 << _PLAIN_CARDS[seat] for seat in range(game.seats)]
    contract = Contract(napoleon, Bid(target), target)
    captured, last = case.when["captured"], game.house.tricks
    deal = _at_play(
        game, hands, contract, given["secretaries"], leader=napoleon, trump=0, trick=last, captured=captured
    )
    while deal.to_act is not None:
        deal = _after(deal, Play(next(cards_in(deal.hand))))
    return deal


def _given_up(case: Case) -> NapoleonDeal:
    """Return a deal that is over because its contract rose to the case's."""
    game, target = _game(case), case.given["contract"]
    rise = max(1, target - game.house.courts)
    courts = _COURTS[:rise]
    put_back = (*courts, *_PLAIN_CARDS[: game.house.kitty - rise])
    deal = _exchanging(_dealt(game, case.given["napoleon"], put_back), target - rise, trump=0)
    return _after(deal, Discard(put_back))


# Cards and actions as the cases write them.


def _cards(texts: Iterable[str]) -> list[Card]:
    return [parse_card(text) for text in texts]


def _texts(cards: Iterable[Card]) -> list[str]:
    return [card_text(card) for card in cards]


def _secretaries(case: Case) -> list[Card]:
    return _cards(case.given.get("secretary") or ())


def _laid(deal: NapoleonDeal, plays: Sequence[Mapping[str, Any]], calls: Iterable[Card] = ()) -> list[Play]:
    """Return the plays of a trick; a lead that has to name a suit and is said to name none names its own."""
    laid = [Play(parse_card(play["card"])) for play in plays]
    if laid:
        named = plays[0].get("names")
        own = None if _is_legal(deal, laid[0]) else laid[0].card // 13
        laid[0] = Play(laid[0].card, SUITS.index(named) if named else own, tuple(calls))
    return laid


def _action(deal: NapoleonDeal, taken: Mapping[str, Any]) -> Action:
    match taken["action"]:
        case "pass":
            return Pass()
        case "bid":
            return Bid(taken["value"])
        case "trump" | "change_trump":
            return ChooseTrump(SUITS.index(taken["suit"]))
        case "discard":
            return Discard(tuple(_cards(taken["cards"])))
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
            calls.append(next((c for c in names if _is_legal(deal, Play(card, naming, (c,)))), names[0]))
        else:
            calls.append(parse_card(call))
    return Play(card, naming, tuple(calls))


def _run(deal: NapoleonDeal, actions: Iterable[Action]) -> tuple[NapoleonDeal, list[Seen]]:
    """Return the deal after the actions, and all events."""
    events: list[Seen] = []
    for action in actions:
        step = deal.apply(action)
        assert isinstance(step.deal, NapoleonDeal)
        deal = step.deal
        events += step.events
    return deal, events


def _after(deal: NapoleonDeal, *actions: Action) -> NapoleonDeal:
    return _run(deal, actions)[0]


def _is_legal(deal: NapoleonDeal, action: Action) -> bool:
    try:
        deal.check(action)
    except RuleError:
        return False
    return True


def _revealed(events: Iterable[Seen]) -> list[str]:
    """Return the court cards that were shown when they were put back, before the deal was over."""
    shown: list[Card] = []
    for seen in events:
        if seen.event == PhaseChanged(Phase.OVER):
            break
        if isinstance(seen.event, CardsShown) and seen.event.at.zone is Zone.PUT_BACK:
            shown += seen.event.cards
    return _texts(shown)
