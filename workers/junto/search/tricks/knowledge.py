"""What one seat knows in a deal of a trick-taking game, as numbers: the search's seam to the domain.

Hands are numbered by their *place* round the table here, clockwise from place 0: where seats have not changed
places that is the seat's own number.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from junto.games.actions import Bid
from junto.games.bridge.four import Bridge
from junto.games.cards import cards_in, mask_of
from junto.games.core import View
from junto.games.napoleon import HouseRules, NapoleonGame
from junto.games.tricks import kernel
from junto.games.tricks.deal import TricksGame
from junto.games.tricks.kernel import FOLLOWING, FREE, NO_CARD, NOBODY, Vector
from junto.games.tricks.terms import Terms, rules_of_deal
from junto.games.view import BridgeDetails, Phase, Shared, Trick
from junto.search.bridge_bidding.seats import ranges_of
from junto.search.decisions import UnplayableGame
from junto.search.mixed_worlds import MixedWorlds, mixed
from junto.search.tricks.pile import PileSeen, PileWorlds, pile_worlds
from junto.search.worlds.outline import NoWorld
from junto.search.worlds.sets import Worlds, count_worlds


@dataclass(frozen=True, slots=True)
class PlayedTrick:
    """A trick, complete or not: `cards` are (place, card) in the order of play, `called` a set of cards."""

    leader: int
    led: int
    called: int
    cards: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """All that a seat knows when it has to decide. Sets of cards are bits.

    `place` is the seat's own, `turn` the place whose card it is to play: its own, or dummy's. `hand` are the cards
    at `turn`. `sizes` are the cards at each place now, `kitty` those that nobody has taken. `calls` are (place,
    height of the bid), 0 for a pass. `declarer` is -1 before the auction ends, `trump` before it is known. `partner`
    is the place that all know to be on the declarer's side, `dummy` the one that he plays. `contract` is what the
    scores need. `put_back` are the cards put back that the seat knows, `shown`
    those that all know. `own` are the cards in the seat's own hand, `seen` those that it has seen at each place.
    `house` are the rules before the play, where a partner's card is called. `leader` led to the first trick.
    `ranges` are what the calls of a bridge auction have shown, by place: lowest and highest high-card points, then the
    same of each suit's length, S H D C.
    `pile` is what the seat knows of the pile of bridge for three while that lies face down.
    """

    terms: Terms
    place: int
    turn: int
    phase: Phase
    hand: int
    sizes: tuple[int, ...]
    kitty: int = 0
    house: HouseRules | None = None
    calls: tuple[tuple[int, int], ...] = ()
    declarer: int = NOBODY
    partner: int = NOBODY
    dummy: int = NOBODY
    contract: int = 0
    trump: int = -1
    secretaries: tuple[int, ...] = ()
    put_back: int = 0
    shown: int = 0
    own: int = 0
    seen: tuple[int, ...] = ()
    leader: int = NOBODY
    tricks: tuple[PlayedTrick, ...] = ()
    ranges: tuple[tuple[int, ...], ...] = ()
    pile: PileSeen | None = None

    @property
    def played(self) -> int:
        """All cards that were played."""
        return mask_of(card for trick in self.tricks for _, card in trick.cards)

    @property
    def hidden_secretaries(self) -> list[int]:
        """The called cards of which this seat does not know where they are."""
        return [card for card in self.secretaries if not (self.played | self.own | self.put_back) >> card & 1]

    @property
    def pack(self) -> int:
        """All cards of the game."""
        return (1 << kernel.SMALL_JOKER) - 1 | self.terms.jokers

    @property
    def hidden_put_back(self) -> int:
        """How many cards put back this seat does not know."""
        house = self.house
        if house is None or self.kitty or house.phases.index(self.phase) <= house.phases.index(Phase.EXCHANGE):
            return 0
        return house.kitty - self.put_back.bit_count()

    @property
    def rules(self) -> Vector:
        """The kernel's rules vector; trumps and all called cards are known."""
        first, second = (*self.secretaries, NO_CARD, NO_CARD)[:2]
        return rules_of_deal(self.terms, self.trump, first, second)

    def worlds(self) -> Worlds | MixedWorlds | PileWorlds:
        """Count the ways in which the hidden cards can lie: by place, then in the kitty.

        Once the kitty is taken, the cards put back that this seat does not know stand for it.

        Raises:
            NoWorld: what is known contradicts itself.
        """
        if self.pile is not None:
            return pile_worlds(self.pack & ~self.own, self.pile, self._sizes)
        barred = [*self.barred_hands(), self.barred_kitty()]
        doubt = self._doubt()
        if doubt is None:
            return self._counted(barred)
        place, card, suit = doubt
        holds = [cards | (1 << card if other != place else 0) for other, cards in enumerate(barred)]
        is_void = list(barred)
        is_void[place] |= 1 << card | suit
        parts = []
        for case in (holds, is_void):
            with suppress(NoWorld):
                parts.append(self._counted(case))
        return mixed(parts)

    def _counted(self, barred: Sequence[int]) -> Worlds:
        unseen = self.pack & ~(self.own | self.played | self.put_back)
        return count_worlds(unseen, barred, self._sizes)

    @property
    def _sizes(self) -> list[int]:
        """How many hidden cards lie at each place, and in the kitty."""
        sizes = [0 if place == self.place else size for place, size in enumerate(self.sizes)]
        return [*sizes, self.kitty + self.hidden_put_back]

    def barred_kitty(self) -> int:
        """Return the cards that cannot lie in the kitty, or among the hidden cards put back."""
        barred = _union(self.seen)
        if self.house is None or self.phase is not Phase.PLAY:
            return barred
        if self.house.court_penalty:
            barred |= self.terms.counting
        return barred if self.house.call_first else barred | mask_of(self.secretaries)

    def barred_hands(self) -> list[int]:
        """Return the cards that each place cannot hold, as its plays and what lies open show.

        A card that is not of the led suit shows a void, unless it is free of following or answers a call; and
        who does not answer a call does not hold the card called.
        """
        barred = [0] * len(self.sizes)
        for place, cards in enumerate(self.seen):
            for other in range(len(barred)):
                if other != place:
                    barred[other] |= cards
        if not self.tricks:
            return barred
        rules = self.rules
        for trick in self.tricks:
            for place, card in trick.cards[1:]:
                barred[place] |= self._unanswered(rules, trick, card) | self._void(rules, trick, place, card)
        return barred

    def _unanswered(self, rules: Vector, trick: PlayedTrick, card: int) -> int:
        """Return the cards called in a trick that who played this card does not hold."""
        if not trick.called:
            return 0
        bit = 1 << card
        return mask_of(
            called
            for called in cards_in(trick.called)
            if not int(kernel.answers(rules, 1 << called | bit, 1 << called)) & bit
        )

    def _void(self, rules: Vector, trick: PlayedTrick, place: int, card: int) -> int:
        """Return the cards that must follow the trick's lead, if a card that did not shows that its player has none.

        A card that could answer a call shows it only where another is known to have had the card called.
        """
        bit, following = 1 << card, int(rules[FOLLOWING + trick.led])
        if bit & (following | int(rules[FREE]) | trick.called):
            return 0
        answered = trick.called & ~self._unanswered(rules, trick, card)
        elsewhere = all(self._holder(called) not in (place, NOBODY) for called in cards_in(answered))
        return following if elsewhere else 0

    def _doubt(self) -> tuple[int, int, int] | None:
        """Return who answered a call with a card that need not be the answer: (place, card called, cards to follow).

        Either he holds the card called, or he has none to follow with. There is one joker for this in a deal at most.
        """
        rules = self.rules
        for trick in (trick for trick in self.tricks if trick.called):
            bound = int(rules[FOLLOWING + trick.led]) | int(rules[FREE]) | trick.called
            for place, card in trick.cards[1:]:
                if bound >> card & 1:
                    continue
                following = int(rules[FOLLOWING + trick.led])
                for called in cards_in(trick.called & ~self._unanswered(rules, trick, card)):
                    if self._holder(called) == NOBODY:
                        return place, called, following
        return None

    def _holder(self, card: int) -> int:
        """Return the place that is known to hold or have held a card; -1: none is."""
        if self.own >> card & 1:
            return self.place
        played = next((place for trick in self.tricks for place, other in trick.cards if other == card), NOBODY)
        if played != NOBODY:
            return played
        return next((place for place, cards in enumerate(self.seen) if cards >> card & 1), NOBODY)


