"""After one or two no-trumps: Stayman, Jacoby transfers, raises, and how the opener answers them.

One set of rules serves 1NT, 2NT and the 2NT or 3NT rebid of a strong two clubs: only the levels and the
opener's points differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from junto.games.cards import CLUBS, DIAMONDS, HEARTS, SPADES
from junto.search.bridge_bidding.calls import PASS, bid, level_of, read_call, strain_of
from junto.search.bridge_bidding.holding import Holding
from junto.search.bridge_bidding.meaning import Forcing
from junto.search.bridge_bidding.position import Position
from junto.search.bridge_bidding.rules import Condition, Rules, rule

STAYMAN: Final = "Stayman"
TRANSFER: Final = "Jacoby transfer"
MINOR_RELAY: Final = "relay to three clubs"
_GAME: Final = 25
_SLAM: Final = 33


@dataclass(frozen=True, slots=True)
class NoTrump:
    """A natural no-trump bid to build on: its level and its points."""

    level: int
    low: int
    high: int

    @property
    def game(self) -> int:
        """The least points for game opposite it."""
        return max(_GAME - self.low, 0)

    @property
    def invite(self) -> int:
        """The least points for an invitation: half of the openers accept it."""
        return max(_GAME - self.high, 0) if self.level == 1 else self.game

    @property
    def quantitative(self) -> int:
        """The least points for inviting a slam."""
        return _SLAM - self.high

    @property
    def slam(self) -> int:
        """The least points for a slam opposite it."""
        return _SLAM - self.low


def no_trump_before(position: Position, distance: int) -> NoTrump | None:
    """Return the no-trump bid made so many calls ago if the conventions are on over it."""
    index = len(position.calls) - distance
    if index < 0 or position.calls[index] not in (read_call("1NT"), read_call("2NT"), read_call("3NT")):
        return None
    name = position.meanings[index].name
    if name not in ("strong no-trump", "two no-trumps", "strong balanced rebid"):
        return None
    low, high = position.meanings[index].hcp
    return NoTrump(level_of(position.calls[index]), low, high)


def responses(position: Position) -> Rules:
    """Return the rules for answering the partner's no-trump bid when the next opponent has passed or doubled."""
    opened = no_trump_before(position, 2)
    if opened is None or position.ago(1) > 1:
        return []
    return [*_stayman(opened), *_transfers(opened), *_minors(opened), *_raises(opened)]


def _stayman(opened: NoTrump) -> Rules:
    def majors(held: Holding) -> bool:
        lengths = sorted((held.lengths[SPADES], held.lengths[HEARTS]))
        return lengths[1] == 4 or (lengths[1] == 5 and lengths[0] == 4)

    if opened.level > 2:
        return []
    return [
        rule(bid(opened.level + 1, CLUBS), STAYMAN, hcp=(opened.invite, 37), most={SPADES: 5, HEARTS: 5},
             artificial=True, forcing=Forcing.ROUND, note="asks for a four-card major", when=majors)
    ]  # fmt: skip


def _transfers(opened: NoTrump) -> Rules:
    return [
        rule(bid(opened.level + 1, below), TRANSFER, has={major: 5}, artificial=True, forcing=Forcing.ROUND,
             note=f"asks for {name}", when=_longer_major(major))
        for below, major, name in ((HEARTS, SPADES, "spades"), (DIAMONDS, HEARTS, "hearts"))
    ]  # fmt: skip


def _longer_major(major: int) -> Condition:
    return lambda held: held.longest_major() == major


def _minors(opened: NoTrump) -> Rules:
    if opened.level > 1:
        return []
    return [
        rule("2S", MINOR_RELAY, hcp=(0, opened.invite - 1), artificial=True, forcing=Forcing.ROUND,
             note="a weak hand with six or more cards of a minor",
             when=lambda held: max(held.lengths[CLUBS], held.lengths[DIAMONDS]) >= 6),
        *(rule(bid(3, suit), "slam interest in a minor", hcp=(13, opened.slam + 2), has={suit: 6}, forcing=Forcing.GAME)
          for suit in (DIAMONDS, CLUBS)),
    ]  # fmt: skip


def _raises(opened: NoTrump) -> Rules:
    found = [
        rule("6NT", "small slam", hcp=(opened.slam, 37)),
        rule("4NT", "quantitative raise", hcp=(opened.quantitative, opened.slam - 1), note="invites six no-trumps"),
    ]
    if opened.level < 3:
        found.append(rule("3NT", "game in no-trumps", hcp=(opened.game, opened.quantitative - 1)))
    if opened.level == 1:
        found.append(rule("2NT", "invitation in no-trumps", hcp=(opened.invite, opened.game - 1)))
    weakest = opened.invite if opened.level < 3 else opened.quantitative
    return [*found, rule(PASS, "content with no-trumps", hcp=(0, max(weakest - 1, 0)))]


def answers(position: Position) -> Rules:
    """Return the rules for the opener's answer to Stayman, a transfer or the relay."""
    opened = no_trump_before(position, 4)
    if opened is None or len(position.calls) < 4 or position.ago(1) > 1 or position.ago(3) > 1:
        return []
    match position.meanings[-2].name:
        case "Stayman":
            return _major_answers(opened.level + 1)
        case "Jacoby transfer":
            return _completions(opened, strain_of(position.ago(2)) - 1)
        case "relay to three clubs":
            return [rule("3C", "relay answered", artificial=True)]
        case "quantitative raise":
            middle = (opened.low + opened.high + 1) // 2
            return [
                rule("6NT", "slam invitation accepted", hcp=(middle, opened.high)),
                rule(PASS, "slam invitation declined", hcp=(opened.low, max(middle - 1, opened.low))),
            ]
        case _:
            return []


