"""Play any game for tests: random options, random legal actions, and everything that a prompt describes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

from junto.games import actions
from junto.games.actions import (
    AcceptOffer,
    Action,
    AgreeToClaim,
    ApplyForLead,
    CallCard,
    ChooseTrump,
    Claim,
    DeclineOffer,
    Discard,
    DoubleBid,
    Pass,
    Play,
    PlayCards,
    RedoubleBid,
    RefuseClaim,
)
from junto.games.cards import Card
from junto.games.climbing.combination import Combination
from junto.games.climbing.deal import ClimbingDeal
from junto.games.climbing.ranks import rank_of_card
from junto.games.core import Deal, Game, Step
from junto.games.options import Choice, Flag, Number, Option, OptionValue
from junto.games.shuffle import SECRET_BYTES, DealSeed
from junto.games.view import Choices, CombinationChoice, PlayChoice

BID_OFTEN = 0.6
BID_STRAINS_OFTEN, DOUBLE_OFTEN, CLAIM_OFTEN = 0.35, 0.2, 0.03
MOST_NUMBERS = 101
BEAT_OFTEN, APPLY_OFTEN, ACCEPT_OFTEN = 0.7, 0.3, 0.3


def random_seed(seats: int, rng: Random) -> DealSeed:
    """Return a seed to which some seats added entropy."""
    entropy = tuple(rng.randbytes(rng.choice((0, 0, 1, 32))) for _ in range(seats))
    return DealSeed(rng.randbytes(SECRET_BYTES), entropy)


def random_options(game: type[Game], rng: Random) -> dict[str, OptionValue]:
    """Return options of which some differ from the defaults."""
    chosen = [option for option in game.options_schema if rng.random() < 0.5]
    return {option.name: rng.choice(values(option)) for option in chosen}


def values(option: Option) -> list[OptionValue]:
    """Return every value that an option can have; of more than a hundred numbers some, low ones above all."""
    match option.kind:
        case Flag():
            return [False, True]
        case Number() as number:
            numbers = number.values
            few = numbers if len(numbers) <= MOST_NUMBERS else (*numbers[:20], *numbers[20 :: len(numbers) // 10])
            return sorted({*few, numbers[-1]})
        case Choice(words):
            return list(words)


def random_game(game: type[Game], rng: Random) -> Game:
    """Return a game with random options."""
    return game(random_options(game, rng))


def first_deal(game: Game, rng: Random) -> Step:
    """Return the first deal of a match."""
    return game.deal(game.new_match().opened(), random_seed(game.seats, rng))


def random_action(deal: Deal, rng: Random) -> Action:
    """Return a legal action, taken from the prompt alone; nothing is enumerated."""
    assert deal.prompt is not None
    choices = deal.prompt.choices
    if (choices.doubling or choices.redoubling) and rng.random() < DOUBLE_OFTEN:
        return DoubleBid() if choices.doubling else RedoubleBid()
    if choices.bids:
        # Low bids and passes: a random bid would end most auctions at the highest.
        often = BID_OFTEN if choices.bids[0].strain is None else BID_STRAINS_OFTEN
        return rng.choice(choices.bids[:3]) if rng.random() < often else Pass()
    if choices.combination is not None and (not choices.passing or rng.random() < BEAT_OFTEN):
        return random_play(choices.combination, deal.owns[deal.prompt.seat].hand, rng)
    if choices.applying and rng.random() < APPLY_OFTEN:
        return ApplyForLead()
    if choices.passing:
        return Pass()
    if choices.declining is not None:
        return AcceptOffer() if choices.accepting and rng.random() < ACCEPT_OFTEN else DeclineOffer()
    if choices.accepting:
        return AcceptOffer()
    if choices.showing:
        return rng.choice(choices.showing)
    if choices.answering_claim:
        return rng.choice((AgreeToClaim(), RefuseClaim()))
    if choices.claim_up_to is not None and rng.random() < CLAIM_OFTEN:
        return Claim(rng.randint(0, choices.claim_up_to))
    if choices.discard is not None:
        if choices.trumps and rng.random() < 0.5:
            return ChooseTrump(rng.choice(choices.trumps))
        # Mostly cheap cards: a contract that rises too high ends the deal.
        cards = [card for card in choices.discard.cards if card not in choices.discard.costly or rng.random() < 0.2]
        pool = cards if len(cards) >= choices.discard.count else choices.discard.cards
        return Discard(tuple(rng.sample(pool, choices.discard.count)))
    if choices.trumps:
        return ChooseTrump(rng.choice(choices.trumps))
    if choices.callable:
        return CallCard(rng.choice(choices.callable))
    assert choices.play is not None
    card = rng.choice(choices.play.cards)
    calls = [call.called for call in choices.play.calls if card in call.leads]
    return Play(
        card,
        rng.randrange(4) if card in choices.play.naming else None,
        (rng.choice(calls),) if calls and rng.random() < 0.7 else (),
    )


def random_play(choice: CombinationChoice, hand: tuple[Card, ...], rng: Random) -> PlayCards:
    """Return some cards of a hand that are one of the listed combinations, of whatever suits."""
    return PlayCards(taken(rng.choice(choice.plays), rng.sample(hand, len(hand))))


def taken(combination: Combination, hand: Sequence[Card]) -> tuple[Card, ...]:
    """Return the first cards of a hand that make a combination."""
    missing, cards = list(combination.ranks), []
    for card in hand:
        if rank_of_card(card) in missing:
            missing.remove(rank_of_card(card))
            cards.append(card)
    assert not missing, "a prompt lists only what the hand has"
    return tuple(cards)


def parsed(deal: Deal, words: str) -> Action:
    """Return the action that words mean in a deal's game."""
    return actions.parse(words, combination=isinstance(deal, ClimbingDeal))


