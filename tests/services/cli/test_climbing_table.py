"""What only climbing games have, in the story, on the board and at the prompt of a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from junto.cli.board import Words, draw
from junto.cli.climbing_typing import Held, action_words, listing
from junto.cli.climbing_words import combination_letters, combination_words, fan
from junto.cli.controls import NotUnderstood, Word, asked, read_line
from junto.cli.helping import help_text
from junto.cli.hints import explain
from junto.cli.story import Story
from junto.games.actions import (
    AcceptOffer,
    Action,
    ApplyForLead,
    Bid,
    DeclineOffer,
    Pass,
    PlayCards,
    ShowCards,
)
from junto.games.cards import parse_card, parse_cards
from junto.games.climbing import kernel
from junto.games.climbing.combination import Combination
from junto.games.climbing.moves import plays_of
from junto.games.climbing.ranks import counts_of, parse_ranks
from junto.games.climbing.terms import BAOHUANG, BAOHUANG_STREET, DOU_DIZHU, SHUANGKOU, Terms
from junto.games.events import (
    ActionTaken,
    CardsMoved,
    CardsShown,
    ContractChanged,
    DealEnded,
    DealStarted,
    Event,
    Location,
    PhaseChanged,
    RoleRevealed,
    RoundBegan,
    SeatCleared,
    SeatFinished,
    Zone,
)
from junto.games.view import (
    Alliance,
    BaohuangDetails,
    BridgeDetails,
    Choices,
    Clearing,
    ClimbingPlay,
    CombinationChoice,
    Contract,
    DealResult,
    Declining,
    DouDizhuDetails,
    HandView,
    NapoleonDetails,
    Outcome,
    Own,
    Payment,
    Phase,
    Prompt,
    Role,
    Round,
    SeatAction,
    SeatResult,
    SeatRole,
    Shared,
    Spring,
    Vulnerability,
)
from junto.v1 import catalog_pb2, strategies_pb2, tables_pb2, views_pb2
from junto.wire.actions import write_action
from junto.wire.events import write_event
from junto.wire.views import write_shared

NAMES = ["Ada", "seat 1", "seat 2", "seat 3", "seat 4", "the pile"]
H9 = parse_card("H9")
SHOWN = ShowCards(H9, 3)
POT, DECK = Location(Zone.POT), Location(Zone.DECK)


def game(**titles: str) -> catalog_pb2.Game:
    """Return a catalogue's entry with these words for roles."""
    names = [catalog_pb2.RoleName(role=f"ROLE_{role.upper()}", title=title) for role, title in titles.items()]
    return catalog_pb2.Game(unit="points", role_names=names)


DOU = game(declarer="landlord", opponent="peasant")
BAO = game(declarer="emperor", partner="guard", opponent="rebel")
TITLES = {1: "emperor", 2: "guard", 3: "rebel"}


def hand(seat: int) -> Location:
    """Return where a seat's hand is."""
    return Location(Zone.HAND, seat)


def read(ranks: str, terms: Terms = DOU_DIZHU) -> Combination:
    """Return the combination that ranks are."""
    play = int(kernel.classify(terms.vector, parse_ranks(ranks)))
    assert play != kernel.NO_PLAY, ranks
    return Combination(play)


def played(seat: int, cards: str, terms: Terms = BAOHUANG) -> ActionTaken:
    """Return the play of some cards."""
    action = PlayCards(parse_cards(cards))
    return ActionTaken(seat, action, Combination(int(kernel.classify(terms.vector, counts_of(action.cards)))))


def shared(seats: int, details: DouDizhuDetails | BaohuangDetails | None = None, **fields: object) -> Shared:
    """Return what everybody knows in the play of a deal."""
    hands = tuple(HandView(seat, 10 + seat) for seat in range(seats))
    known = {"climbing": ClimbingPlay(), "details": details, **fields}
    return Shared(1, Phase.PLAY, hands, **known)  # type: ignore[arg-type]


