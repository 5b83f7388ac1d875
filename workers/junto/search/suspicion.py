"""The suspicion timeline of a deal: after every move, whom each seat took for the declarer's partner.

It is made of a deal's moves and of beliefs: those that bots reported with their decisions, and those that `Ask` gives
for all other seats and moves. Without `Ask` a seat is taken to believe what it reported last. Nothing is compiled or
searched here.

How far the table is, is told by the *mean log-odds*: of the chance that each seat which has to guess gives to each
true partner (to the declarer's being alone, if he is), ln(p / (1 - p)), cut at 1 and 99 per cent, on average. The
move that *gave the alliance away* is the one with the largest rise of that mean before it was certain for all; one by
which the odds do not double, on geometric average, or the mean chance does not rise by a tenth, gives nothing away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import log, prod
from typing import Final

from junto.games.actions import Action, Play, PlayCards
from junto.games.baohuang.game import Baohuang
from junto.games.core import Deal, Game
from junto.games.napoleon import NapoleonGame
from junto.games.view import BaohuangDetails, Own, Phase, Role, SeatAction, Shared
from junto.search.decisions import Cards, Roles

Beliefs = tuple[Roles, Cards]
"""As a decision reports them: chances of roles by seat, and of places by card."""
Ask = Callable[[Deal, int], Beliefs]
"""What a seat believes as a deal stands."""

GAVE_AWAY_FROM: Final = log(2)
"""How far the mean log-odds must rise at a move that gives the alliance away."""
GAVE_AWAY_BY: Final = 0.1
"""How far the mean chance given to the truth must rise at such a move: odds of next to nothing may double by chance."""
CERTAIN: Final = 1 - 1e-9
_CUT: Final = 0.01
_NOTHING: Final[Beliefs] = ({}, {})


class NoSuspicion(Exception):
    """There was nobody to be suspected in a deal; the message says why."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """What one seat holds possible: the chance that each seat is the declarer's `partner`; that he is `alone`."""

    partner: tuple[float, ...]
    alone: float
    recorded: bool = False


@dataclass(frozen=True, slots=True)
class Moment:
    """How a deal stood after so many of its actions, the last of them `done` in that trick or `round` (0: before).

    `believed` is by seat; None: nothing is known of what it believed. `log_odds` is the table's mean, None where some
    seat's beliefs are not known; `rise` is what the move added to it. `shown`: the move laid a card open that makes a
    partner. `public` are the partners whom all know by the rules.
    """

    number: int
    done: SeatAction
    round: int
    believed: tuple[Suspicion | None, ...]
    log_odds: float | None
    rise: float | None = None
    shown: bool = False
    public: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Timeline:
    """A deal's moments from the first in which a card can be played on.

    `partners` are the true ones, none if the declarer was alone. `guessing` are the seats that had to guess at first,
    and `guesses` pairs of such a seat and a true partner that it did not know (None: that there is none).
    `gave_away` and `certain` are indices of moments; None: there is none.
    """

    declarer: int
    partners: tuple[int, ...]
    guessing: tuple[int, ...]
    guesses: tuple[tuple[int, int | None], ...]
    moments: tuple[Moment, ...]
    gave_away: int | None
    certain: int | None

    def suspected(self, moment: Moment, seat: int | None) -> float | None:
        """Return the mean chance, over the others who had to guess, that a seat is a partner (None: nobody is)."""
        return _mean(
            [
                chance_of(believed, seat)
                for observer in self.guessing
                if observer != seat and (believed := moment.believed[observer]) is not None
            ]
        )

    def is_known(self, moment: Moment, seat: int | None) -> bool:
        """Tell whether all who had to guess are certain that a seat is a partner (None: that nobody is)."""
        believed = [moment.believed[observer] for observer in self.guessing if observer != seat]
        return seat in moment.public or all(one is not None and chance_of(one, seat) >= CERTAIN for one in believed)

    def given_to_truth(self, moment: Moment) -> float | None:
        """Return the mean chance that those who have to guess give to what is true."""
        return _mean(list(_given(moment.believed, self.guesses)))


