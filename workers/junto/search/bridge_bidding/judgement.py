"""Every call that no convention covers: the combined strength, the fits that are known, and the place to stop.

The partner's range and lengths come from what he has shown; with them each level asks for so many points of
one's own: 26 together for game in a major (with the shape), 25 in no-trumps, 28 in a minor, 32 for six, 37 for
seven. Over an opponent's bid the number of trumps decides how high to compete, and a strong trump holding doubles.
"""

from __future__ import annotations

from typing import Final

from junto.games.cards import HEARTS, NO_TRUMP, SPADES
from junto.search.bridge_bidding.calls import (
    DOUBLE,
    FIRST_BID,
    MAJORS,
    MINORS,
    PASS,
    bid,
    is_game,
    level_of,
    read_call,
    strain_of,
)
from junto.search.bridge_bidding.holding import Holding
from junto.search.bridge_bidding.meaning import SUIT_NAMES, Forcing
from junto.search.bridge_bidding.overcalls import TAKE_OUT
from junto.search.bridge_bidding.position import FIT, KEYCARDS_ASKED, Position
from junto.search.bridge_bidding.rules import Condition, Rule, Rules, of_a_kind, rule, shared
from junto.search.bridge_bidding.slams import keycard_ask

MAJOR_GAME: Final = 26
NO_TRUMP_GAME: Final = 25
MINOR_GAME: Final = 28
SMALL_SLAM: Final = 32
GRAND_SLAM: Final = 37
_NEVER: Final = 99
"""More points than there are."""
_FIVE_DIAMONDS: Final = read_call("5D")
_FOUR_HEARTS: Final = read_call("4H")
_THREE_NO_TRUMPS: Final = read_call("3NT")


def judgement(position: Position) -> Rules:
    """Return the rules for going on by judgement."""
    reckoned = Reckoning(position)
    found = [*reckoned.slams()]
    if not position.ours and position.last_bid:
        found += [*reckoned.games(), *(reckoned.reopening() or reckoned.doubles()), *reckoned.competing()]
    elif position.ours and is_game(position.last_bid):
        found += reckoned.corrections()
    else:
        found += [*reckoned.games(), *reckoned.invitations(), *reckoned.partials()]
    found = [one for one in found if position.legal(one.call)]
    if not position.must_bid:
        return shared([*found, rule(PASS, "nothing more to say")])
    found += [one for one in reckoned.forced() if position.legal(one.call)]
    call = _waiting_call(position, {one.call for one in found})
    waiting = rule(call, "waiting", note="nothing else fits", forcing=reckoned.forcing_of(call))
    found = [one for one in found if one.call != call or of_a_kind(one.meaning, waiting.meaning)]
    return shared([*found, waiting])


def _waiting_call(position: Position, taken: set[int]) -> int:
    """Return the call for hands that must speak and that no other rule fits: no-trumps, or the cheapest bid."""
    no_trumps = position.cheapest(NO_TRUMP)
    cheap = [position.cheapest(suit) for suit in range(4) if suit not in position.their_suits]
    free = [call for call in (no_trumps, *sorted(cheap)) if FIRST_BID <= call <= _FOUR_HEARTS and call not in taken]
    if free:
        return free[0]
    if FIRST_BID <= no_trumps <= _THREE_NO_TRUMPS:
        return no_trumps
    longest = max(range(4), key=lambda suit: (position.his.least(suit) + position.mine.least(suit), suit in MAJORS))
    call = position.cheapest(longest)
    return call if FIRST_BID <= call <= _FIVE_DIAMONDS else PASS


