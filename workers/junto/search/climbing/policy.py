"""Rules of thumb for the play of every climbing game: the `greedy` strategy, and the seats inside a playout.

One implementation for both. A seat uses only what it may know: its own hand, sizes, what was played, and a role only
if it knows it. The two peasants and the partners of Shuangkou know each other; the guard knows his emperor; an
emperor knows whether he is alone, but not his guard before all do; a rebel takes the others for probable friends.

A play is weighed by what it does to the hand (low cards and whole groups go first, strong ones are kept), by how
likely it holds and so brings the lead, and by who would lead otherwise: a friend's play is left alone, a foe's is
beaten the sooner the fewer cards he has; nothing is led that a foe could go out on. When all groups but one hold,
they are played out. The weights are `junto.search.climbing.habits`.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.climbing.course import NOBODY, next_leader
from junto.games.climbing.kernel import (
    BIG,
    BOMB,
    JOKER_BOMB,
    KICKERS,
    NO_PLAY,
    RANKS,
    SCORING,
    SEATS,
    SETS,
    SMALL,
    TRIO,
    TRIO_STRAIGHT,
    TWO,
    beats,
    classify,
    count_of,
    key_of,
    kickers_of,
    kind_of,
    made_set,
    may_play,
    size_of,
    with_named,
)
from junto.games.climbing.moves import fewest_named, write_plays
from junto.games.climbing.scoring import DECLARER, PARTNER, TEAMS
from junto.games.jit import inlined, njit
from junto.search.climbing.groups import (
    GAINS,
    GROUPS,
    LOOSE,
    PLAYS,
    REST,
    TRYING,
    TURNS,
    VALUES,
    lay_out,
    take_group,
    value_of,
    with_low_kickers,
)
from junto.search.climbing.habits import (
    CERTAIN,
    CLOSING,
    DANGER,
    DANGER_NEAR,
    FOE,
    FOE_LAST,
    FOE_NEAR,
    FRIEND,
    FRIEND_BLOCKS,
    FRIEND_HOLDS,
    FRIEND_NEAR,
    HELP,
    LEAD,
    LEAD_LAST,
    LEAD_TWO,
    MYSELF,
    PROBABLE,
    REVEAL,
    ROW,
)
from junto.search.climbing.holding import chance_to_hold
from junto.search.climbing.state import (
    ALL_KNOW,
    APPLICANT,
    APPLY,
    COPIES,
    HOLDING,
    LEFT,
    NAMED_RANK,
    OWNER,
    PASS,
    SIZES,
    STAKES_AT,
    TOP,
    TURN,
    may_ask,
)

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]

ENEMY, STRANGER, FRIEND_OF = range(3)
"""What a seat takes another one for; of a stranger it hopes that he is a friend."""
_SURE: Final = 940
"""Of `CERTAIN`: a play that holds so likely is reckoned to hold."""
_NEAR: Final = 4
"""A seat with so few cards is close to going out."""


@njit
def relation(terms: Vector, state: Vector, seat: int, other: int) -> int:
    """Return what a seat takes another one for, by what it may know."""
    if terms[SCORING] == TEAMS:
        return FRIEND_OF if (seat ^ other) & 1 == 0 else ENEMY
    declarer, partner = state[STAKES_AT + DECLARER], state[STAKES_AT + PARTNER]
    if seat == declarer:
        return FRIEND_OF if state[ALL_KNOW] and other == partner else ENEMY
    if other == declarer:
        return FRIEND_OF if seat == partner else ENEMY
    if seat == partner:
        return ENEMY
    if state[ALL_KNOW]:
        return ENEMY if other == partner else FRIEND_OF
    return STRANGER


@njit
def _sides(terms: Vector, state: Vector, seat: int) -> tuple[int, int, int]:
    """Return the other seats with cards, as bits: who is no known friend; foes; foes who are near the end."""
    rivals, foes, near = 0, 0, 0
    for other in range(terms[SEATS]):
        if other != seat and state[HOLDING] >> other & 1:
            taken_for = relation(terms, state, seat, other)
            rivals |= (taken_for != FRIEND_OF) << other
            foes |= (taken_for == ENEMY) << other
            near |= (taken_for == ENEMY and state[SIZES + other] <= _NEAR) << other
    return rivals, foes, near


@njit
def choose(terms: Vector, habits: Vector, state: Vector, hand: Vector, desk: Matrix) -> int:
    """Return the action of the seat to act, whose hand it is: a play, `PASS` or `APPLY`."""
    seat = state[TURN]
    whole = classify(terms, hand)
    if whole != NO_PLAY and (state[TOP] == NO_PLAY or beats(terms, state[TOP], whole)):
        return with_named(whole, state[COPIES + seat])
    rivals, foes, near = _sides(terms, state, seat)
    number = propose(terms, habits, state, hand, desk, foes)
    play = pick(terms, habits, state, hand, desk, number, rivals, foes, near)
    if play != PASS:
        if not terms[SETS]:
            take_group(terms, habits, play, desk, seat)
        elif state[COPIES + seat] > 0:
            play = with_named(play, fewest_named(hand, play, state[NAMED_RANK], state[COPIES + seat]))
        return play
    return APPLY if may_ask(terms, state) and _wants_lead(terms, state, seat) else PASS


@njit
def rate(terms: Vector, habits: Vector, state: Vector, hand: Vector, desk: Matrix, number: int) -> None:
    """Write what each of so many plays on the desk is worth in all to the seat to act, whose hand it is."""
    if terms[SETS]:
        _weigh_sets(habits, hand, desk, number)
    else:
        _weigh(terms, habits, state, hand, desk, number)
    rivals, foes, near = _sides(terms, state, state[TURN])
    pick(terms, habits, state, hand, desk, number, rivals, foes, near)


@njit
def _wants_lead(terms: Vector, state: Vector, seat: int) -> bool:
    """Tell whether to ask for the lead: not when it comes to a friend who is as near to the end."""
    heir = next_leader(terms, state[HOLDING], state[OWNER], NOBODY)
    friend = heir != seat and relation(terms, state, seat, heir) == FRIEND_OF
    return not (friend and state[SIZES + heir] <= state[SIZES + seat])


@njit
def propose(terms: Vector, habits: Vector, state: Vector, hand: Vector, desk: Matrix, foes: int) -> int:
    """Write the plays to choose from to the desk, what each gains and how many turns remain; return how many."""
    top, seat = state[TOP], state[TURN]
    if terms[SETS]:
        return _propose_sets(terms, habits, top, hand, desk)
    plays, gains, turns, groups = desk[PLAYS], desk[GAINS], desk[TURNS], desk[GROUPS + seat]
    if top == NO_PLAY:
        number, in_turns, _ = lay_out(terms, habits, hand, state[SIZES + seat], desk, seat)
        for place in range(number):
            plays[place] = groups[place]
            gains[place] = -value_of(habits, groups[place])
            turns[place] = in_turns - 1
            kind = kind_of(groups[place])
            if terms[KICKERS] and kind in (TRIO, TRIO_STRAIGHT):
                plays[place] = with_low_kickers(terms, habits, groups[place], groups, number)
        return number
    number = write_plays(terms, hand, top, plays)
    if number == 0:
        return 0
    if kickers_of(top) > 0:
        number = _with_lowest_kickers(habits, hand, plays, min(number, plays.size))
    kept = _keep_groups(terms, habits, state, hand, desk, number)
    if kept > 0:
        return kept
    heir = next_leader(terms, state[HOLDING], state[OWNER], state[APPLICANT])
    if not foes >> heir & 1:
        return 0
    _weigh(terms, habits, state, hand, desk, number)
    return number


@njit
def _keep_groups(terms: Vector, habits: Vector, state: Vector, hand: Vector, desk: Matrix, number: int) -> int:
    """Put plays first that take a whole group, or part of equal loose cards, and write what they gain.

    Return how many they are; 0 also if they are nothing but bombs.
    """
    plays, gains, turns, seat = desk[PLAYS], desk[GAINS], desk[TURNS], state[TURN]
    loose, groups = desk[LOOSE + seat], desk[GROUPS + seat]
    laid, in_turns, _ = lay_out(terms, habits, hand, state[SIZES + seat], desk, seat)
    kept, plain = 0, 0
    for place in range(number):
        play = plays[place]
        kind, key, size = kind_of(play), key_of(play), size_of(play)
        gain, whole = 0, False
        if kind <= TRIO and loose[key] >= size:
            gain = habits[ROW * (loose[key] - size) + key] - habits[ROW * loose[key] + key]
            whole = loose[key] == size
        elif kind > TRIO and _is_group(groups, laid, play):
            gain, whole = -value_of(habits, play), True
        else:
            continue
        gains[kept], turns[kept] = gain, in_turns - whole
        plays[place] = plays[kept]
        plays[kept] = play
        plain += kind not in (BOMB, JOKER_BOMB)
        kept += 1
    return kept if plain > 0 else 0


@inlined
def _is_group(groups: Vector, number: int, play: int) -> bool:
    found = False
    for place in range(number):
        found |= groups[place] == play
    return found


@njit
def _weigh(terms: Vector, habits: Vector, state: Vector, hand: Vector, desk: Matrix, number: int) -> None:
    """Write what plays that are no sets gain, and how many turns remain after each, by laying out the rest."""
    plays, gains, turns, rest, seat = desk[PLAYS], desk[GAINS], desk[TURNS], desk[REST], state[TURN]
    _, _, before = lay_out(terms, habits, hand, state[SIZES + seat], desk, seat)
    for place in range(number):
        for rank in range(RANKS):
            rest[rank] = hand[rank] - count_of(plays[place], rank)
        _, turns[place], worth = lay_out(terms, habits, rest, 0, desk, TRYING)
        gains[place] = worth - before


@njit
def _with_lowest_kickers(habits: Vector, hand: Vector, plays: Vector, number: int) -> int:
    """Keep of each main group's plays, which stand together, the one whose kickers are missed least."""
    kept, least = 0, 0
    for place in range(number):
        play, cost = plays[place], 0
        for rank in range(RANKS):
            taken = (kickers_of(play) >> 2 * rank) & 3
            if taken > 0:
                count = min(hand[rank], TRIO)
                cost += habits[ROW * max(0, count - taken) + rank] - habits[ROW * count + rank]
        same = kept > 0 and kind_of(plays[kept - 1]) == kind_of(play) and key_of(plays[kept - 1]) == key_of(play)
        if not same:
            kept += 1
        if not same or cost > least:
            least = cost
            plays[kept - 1] = play
    return kept