def described(choices: Choices, hand: Sequence[Card] = ()) -> Iterator[Action]:
    """Yield every action that a prompt describes; of those with two calls, some may be refused.

    Of a combination that can be made of different cards of the hand, one is yielded.
    """
    if choices.passing:
        yield Pass()
    if choices.combination is not None:
        yield from (PlayCards(taken(combination, hand)) for combination in choices.combination.plays)
    if choices.applying:
        yield ApplyForLead()
    if choices.accepting:
        yield AcceptOffer()
    if choices.declining is not None:
        yield DeclineOffer()
    yield from choices.showing
    yield from choices.bids
    if choices.doubling:
        yield DoubleBid()
    if choices.redoubling:
        yield RedoubleBid()
    if choices.claim_up_to is not None:
        yield from map(Claim, range(choices.claim_up_to + 1))
    if choices.answering_claim:
        yield from (AgreeToClaim(), RefuseClaim())
    yield from map(ChooseTrump, choices.trumps)
    if choices.discard is not None:
        yield from map(Discard, combinations(choices.discard.cards, choices.discard.count))
    yield from map(CallCard, choices.callable)
    if choices.play is not None:
        yield from described_plays(choices.play)


def described_plays(play: PlayChoice) -> Iterator[Play]:
    """Yield every play that a prompt describes."""
    for card in play.cards:
        callable_cards = [call.called for call in play.calls if card in call.leads]
        for naming in range(4) if card in play.naming else (None,):
            for count in range(3):
                for calls in combinations(callable_cards, count):
                    yield Play(card, naming, calls)


def play_out(step: Step, rng: Random) -> tuple[list[Step], list[Action]]:
    """Play a deal to its end; return every step, the given one first, and the actions."""
    steps, done = [step], list[Action]()
    while not steps[-1].deal.is_over:
        done.append(random_action(steps[-1].deal, rng))
        steps.append(steps[-1].deal.apply(done[-1]))
    return steps, done