def chance_of(believed: Suspicion, seat: int | None) -> float:
    """Return the chance that a seat is a partner, or for None that nobody is."""
    return believed.alone if seat is None else believed.partner[seat]


def check_hidden(game: Game) -> None:
    """Check that a game's partners are found anew in each deal, in secret.

    Raises:
        NoSuspicion: they are not.
    """
    if isinstance(game, NapoleonGame) and game.house.forced_solo:
        raise NoSuspicion(f"in {game.title} by these rules the declarer always plays alone: nobody is suspected")
    if not isinstance(game, NapoleonGame | Baohuang):
        raise NoSuspicion(f"in {game.title} no partner is hidden: nobody is suspected")


def timeline(
    deals: Sequence[Deal], actions: Sequence[Action], reported: Mapping[int, Beliefs], ask: Ask | None
) -> Timeline:
    """Return the timeline of a finished deal.

    Args:
        deals: the deal before its first action, and after each.
        actions: these.
        reported: what bots believed when they decided, by the number of the action.
        ask: gives what was not reported.

    Raises:
        NoSuspicion: nobody could be suspected in it.
    """
    check_hidden(deals[0].game)
    numbers = [number for number, deal in enumerate(deals) if deal.phase is Phase.PLAY]
    if not numbers:
        raise NoSuspicion("it ended before a partner was called")
    first = deals[numbers[0]]
    if _is_open(first):
        raise NoSuspicion("all knew from the start that the declarer plays alone")
    result = deals[-1].shared.result
    assert result is not None
    declarer = next(share.seat for share in result.seats if share.role is Role.DECLARER)
    partners = tuple(share.seat for share in result.seats if share.role is Role.PARTNER)
    guessing = tuple(own.seat for own in first.owns if not _knows_all(first.shared, own))
    guesses = tuple((seat, other) for seat in guessing for other in partners or (None,) if seat != other)
    table = _Table(deals, actions, reported, ask, guessing, guesses)
    moments = tuple(_with_rises(list(table.moments(numbers[0]))))
    certain = next((n for n, moment in enumerate(moments) if _all_certain(moment, guesses)), None)
    return Timeline(declarer, partners, guessing, guesses, moments, _gave_away(moments[:certain], guesses), certain)


@dataclass(slots=True)
class _Table:
    """The moments of a deal, one after the other; `_last` is what each seat said last."""

    deals: Sequence[Deal]
    actions: Sequence[Action]
    reported: Mapping[int, Beliefs]
    ask: Ask | None
    guessing: Sequence[int]
    guesses: Sequence[tuple[int, int | None]]
    _last: dict[int, Beliefs] = field(default_factory=dict)

    def moments(self, first: int) -> Iterator[Moment]:
        for number in range(first, len(self.deals)):
            deal, before = self.deals[number], self.deals[number - 1]
            assert before.to_act is not None
            action = self.actions[number - 1]
            done = SeatAction(before.to_act, action, before.reading(action))
            believed = tuple(self._believed(number, seat) for seat in range(deal.game.seats))
            given = list(_given(believed, self.guesses))
            log_odds = _mean([_log_odds(chance) for chance in given]) if len(given) == len(self.guesses) else None
            shown = number > first and _shows(before.shared, action)
            public = tuple(known.seat for known in deal.shared.roles if known.role is Role.PARTNER)
            yield Moment(number, done, _round_of(deal.shared), believed, log_odds, shown=shown, public=public)

    def _believed(self, number: int, seat: int) -> Suspicion | None:
        deal = self.deals[number]
        shared, own = deal.shared, deal.owns[seat]
        if seat not in self.guessing or _is_open(deal):
            return _suspicion(shared, own, _NOTHING)
        told = self.reported.get(number, _NOTHING) if deal.to_act == seat else _NOTHING
        if told[0]:
            self._last[seat] = told
        elif self.ask is not None:
            return _suspicion(shared, own, self.ask(deal, seat))
        return _suspicion(shared, own, self._last[seat], recorded=bool(told[0])) if seat in self._last else None