@njit
def _propose_sets(terms: Vector, habits: Vector, top: int, hand: Vector, desk: Matrix) -> int:
    """Propose sets: of leads all cards of a rank, also with a big joker, and jokers alone; of answers all."""
    plays = desk[PLAYS]
    number, cards = 0, 0
    for rank in range(RANKS):
        cards += hand[rank]
    if top == NO_PLAY:
        for rank in range(RANKS):
            for big in range(2 if hand[BIG] > 0 and rank < BIG else 1):
                if hand[rank] > 0:
                    small = hand[rank] if rank == SMALL else 0
                    own = hand[rank] if rank == BIG else 0
                    play = made_set(rank, hand[rank] if rank <= TWO else 0, 0, small, big + own)
                    if may_play(terms, cards, play):
                        plays[number] = play
                        number += 1
    if top != NO_PLAY or number == 0:
        number = min(write_plays(terms, hand, top, plays), plays.size)
    _weigh_sets(habits, hand, desk, number)
    return number


@njit
def _weigh_sets(habits: Vector, hand: Vector, desk: Matrix, number: int) -> None:
    """Write what sets gain and how many ranks remain after each."""
    plays, gains, turns = desk[PLAYS], desk[GAINS], desk[TURNS]
    ranks = 0
    for rank in range(RANKS):
        ranks += hand[rank] > 0
    for place in range(number):
        play, gain, turns[place] = plays[place], 0, ranks
        for rank in range(key_of(play), RANKS):
            taken = count_of(play, rank) if rank == key_of(play) or rank >= TWO else 0
            if taken > 0:
                gain += habits[ROW * (hand[rank] - taken) + rank] - habits[ROW * hand[rank] + rank]
                turns[place] -= taken == hand[rank]
        gains[place] = gain


