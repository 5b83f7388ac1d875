"""Conformance cases of the games with a called partner, each driven through a deal of the real rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from junto.games.actions import CallCard, ChooseTrump, Discard, Play, text
from junto.games.cards import SUITS, Card, mask_of, parse_card
from junto.games.catalog import GAMES, open_game
from junto.games.conformance.case import Adapter, Answer, Case
from junto.games.conformance.driving import (
    after,
    cards_of,
    course,
    first_trick_won,
    is_legal,
    playable,
    run,
    texts_of,
)
from junto.games.conformance.napoleon_setup import (
    action_of,
    at_play,
    before_trick,
    call_of,
    called_cards,
    dealt,
    given_up,
    laid,
    played_out,
    shown_courts,
    won,
)
from junto.games.core import RuleError
from junto.games.events import Event
from junto.games.napoleon import HouseRules, NapoleonDeal, NapoleonGame
from junto.games.shuffle import SECRET_BYTES, DealSeed
from junto.games.view import Contract, Outcome, Phase

_PLAYERS: Final = "players"
_TOTAL_WIN: Final = "total_win_double"


@dataclass(frozen=True, slots=True)
class CalledPartnerCases:
    """What a game of this family answers to its cases."""

    game_id: str

    @property
    def adapter(self) -> Adapter:
        """The answers, by the kind of case."""
        return {
            "trick": self.trick,
            "legal": self.legal,
            "lead_call": self.lead_call,
            "auction": self.auction,
            "exchange": self.exchange,
            "partner": self.partner,
            "score": self.score,
            "deal": self.sizes,
            "flow": self.flow,
            "replay": self.replay,
        }

    def trick(self, case: Case) -> Answer:
        """Say who wins a trick, and what it is worth."""
        plays = case.when["plays"]
        hands = {play["seat"]: cards_of([play["card"]]) for play in plays}
        leader = plays[0]["seat"]
        deal = before_trick(self._game(case, len(plays)), case, hands, leader=leader, declarer=leader)
        _, events = run(deal, laid(deal, plays))
        ended = first_trick_won(events)
        return {"winner": ended.winner, "points": ended.points}

    def legal(self, case: Case) -> Answer:
        """Say which cards may be played."""
        plays, hand = case.given["plays"], cards_of(case.given["hand"])
        calls = case.given.get("calls") or {}
        game = self._game(case, self._players_at_play(case))
        leader = plays[0]["seat"] if plays else 0
        hands = {play["seat"]: cards_of([play["card"]]) for play in plays}
        hands[(leader + len(plays)) % game.seats] = hand
        # A called card that nobody is said to have is the leader's: he may call it out all the same.
        shown = {card for cards in hands.values() for card in cards}
        hands[leader] = [*hands[leader], *(card for card in called_cards(case) if card not in shown)]
        declarer = leader if calls.get("secretary") else (leader - 1) % game.seats
        deal = before_trick(game, case, hands, leader=leader, declarer=declarer)
        out = cards_of(called for called in (calls.get("secretary"), calls.get("joker")) if called)
        deal = after(deal, *laid(deal, plays, out))
        return {"cards": texts_of(card for card in playable(deal) if card in hand)}

    def lead_call(self, case: Case) -> Answer:
        """Say whether a call may be attached to a lead."""
        given, call = case.given, case.when["call"]
        game = self._game(case, self._players_at_play(case))
        card, called = parse_card(given["card"]), called_cards(case)
        gone = given.get("secretary_played", False)
        played = cards_of(gone) if isinstance(gone, list) else called if gone else []
        hands = {0: [card], 1: [other for other in called if other != card and other not in played]}
        declarer = 0 if given.get("leader_is_napoleon") else 1
        deal = before_trick(game, case, hands, leader=0, declarer=declarer)
        naming = None if is_legal(deal, Play(card)) else 0
        out = called if call == "secretary" else cards_of([call])
        return {"allowed": any(is_legal(deal, Play(card, naming, (other,))) for other in out)}

    def auction(self, case: Case) -> Answer:
        """Say how an auction stands after some calls."""
        deal = dealt(self._game(case), case.given["first_bidder"])
        for index, call in enumerate(case.when["calls"]):
            try:
                deal = after(deal, call_of(call))
            except RuleError:
                return {"result": "illegal", "index": index}
        if deal.is_over:
            return {"result": "redeal"}
        contract = deal.shared.contract
        if contract is not None:
            return {"result": "won", "winner": contract.declarer, "bid": _bid(contract)}
        assert deal.prompt is not None
        return {"result": "open", "to_act": deal.to_act, "min_bid": deal.prompt.choices.bids[0].amount}

    def exchange(self, case: Case) -> Answer:
        """Say what putting cards back leads to."""
        hand, kitty = cards_of(case.given["hand"]), cards_of(case.given["kitty"])
        put_back, change = cards_of(case.when["discard"]), case.when.get("change_trump")
        trump = SUITS.index(case.given.get("trump", "S"))
        game = self._game(case, self._players_by_sizes(hand, kitty))
        deal = won(dealt(game, 0, hand, kitty, put_back), case.given["bid"], trump)
        changes = [ChooseTrump(SUITS.index(change))] if change else []
        try:
            deal, events = run(deal, [*changes, Discard(tuple(put_back))])
        except RuleError:
            return {"outcome": "illegal"}
        outcome = "immediate_loss" if deal.is_over else "continue"
        revealed = shown_courts(events)
        return {"outcome": outcome, "contract": deal.target, "trump": SUITS[deal.trump], "revealed": revealed}

    def partner(self, case: Case) -> Answer:
        """Say whether a card may be called, and whether its caller is then alone."""
        given, card = case.given, parse_card(case.when["card"])
        hand, kitty = cards_of(given["hand"]), cards_of(given.get("discards") or given.get("kitty") or ())
        already = given.get("already") or []
        before = cards_of([already] if isinstance(already, str) else already)
        game = self._game(case, self._players_with_calls(len(before) + 1) or self._players_by_sizes(hand, kitty))
        deal = won(dealt(game, 0, hand, kitty, [card, *before]))
        if deal.phase is Phase.EXCHANGE:
            deal = after(deal, Discard(deal.owns[0].kitty))
        deal = after(deal, *map(CallCard, before))
        if not is_legal(deal, CallCard(card)):
            return {"legal": False}
        return {"legal": True, "solo": set(after(deal, CallCard(card)).holders) == {0}}

    def score(self, case: Case) -> Answer:
        """Say what a deal is worth: its last trick is played, or too many court cards are put back."""
        deal = self._scored(case)
        assert deal.shared.result is not None
        answer = {"scores": deal.scores, "made": deal.shared.result.outcome is Outcome.MADE}
        if _TOTAL_WIN not in deal.game.options:
            return answer
        other = self._scored(case, {_TOTAL_WIN: not deal.game.options[_TOTAL_WIN]})
        return {**answer, "total": other.scores != deal.scores}

    def sizes(self, case: Case) -> Answer:
        """Say how many cards a hand and the kitty have."""
        game = self._game(case)
        shared = game.deal(game.new_match().opened(), DealSeed(bytes(SECRET_BYTES), (b"",) * game.seats)).deal.shared
        return {"hand": min(hand.size for hand in shared.hands), "kitty": shared.kitty_size}

    def flow(self, case: Case) -> Answer:
        """Say how a whole deal goes."""
        given = case.given
        game = self._game(case, len(given["hands"]))
        hands, kitty = [cards_of(hand) for hand in given["hands"]], cards_of(given["kitty"])
        begun = game.deal_hands(1, hands, kitty, given["first_bidder"])
        assert isinstance(begun.deal, NapoleonDeal)
        deal, events = begun.deal, [seen.event for seen in begun.events]
        for taken in case.when["actions"]:
            if taken["seat"] != deal.to_act:
                raise ValueError(f"it is seat {deal.to_act}'s turn, not seat {taken['seat']}'s")
            deal, new = run(deal, [action_of(deal, taken)])
            events += new
        return _whole(deal, events)

    def replay(self, case: Case) -> Answer:
        """Say who wins the tricks of a whole play."""
        given, leader = case.given, case.given["leader"]
        hands = [mask_of(cards_of(hand)) for hand in given["hands"]]
        game = self._game(case, len(hands))
        declarer = next(seat for seat in range(game.seats) if game.house.first_leader(seat) == leader)
        deal = at_play(game, hands, declarer, leader=leader, trump=SUITS.index(given["trump"]))
        return course(after(deal, *[Play(card) for cards in case.when["plays"] for card in cards_of(cards)]))

    # The games and deals that the cases ask for.

    def _game(self, case: Case, players: int | None = None, **more: bool) -> NapoleonGame:
        """Return the case's game; `players` holds where the case sets no others."""
        usual = {} if players is None else {_PLAYERS: players}
        if _PLAYERS in case.given:
            usual = {_PLAYERS: case.given[_PLAYERS]}
        game = open_game(self.game_id, {**(usual if self._varies else {}), **case.options, **more})
        assert isinstance(game, NapoleonGame)
        return game

    def _scored(self, case: Case, options: Mapping[str, bool] | None = None) -> NapoleonDeal:
        """Return a deal that is over, with these options changed."""
        given, when, game = case.given, case.when, self._game(case, **(options or {}))
        declarer, contract = _first_of(given, "napoleon", "declarer"), _first_of(given, "contract", "bid")
        if when.get("immediate_loss"):
            return given_up(game, declarer, contract)
        partner = _first_of(given, "adjutant", "ally")
        return played_out(
            game,
            declarer,
            given.get("secretaries") or [declarer if partner is None else partner],
            contract,
            captured=when["captured"],
            buried=when.get("buried", 0),
            won_by_opponents=when.get("last_trick_side") == "opponents",
        )

    @property
    def _varies(self) -> bool:
        """Whether the game can be played by different numbers of players."""
        low, high = GAMES[self.game_id].player_range
        return low < high

    def _players_at_play(self, case: Case) -> int | None:
        """Return how many play, by the number of tricks or of called cards; None: the usual number."""
        tricks = case.given.get("total_tricks")
        for players, house in self._tables():
            if house.tricks == tricks:
                return players
        return self._players_with_calls(len(called_cards(case)))

    def _players_with_calls(self, calls: int) -> int | None:
        """Return how many play where more than one card is called; None: the usual number."""
        return next((players for players, house in self._tables() if 1 < calls == house.secretaries), None)

    def _players_by_sizes(self, hand: Sequence[Card], kitty: Sequence[Card]) -> int | None:
        """Return how many play, if the numbers of cards tell; None: the usual number."""
        sizes = (len(hand), len(kitty))
        return next((players for players, house in self._tables() if (house.tricks, house.kitty) == sizes), None)

    def _tables(self) -> list[tuple[int, HouseRules]]:
        """Return the numbers of players that there can be, with the rules for them."""
        low, high = GAMES[self.game_id].player_range
        numbers = range(low, high + 1) if self._varies else ()
        games = [(players, open_game(self.game_id, {_PLAYERS: players})) for players in numbers]
        return [(players, game.house) for players, game in games if isinstance(game, NapoleonGame)]


