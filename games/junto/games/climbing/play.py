"""The phase of play in every climbing game: lead a combination, beat the top, pass, or ask for the lead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from junto.games.actions import Action, ApplyForLead, Pass, PlayCards
from junto.games.cards import PACK, Card, card_text
from junto.games.climbing import course, kernel, moves
from junto.games.climbing.combination import Combination
from junto.games.climbing.deal import ClimbingDeal, holding_of, round_of
from junto.games.climbing.pick import cards_of
from junto.games.climbing.ranks import counts_of, rank_of_card
from junto.games.climbing.refusal import why_no_combination, why_not_higher
from junto.games.core import IllegalAction, Step
from junto.games.events import ActionTaken, CardsMoved, RoundBegan, SeatFinished, Seen
from junto.games.knowledge import learn
from junto.games.phases import CENTRE, HANDS, PhaseRule
from junto.games.view import Choices, CombinationChoice

MOST_LISTED: Final = 1024
"""How many combinations a prompt lists at most; only Baohuang hands with many jokers or twos have more."""
_NOBODY: Final = course.NOBODY


class Climbing(PhaseRule[Any]):
    """Whoever leads plays any combination; the others beat it or pass, until all have passed in succession."""

    def choices(self, deal: ClimbingDeal) -> Choices:
        """List what may be played, weakest first."""
        plays = plays_of(deal)
        listed = tuple(map(Combination, _listed(plays)))
        choice = CombinationChoice(deal.top, listed, len(plays) - len(listed)) if plays else None
        return Choices(passing=deal.top is not None, combination=choice, applying=_may_apply(deal))

    def check(self, deal: ClimbingDeal, action: Action) -> None:
        """Check a play by the cards held, what they are, and what they have to beat."""
        match action:
            case PlayCards(cards):
                _check_play(deal, cards)
            case Pass():
                if deal.top is None:
                    raise IllegalAction("you lead: play a combination")
            case ApplyForLead():
                if not _may_apply(deal):
                    raise IllegalAction(_why_not_apply(deal))
            case _:
                raise IllegalAction(
                    "you lead: play a combination" if deal.top is None else "now you must play cards or pass"
                )

    def apply(self, deal: ClimbingDeal, action: Action) -> Step:
        """Lay the cards on the table, or let the turn pass on; the round or the deal may be over with that."""
        if isinstance(action, PlayCards):
            return _after_play(deal, action)
        seat, events = deal.seat, [Seen(ActionTaken(deal.seat, action))]
        top = round_of(deal.shared).top
        assert top is not None
        holding, game = holding_of(deal.shared), deal.game
        if course.next_answer(game.seats, holding, seat, top.seat) == _NOBODY:
            applicant = seat if isinstance(action, ApplyForLead) else _applicant(deal)
            leader = int(course.next_leader(game.terms.vector, holding, top.seat, applicant))
            events.append(Seen(RoundBegan(leader)))
        return deal.after(events)

    def legal(self, deal: ClimbingDeal) -> Iterator[Action]:
        """Yield a play of each combination, told apart by the copies of a named card, then what else may be done."""
        for play in _plays_apart(deal):
            yield PlayCards(cards_of(play, deal.hand, deal.named))
        if deal.top is not None:
            yield Pass()
        if _may_apply(deal):
            yield ApplyForLead()

    def default(self, deal: ClimbingDeal) -> Action:
        """Pass, or lead what the game's page says."""
        if deal.top is not None:
            return Pass()
        plays = plays_of(deal)
        wanted = deal.game.idle_lead(deal).play
        return PlayCards(deal.cards_of(Combination(wanted if wanted in plays else plays[0])))


def plays_of(deal: ClimbingDeal) -> list[int]:
    """Return the plays of the seat to act, weakest first: kind by kind, in a kind by rank, bombs by size."""
    plays = moves.plays_of(deal.game.terms.vector, deal.counts, _to_beat(deal)).tolist()
    return sorted(plays, key=_strength)


def _plays_apart(deal: ClimbingDeal) -> list[int]:
    """Return `plays_of`, told apart by how many copies of a named card they take, if the seat has any."""
    named = deal.named
    if named is None or named not in deal.hand:
        return plays_of(deal)
    rank, copies, terms = rank_of_card(named), deal.hand.count(named), deal.game.terms.vector
    plays: list[int] = moves.named_plays_of(terms, deal.counts, rank, copies, _to_beat(deal)).tolist()
    return plays


def _to_beat(deal: ClimbingDeal) -> int:
    return kernel.NO_PLAY if deal.top is None else deal.top.play


