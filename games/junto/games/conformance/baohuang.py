"""Conformance cases of Baohuang, each driven through a deal of the real rules."""

from __future__ import annotations

from collections import Counter
from typing import Final

from junto.games.actions import AcceptOffer, Action, ApplyForLead, DeclineOffer, Pass, PlayCards, ShowCards
from junto.games.baohuang.carried import owed_in
from junto.games.baohuang.deal import BaohuangDeal
from junto.games.baohuang.ending import order_of
from junto.games.baohuang.naming import COPIES, SHOWN
from junto.games.baohuang.offer import PLAYERS
from junto.games.baohuang.standing import points_of, stakes_of
from junto.games.cards import Card, parse_card
from junto.games.climbing import kernel
from junto.games.climbing.deal import round_of
from junto.games.climbing.ranks import RANKS
from junto.games.conformance.baohuang_setup import (
    NOT_HELD,
    at_play,
    before_last_play,
    court_fields,
    dealt,
    game_of,
    offered,
    ranked,
    ranks_of,
    show_fields,
    suited,
)
from junto.games.conformance.case import Adapter, Answer, Case
from junto.games.core import RuleError
from junto.games.view import Alliance, Outcome, Role

_RESULTS: Final = {Outcome.MADE: "emperor_side", Outcome.DRAWN: "draw", Outcome.DOWN: "rebels"}
_SEATS: Final = range(PLAYERS)
_LOW, _HIGH = "4", "R"


def classify(case: Case) -> Answer:
    """Say what cards are, by leading them as a whole hand."""
    cards = ranked(case.given["cards"])
    deal = at_play(game_of(case), [cards, *[ranked("4")] * 4])
    if not _is_legal(deal, PlayCards(tuple(cards))):
        return {"valid": False}
    top = _after(deal, PlayCards(tuple(cards))).top
    assert top is not None
    return {
        "valid": True,
        "base": RANKS[top.key],
        "size": kernel.size_of(top.play),
        "small": kernel.small_of(top.play),
        "big": kernel.big_of(top.play),
    }


def beats(case: Case) -> Answer:
    """Say whether a whole hand may be laid on another one."""
    top, play = ranked(case.given["top"]), ranked(case.given["play"])
    deal = _after(at_play(game_of(case), [top, play, *[ranked("4")] * 3]), PlayCards(tuple(top)))
    return {"beats": _is_legal(deal, PlayCards(tuple(play)))}


def legal(case: Case) -> Answer:
    """Count what a seat may do, and list what it may play."""
    actions = list(_facing(case, ranked(case.given["hand"]), NOT_HELD).legal_actions())
    plays = [ranks_of(action.cards) for action in actions if isinstance(action, PlayCards)]
    return {"count": len(actions), "plays": plays}


def legal_named(case: Case) -> Answer:
    """Count what a seat may do, when plays with more or fewer copies of the named card are different."""
    deal = _facing(case, suited(case.given["hand_cards"]), parse_card(case.given["named"]))
    return {"count": sum(1 for _ in deal.legal_actions())}


def play(case: Case) -> Answer:
    """Say how a deal stands after some plays."""
    given = case.given
    hands = list(map(ranked, given["hands"]))
    deal = at_play(game_of(case), hands, leader=given["leader"], finished=given.get("order") or ())
    for index, (seat, done) in enumerate(given["actions"]):
        action = _action(done)
        if deal.to_act != seat or not _is_legal(deal, action):
            return {"illegal_at": index}
        deal = _after(deal, action)
    order = list(deal.climbing.finished)
    cleared = [[clearing.seat, clearing.by_seat] for clearing in deal.details.clearings]
    if deal.shared.result is not None:
        order = list(order_of([share.place or 0 for share in deal.shared.result.seats]))
        return {"over": True, "order": order, "cleared": cleared}
    top = round_of(deal.shared).top
    laid = None if top is None or not isinstance(top.action, PlayCards) else ranks_of(top.action.cards)
    return {"over": False, "order": order, "to_act": deal.to_act, "top": laid, "cleared": cleared}


def score(case: Case) -> Answer:
    """Say what a deal is worth."""
    game = game_of(case)
    deal = _ended(before_last_play(game, case.given))
    result = deal.shared.result
    assert result is not None
    points = -next(share.score for share in result.seats if share.role is Role.OPPONENT)
    # A seat's own place counts what an emperor's does who is alone.
    alone = [stakes_of(seat, None, Alliance.HIDDEN_SOLO) for seat in _SEATS]
    return {
        "result": _RESULTS[result.outcome],
        "team_scores": {"emperor_side": points, "rebels": -points},
        "place_points": [points_of(game.terms, stakes, case.given["order"]) for stakes in alone],
        "payout": [share.score for share in result.seats],
    }


def offer(case: Case) -> Answer:
    """Say who becomes emperor with which pot; those who can only decline are not among the `asked`."""
    deal, answers, asked = offered(case), iter(case.given["answers"]), []
    pot: tuple[Card, ...] = ()
    while not deal.is_over and not deal.shared.roles:
        pot, action = deal.details.pot, deal.default_action()
        if len(list(deal.legal_actions())) > 1:
            asked.append(deal.seat)
            action = AcceptOffer() if next(answers) == "accept" else DeclineOffer()
        deal = _after(deal, action)
    if deal.is_over:
        return {"void": True, "asked": asked}
    sizes = [hand.size for hand in deal.shared.hands]
    return {"emperor": deal.emperor, "pot": ranks_of(pot), "sizes": sizes, "asked": asked}