def _first_of(fields: Mapping[str, Any], *names: str) -> Any:
    """Return the field that the game's cases have of these; None: none of them, or null."""
    return next((fields[name] for name in names if name in fields), None)


def _bid(contract: Contract) -> int | str:
    """Return a bid as cases write it: a number, with a suit where one is bid."""
    return contract.bid.amount if contract.bid.strain is None else text(contract.bid).removeprefix("bid ")


def _whole(deal: NapoleonDeal, events: Sequence[Event]) -> Answer:
    contract, result = deal.contract, deal.shared.result
    assert result is not None
    return {
        "declarer": contract.declarer,
        "bid": _bid(contract),
        "contract": contract.target,
        "trump": SUITS[deal.trump],
        "partner": _partner(deal.holders),
        **course(deal),
        "captured": result.captured,
        "made": result.outcome is Outcome.MADE,
        "scores": deal.scores,
        "revealed": shown_courts(events),
    }


def _partner(holders: Sequence[int]) -> int | list[int] | None:
    """Return who had the called card; for two cards a list, None where none was called."""
    if len(holders) > 1:
        return list(holders)
    return holders[0] if holders else None


TAIWAN: Final = CalledPartnerCases("napoleon-tw").adapter
FOUR: Final = CalledPartnerCases("napoleon-4p").adapter
JAPAN: Final = CalledPartnerCases("napoleon-jp").adapter
HUNDRED: Final = CalledPartnerCases("hundred").adapter