@njit
def pick(
    terms: Vector, habits: Vector, state: Vector, hand: Vector, desk: Matrix, number: int, rivals: int, foes: int,
    near: int,
) -> int:  # fmt: skip
    """Return the best of the proposed plays, or `PASS` where that is better; write what each is worth to the desk."""
    if number == 0:
        return PASS
    plays, gains, turns, values = desk[PLAYS], desk[GAINS], desk[TURNS], desk[VALUES]
    unseen, others = desk[REST], 0
    for rank in range(RANKS):
        unseen[rank] = state[LEFT + rank] - hand[rank]
        others += unseen[rank]
    seat, seats, leads = state[TURN], terms[SEATS], state[TOP] == NO_PLAY
    push = 0 if leads else _push(terms, habits, state, unseen, others, rivals, foes)
    guarding = not state[ALL_KNOW] and state[STAKES_AT + PARTNER] == seat
    best, chosen, closer, closing_play, losers = 0, PASS, 0, PASS, 0
    for place in range(number):
        play = plays[place]
        lead = habits[LEAD_LAST if turns[place] <= 1 else LEAD_TWO if turns[place] == 2 else LEAD]
        values[place] = gains[place] + push + lead + (habits[CLOSING] if turns[place] <= 1 else 0)
        if not leads and values[place] <= best:
            continue  # it cannot be the best, however sure it holds
        holds = chance_to_hold(terms, habits, state, unseen, others, rivals, play)
        lost = _danger(habits, state, seats, foes, near, play)
        value = gains[place] + push + ((lead * holds - lost * (CERTAIN - holds)) >> 10)
        if guarding and fewest_named(hand, play, state[NAMED_RANK], state[COPIES + seat]) > 0:
            value += habits[REVEAL]
        if holds < _SURE:
            losers += 1
        else:
            if turns[place] <= 1 and not leads:
                value += habits[CLOSING]
            if closing_play == PASS or value > closer:
                closer, closing_play = value, play
        if leads and state[HOLDING] != foes | 1 << seat:
            value += _help(terms, habits, state, seat, foes, holds, play)
        values[place] = value
        if value > best or (leads and chosen == PASS):
            best, chosen = value, play
    if leads and losers <= number - turns[0] and closing_play != PASS:
        return closing_play
    return chosen