class Reckoning:
    """What the caller needs for each contract opposite what his partner has shown."""

    def __init__(self, position: Position) -> None:
        self._at = position
        self._his = position.his
        self._mine = position.mine
        self._likely = self._his.likely
        self._theirs = position.their_suits

    def _need(self, suit: int, trumps: int = FIT) -> int:
        """Return how many cards of a suit make so many trumps with the partner's least; seven always do."""
        return max(min(trumps - self._his.least(suit), 7), 2)

    def _fit_suits(self) -> list[int]:
        """Return the suits that may be trumps: majors first, those with more cards opposite first."""
        suits = [suit for suit in range(4) if suit not in self._theirs or self._his.least(suit) >= 5]
        return sorted(suits, key=lambda suit: (suit in MINORS, -self._his.least(suit) - self._mine.least(suit)))

    def slams(self) -> Rules:
        """Return the slam tries: keycards with a fit, six no-trumps without, an invitation between."""
        if self._asked() or self._at.last_bid >= read_call("5NT"):
            return []
        found = []
        trump = self._keycard_trump()
        points = SMALL_SLAM - self._likely
        if trump is not None:
            found.append(keycard_ask(trump, (points, 40), self._need(trump), _slam_shape(trump)))
        if self._at.ours or not self._at.last_bid:
            found += self._no_trump_slams(trump)
        return found

    def _no_trump_slams(self, trump: int | None) -> Rules:
        six, seven = SMALL_SLAM - self._likely, GRAND_SLAM - self._likely
        found = [
            rule("7NT", "grand slam", hcp=(max(seven, 1), 37)),
            rule("6NT", "small slam", hcp=(max(six, 1), 37), when=lambda held: trump is None or held.balanced),
        ]
        last = self._at.ago(2)
        if trump is None and last >= FIRST_BID and strain_of(last) == NO_TRUMP and self._at.ours:
            low, high = self._his.strength
            if 1 <= high - low <= 5:
                found.append(rule("4NT", "quantitative raise", hcp=(SMALL_SLAM - high, six - 1), balanced=True,
                                  note="invites six no-trumps"))  # fmt: skip
        return found

    def _asked(self) -> bool:
        names = [self._at.meanings[index].name for index in range(self._at.me % 2, len(self._at.calls), 2)]
        mine = [self._at.meanings[index].name for index in range(self._at.me, len(self._at.calls), 4)]
        return KEYCARDS_ASKED in names or "quantitative raise" in mine

    def _keycard_trump(self) -> int | None:
        """Return the suit whose keycards four no-trumps asks for: the agreed one, else the partner's last."""
        if self._at.agreed is not None:
            return self._at.agreed
        last = self._at.ago(2)
        if last >= FIRST_BID and strain_of(last) == NO_TRUMP:
            return None
        named = [self._at.natural(index) for index in self._at.bids_of(self._at.partner)]
        suits = [suit for suit in named if suit is not None and self._his.least(suit) >= 3]
        return suits[-1] if suits else None

    def games(self) -> Rules:
        """Return the games: in a major with a fit, in no-trumps with the suits stopped, in a minor."""
        found = []
        for suit in self._fit_suits():
            if suit in MAJORS:
                low = max(MAJOR_GAME - self._likely, 0)
                found.append(rule(bid(4, suit), f"game in {SUIT_NAMES[suit]}", points=(low, 40), trump=suit,
                                  has={suit: self._need(suit) - 1}, when=self._best_fit(suit)))  # fmt: skip
        found += self._explorations()
        low = max(NO_TRUMP_GAME - self._likely, 0)
        found += self._minor_games(shapely=True)
        found.append(rule("3NT", "game in no-trumps", hcp=(max(low - 1, 0), 37), stopped=self._theirs,
                          when=lambda held: held.hcp + (max(held.lengths) >= 6) >= low))  # fmt: skip
        found += self._minor_games(shapely=False)
        return [*found, *self._seven_card_games(found)]

    def _seven_card_games(self, games: Rules) -> Rules:
        """Return the games in a major with seven trumps, for strong hands that found no other."""
        strong = 1 + NO_TRUMP_GAME - self._likely
        majors = [game for game in games if game.call in (bid(4, HEARTS), bid(4, SPADES))]
        return [
            Rule(game.call, game.meaning, lambda held: held.hcp >= strong)
            for game in majors
            if self._his.least(strain_of(game.call)) >= 4
        ]

    def _minor_games(self, *, shapely: bool) -> Rules:
        found = []
        for suit in MINORS:
            low = max(MINOR_GAME - self._likely, 0)
            if suit not in self._theirs:
                found.append(rule(bid(5, suit), f"game in {SUIT_NAMES[suit]}", points=(low, 40), trump=suit,
                                  has={suit: self._need(suit)},
                                  when=_shapely(suit, self._need(suit, FIT + 1)) if shapely else None))  # fmt: skip
        return found

    def _explorations(self) -> Rules:
        """Return the bids of a hand with game values that looks for a fit: its own major again, a new suit."""
        at = self._at
        if at.last_bid >= read_call("3S") or not at.bids_of(at.partner) or not at.ours:
            return []
        low = max(NO_TRUMP_GAME - self._likely, 0)
        found = []
        for suit in MAJORS:
            call = at.cheapest(suit, 0 if at.forced_to_game else 1)
            unknown = self._his.least(suit) < 3 and self._his.lengths[suit][1] >= 3
            if unknown and call and call <= read_call("3S") and 3 < self._mine.least(suit) < 6:
                longer = self._mine.least(suit) + 1
                found.append(rule(call, "longer major, forcing to game", points=(low, 40), has={suit: longer},
                                  forcing=Forcing.GAME))  # fmt: skip
        for suit in at.unbid:
            call = at.cheapest(suit)
            if call and level_of(call) <= 3 and call < read_call("3S") and self._his.lengths[suit][1] >= 3:
                found.append(rule(call, "new suit, forcing to game", points=(low, 40), has={suit: 4},
                                  forcing=Forcing.GAME, when=lambda held: not held.balanced))  # fmt: skip
        return found

    def _best_fit(self, suit: int) -> Condition:
        def best(held: Holding) -> bool:
            mine = held.lengths[suit] + self._his.least(suit)
            fit = held.lengths[suit] >= self._need(suit)
            majors = (one for one in MAJORS if one not in self._theirs)
            return fit and all(held.lengths[one] + self._his.least(one) <= mine for one in majors)

        return best

    def invitations(self) -> Rules:
        """Return the bids just below game for hands that make it opposite the better half of the partner's range."""
        at, found = self._at, list[Rule]()
        if self._his.high - self._likely < 1:
            return found
        for suit in MAJORS:
            if suit in self._fit_suits() and bid(3, suit) > at.last_bid:
                found.append(self._invitation(bid(3, suit), suit, MAJOR_GAME, self._best_fit(suit)))
        if self._his.low > 5 and at.last_bid < read_call("2NT"):
            ends = self._below(NO_TRUMP_GAME)
            found.append(rule("2NT", "invitation in no-trumps", hcp=ends, stopped=self._theirs,
                              when=lambda held: min(held.lengths) > 0 and max(held.lengths) < 7))  # fmt: skip
            minors = [suit for suit in MINORS if suit not in self._theirs]
            found += [self._invitation(bid(3, suit), suit, NO_TRUMP_GAME, None) for suit in minors]
        return [one for one in found if one.meaning.strength[0] <= one.meaning.strength[1]]

    def _below(self, game: int) -> tuple[int, int]:
        """Return the points that make so many only opposite more than the partner's likely strength."""
        return max(game + 1 - self._his.high, game - self._likely - 3, 0), game - self._likely - 1

    def _invitation(self, call: int, suit: int, game: int, when: Condition | None) -> Rule:
        return rule(call, f"invitation in {SUIT_NAMES[suit]}", points=self._below(game), trump=suit,
                    has={suit: self._need(suit)}, when=when)  # fmt: skip

    def partials(self) -> Rules:
        """Return the places to play a part-score: a better fit than the last bid, a long suit of one's own."""
        at = self._at
        if not at.ours:
            return []
        strain = strain_of(at.last_bid)
        limit = 3 if at.doubling == DOUBLE else 2
        found = []
        for suit in self._fit_suits():
            call = at.cheapest(suit)
            if call and suit != strain and level_of(call) <= max(limit, level_of(at.last_bid)):
                least = max(self._need(suit, FIT - 1), 2) if self._his.least(suit) >= 4 else 6
                found.append(rule(call, f"better in {SUIT_NAMES[suit]}", has={suit: least},
                                  when=self._prefers(suit, strain)))  # fmt: skip
        return found

    def _prefers(self, suit: int, strain: int) -> Condition:
        def prefers(held: Holding) -> bool:
            mine = held.lengths[suit] + self._his.least(suit)
            if strain == NO_TRUMP:
                return mine >= FIT and (not held.balanced or mine > FIT) and held.lengths[suit] >= 3
            there = held.lengths[strain] + self._his.least(strain)
            return there < FIT and (mine > there or (mine == there and suit in MAJORS and strain in MINORS))

        return prefers

    def corrections(self) -> Rules:
        """Return the change from three no-trumps to four of a major with eight trumps and a short suit."""
        at = self._at
        if at.last_bid != _THREE_NO_TRUMPS:
            return []
        found = []
        for suit in MAJORS:
            known = self._mine.least(suit) + self._his.least(suit) >= FIT
            if self._his.least(suit) >= 4 or (self._his.least(suit) >= 2 and self._mine.least(suit) >= 5):
                found.append(rule(bid(4, suit), f"better in {SUIT_NAMES[suit]}", has={suit: self._need(suit)},
                                  when=_suit_better(suit, known=known)))  # fmt: skip
        return found

    def doubles(self) -> Rules:
        """Return the penalty double: trumps and strength enough to beat the last bid."""
        at = self._at
        if at.doubling != PASS or not at.our_calls():
            return []
        level, trump = level_of(at.last_bid), strain_of(at.last_bid)
        low = max({1: 24, 2: 23, 3: 22}.get(level, 21) - self._likely, 8 if level < 4 else 6)
        if trump == NO_TRUMP:
            return [rule(DOUBLE, "penalty double", hcp=(max(low, 9), 37))]
        has = 5 if level <= 2 else 4
        found = [rule(DOUBLE, "penalty double", hcp=(low, 37), has={trump: 3},
                      when=lambda held: held.lengths[trump] >= has and held.honours[trump] >= 2)]  # fmt: skip
        if level >= 4:
            found.append(rule(DOUBLE, "penalty double", hcp=(low, 37), has={trump: 3},
                              when=lambda held: held.hcp + self._likely >= 25))  # fmt: skip
        return found

    def reopening(self) -> Rules:
        """Return the take-out double of a hand with extra values whose partner has not spoken."""
        at = self._at
        silent = not any(at.calls[at.partner :: 4])
        if at.doubling != PASS or not silent or not any(at.calls[at.me :: 4]) or at.last_bid > read_call("3S"):
            return []
        theirs = self._theirs
        if not theirs or strain_of(at.last_bid) == NO_TRUMP:
            return []
        low = 15 if level_of(at.last_bid) < 3 else 17
        return [
            rule(DOUBLE, TAKE_OUT, hcp=(low, 37), forcing=Forcing.ROUND, note="extra values",
                 when=lambda held: all(held.lengths[suit] <= 2 + (held.hcp >= 18) for suit in theirs))
        ]  # fmt: skip

    def competing(self) -> Rules:
        """Return the bids over an opponent's: with a fit as high as there are trumps, or a long suit again."""
        at = self._at
        if not at.our_calls():
            return []
        found = []
        for suit in self._fit_suits():
            call = at.cheapest(suit)
            if not call or level_of(call) > 4 or suit in self._theirs:
                continue
            level = level_of(call)
            trumps = max(level + 6, FIT)
            least = self._need(suit, trumps)
            if self._his.least(suit) >= 3:
                low = {1: 15, 2: 17, 3: 19, 4: 21}[level] - self._likely
                found.append(rule(call, f"competing in {SUIT_NAMES[suit]}", points=(max(low, 0), 40), trump=suit,
                                  has={suit: least}))  # fmt: skip
            elif level <= 3:
                low = {1: 12, 2: 14, 3: 16}[level] - max(min(self._likely - 6, 4), 0)
                found.append(rule(call, f"long {SUIT_NAMES[suit]}", points=(low, 40), has={suit: 5},
                                  when=self._long(suit, 5 + (level > 1))))  # fmt: skip
        return found

    def _long(self, suit: int, length: int) -> Condition:
        """Return the test that a suit can be bid over an opponent's: with five cards only if game is likely."""
        game = NO_TRUMP_GAME - self._likely if self._his.low >= 10 else _NEVER
        return lambda held: held.lengths[suit] >= length or held.hcp >= game

    def forced(self) -> Rules:
        """Return the calls that keep a forced auction open, the most descriptive first."""
        at = self._at
        his = [suit for suit in range(4) if self._his.least(suit) >= 4]
        best_first = sorted(his, key=lambda one: (one in MINORS, -self._his.least(one)))
        found = [self._forced_bid(one, f"support for {SUIT_NAMES[one]}", self._need(one)) for one in best_first]
        found += [
            self._forced_bid(one, f"longer {SUIT_NAMES[one]}", min(max(self._mine.least(one) + 1, 5), 6))
            for one in self._fit_suits()
        ]
        found += [self._forced_bid(one, f"four {SUIT_NAMES[one]}", 4) for one in at.unbid]
        found += [self._forced_bid(one, f"preference for {SUIT_NAMES[one]}", 2) for one in best_first]
        doubled = at.calls[-2] == DOUBLE
        trump = strain_of(at.last_bid) if at.last_bid else NO_TRUMP
        penalty = [
            rule(PASS, "penalty pass", has={trump: 4}, when=lambda held: held.honours[trump] >= 2 and held.hcp >= 5)
        ]
        return [*(penalty if doubled and trump != NO_TRUMP else []), *(one for group in found for one in group)]

    def forcing_of(self, call: int) -> Forcing:
        """Return how forcing a bid is that is made because the auction is forced."""
        on = self._at.forced_to_game and call >= FIRST_BID and not is_game(call)
        return Forcing.GAME if on else Forcing.NONE

    def _forced_bid(self, suit: int, name: str, least: int) -> Rules:
        call = self._at.cheapest(suit)
        if not call or level_of(call) > (5 if suit in MINORS else 4):
            return []
        return [rule(call, name, has={suit: least}, forcing=self.forcing_of(call))]


def _slam_shape(trump: int) -> Condition:
    """Return the test that four no-trumps is safe: no void, and enough keycards to stop in time."""
    enough = {0: 1, 1: 1, 2: 2, 3: 3}[trump]
    return lambda held: min(held.lengths) > 0 and held.keycards(trump) >= enough


def _shapely(suit: int, trumps: int) -> Condition:
    return lambda held: min(held.lengths) <= 1 and held.lengths[suit] >= trumps


def _suit_better(suit: int, *, known: bool) -> Condition:
    def better(held: Holding) -> bool:
        return not known and (min(held.lengths) <= 2 or held.lengths[suit] >= 4)

    return better