def _strength(play: int) -> int:
    """Return the size of a bomb, more for one of jokers; 0 for anything else."""
    match kernel.kind_of(play):
        case kernel.JOKER_BOMB:
            return 2 * kernel.RANKS
        case kernel.BOMB:
            return int(kernel.size_of(play))
    return 0


def _listed(plays: list[int]) -> list[int]:
    """Return the plays that a prompt lists, in their order: of too many sets those with the fewest jokers and twos.

    So each rank has some.
    """
    if len(plays) <= MOST_LISTED:
        return plays
    plainest = set(sorted(plays, key=_joined)[:MOST_LISTED])
    return [play for play in plays if play in plainest]


def _joined(play: int) -> int:
    """Return how many jokers, and twos that fill up, a set has."""
    return int(kernel.twos_of(play) + kernel.small_of(play) + kernel.big_of(play))


def _check_play(deal: ClimbingDeal, cards: tuple[Card, ...]) -> None:
    missing = Counter(cards) - Counter(deal.hand)
    if missing:
        card, count = next(iter(missing.items()))
        if card not in range(PACK):
            raise IllegalAction("there is no such card")
        held = deal.hand.count(card)
        many = f"you hold {held} {card_text(card)}, not {held + count}"
        raise IllegalAction(many if held else f"you do not hold {card_text(card)}")
    terms, play = deal.game.terms.vector, _read(deal, cards)
    if play == kernel.NO_PLAY:
        raise IllegalAction(why_no_combination(deal.game.terms, counts_of(cards)))
    if not kernel.may_play(terms, len(deal.hand), play):
        what = "threes" if kernel.key_of(play) == 0 else "jokers alone"
        raise IllegalAction(f"{what} may only be played as all that is left of a hand")
    top = deal.top
    if top is not None and not kernel.beats(terms, top.play, play):
        raise IllegalAction(why_not_higher(deal.game.terms, top, Combination(play)))


def _read(deal: ClimbingDeal, cards: tuple[Card, ...]) -> int:
    return int(kernel.classify(deal.game.terms.vector, counts_of(cards)))


def _applicant(deal: ClimbingDeal) -> int:
    applicant = deal.climbing.applicant
    return _NOBODY if applicant is None else applicant


def _may_apply(deal: ClimbingDeal) -> bool:
    top = round_of(deal.shared).top
    if top is None:
        return False
    return bool(course.may_apply(deal.game.terms.vector, holding_of(deal.shared), top.seat, _applicant(deal)))


def _why_not_apply(deal: ClimbingDeal) -> str:
    if deal.game.terms.heir != course.APPLICANT:
        return "in this game nobody asks for the lead"
    if deal.climbing.applicant is not None:
        return f"seat {deal.climbing.applicant} has asked for the lead already"
    return "the lead can be asked for only after a seat has gone out with the play that is on top"


def _after_play(deal: ClimbingDeal, action: PlayCards) -> Step:
    seat, game, cards = deal.seat, deal.game, action.cards
    combination = Combination(_read(deal, cards))
    hands = deal.without(seat, cards)
    events = [
        Seen(ActionTaken(seat, action, combination)),
        Seen(CardsMoved(HANDS[seat], CENTRE, len(cards), cards)),
        *game.after_play(deal, seat, cards),
    ]
    if not hands[seat]:
        events.append(Seen(SeatFinished(seat, len(deal.climbing.finished) + 1)))
    holding = sum(1 << number for number, hand in enumerate(hands) if hand)
    if not course.is_over(game.terms.vector, holding):
        return deal.after(events, hands=hands)
    played = _until_over(deal, events, hands)
    return deal.after([*events, *game.played_out(played, _places(played))], hands=hands)


def _until_over(deal: ClimbingDeal, events: list[Seen], hands: tuple[tuple[Card, ...], ...]) -> ClimbingDeal:
    """Return the deal after its last play, before anything is said of its end: nobody is to act any more."""
    shared, owns = learn(deal.shared, deal.owns, events, lambda _: None)
    return replace(deal, shared=replace(shared, to_act=None), owns=owns, hands=hands)


def _places(deal: ClimbingDeal) -> list[int]:
    """Return the places by seat: who has gone out in order, then who alone has cards left, if it is one."""
    order = list(deal.climbing.finished)
    left = [seat for seat, hand in enumerate(deal.hands) if hand]
    if len(left) == 1:
        order += left
    return [order.index(seat) + 1 if seat in order else 0 for seat in range(deal.game.seats)]