def told(entry: catalog_pb2.Game, known: Shared, *events: Event, table: tables_pb2.Table | None = None) -> list[str]:
    """Return the story of the events of one update, after which everybody knows this."""
    view = views_pb2.DealView(shared=write_shared(known))
    update = tables_pb2.TableUpdate(table=table, deal=view, events=map(write_event, events))
    return list(Story(NAMES, entry).tell_update(update))


def board(known: Shared, own: Own, sides: Sequence[Sequence[int]] = ()) -> list[str]:
    """Return what a seat is shown."""
    return list(draw(known, own, Words(NAMES, TITLES, "points"), sides))


@pytest.mark.parametrize(
    ("terms", "ranks", "words"),
    [
        (DOU_DIZHU, "8", "an eight"),
        (DOU_DIZHU, "B", "a small joker"),
        (DOU_DIZHU, "66", "a pair of sixes"),
        (DOU_DIZHU, "KKK", "three kings"),
        (DOU_DIZHU, "KKKA", "three kings with an ace"),
        (DOU_DIZHU, "KKK66", "three kings with a pair of sixes"),
        (DOU_DIZHU, "34567", "a straight 3-7"),
        (DOU_DIZHU, "TTJJQQ", "a run of pairs T-Q"),
        (DOU_DIZHU, "444555", "a plane 444555"),
        (DOU_DIZHU, "34445559", "a plane 444555 with 3 and 9"),
        (DOU_DIZHU, "3344455599", "a plane 444555 with 33 and 99"),
        (DOU_DIZHU, "777739", "four sevens with 3 and 9"),
        (DOU_DIZHU, "77773399", "four sevens with 33 and 99"),
        (DOU_DIZHU, "6666", "a bomb of sixes"),
        (DOU_DIZHU, "BR", "the rocket"),
        (SHUANGKOU, "66666", "a bomb of five sixes"),
        (SHUANGKOU, "333444555", "a plane 333444555"),
        (SHUANGKOU, "BBRR", "all the jokers"),
        (BAOHUANG, "KKKB", "three kings with a small joker"),
        (BAOHUANG, "7BRR", "a seven with a small joker and two big jokers"),
        (BAOHUANG, "BBR", "two small jokers and a big joker"),
        (BAOHUANG, "RR", "two big jokers"),
        (BAOHUANG, "999999999", "nine nines"),
        (BAOHUANG_STREET, "KKK2B", "three kings with a two and a small joker"),
    ],
)
def test_combinations_are_put_in_words(terms: Terms, ranks: str, words: str) -> None:
    """Each kind as players say it; what is typed for it has the same ranks."""
    combination = read(ranks, terms)
    assert combination_words(combination) == words
    assert np.array_equal(parse_ranks(combination_letters(combination)), parse_ranks(ranks))


def test_a_hand_is_held_by_ranks() -> None:
    """Low to high, equal ranks together; copies of the card that an emperor named are told from the others."""
    cards = parse_cards("S3 C3 RJ H9 H9 S9 S2 DT BJ")

    assert fan(cards) == "33  999  T  2  B  R"
    assert fan(cards, H9) == "33  9 ♥9 ♥9  T  2  B  R"


LANDLORD = Contract(1, Bid(2))
DOU_OVER = DouDizhuDetails(2, 8, Spring.ANTI_SPRING)


