"""The opener's second call after one of a suit, the opponents silent."""

from __future__ import annotations

from junto.games.cards import HEARTS, NO_TRUMP, SPADES
from junto.search.bridge_bidding.calls import FIRST_BID, MAJORS, PASS, bid, level_of, outranks, strain_of
from junto.search.bridge_bidding.holding import Holding
from junto.search.bridge_bidding.meaning import SUIT_NAMES, Forcing, Meaning
from junto.search.bridge_bidding.position import Position
from junto.search.bridge_bidding.responses import INVERTED, JACOBY
from junto.search.bridge_bidding.rules import Condition, Rules, rule


def rebids(position: Position) -> Rules:
    """Return the rules for the opener's rebid; raises of his suit and no-trump invitations are left to judgement."""
    if position.opener != position.me or len(position.calls) - position.first_bid_index != 4:
        return []
    opening, response = position.opening, position.ago(2)
    if level_of(opening) > 1 or strain_of(opening) == NO_TRUMP or response < FIRST_BID or not position.uncontested:
        return []
    suit, answer = strain_of(opening), strain_of(response)
    if position.meanings[-2].name == JACOBY:
        return _after_jacoby(suit)
    if position.meanings[-2].name == INVERTED:
        return _after_inverted(suit)
    if level_of(response) > 2 or answer == suit or response == bid(2, NO_TRUMP):
        return []
    if answer == NO_TRUMP:
        return _after_one_no_trump(suit)
    return _after_one_over_one(suit, answer) if level_of(response) == 1 else _after_two_over_one(suit, answer)


def _after_one_over_one(suit: int, answer: int) -> Rules:
    major = answer in MAJORS
    raises = _raises_of_answer(answer)
    one_no_trump = rule("1NT", "minimum balanced", hcp=(11, 14), balanced=True)
    return _without_repeats(
        [
            *(raises if major else []),
            rule("2NT", "jump to two no-trumps", hcp=(18, 19), balanced=True),
            *_jump_shifts(suit, answer),
            *_reverses(suit, answer),
            *(
                rule(bid(1, new), "new suit at the one level", hcp=(10, 18), has={new: 4}, forcing=Forcing.ROUND)
                for new in (HEARTS, SPADES)
                if outranks(new, answer)
            ),
            one_no_trump,
            *_own_suit(suit),
            *_new_suits(suit, bid(1, answer)),
            *raises,
            *_own_suit(suit, six=False),
        ]
    )


def _raises_of_answer(answer: int) -> Rules:
    name = SUIT_NAMES[answer]
    top = 18 if answer in MAJORS else 26
    fit = {answer: 4}
    found = [
        rule(bid(3, answer), f"jump raise of {name}", points=(16, top), trump=answer, has=fit),
        rule(bid(2, answer), f"single raise of {name}", points=(11, 15), trump=answer, has=fit),
    ]
    if answer in MAJORS:
        found.insert(0, rule(bid(4, answer), f"raise to game in {name}", points=(19, 37), trump=answer, has=fit))
    return found


def _own_suit(suit: int, *, six: bool = True) -> Rules:
    fewest = 6 if six else 5
    return [
        rule(bid(3, suit), "strong suit again", points=(17, 26), has={suit: 6}),
        rule(bid(2, suit), "own suit again", points=(10, 18), has={suit: 5},
             when=lambda held: held.lengths[suit] >= fewest),
    ]  # fmt: skip


def _jump_shifts(suit: int, answer: int) -> Rules:
    """Return the jumps in a new suit, which force to game."""
    found = []
    for new in range(4):
        if new not in (suit, answer):
            low_level = 1 if outranks(new, answer) else 2
            if not (low_level == 2 and outranks(new, suit)):
                found.append(
                    rule(bid(low_level + 1, new), "jump in a new suit", points=(19, 26), has={new: 4, suit: 4},
                         forcing=Forcing.GAME, when=_second_longest(new, suit, answer))
                )  # fmt: skip
    return found


def _reverses(suit: int, answer: int) -> Rules:
    return [
        rule(bid(2, new), "reverse", points=(17, 26), has={suit: 5, new: 4}, forcing=Forcing.ROUND,
             note="the first suit is longer", when=_longer(suit, new))
        for new in range(4)
        if new not in (suit, answer) and outranks(new, suit) and not outranks(new, answer)
    ]  # fmt: skip


def _longer(suit: int, other: int) -> Condition:
    return lambda held: held.lengths[suit] > held.lengths[other]


def _new_suits(suit: int, last: int) -> Rules:
    """Return the new suits at the two level that are no reverse."""
    return [
        rule(bid(2, new), "second suit", points=(11, 19), has={new: 4, suit: 4}, when=_second_longest(new, suit, None))
        for new in range(3, -1, -1)
        if new != suit and outranks(suit, new) and bid(2, new) > last and strain_of(last) != new
    ]


