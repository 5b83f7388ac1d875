"""What one seat knows in a Napoleon deal, as numbers: the search's seam to the domain."""

from __future__ import annotations

from dataclasses import dataclass

from junto.games.actions import Bid
from junto.games.cards import mask_of
from junto.games.core import View
from junto.games.napoleon import HouseRules, NapoleonGame
from junto.games.tricks import kernel
from junto.games.tricks.kernel import FOLLOWING, FREE, NO_CARD, NOBODY, Vector
from junto.games.tricks.terms import rules_of_deal
from junto.games.view import Phase, Trick
from junto.search.decisions import UnplayableGame
from junto.search.worlds import Worlds, count_worlds


@dataclass(frozen=True, slots=True)
class PlayedTrick:
    """A trick, complete or not: `cards` are (seat, card) in the order of play, `called` a set of cards."""

    leader: int
    led: int
    called: int
    cards: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class NapoleonKnowledge:
    """All that a seat knows when it has to decide. Sets of cards are bits.

    `sizes` are the cards in each hand now, `kitty` those that nobody has taken. `calls` are (seat, bid), 0 for
    a pass. `napoleon` is -1 before the auction ends, `trump` before it is named. `target` is the contract as
    it stands, `bid` the winning bid. `put_back` are the cards put back that the seat knows, `shown` those that
    all know. `open_to_all` are cards in hands that everybody has seen, by seat.
    """

    house: HouseRules
    seat: int
    phase: Phase
    hand: int
    sizes: tuple[int, ...]
    kitty: int
    calls: tuple[tuple[int, int], ...] = ()
    napoleon: int = NOBODY
    bid: int = 0
    target: int = 0
    trump: int = -1
    secretaries: tuple[int, ...] = ()
    put_back: int = 0
    shown: int = 0
    open_to_all: tuple[int, ...] = ()
    tricks: tuple[PlayedTrick, ...] = ()

    @property
    def played(self) -> int:
        """All cards that were played."""
        return mask_of(card for trick in self.tricks for _, card in trick.cards)

    @property
    def hidden_put_back(self) -> int:
        """How many cards put back this seat does not know."""
        if self.phase not in {Phase.CALL, Phase.PLAY}:
            return 0
        return self.house.kitty - self.put_back.bit_count()

    @property
    def rules(self) -> Vector:
        """The kernel's rules vector; trumps and all secretary cards are named."""
        first, second = (*self.secretaries, NO_CARD, NO_CARD)[:2]
        return rules_of_deal(self.house.terms, self.trump, first, second)

    def worlds(self) -> Worlds:
        """Count the ways in which the hidden cards can lie: places are the seats' hands, then the hidden pile.

        The pile is the kitty before Napoleon takes it, else the cards put back that this seat does not know.

        Raises:
            NoWorld: what is known contradicts itself.
        """
        known = self.hand | self.played | self.put_back
        unseen = mask_of(self.house.pack) & ~known
        barred = [*self.barred_hands(), self._barred_pile()]
        sizes = [0 if seat == self.seat else size for seat, size in enumerate(self.sizes)]
        return count_worlds(unseen, barred, [*sizes, self.kitty + self.hidden_put_back])

    def _barred_pile(self) -> int:
        if self.phase is not Phase.PLAY:
            return 0
        courts = self.house.terms.counting if self.house.court_penalty else 0
        return courts | mask_of(self.secretaries) | _union(self.open_to_all)

    def barred_hands(self) -> list[int]:
        """Return the cards that each seat cannot hold, as its plays and what lies open show.

        A card that is not of the led suit shows a void, unless it is free of following or answers a call; and
        who does not answer a call does not hold the card called.
        """
        barred = [0] * len(self.sizes)
        for seat, cards in enumerate(self.open_to_all):
            for other in range(len(barred)):
                if other != seat:
                    barred[other] |= cards
        if not self.tricks:
            return barred
        rules = self.rules
        free = int(rules[FREE])
        following = [int(rules[FOLLOWING + suit]) for suit in range(4)]
        for trick in self.tricks:
            for seat, card in trick.cards[1:]:
                bit = 1 << card
                answered = False
                for called in (1 << number for number in range(54) if trick.called >> number & 1):
                    answer = int(kernel.answers(rules, called | bit, called)) & bit
                    answered = answered or bool(answer)
                    if not answer:
                        barred[seat] |= called
                if not (bit & following[trick.led] or bit & free or answered):
                    barred[seat] |= following[trick.led]
        return barred


def _union(sets: tuple[int, ...]) -> int:
    union = 0
    for cards in sets:
        union |= cards
    return union


def knowledge_of(view: View) -> NapoleonKnowledge:
    """Return what the seat to act knows in a Napoleon deal.

    Raises:
        UnplayableGame: it is another game.
    """
    game, shared, own = view.game, view.shared, view.own
    if not isinstance(game, NapoleonGame):
        raise UnplayableGame(f"this strategy does not play {game.id}")
    contract = shared.contract
    trump = shared.tricks.trump if shared.tricks is not None else None
    shown = mask_of(shared.put_back)
    return NapoleonKnowledge(
        house=game.house,
        seat=view.seat,
        phase=shared.phase,
        hand=mask_of(own.hand),
        sizes=tuple(hand.size for hand in shared.hands),
        kitty=shared.kitty_size,
        calls=tuple((call.seat, call.action.amount if isinstance(call.action, Bid) else 0) for call in shared.calls),
        napoleon=NOBODY if contract is None else contract.declarer,
        bid=0 if contract is None else contract.bid.amount,
        target=0 if contract is None or contract.target is None else contract.target,
        trump=-1 if trump is None else trump,
        secretaries=tuple(called.card for called in shared.called),
        put_back=shown | mask_of(own.put_back),
        shown=shown,
        open_to_all=tuple(mask_of(hand.open) for hand in shared.hands),
        tricks=tuple(map(_played_trick, shared.tricks.tricks)) if shared.tricks is not None else (),
    )


def _played_trick(trick: Trick) -> PlayedTrick:
    assert trick.led_suit is not None
    cards = tuple((played.seat, played.card) for played in trick.cards)
    return PlayedTrick(trick.leader, trick.led_suit, mask_of(trick.calls), cards)