def test_the_story_of_a_landlord() -> None:
    """Who is it for which bid, the kitty, rounds with passes and bombs, spring, and what the bid counts."""
    kitty = parse_cards("S3 H9 RJ")
    result = DealResult(
        Outcome.DOWN,
        (SeatResult(0, 16, Role.OPPONENT, 1), SeatResult(1, -32, Role.DECLARER), SeatResult(2, 16, Role.OPPONENT)),
    )
    lines = told(
        DOU,
        shared(3, DOU_OVER, contract=LANDLORD, result=result),
        DealStarted(1, 2),
        PhaseChanged(Phase.AUCTION),
        ActionTaken(2, Pass()),
        ActionTaken(1, Bid(2)),
        ContractChanged(LANDLORD),
        RoleRevealed(1, Role.DECLARER),
        CardsShown(Location(Zone.KITTY), kitty),
        CardsMoved(Location(Zone.KITTY), hand(1), 3, kitty),
        PhaseChanged(Phase.PLAY),
        RoundBegan(1),
        played(1, "S3 H4 S5 S6 S7", DOU_DIZHU),
        ActionTaken(2, Pass()),
        played(0, "S8 H8 D8 C8", DOU_DIZHU),
        ActionTaken(1, Pass()),
        ActionTaken(2, Pass()),
        RoundBegan(0),
        played(0, "BJ", DOU_DIZHU),
        SeatFinished(0, 1),
        PhaseChanged(Phase.OVER),
        CardsShown(hand(2), parse_cards("D7")),
        DealEnded(result),
    )

    assert lines[2:] == [
        "  seat 2 passes",
        "  seat 1 bids 2",
        "  seat 1 is landlord; the bid is 2",
        "  The kitty is shown: ♠3 ♥9 RJ",
        "  seat 1 takes the kitty, 3 cards",
        "  Round  1  1: a straight 3-7; 2 passes; 0: a bomb of eights  -> Ada",
        "  Round  2  0: a small joker  -> Ada",
        "            Ada is out, 1st",
        "The peasants win.",
        "Anti-spring: the landlord made no play but the first.",
        "The bid of 2 counts 8 times, with 2 bombs.",
        "  Ada          peasant    1st   +16",
        "  seat 1       landlord     -32",
        "  seat 2       peasant      +16",
    ]


def test_a_bomb_raises_the_stakes_before_all_eyes() -> None:
    """After the round of a bomb it is told what the bid counts from now on."""
    lines = told(
        DOU,
        shared(3, DouDizhuDetails(1, 2), contract=LANDLORD),
        PhaseChanged(Phase.PLAY),
        RoundBegan(1),
        played(1, "S8 H8 D8 C8", DOU_DIZHU),
        RoundBegan(1),
    )

    assert lines[-1].strip() == "the stakes are 2 times the bid now"


def court(**details: object) -> Shared:
    """Return what everybody knows in a deal of Baohuang."""
    return shared(5, BaohuangDetails(named=SHOWN, **details))  # type: ignore[arg-type]


def test_the_story_of_an_offer() -> None:
    """The pot, who declined and paid what, who takes it, what he shows and what that means."""
    two = parse_card("C2")
    lines = told(
        BAO,
        court(payments=(Payment(3), Payment(2, two))),
        CardsMoved(DECK, POT, 1, parse_cards("RJ")),
        CardsMoved(hand(4), hand(1), 1, parse_cards("BJ")),
        PhaseChanged(Phase.OFFER),
        ActionTaken(3, DeclineOffer()),
        ActionTaken(2, DeclineOffer()),
        CardsMoved(hand(2), POT, 1, (two,)),
        ActionTaken(1, AcceptOffer()),
        CardsMoved(POT, hand(1), 2, parse_cards("RJ C2")),
        RoleRevealed(1, Role.DECLARER),
        PhaseChanged(Phase.SHOW),
        ActionTaken(1, SHOWN),
        CardsShown(hand(1), (H9,) * 3),
        RoleRevealed(0, Role.OPPONENT, secret=True),
        PhaseChanged(Phase.PLAY),
    )

    assert lines == [
        "  In the pot: RJ",
        "  Tribute: seat 4 pays BJ to seat 1",
        "  seat 3 declines",
        "  seat 2 declines and puts ♣2 into the pot",
        "  seat 1 accepts",
        "  seat 1 takes the pot: RJ ♣2",
        "  seat 1 is emperor",
        "  seat 1 shows three ♥9: the guard is whoever else holds the fourth",
        "  Ada is a rebel, and nobody else is told",
    ]


@pytest.mark.parametrize(
    ("revealed", "line"),
    [
        (RoleRevealed(0, Role.PARTNER, secret=True), "  Ada is the guard, and nobody else is told"),
        (RoleRevealed(1, Role.DECLARER, secret=True, alone=True), "  seat 1 plays alone, and nobody else is told"),
    ],
)
def test_a_seat_is_told_its_own_role(revealed: RoleRevealed, line: str) -> None:
    """The guard that it is him, an emperor that he has none."""
    assert told(BAO, court(), PhaseChanged(Phase.SHOW), revealed) == [line]


