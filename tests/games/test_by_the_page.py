"""Random deals, judged by the rule pages read anew in plain Python: which cards are legal, who wins, what is scored.

Nothing here calls the kernels; the pages are those in `docs/games`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import pytest

from junto.games.cards import BIG_JOKER, NO_TRUMP, SMALL_JOKER, Card, parse_cards, rank_of, suit_of
from junto.games.catalog import GAMES
from junto.games.core import Deal, Game
from junto.games.napoleon import NapoleonDeal
from junto.games.view import BridgeDetails, Outcome, Phase, PlayChoice, Shared, Trick, Vulnerability

from .playing import first_deal, play_out, random_game

COURTS = frozenset(card for card in range(52) if rank_of(card) >= 9)
POINTS = {card: 10 if rank_of(card) in (8, 11) else 5 for card in range(52) if rank_of(card) in (3, 8, 11)}
POINT_CARDS = frozenset(card for card in range(52) if rank_of(card) >= 8)
SPADE_ACE, HEART_QUEEN, CLUB_THREE = parse_cards("SA HQ C3")
JACK = 9
DEALS = 60


@dataclass(frozen=True)
class Page(ABC):
    """What a game's page says, as far as the play is concerned; this is the page of bridge and whist."""

    game: Game

    def suit(self, card: Card, trump: int) -> int | None:
        """Return the suit that a card belongs to when suits are followed; None: to none."""
        return suit_of(card) if card < SMALL_JOKER else None

    def follows(self, hand: set[Card], trick: Trick, trump: int, called: tuple[Card, ...]) -> set[Card]:
        """Return the cards that may be played to a trick."""
        own = {card for card in hand if self.suit(card, trump) == trick.led_suit}
        return own or hand

    def height(self, card: Card, trick: Trick, number: int, trump: int, called: tuple[Card, ...]) -> tuple[int, int]:
        """Return how high a card is in a trick: a class, and a place in it; class 0 never wins."""
        if suit_of(card) == trump:
            return 3, rank_of(card)
        return (2, rank_of(card)) if suit_of(card) == trick.led_suit else (0, 0)

    @abstractmethod
    def scores(self, deal: Deal) -> list[int]:
        """Return what each seat scores."""


class OfHundred(Page):
    """百分."""

    def suit(self, card: Card, trump: int) -> int | None:
        if card >= SMALL_JOKER:
            return trump if self.game.options["jokers_are_trump"] else None
        return suit_of(card)

    def height(self, card: Card, trick: Trick, number: int, trump: int, called: tuple[Card, ...]) -> tuple[int, int]:
        if card >= SMALL_JOKER:
            return 4, card
        place = 13 if rank_of(card) == 0 and self.game.options["two_high"] else rank_of(card)
        return super().height(card, trick, number, trump, called)[0], place

    def scores(self, deal: Deal) -> list[int]:
        assert isinstance(deal, NapoleonDeal)
        contract, taken = deal.contract, captured(deal.shared, POINTS)
        side = {contract.declarer, *deal.holders}
        buried = sum(POINTS.get(card, 0) for card in deal.put_back)
        match self.game.options["buried_points"]:
            case "declarer":
                taken[contract.declarer] += buried
            case "last_trick_winner":
                taken[last_winner(deal.shared)] += buried
        won = sum(taken[seat] for seat in side)
        others = sum(taken) - won
        own = 200 if won == 100 else contract.bid.amount if won >= contract.bid.amount else -contract.bid.amount
        return [own if seat in side else others * (2 if won < 50 else 1) for seat in range(4)]


