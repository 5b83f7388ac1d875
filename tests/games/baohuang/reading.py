"""Sections 3 to 9 of Baohuang's page once more, in plain Python and as they stand: slow, and easy to check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product

from junto.games.cards import BIG_JOKER, SMALL_JOKER, Card, rank_of, suit_of
from junto.games.options import OptionValue

ORDER = "3456789TJQKA2BR"
CARD_RANKS = "23456789TJQKA"
SEATS = 5


def rank(card: Card) -> str:
    """Return a card's rank as the page writes it."""
    if card == SMALL_JOKER:
        return "B"
    return "R" if card == BIG_JOKER else CARD_RANKS[rank_of(card)]


def best_first(card: Card) -> tuple[int, int]:
    """Order cards by rank, the highest first, in a rank clubs, diamonds, hearts, spades."""
    return -ORDER.index(rank(card)), -suit_of(card)


@dataclass
class Table:
    """A deal from its first lead on: the hands, whose turn it is, and what has happened."""

    options: Mapping[str, OptionValue]
    hands: list[list[Card]]
    named: Card
    emperor: int
    to_act: int
    top: str = ""
    owner: int = -1
    passed: set[int] = field(default_factory=set)
    applicant: int | None = None
    out: list[int] = field(default_factory=list)
    cleared: list[tuple[int, int]] = field(default_factory=list)
    named_played: Counter[int] = field(default_factory=Counter)

    @property
    def street(self) -> bool:
        return self.options["preset"] == "shandong_street"

    @property
    def threes_wait(self) -> bool:
        return self.street and bool(self.options["clear3"])

    @property
    def over(self) -> bool:
        return len(self.out) == SEATS - 1

    # Section 3 and the street's differences.

    def reading(self, ranks: str) -> tuple[str, int, int] | None:
        """Return a set's base, small and big jokers; None: it is no set."""
        suited = sorted({one for one in ranks if one not in "BR"}, key=ORDER.index)
        small, big = ranks.count("B"), ranks.count("R")
        if not suited:
            return ("B" if small else "R", small, big) if ranks else None
        if len(suited) == 1 or (self.street and len(suited) == 2 and suited[1] == "2"):
            return suited[0], small, big
        return None

    def beats(self, play: str, top: str) -> bool:
        """Tell whether a set may be laid on another."""
        ours, theirs = self.reading(play), self.reading(top)
        assert ours is not None
        assert theirs is not None
        if len(play) != len(top) or ORDER.index(ours[0]) <= ORDER.index(theirs[0]):
            return False
        if self.street:
            needs = {0: theirs[1], 1: theirs[1] + 2}
            return theirs[2] in needs and ours[2] >= needs[theirs[2]]
        return theirs[2] == 0 and ours[2] >= theirs[1]

    def sets(self, hand: list[Card]) -> Iterator[tuple[str, int]]:
        """Yield every set in a hand, as its ranks and how many copies of the named card are in it."""
        held = Counter(rank(card) for card in hand)
        for small, big in product(range(held["B"] + 1), range(held["R"] + 1)):
            jokers = "B" * small + "R" * big
            if jokers:
                yield jokers, 0
            for base in ORDER[:-2]:
                fillers = range(held["2"] + 1) if self.street and base != "2" else range(1)
                for number, twos in product(range(1, held[base] + 1), fillers):
                    for copies in self.copies(hand, base, number):
                        yield base * number + "2" * twos + jokers, copies

    def copies(self, hand: list[Card], base: str, number: int) -> Iterator[int]:
        """Yield how many of the named card can be among so many cards of a rank."""
        if rank(self.named) != base:
            yield 0
            return
        own = hand.count(self.named)
        others = sum(rank(card) == base for card in hand) - own
        yield from (copies for copies in range(min(own, number) + 1) if number - copies <= others)

    def may_play(self, ranks: str, hand: list[Card]) -> bool:
        """Tell whether a set is led or beats the top, and need not wait for the end of the hand."""
        base = ranks[0]
        if len(ranks) < len(hand):
            if self.threes_wait and base == "3":
                return False
            if self.options["pure_jokers"] == "last_only" and base in "BR":
                return False
        return not self.top or self.beats(ranks, self.top)

    # Sections 4 and 5.

    def legal(self) -> set[object]:
        """Return what the seat to act may do: sets with their named copies, `pass`, `apply`."""
        hand = self.hands[self.to_act]
        actions: set[object] = {play for play in self.sets(hand) if self.may_play(play[0], hand)}
        if self.top:
            actions.add("pass")
            if self.owner in self.out and self.applicant is None and self.options["jiefeng"] == "apply":
                actions.add("apply")
        return actions

    def do(self, action: str | tuple[Card, ...]) -> None:
        """Let the seat to act pass, apply, or play these cards."""
        seat = self.to_act
        if isinstance(action, str):
            self.passed.add(seat)
            if action == "apply":
                self.applicant = seat
        else:
            self._play(seat, action)
        if not self.over:
            self._pass_on(seat)

    def _play(self, seat: int, cards: tuple[Card, ...]) -> None:
        if self.top and self.threes_wait:
            left = self.hands[self.owner]
            if left and all(rank(card) == "3" for card in left):
                self.cleared.append((self.owner, seat))
        for card in cards:
            self.hands[seat].remove(card)
        self.named_played[seat] += cards.count(self.named)
        self.top = "".join(sorted(map(rank, cards), key=ORDER.index))
        self.owner, self.passed, self.applicant = seat, set(), None
        if not self.hands[seat]:
            self.out.append(seat)

    def _pass_on(self, seat: int) -> None:
        waiting = [
            other
            for other in range(SEATS)
            if other != self.owner and other not in self.out and other not in self.passed
        ]
        if waiting:
            self.to_act = min(waiting, key=lambda other: (other - seat) % SEATS or SEATS)
            return
        if self.owner not in self.out:
            self.to_act = self.owner
        elif self.applicant is not None:
            self.to_act = self.applicant
        else:
            holders = (other for other in range(SEATS) if other not in self.out)
            self.to_act = min(holders, key=lambda other: (other - self.owner) % SEATS)
        self.top, self.owner, self.passed, self.applicant = "", -1, set(), None

    # Section 2: what everybody knows; section 7 and the street's score.

    def known_guard(self) -> int | None:
        return next((seat for seat in range(SEATS) if seat != self.emperor and self.named_played[seat]), None)

    def order(self) -> list[int]:
        return [*self.out, *(seat for seat in range(SEATS) if seat not in self.out)]

    def scores(self, guard: int | None, *, is_open: bool) -> list[int]:
        """Return every seat's score at the end."""
        place = {seat: number for number, seat in enumerate(self.order(), 1)}
        if self.street:
            points = self._street_points(place[self.emperor], place[guard] if guard is not None else None)
        else:
            points = sum((4, 2, 0, -2, -4)[place[seat] - 1] for seat in (self.emperor, guard) if seat is not None)
            points *= 2 if is_open else 1
        shares = self.options["payout"] == "shares"
        scores = [-points] * SEATS
        if guard is not None:
            scores[guard] = points
        scores[self.emperor] = points * ((4 if guard is None else 2) if shares else 1)
        return scores

    def _street_points(self, emperor: int, guard: int | None) -> int:
        if guard is None:
            return 1 if emperor == 1 else -1
        if emperor == 1:
            return 0 if guard == SEATS else 1
        if guard == 1:
            return {2: 1, 3: 0}.get(emperor, -1)
        return -1