def test_an_open_solo_is_told_once() -> None:
    """With what is shown; that all roles are known follows from it."""
    solo = ShowCards(H9, 4)
    events = [ActionTaken(1, solo), CardsShown(hand(1), (H9,) * 4), RoleRevealed(1, Role.DECLARER, alone=True)]
    lines = told(BAO, court(), PhaseChanged(Phase.SHOW), *events)

    assert lines == ["  seat 1 shows four ♥9, and plays alone against all: an open solo"]


def test_the_guard_is_told_when_all_know_and_the_lead_is_asked_for() -> None:
    """With the round in which the named card fell; who leads after a seat that is out; who was cleared."""
    lines = told(
        BAO,
        court(),
        PhaseChanged(Phase.PLAY),
        RoundBegan(1),
        played(1, "S4"),
        played(4, "H9"),
        RoleRevealed(4, Role.PARTNER),
        RoleRevealed(0, Role.OPPONENT),
        SeatCleared(Clearing(1, 4)),
        SeatFinished(4, 1),
        ActionTaken(0, Pass()),
        ActionTaken(2, ApplyForLead()),
        ActionTaken(3, Pass()),
        RoundBegan(2),
    )

    assert lines == [
        "  Round  1  1: a four; 4: a nine (♥9); 0 passes; 2 asks for the lead; 3 passes  -> seat 4",
        "            now everybody knows: seat 4 is the guard",
        "            seat 1 has nothing but threes left, and is cleared by seat 4",
        "            seat 4 is out, 1st",
        "            seat 2 leads in the place of seat 4",
    ]


COURT_RESULT = DealResult(
    Outcome.MADE,
    tuple(
        SeatResult(seat, 4 if role is not Role.OPPONENT else -4, role, place)
        for seat, role, place in (
            (0, Role.PARTNER, 2),
            (1, Role.DECLARER, 1),
            (2, Role.OPPONENT, 5),
            (3, Role.OPPONENT, 3),
            (4, Role.OPPONENT, 4),
        )
    ),
)


def court_over(result: DealResult, deals_done: int, alliance: Alliance = Alliance.PARTNER) -> list[str]:
    """Return the story of the end of a deal of a match of two."""
    known = shared(
        5, BaohuangDetails(named=SHOWN, alliance=alliance, clearings=(Clearing(2, 0),)), result=result, roles=()
    )
    table = tables_pb2.Table(match=views_pb2.MatchView(deals_done=deals_done, deals_total=2))
    events = [PhaseChanged(Phase.OVER), RoleRevealed(0, Role.PARTNER), DealEnded(result)]
    return told(BAO, known, *events, table=table)


def test_the_end_of_a_court_tells_the_tribute_of_the_next_deal() -> None:
    """Who won, the order, the scores by role, and who will pay what to whom; after the last deal nothing is owed."""
    lines = court_over(COURT_RESULT, 1)

    assert lines[:3] == [
        "Nobody could know before the end: Ada is the guard",
        "The emperor's side wins.",
        "Out in this order: seat 1, Ada, seat 3, seat 4, seat 2.",
    ]
    assert "  seat 1       emperor    1st    +4" in lines
    assert "\n".join(lines[-2:]) == (
        "Tribute of the next deal, out of the fresh hands: seat 3, seat 4 and seat 2 pay the best card each; "
        "from the highest down they go to seat 1, Ada and seat 1.\n"
        "seat 2, who was cleared, pays the best card to Ada besides."
    )
    assert court_over(COURT_RESULT, 2) == lines[:-2]


def test_a_draw_leaves_no_tribute() -> None:
    """It is said that nothing is paid."""
    drawn = DealResult(Outcome.DRAWN, COURT_RESULT.seats)
    lines = court_over(drawn, 1)

    assert "Nobody wins: it is a draw." in lines
    assert "No tribute is paid in the next deal." in lines