def _suspicion(shared: Shared, own: Own, beliefs: Beliefs, *, recorded: bool = False) -> Suspicion:
    """Return what a seat holds possible: what it knows, and for the rest what it believes."""
    roles, cards = beliefs
    partner = tuple(_partner_chance(seat, shared, own, roles) for seat in range(len(shared.hands)))
    return Suspicion(partner, _alone_chance(shared, own, partner, cards), recorded)


def _partner_chance(seat: int, shared: Shared, own: Own, roles: Roles) -> float:
    known = own.role if seat == own.seat else shared.role_of(seat)
    if known is not None or seat == own.seat:
        return float(known is Role.PARTNER)
    return roles[seat].get(Role.PARTNER, 0.0) if seat in roles else 0.0


def _alone_chance(shared: Shared, own: Own, partner: Sequence[float], cards: Cards) -> float:
    """Return the chance that the declarer has or had every card that makes a partner, or put it back.

    Of two cards each is taken to be there as likely whether the other is or not.
    """
    if own.alone:
        return 1.0
    if any(chance >= CERTAIN for chance in partner):
        return 0.0
    declarer = next(known.seat for known in shared.roles if known.role is Role.DECLARER)
    return prod(
        sum(chance for place, chance in places.items() if place.seat in (declarer, None)) for places in cards.values()
    )


def _knows_all(shared: Shared, own: Own) -> bool:
    """Tell whether a seat holds all that makes a partner: in its own hand, or as a declarer who is alone."""
    return own.alone or (own.role is Role.PARTNER and all(called.card in own.hand for called in shared.called))


def _is_open(deal: Deal) -> bool:
    """Tell whether everybody knows every role."""
    return all(deal.shared.role_of(seat) is not None for seat in range(deal.game.seats))


def _round_of(shared: Shared) -> int:
    """Return the trick or round of the last play, from 1; 0 before the first."""
    if shared.tricks is not None:
        return len(shared.tricks.tricks)
    rounds = shared.climbing.rounds if shared.climbing is not None else ()
    return sum(1 for one in rounds if one.actions)


def _shows(shared: Shared, action: Action) -> bool:
    """Tell whether an action plays a card that makes a partner."""
    match action, shared.details:
        case Play(card), _:
            return any(called.card == card for called in shared.called)
        case PlayCards(cards), BaohuangDetails(named=show) if show is not None:
            return show.card in cards
        case _:
            return False


def _given(believed: Sequence[Suspicion | None], guesses: Sequence[tuple[int, int | None]]) -> Iterator[float]:
    """Yield the chance that each seat which has to guess gives to what is true, as far as it is known."""
    for seat, other in guesses:
        if (one := believed[seat]) is not None:
            yield chance_of(one, other)


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _log_odds(chance: float) -> float:
    cut = min(max(chance, _CUT), 1 - _CUT)
    return log(cut / (1 - cut))


def _with_rises(moments: Sequence[Moment]) -> Iterator[Moment]:
    yield moments[0]
    for before, moment in pairwise(moments):
        if before.log_odds is None or moment.log_odds is None:
            yield moment
        else:
            yield replace(moment, rise=moment.log_odds - before.log_odds)


def _all_certain(moment: Moment, guesses: Sequence[tuple[int, int | None]]) -> bool:
    given = list(_given(moment.believed, guesses))
    return len(given) == len(guesses) and all(chance >= CERTAIN for chance in given)


def _gave_away(moments: Sequence[Moment], guesses: Sequence[tuple[int, int | None]]) -> int | None:
    """Return which of these moments has the largest rise, of those that are large enough to give anything away."""
    given = [_mean(list(_given(moment.believed, guesses))) or 0.0 for moment in moments]
    rises = [
        (moment.rise, number)
        for number, moment in enumerate(moments)
        if moment.rise is not None
        and moment.rise >= GAVE_AWAY_FROM
        and given[number] - given[number - 1] >= GAVE_AWAY_BY
    ]
    return max(rises, key=lambda one: one[0])[1] if rises else None