# Sections 2, 8 and 9: before the play.


def offer_order(first: int) -> list[int]:
    """Return who is asked, in order: clockwise, and the first once more."""
    return [first, *((first - step) % SEATS for step in range(1, SEATS)), first]


def payment(hand: list[Card], place: int, *, street: bool, was_emperor: bool) -> Card | None:
    """Return what the candidate in this place of the order pays for declining."""
    if place == SEATS or (place == 0 and not street):
        return None
    wanted = "2" if not street else "RB2" if place == 0 and was_emperor else "2BR"
    for one in wanted:
        held = sorted((card for card in hand if rank(card) == one), key=best_first)
        if held:
            return held[0]
    return None


def shows(hand: list[Card]) -> set[tuple[int, Card]]:
    """Return how many copies of which cards can be shown."""
    counts = Counter(card for card in hand if rank(card) not in "2BR")
    return {(number, card) for card in counts for number in (3, 4) if counts[card] >= number}


def transfers(
    hands: list[list[Card]],
    emperor: int,
    guard: int | None,
    won: int,
    order: list[int],
    *,
    is_open: bool,
    cleared: list[tuple[int, int]],
) -> list[tuple[int, int, Card]]:
    """Return the tribute for a deal that the emperor's side won (above 0), lost (below 0) or drew."""
    rebels = [seat for seat in order if seat not in (emperor, guard)]
    if won > 0:
        payers = dict.fromkeys(rebels, 2 if is_open else 1)
        takers = [emperor] * 8 if guard is None else [emperor, guard, emperor]
    elif won < 0:
        payers = {emperor: 2, guard: 1} if guard is not None else {emperor: 8 if is_open else 4}
        takers = rebels * (2 if is_open else 1)
    else:
        payers, takers = {}, []
    pool = [(card, payer) for payer in payers for card in sorted(hands[payer], key=best_first)[: payers[payer]]]
    pool.sort(key=lambda paid: (best_first(paid[0])[0], order.index(paid[1]), best_first(paid[0])))
    paid = [(payer, taker, card) for (card, payer), taker in zip(pool, takers, strict=False)]
    after = [list(hand) for hand in hands]
    for payer, taker, card in paid:
        after[payer].remove(card)
        after[taker].append(card)
    for seat, by_seat in cleared:
        best = min(after[seat], key=best_first)
        after[seat].remove(best)
        after[by_seat].append(best)
        paid.append((seat, by_seat, best))
    return paid