def test_the_story_of_a_team() -> None:
    """Which partners win how much, in which order all were out, and who leads the next deal."""
    places = (2, 4, 1, 3)
    result = DealResult(
        Outcome.PLAYED,
        tuple(SeatResult(seat, 2 if seat in (0, 2) else 0, None, place) for seat, place in enumerate(places)),
    )
    choice = catalog_pb2.OptionValue(choice="first_out")
    table = tables_pb2.Table(
        match=views_pb2.MatchView(
            deals_done=1, deals_total=2, sides=[views_pb2.Side(seats=[0, 2]), views_pb2.Side(seats=[1, 3])]
        ),
        rules=catalog_pb2.RuleSet(options=[catalog_pb2.OptionSetting(name="next_leader", value=choice)]),
    )
    lines = told(game(), shared(4, result=result), PhaseChanged(Phase.OVER), DealEnded(result), table=table)

    assert lines[:2] == ["Ada and seat 2 win 2 points.", "Out in this order: seat 2, Ada, seat 3, seat 1."]
    assert lines[-1] == "seat 2 was out first, and leads the next deal."


def test_a_story_goes_on_from_what_is_on_the_table() -> None:
    """Who comes later is told the whole round that is on, by its number, and no stakes that are known."""
    first = played(1, "S8 H8 D8 C8", DOU_DIZHU)
    rounds = (Round(1, (SeatAction(1, first.action, first.combination),)), Round(1))
    known = shared(3, DouDizhuDetails(1, 2), contract=LANDLORD, climbing=ClimbingPlay(rounds))
    story = Story(NAMES, DOU)
    story.catch_up(tables_pb2.TableView(deal=views_pb2.DealView(shared=write_shared(known))))
    events = [played(1, "S4", DOU_DIZHU), played(2, "S5", DOU_DIZHU), RoundBegan(2)]

    assert [line for event in events for line in story.tell(write_event(event))] == [
        "  Round  2  1: a four; 2: a five  -> seat 2"
    ]


def test_a_void_offer_is_told() -> None:
    """Nobody passed: everybody declined."""
    void = DealResult(Outcome.VOID)
    lines = told(BAO, shared(5, BaohuangDetails(), result=void), PhaseChanged(Phase.OVER), DealEnded(void))

    assert lines == ["Everybody declined: there is no score, and the cards are dealt again."]


def test_the_board_of_a_round() -> None:
    """Sizes, who is out, the emperor's card, what was played and is to be beaten, who asks for the lead, the hand."""
    actions = (
        SeatAction(1, played(1, "S4 H4").action, read("44", BAOHUANG)),
        SeatAction(2, Pass()),
        SeatAction(4, played(4, "S9 H9").action, read("99", BAOHUANG)),
        SeatAction(0, ApplyForLead()),
    )
    known = shared(
        5,
        BaohuangDetails(named=SHOWN),
        to_act=1,
        roles=(SeatRole(1, Role.DECLARER),),
        climbing=ClimbingPlay((Round(1, actions),), (4,), 0),
    )
    lines = board(known, Own(0, parse_cards("S3 C3 H9 H9 S9 BJ"), Role.PARTNER))

    assert lines == [
        "  shown: three ♥9",
        "  Ada        you, guard         10 cards",
        "> seat 1     emperor            11 cards",
        "  seat 2                        12 cards",
        "  seat 3                        13 cards",
        "  seat 4                        out, 1st",
        "  round 1: 1: a pair of fours; 2 passes; 4: a pair of nines (♥9); 0 asks for the lead".replace(
            "a pair of", "two"
        ),
        "  to beat: two nines by seat 4",
        "  Ada asks for the lead",
        "  your hand: 33  9 ♥9 ♥9  B",
    ]