class OfNapoleon(Page):
    """拿破崙, for three to seven players, and for four."""

    def free(self, card: Card, called: tuple[Card, ...]) -> bool:
        """Tell whether a card may be played instead of following."""
        joker = card >= SMALL_JOKER and bool(self.game.options.get("joker_anytime", True))
        return joker or card in called

    def follows(self, hand: set[Card], trick: Trick, trump: int, called: tuple[Card, ...]) -> set[Card]:
        hit = hand & set(trick.calls)
        if hit:
            allowed = set(hand)
            for card in hit:
                jokers = {SMALL_JOKER, BIG_JOKER}
                allowed &= jokers | ({*called} if card in jokers else {card})
            return allowed
        bound = {card for card in hand if suit_of(card) == trick.led_suit}
        if not self.game.options["secretary_follows"]:
            bound -= set(called)
        return bound | {card for card in hand if self.free(card, called)} if bound else hand

    def height(self, card: Card, trick: Trick, number: int, trump: int, called: tuple[Card, ...]) -> tuple[int, int]:
        total = GAME_TRICKS[self.game]
        if card in called:
            return 5, -called.index(card)
        if card >= SMALL_JOKER:
            if number < total - 3:
                return 4, card
            return (1, 0) if trick.cards[0].card == card else (0, 0)
        return super().height(card, trick, number, trump, called)

    def scores(self, deal: Deal) -> list[int]:
        assert isinstance(deal, NapoleonDeal)
        contract, napoleon, seats = deal.contract, deal.contract.declarer, self.game.seats
        assert contract.target is not None
        taken = captured(deal.shared, dict.fromkeys(COURTS, 1))
        over = sum(taken[seat] for seat in {napoleon, *deal.holders}) - contract.target
        four = self.game.id == "napoleon-4p"
        solo = set(deal.holders) == {napoleon}
        shares = [0] * seats
        for seat in range(seats):
            cards = deal.holders.count(seat)
            if cards and not solo:
                shares[seat] = cards * (50 + 10 * over if over >= 0 else 20 * over)
            elif solo:
                shares[seat] = -(100 + 10 * over) if over >= 0 else -10 * over
            elif four:
                shares[seat] = -(75 + 15 * over) if over >= 0 else -30 * over
            else:
                shares[seat] = -(50 + 10 * over) if over >= 0 else -20 * over
        shares[napoleon] = 0
        shares[napoleon] = -sum(shares)
        return shares


class OfJapan(Page):
    """ナポレオン."""

    def follows(self, hand: set[Card], trick: Trick, trump: int, called: tuple[Card, ...]) -> set[Card]:
        jokers = {card for card in hand if card >= SMALL_JOKER}
        if self.game.options["joker_call"] and trick.cards[0].card == CLUB_THREE and jokers:
            return jokers
        own = {card for card in hand if self.suit(card, trump) == trick.led_suit}
        return own | jokers if own else hand

    def height(self, card: Card, trick: Trick, number: int, trump: int, called: tuple[Card, ...]) -> tuple[int, int]:
        chosen, table = self.game.options, [played.card for played in trick.cards]
        if card == HEART_QUEEN and SPADE_ACE in table and chosen["yoromeki"]:
            return 10, 0
        if card == SPADE_ACE:
            return 9, 0
        if card >= SMALL_JOKER:
            places = {"second": (8, 0), "high_trump": (3, 99), "low_trump": (3, -1)}
            return places[str(chosen["led_joker"])] if card == table[0] else (0, 0)
        if card == 13 * trump + JACK:
            return 7, 0
        if self.is_same_two(card, trick, number):
            return 6 if chosen["same_two_beats_left_jack"] else 4, 0
        if card == 13 * (3 - trump) + JACK:
            return 5, 0
        return super().height(card, trick, number, trump, called)

    def is_same_two(self, card: Card, trick: Trick, number: int) -> bool:
        """Tell whether a card is the two of a trick that is all of one suit."""
        chosen = self.game.options
        if not chosen["same_two"] or (number == 0 and not chosen["same_two_first_trick"]):
            return False
        followed = [played.card for played in trick.cards[1:]]
        if chosen["followed_joker_voids_same_two"] and any(other >= SMALL_JOKER for other in followed):
            return False
        plain = [played.card for played in trick.cards if played.card < SMALL_JOKER]
        return rank_of(card) == 0 and all(suit_of(other) == trick.led_suit for other in plain)

    def scores(self, deal: Deal) -> list[int]:
        assert isinstance(deal, NapoleonDeal)
        chosen, napoleon, bid = self.game.options, deal.contract.declarer, deal.contract.bid.amount
        taken = captured(deal.shared, dict.fromkeys(POINT_CARDS, 1))
        side = {napoleon, *deal.holders}
        won = sum(taken[seat] for seat in side)
        made = won >= bid and not (chosen["twenty_loses"] and won == 20 > bid)
        others_have_all = sum(taken) - won == 20 if chosen["allied_total_win"] == "all20" else won < 8
        total = chosen["total_win_double"] and (won == 20 if made else others_have_all)
        alone, allies = len(side) == 1, self.game.seats - len(side)
        if chosen["scoring"] == "ts":
            worth = (allies if alone else 2, 1, -1)
            worth = worth if made else (-worth[0], -worth[1], -worth[2])
        elif made:
            worth = (16 if alone else 9, 6, 0)
        else:
            worth = (0, 0, 4 if alone else 5)
        factor = 2 if total else 1
        return [factor * worth[0 if seat == napoleon else 1 if seat in side else 2] for seat in range(self.game.seats)]