def name(case: Case) -> Answer:
    """Say whether a hand qualifies, and what its emperor can show."""
    deal = dealt(game_of(case), [suited(case.given["hand"]), [], [], [], []], 0)
    if not _is_legal(deal, AcceptOffer()):
        return {"qualified": False, "actions": []}
    shows = _after(deal, AcceptOffer()).legal_actions()
    return {"qualified": True, "actions": sorted(show_fields(show) for show in shows if isinstance(show, ShowCards))}


def roles(case: Case) -> Answer:
    """Say who is the guard when cards are shown."""
    copies = {int(seat): number for seat, number in case.given["copies"].items()}
    deal = _shown(case, copies, case.given["shown"])
    return court_fields(deal.alliance, deal.guard)


def reveal(case: Case) -> Answer:
    """Say what everybody can conclude from the copies of the named card that were played."""
    played, emperor = case.given["named_played"], case.given["emperor"]
    copies: Counter[int] = Counter()
    for seat, number in played:
        copies[seat] += number
    copies[emperor] = max(SHOWN, copies[emperor])
    deal = _shown(case, copies, SHOWN)
    for seat, number in played:
        deal = _play_alone(_with_lead(deal, seat), PlayCards((NOT_HELD,) * number))
    known = court_fields(deal.details.alliance, None)
    guards = (one.seat for one in deal.shared.roles if one.role is Role.PARTNER)
    return {"public": known["mode"] or "unknown", "guard": next(guards, None)}


def tribute(case: Case) -> Answer:
    """Say what changes hands at the start of the deal after a scored one."""
    game = game_of(case)
    last = _ended(before_last_play(game, case.given["previous"], case.given.get("cleared") or ()))
    match = game.after(game.new_match().opened(), last)
    deal = dealt(game, list(map(ranked, case.given["hands"])), 0, owed_in(match))
    transfers = [[paid.from_seat, paid.to_seat, ranks_of([paid.card])] for paid in deal.details.tributes]
    return {"transfers": transfers, "hands_after": list(map(ranks_of, deal.hands))}


ADAPTER: Final[Adapter] = {
    "classify": classify,
    "beats": beats,
    "legal": legal,
    "legal_named": legal_named,
    "play": play,
    "score": score,
    "offer": offer,
    "name": name,
    "roles": roles,
    "reveal": reveal,
    "tribute": tribute,
}


def _after(deal: BaohuangDeal, *actions: Action) -> BaohuangDeal:
    for action in actions:
        step = deal.apply(action)
        assert isinstance(step.deal, BaohuangDeal)
        deal = step.deal
    return deal


def _is_legal(deal: BaohuangDeal, action: Action) -> bool:
    try:
        deal.check(action)
    except RuleError:
        return False
    return True


def _action(done: str) -> Action:
    match done:
        case "PASS":
            return Pass()
        case "APPLY":
            return ApplyForLead()
        case _:
            return PlayCards(tuple(ranked(done)))


def _facing(case: Case, hand: list[Card], named: Card) -> BaohuangDeal:
    """Return a deal in which the seat with this hand is to act, facing a case's top or leading."""
    given, game = case.given, game_of(case)
    if given["top"] is None:
        return at_play(game, [hand, *[ranked("4")] * 4], named=named)
    top = ranked(given["top"])
    kept = [] if given.get("top_player_out") else ranked("4")
    asked_before = [ranked("4")] if given.get("application_pending") else []
    hands = [[*top, *kept], *asked_before, hand, *[ranked("4")] * 3]
    deal = _after(at_play(game, hands[:PLAYERS], named=named), PlayCards(tuple(top)))
    return _after(deal, *[ApplyForLead() for _ in asked_before])


def _ended(deal: BaohuangDeal) -> BaohuangDeal:
    return _after(deal, PlayCards(deal.hand))


def _shown(case: Case, copies: dict[int, int], count: int) -> BaohuangDeal:
    """Return a deal in which seats hold copies of a card, and the emperor has shown so many."""
    emperor = case.given["emperor"]
    hands = [[NOT_HELD] * copies.get(seat, 0) + ranked((_LOW + _HIGH) * COPIES) for seat in _SEATS]
    return _after(dealt(game_of(case), hands, emperor), AcceptOffer(), ShowCards(NOT_HELD, count))


def _play_alone(deal: BaohuangDeal, play: PlayCards) -> BaohuangDeal:
    """Return a deal after a lead that nobody beats."""
    return _after(deal, play, *[Pass() for _ in range(PLAYERS - 1)])


def _with_lead(deal: BaohuangDeal, seat: int) -> BaohuangDeal:
    """Return a deal after a round that gives a seat the lead."""
    if deal.to_act == seat:
        return deal
    deal = _after(deal, PlayCards(tuple(ranked(_LOW))))
    while deal.to_act != seat:
        deal = _after(deal, Pass())
    return _play_alone(deal, PlayCards(tuple(ranked(_HIGH))))