def _second_longest(new: int, suit: int, answer: int | None) -> Condition:
    def second(held: Holding) -> bool:
        others = [held.lengths[one] for one in range(4) if one not in (suit, answer)]
        return held.lengths[new] == max(others) and not held.balanced

    return second


def _after_one_no_trump(suit: int) -> Rules:
    found = [
        rule("3NT", "game in no-trumps", hcp=(19, 21), when=lambda held: held.balanced),
        rule("2NT", "invitation in no-trumps", hcp=(17, 18), balanced=True),
        *_jump_shifts(suit, NO_TRUMP),
        *_reverses_over_no_trump(suit),
        *_own_suit(suit),
        *_new_suits(suit, bid(1, NO_TRUMP)),
        rule(bid(2, suit), "own suit again", points=(10, 18), has={suit: 5}, when=lambda held: not held.balanced),
        rule("3NT", "game in no-trumps", hcp=(19, 21)),
        rule(PASS, "content with one no-trump", hcp=(10, 18)),
    ]
    return _without_repeats(found)


def _reverses_over_no_trump(suit: int) -> Rules:
    return [
        rule(bid(2, new), "reverse", points=(17, 26), has={suit: 5, new: 4}, forcing=Forcing.ROUND,
             note="the first suit is longer", when=_longer(suit, new))
        for new in range(4)
        if new != suit and outranks(new, suit)
    ]  # fmt: skip


def _after_two_over_one(suit: int, answer: int) -> Rules:
    game = Forcing.GAME
    fewest = 3 if answer == HEARTS else 4
    found = [
        rule(bid(3, answer), f"raise of {SUIT_NAMES[answer]}", points=(11, 26), has={answer: fewest}, forcing=game),
        rule(bid(3, suit), "strong suit again", points=(16, 26), has={suit: 6}, forcing=game),
        rule(bid(2, suit), "own suit again", points=(10, 26), has={suit: 5}, forcing=game,
             when=lambda held: held.lengths[suit] >= 6),
    ]  # fmt: skip
    for new in range(3, -1, -1):
        if new not in (suit, answer):
            level = 2 if outranks(new, answer) else 3
            reverse = outranks(new, suit) or level == 3
            found.append(
                rule(bid(level, new), "second suit", points=(15 if reverse else 11, 26), has={suit: 4, new: 4},
                     forcing=game)
            )  # fmt: skip
    found += [
        rule("3NT", "strong and balanced", hcp=(18, 19), balanced=True),
        rule("2NT", "balanced, keeps the bidding open", hcp=(11, 15), forcing=game,
             when=lambda held: held.balanced or held.lengths[suit] < 5),
        rule(bid(2, suit), "own suit again", points=(10, 26), has={suit: 5}, forcing=game),
        rule("2NT", "balanced, keeps the bidding open", hcp=(11, 15), forcing=game),
        rule("3NT", "strong and balanced", hcp=(15, 21)),
    ]  # fmt: skip
    return _without_repeats(found)


def _after_jacoby(major: int) -> Rules:
    game = Forcing.GAME
    return [
        *(
            rule(bid(3, short), f"shortness in {SUIT_NAMES[short]}", most={short: 1}, hcp=(10, 21), artificial=True,
                 forcing=game)
            for short in range(4)
            if short != major
        ),
        rule(bid(3, major), "strong, no shortness", hcp=(16, 21), has={major: 5}, forcing=game),
        rule(bid(3, NO_TRUMP), "medium, no shortness", hcp=(14, 15), artificial=True),
        rule(bid(4, major), "minimum, no shortness", hcp=(10, 13), has={major: 5}),
    ]  # fmt: skip


def _after_inverted(minor: int) -> Rules:
    return [
        rule("3NT", "strong and balanced", hcp=(18, 19), balanced=True),
        rule("2NT", "minimum balanced", hcp=(11, 14), balanced=True),
        *(
            rule(bid(2, suit), "stopper on the way to no-trumps", hcp=(10, 21), stopped=(suit,), artificial=True,
                 forcing=Forcing.ROUND, when=lambda held: held.hcp >= 14)
            for suit in (2, HEARTS, SPADES)
            if outranks(suit, minor)
        ),
        rule(bid(3, minor), "minimum with a real suit", hcp=(10, 21), has={minor: 3}),
    ]  # fmt: skip


def _without_repeats(rules: Rules) -> Rules:
    """Return the rules without those whose call has had another meaning before."""
    first: dict[int, Meaning] = {}
    for one in rules:
        first.setdefault(one.call, one.meaning)
    return [one for one in rules if first[one.call] == one.meaning]