class OfWhist(Page):
    """Whist."""

    def scores(self, deal: Deal) -> list[int]:
        tricks = captured(deal.shared, {}, each=1)
        order = [hand.seat for hand in deal.shared.hands]
        side = {order[0], order[2]}
        won = sum(tricks[seat] for seat in side)
        return [max(0, (won if seat in side else 13 - won) - 6) for seat in range(4)]


class OfBridge(Page):
    """Bridge, by Law 77, and bridge for three."""

    def scores(self, deal: Deal) -> list[int]:
        contract, details, result = deal.shared.contract, deal.shared.details, deal.shared.result
        assert contract is not None
        assert isinstance(details, BridgeDetails)
        assert result is not None
        assert result.captured is not None
        assert contract.bid.strain is not None
        assert contract.doubling is not None
        order = [hand.seat for hand in deal.shared.hands]
        place = order.index(contract.declarer)
        side = Vulnerability.EAST_WEST if place % 2 else Vulnerability.NORTH_SOUTH
        vulnerable = details.vulnerability in (side, Vulnerability.BOTH)
        score = law_77(
            contract.bid.amount,
            contract.bid.strain,
            contract.doubling - 1,
            result.captured,
            vulnerable=vulnerable,
            taken_slams=self.game.options["slam_bonus"] == "taken",
        )
        if self.game.id == "bridge":
            return [score if (seat - contract.declarer) % 2 == 0 else -score for seat in range(4)]
        own = 2 * score if self.game.options["zero_sum"] else score
        return [own if seat == contract.declarer else -score for seat in range(3)]


def law_77(level: int, strain: int, doubled: int, tricks: int, *, vulnerable: bool, taken_slams: bool) -> int:
    """Return a contract's score; `doubled` is 0, 1 or 2."""
    over = tricks - level - 6
    if over < 0:
        if not doubled:
            return over * (100 if vulnerable else 50)
        steps = [200, 300, 300] if vulnerable else [100, 200, 200]
        return -doubled * sum((steps + [300] * 10)[:-over])
    each = {0: 30, 1: 30, 2: 20, 3: 20, 4: 30}[strain]
    points = each * level + (10 if strain == NO_TRUMP else 0) << doubled
    score = points + (50 if points < 100 else 500 if vulnerable else 300) + 50 * doubled
    score += over * (each if not doubled else 100 * doubled * (2 if vulnerable else 1))
    slam = tricks - 6 if taken_slams else level
    return score + {6: 750 if vulnerable else 500, 7: 1500 if vulnerable else 1000}.get(slam, 0)