@njit
def _push(terms: Vector, habits: Vector, state: Vector, unseen: Vector, others: int, rivals: int, foes: int) -> int:
    """Return what speaks for beating the top whatever the play: whose it is, who leads if it stays."""
    seat = state[TURN]
    heir = next_leader(terms, state[HOLDING], state[OWNER], state[APPLICANT])
    if heir == seat:
        return int(habits[MYSELF])
    cards = state[SIZES + heir]
    if foes >> heir & 1:
        return int(habits[FOE] + (habits[FOE_LAST] if cards <= 2 else habits[FOE_NEAR] if cards <= _NEAR + 1 else 0))
    if rivals >> heir & 1:
        return int(habits[PROBABLE])
    holds = chance_to_hold(terms, habits, state, unseen, others, rivals, state[TOP])
    following = seat + 1 if seat + 1 < terms[SEATS] else 0
    push = habits[FRIEND] + (habits[FRIEND_HOLDS] * holds >> 10)
    push += habits[FRIEND_NEAR] if cards <= _NEAR else 0
    return int(push + (habits[FRIEND_BLOCKS] if foes >> following & 1 else 0))


@inlined
def _danger(habits: Vector, state: Vector, seats: int, foes: int, near: int, play: int) -> int:
    """Return what it costs when a play is beaten: foes who may go out on it, or are close to the end."""
    lost = habits[DANGER_NEAR] if near else 0
    for other in range(seats):
        if foes >> other & 1 and state[SIZES + other] == size_of(play):
            lost = habits[DANGER]
    return int(lost)


@njit
def _help(terms: Vector, habits: Vector, state: Vector, seat: int, foes: int, holds: int, play: int) -> int:
    """Return what speaks for a lead because the next seat with cards is a friend who may go out on it."""
    following = seat + 1 if seat + 1 < terms[SEATS] else 0
    while not state[HOLDING] >> following & 1:
        following = following + 1 if following + 1 < terms[SEATS] else 0
    out = state[SIZES + following] == size_of(play) and not foes >> following & 1
    return int(habits[HELP] * (CERTAIN - holds) >> 10) if out else 0