def _union(sets: tuple[int, ...]) -> int:
    union = 0
    for cards in sets:
        union |= cards
    return union


def knowledge_of(view: View) -> Knowledge:
    """Return what the seat to act knows in a deal of a trick-taking game.

    Raises:
        UnplayableGame: it is another game.
    """
    game, shared, own = view.game, view.shared, view.own
    if not isinstance(game, TricksGame):
        raise UnplayableGame(f"this strategy does not play {game.id}")
    place_of = {hand.seat: place for place, hand in enumerate(shared.hands)}
    place = place_of[view.seat]
    stakes = game.stakes(shared) if shared.phase is Phase.PLAY or shared.contract is not None else None
    house = game.house if isinstance(game, NapoleonGame) else None
    turn = place_of[game.hand_to_play(shared)] if shared.phase is Phase.PLAY else place
    pile = _pile(view)
    seen = tuple(
        mask_of(hand.open) | (pile.known if pile is not None and at == pile.place else 0)
        for at, hand in enumerate(shared.hands)
    )
    hand = mask_of(own.hand)
    shown = mask_of(shared.put_back)
    trump = shared.tricks.trump if shared.tricks is not None else None
    return Knowledge(
        terms=game.terms,
        place=place,
        turn=turn,
        phase=shared.phase,
        hand=hand if turn == place else seen[turn],
        sizes=tuple(view.size for view in shared.hands),
        kitty=shared.kitty_size,
        house=house,
        calls=() if house is None else _calls(shared, house),
        declarer=NOBODY if stakes is None else place_of[stakes.declarer],
        partner=NOBODY if stakes is None or stakes.partner < 0 else place_of[stakes.partner],
        dummy=_dummy(shared, place_of),
        contract=0 if stakes is None else stakes.contract,
        trump=-1 if trump is None else trump,
        secretaries=tuple(called.card for called in shared.called),
        put_back=shown | mask_of(own.put_back),
        shown=shown,
        own=hand,
        seen=seen,
        leader=place_of[game.first_leader(shared)] if shared.phase is Phase.PLAY else NOBODY,
        tricks=tuple(_played_trick(trick, place_of) for trick in shared.tricks.tricks) if shared.tricks else (),
        ranges=_ranges(game, shared) if isinstance(game, Bridge) and shared.phase is Phase.PLAY else (),
        pile=pile,
    )