def test_the_board_before_the_play() -> None:
    """The pot and what the own hand could show; of a landlord what the bombs have made of the bid."""
    offer = Shared(1, Phase.OFFER, (), climbing=ClimbingPlay(), details=BaohuangDetails(pot=parse_cards("RJ C2")))
    lead = shared(3, DouDizhuDetails(1, 2), contract=LANDLORD, climbing=ClimbingPlay((Round(1),)))

    assert board(offer, Own(0, (H9,) * 4))[:2] == ["  pot: RJ ♣2", "  you can show three ♥9 and four ♥9"]
    assert "  you have no three equal cards to show" in board(offer, Own(0, parse_cards("H9")))
    lines = board(lead, Own(0))
    assert lines[:2] == ["  bid: 2 by seat 1", "  bombs played: 1, the stakes are 2 times the bid"]
    assert "  round 1: seat 1 leads" in lines


CARDS = parse_cards("S3 H3 D3 C4 S5 S6 H7 S9 H9 H9 DT BJ RJ RJ")
HELD = Held(CARDS, H9)
PLAYS = tuple(read(ranks, BAOHUANG) for ranks in ("3", "33", "333", "T", "9", "99", "TR"))
CHOICES = Choices(passing=True, combination=CombinationChoice(read("3", BAOHUANG), PLAYS), applying=True)
PLAY = Prompt(0, Phase.PLAY, CHOICES)
OFFER = Prompt(0, Phase.OFFER, Choices(accepting=True, declining=Declining(parse_card("C2"))))
SHOW = Prompt(0, Phase.SHOW, Choices(showing=(SHOWN, ShowCards(H9, 4), ShowCards(parse_card("SA"), 3))))


def cards(texts: str) -> PlayCards:
    """Return the play of these cards."""
    return PlayCards(parse_cards(texts))


@pytest.mark.parametrize(
    ("prompt", "line", "action"),
    [
        (PLAY, "33", cards("D3 H3")),
        (PLAY, "play 3 3 3 4", cards("S3 H3 D3 C4")),
        (PLAY, "34567", cards("D3 C4 S5 S6 H7")),
        (PLAY, "10", cards("DT")),
        (PLAY, "t", cards("DT")),
        (PLAY, "9", cards("S9")),
        (PLAY, "999", cards("S9 H9 H9")),
        (PLAY, "h9", cards("H9")),
        (PLAY, "♥9 9", cards("H9 S9")),
        (PLAY, "play S9 H9", cards("S9 H9")),
        (PLAY, "RJ", cards("RJ")),
        (PLAY, "tr", cards("DT RJ")),
        (PLAY, "3BR", cards("D3 BJ RJ")),
        (PLAY, "1", cards("D3")),
        (PLAY, "#3", cards("S3 H3 D3")),
        (PLAY, "play #4", cards("DT")),
        (PLAY, "p", Pass()),
        (PLAY, "apply", ApplyForLead()),
        (OFFER, "accept", AcceptOffer()),
        (OFFER, "y", AcceptOffer()),
        (OFFER, "decline", DeclineOffer()),
        (OFFER, "No", DeclineOffer()),
        (SHOW, "show3 H9", SHOWN),
        (SHOW, "show4 h9", ShowCards(H9, 4)),
        (SHOW, "2", ShowCards(H9, 4)),
        (SHOW, "sa", ShowCards(parse_card("SA"), 3)),
    ],
)
def test_a_line_means_an_action(prompt: Prompt, line: str, action: Action) -> None:
    """Ranks are enough: low suits go first, the named card last. Cards, numbers and short words do as well."""
    assert read_line(line, prompt, HELD) == action


@pytest.mark.parametrize(
    ("prompt", "line", "says"),
    [
        (PLAY, "44", "you hold only a four; you may pass, or play one of 7 plays (type list), or apply"),
        (PLAY, "A", "you hold no aces; you may pass"),
        (PLAY, "#9", "there is no play number 9, only #1 to #7"),
        (PLAY, "play", "is not understood"),
        (PLAY, "#" + "9" * 5000, "is not understood"),
        (PLAY, "3x", "'3x' is not understood; you may pass"),
        (SHOW, "H9", "say how many: show3 H9 or show4 H9"),
        (SHOW, "4", "there is no number 4, only 1 to 3"),
        (OFFER, "34567", "you may accept the pot and become emperor, or decline (♣2 goes into the pot)"),
    ],
)
def test_a_line_that_means_nothing_is_answered_with_why(prompt: Prompt, line: str, says: str) -> None:
    """What is missing, and what may be done."""
    with pytest.raises(NotUnderstood) as refusal:
        read_line(line, prompt, HELD)

    assert says in str(refusal.value)