PAGES: dict[str, Callable[[Game], Page]] = {
    "napoleon-tw": OfNapoleon,
    "napoleon-4p": OfNapoleon,
    "napoleon-jp": OfJapan,
    "hundred": OfHundred,
    "bridge": OfBridge,
    "bridge-3p": OfBridge,
    "whist": OfWhist,
}
GAME_TRICKS: dict[Game, int] = {}
"""How many tricks a game has, once one of its deals was looked at."""


def captured(shared: Shared, worth: dict[Card, int], each: int = 0) -> list[int]:
    """Return what each hand's tricks are worth: by their cards, and each by itself."""
    assert shared.tricks is not None
    taken = [0] * max(4, len(shared.hands))
    for trick in shared.tricks.tricks:
        assert trick.winner is not None
        taken[trick.winner] += each + sum(worth.get(played.card, 0) for played in trick.cards)
    return taken[: len(shared.hands)]


def last_winner(shared: Shared) -> int:
    assert shared.tricks is not None
    winner = shared.tricks.tricks[-1].winner
    assert winner is not None
    return winner


def check_play(page: Page, deal: Deal) -> None:
    """The legal cards of a decision are those of the page."""
    assert deal.prompt is not None
    asked = deal.prompt.choices.play
    if not isinstance(asked, PlayChoice):
        return
    tricks = deal.shared.tricks
    assert tricks is not None
    assert tricks.trump is not None
    hand = set(hand_of(deal, asked.from_seat))
    trick = tricks.tricks[-1] if tricks.tricks and tricks.tricks[-1].winner is None else None
    called = tuple(known.card for known in deal.shared.called)
    legal = hand if trick is None else page.follows(hand, trick, tricks.trump, called)
    assert set(asked.cards) == legal


def hand_of(deal: Deal, number: int) -> tuple[Card, ...]:
    """Return a hand: a seat's own, or dummy's as it lies open."""
    if number < len(deal.owns):
        return deal.owns[number].hand
    return next(view.open for view in deal.shared.hands if view.seat == number)


def check_tricks(page: Page, deal: Deal) -> None:
    """Every trick was won by the hand that wins it by the page."""
    tricks = deal.shared.tricks
    assert tricks is not None
    assert tricks.trump is not None
    called = tuple(known.card for known in deal.shared.called)
    for number, trick in enumerate(tricks.tricks):
        heights = [page.height(played.card, trick, number, tricks.trump, called) for played in trick.cards]
        assert trick.cards[heights.index(max(heights))].seat == trick.winner


@pytest.mark.parametrize("name", PAGES)
def test_random_deals_go_as_the_page_says(name: str) -> None:
    """In every decision, every trick and every score the rules agree with a plain reading of the page."""
    scored = 0
    for number in range(DEALS):
        rng = Random(f"{name} {number}")
        game = random_game(GAMES[name], rng)
        page = PAGES[name](game)
        steps, _ = play_out(first_deal(game, rng), rng)
        end = steps[-1].deal
        assert end.shared.tricks is not None
        GAME_TRICKS[game] = end.shared.tricks.total_tricks
        for step in steps[:-1]:
            if step.deal.phase is Phase.PLAY:
                check_play(page, step.deal)
        assert end.shared.result is not None
        tricks = end.shared.tricks.tricks
        if end.shared.result.outcome is Outcome.VOID or not tricks:
            continue
        check_tricks(page, end)
        assert list(end.scores or ()) == page.scores(end)
        scored += 1
    assert scored > DEALS // 3


def test_the_page_of_hundred_counts_to_a_hundred() -> None:
    """Fives, tens and kings: 5, 10 and 10 points."""
    assert sum(POINTS.values()) == 100
    assert [POINTS[card] for card in parse_cards("S5 HT DK")] == [5, 10, 10]