def _pile(view: View) -> PileSeen | None:
    """Return what a seat knows of a pile that has been looked at and is not open."""
    shared, details = view.shared, view.shared.details
    if not isinstance(details, BridgeDetails) or details.pile is None:
        return None
    place = next(place for place, hand in enumerate(shared.hands) if hand.seat >= view.game.seats)
    if len(shared.hands[place].open) == shared.hands[place].size:
        return None
    first, second = (report.points for report in details.pile.reports if report.seat != view.seat)
    return PileSeen(place, view.own.pile_row, (first, second))


def _ranges(game: Bridge, shared: Shared) -> tuple[tuple[int, ...], ...]:
    """Return what each place's calls have shown; they are told from the first caller on."""
    rows = ranges_of(game, shared).tolist()
    first = game.first_caller(shared)
    return tuple(tuple(rows[(place - first) % len(rows)]) for place in range(len(rows)))


def _calls(shared: Shared, house: HouseRules) -> tuple[tuple[int, int], ...]:
    return tuple(
        (call.seat, house.height_of(call.action) if isinstance(call.action, Bid) else 0) for call in shared.calls
    )


def _dummy(shared: Shared, place_of: dict[int, int]) -> int:
    if not isinstance(shared.details, BridgeDetails) or shared.details.dummy is None:
        return NOBODY
    return place_of[shared.details.dummy]


def _played_trick(trick: Trick, place_of: dict[int, int]) -> PlayedTrick:
    assert trick.led_suit is not None
    cards = tuple((place_of[played.seat], played.card) for played in trick.cards)
    return PlayedTrick(place_of[trick.leader], trick.led_suit, mask_of(trick.calls), cards)