def _major_answers(level: int) -> Rules:
    return [
        rule(bid(level, HEARTS), "four hearts, answering Stayman", has={HEARTS: 4}, note="four spades are possible"),
        rule(bid(level, SPADES), "four spades, answering Stayman", has={SPADES: 4}, most={HEARTS: 3}),
        rule(bid(level, DIAMONDS), "no four-card major", most={SPADES: 3, HEARTS: 3}, artificial=True),
    ]


def _completions(opened: NoTrump, major: int) -> Rules:
    found = []
    if opened.level == 1:
        found.append(rule(bid(3, major), "super-accepted transfer", hcp=(opened.high, opened.high), has={major: 4}))
    return [*found, rule(bid(opened.level + 1, major), "transfer completed", artificial=True)]


def second_calls(position: Position) -> Rules:
    """Return the rules for the responder's next call after the opener's answer, the opponents silent."""
    opened = no_trump_before(position, 6)
    if opened is None or len(position.calls) < 6 or not position.uncontested:
        return []
    match position.meanings[-4].name:
        case "Stayman":
            return _after_stayman(opened, position)
        case "Jacoby transfer":
            return _after_transfer(opened, position)
        case "relay to three clubs":
            return [
                rule("3D", "long diamonds, to play", has={DIAMONDS: 6}),
                rule(PASS, "long clubs, to play"),
            ]
        case _:
            return []


def _after_stayman(opened: NoTrump, position: Position) -> Rules:
    strain = strain_of(position.ago(2))
    found: Rules = []
    if strain in (HEARTS, SPADES):
        slam = opened.quantitative
        found += [
            rule("4NT", "keycard ask", points=(slam + 1, 37), trump=strain, has={strain: 4}, artificial=True,
                 forcing=Forcing.ROUND, note="how many of the four aces and the king of trumps"),
            rule(bid(4, strain), "game", points=(opened.game, 37), trump=strain, has={strain: 4}),
        ]  # fmt: skip
        if opened.level == 1:
            found.append(
                rule(bid(3, strain), "invitation", points=(opened.invite, opened.game), trump=strain,
                     has={strain: 4})
            )  # fmt: skip
    else:
        found += [
            rule(bid(3, major), "five-card major, forcing", hcp=(opened.game, 37), has={major: 5}, most={major: 5},
                 forcing=Forcing.GAME)
            for major in (SPADES, HEARTS)
        ]  # fmt: skip
        if opened.level == 1:
            found += [
                rule(bid(2, major), "five-card major, invitation", hcp=(0, opened.game - 1), has={major: 5})
                for major in (SPADES, HEARTS)
            ]
    return [one for one in [*found, *_plain(opened, _other_major(strain))] if position.legal(one.call)]


def _after_transfer(opened: NoTrump, position: Position) -> Rules:
    major = strain_of(position.ago(4)) - 1
    if strain_of(position.ago(2)) != major:
        return []
    if level_of(position.ago(2)) == opened.level + 2:
        return _after_super_acceptance(opened, major)
    long = {major: 6}
    found = [
        rule(bid(6, major), "small slam", points=(opened.slam, 40), trump=major, has=long),
        rule(bid(4, major), "game", points=(opened.game - 1, opened.slam + 8), has=long),
    ]
    if opened.level == 1:
        found.append(rule(bid(3, major), "invitation", points=(opened.invite, opened.game - 2), has=long))
        found += [
            rule(bid(3, suit), "second suit", hcp=(opened.game, 37), has={suit: 4}, forcing=Forcing.GAME,
                 when=lambda held: not held.balanced)
            for suit in (CLUBS, DIAMONDS)
        ]  # fmt: skip
    if opened.level < 3 and major == HEARTS:
        spades = position.cheapest(SPADES)
        found.append(rule(spades, "second suit", hcp=(opened.game, 37), has={SPADES: 4}, forcing=Forcing.GAME))
    return [one for one in [*found, *_plain(opened, None)] if position.legal(one.call)]


def _after_super_acceptance(opened: NoTrump, major: int) -> Rules:
    fit = {major: 5}
    return [
        rule(bid(6, major), "small slam", points=(opened.slam, 40), trump=major, has=fit),
        rule(bid(4, major), "game", points=(opened.invite - 2, opened.slam - 1), trump=major, has=fit),
        rule(PASS, "nothing more to say", points=(0, opened.invite - 3), trump=major),
    ]


def _other_major(answered: int) -> int | None:
    """Return the major that a Stayman bidder has if he does not raise the one that he was answered with."""
    return {HEARTS: SPADES, SPADES: HEARTS}.get(answered)


def _plain(opened: NoTrump, major: int | None) -> Rules:
    """Return the no-trump raises of a hand whose major has found no fit yet; `major` is known to be held.

    Over an answer in a major, four no-trumps asks for keycards, so there is no quantitative raise.
    """
    has = {} if major is None else {major: 4}
    top = opened.quantitative if major is None else opened.slam
    found = [rule("6NT", "small slam", hcp=(opened.slam, 37), has=has)]
    if major is None:
        found.append(rule("4NT", "quantitative raise", hcp=(top, opened.slam - 1), note="invites six no-trumps"))
    if opened.level < 3:
        found.append(rule("3NT", "game in no-trumps", hcp=(opened.game, top - 1), has=has))
    if opened.level == 1:
        found.append(rule("2NT", "invitation in no-trumps", hcp=(opened.invite, opened.game - 1), has=has))
    return [*found, rule(PASS, "nothing more to say", hcp=(0, max(top - 1, 0)))]