def test_a_queen_is_no_wish_to_quit() -> None:
    """A Q is a card where cards are played by ranks; the long word ends the game."""
    held = Held(parse_cards("SQ"))

    assert read_line("q", PLAY, held) == cards("SQ")
    assert read_line("quit", PLAY, held) is Word.QUIT
    assert read_line("list", PLAY, held) is Word.LIST


def test_a_prompt_lists_the_weakest_plays_of_every_kind() -> None:
    """However many single cards there are, a straight is seen, too; numbers are those of the whole list."""
    plays = tuple(map(Combination, plays_of(DOU_DIZHU.vector, parse_ranks("3456789TJQKA22")).tolist()))
    line = asked(Prompt(0, Phase.PLAY, Choices(combination=CombinationChoice(None, plays))))
    number = 1 + [combination_letters(play) for play in plays].index("34567")
    assert "#1 3  #2 4" in line
    assert f"#{number} 34567" in line


def test_a_prompt_lists_the_first_plays_and_a_list_all_of_them() -> None:
    """Each with its number, sets by their size."""
    assert asked(PLAY).endswith("play #1 3  #2 33  #3 333  #4 T  #5 9  #6 99  #7 TR, or apply for the lead")
    assert asked(SHOW) == "you may show 1:three ♥9  2:four ♥9  3:three ♠A"
    many = CombinationChoice(None, PLAYS * 3, omitted=2)
    assert "  and 11 more (type list)" in asked(Prompt(0, Phase.PLAY, Choices(combination=many)))
    assert list(listing(CombinationChoice(None, PLAYS, omitted=2))) == [
        "  sets of 1: #1 3  #4 T  #5 9",
        "  sets of 2: #2 33  #6 99  #7 TR",
        "  sets of 3: #3 333",
        "  and 2 more that are not listed",
    ]


def test_a_hint_is_in_words() -> None:
    """A candidate has its number in the list, and says whether the named card is in it."""
    pair = write_action(cards("S9 H9"))
    decision = strategies_pb2.Decision(
        action=write_action(Pass()), evaluations=[strategies_pb2.Evaluation(action=pair, mean=2, standard_error=0.5)]
    )
    lines = list(
        explain(decision, Words(NAMES, TITLES, "points"), lambda action: action_words(action, CHOICES.combination, H9))
    )

    assert lines[0].startswith("  it would pass ")
    assert lines[1].startswith("  play #6 two nines, ♥9 in it ")


def test_help_lists_the_commands_of_the_game() -> None:
    """A bid for a landlord, an offer for an emperor, neither for teams; tricks have their own."""
    dou, bao, team = help_text(shared(3, DouDizhuDetails())), help_text(court()), help_text(shared(4))

    assert ("bid 2" in dou, "accept" in dou, "#4" in dou) == (True, False, True)
    assert ("bid 2" in bao, "accept" in bao, "apply" in bao, "H9 S9" in bao) == (False, True, True, True)
    assert ("bid 2" in team, "accept" in team, "list" in team) == (False, False, True)
    tricks = Shared(1, Phase.PLAY, ())
    bridge = help_text(replace(tricks, details=BridgeDetails(1, Vulnerability.NONE)))
    napoleon = help_text(replace(tricks, details=NapoleonDetails(16, jokers_strong=True)))
    assert ("discard" in napoleon, "claim" in napoleon, "call SA" in napoleon) == (True, False, True)
    assert ("discard" in bridge, "claim" in bridge, "explain" in bridge) == (False, True, True)
    assert ("play HT" in help_text(tricks), "bid" in help_text(tricks)) == (True, False)
