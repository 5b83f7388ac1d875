"""What `help` says: the commands that the game on the table has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from junto.games.view import BaohuangDetails, BridgeDetails, DouDizhuDetails, NapoleonDetails, Shared

PASSING: Final = """\
  pass, or just p          bid nothing, beat nothing"""
NUMBER: Final = """\
  bid 12, or just 12       bid a number"""
STAKE: Final = """\
  bid 2, or just 2         bid a number"""
SUIT: Final = """\
  bid 1NT, 4H, or 13S      bid a number and a suit"""
NAPOLEON: Final = """\
  trump H, or just H       name the trump suit
  discard S3 D4 C5 C6      put cards back, or just the cards
  call SA, or just SA      call the card whose holder becomes your partner"""
CARD: Final = """\
  play HT, or just HT      play a card, or the number beside it"""
JOKERS: Final = """\
  play RJ naming D         lead a joker and name the suit to follow
  play D3 call RJ          lead a card and call another one out of its hand"""
DOUBLES: Final = """\
  double, redouble         double the last bid (or x, xx)"""
CLAIMS: Final = """\
  claim 5                  claim so many of the tricks that are left (0: concede)
  agree, refuse            answer a claim (or yes, no)
  explain                  what the calls of the auction mean"""
OFFER: Final = """\
  accept, decline          take the pot and become emperor, or let it pass on (or yes, no)
  show3 H9, show4 H9       show three or all four of a card, or just the number beside it
  apply                    ask for the lead, when a seat is out with the play on top"""
COMBINATIONS: Final = """\
  play 34567, or just 34567, or 3 4 5 6 7      play cards of these ranks
  #4, or play #4           play what has this number in the list; 1 is short for #1
  list                     all that you can play"""
NAMED: Final = """\
  play H9 S9               play these very cards: the emperor's card is played only if it is typed like this,
                           or if the others of its rank do not suffice"""
ALWAYS: Final = """\
  hint                     what the search thinks of each choice
  hand                     the table and your cards again
  help, quit"""
CARDS: Final = """\
Cards are a suit, S H D C, and a rank, 2 to 9 T J Q K A; RJ and BJ are the jokers."""
RANKS: Final = """\
Ranks are 3 to 9 T J Q K A 2, low to high, then B and R, the small and the big joker.
Cards are a suit, S H D C, and a rank; BJ and RJ are the jokers (JR is a jack with one)."""


def help_text(shared: Shared) -> str:
    """Return the commands of the game whose deal is on the table."""
    return "\n".join([*_commands(shared), ALWAYS, CARDS if shared.climbing is None else RANKS])


def _commands(shared: Shared) -> Sequence[str]:
    match shared.details:
        case NapoleonDetails():
            return NUMBER, SUIT, PASSING, NAPOLEON, CARD, JOKERS
        case BridgeDetails():
            return SUIT, PASSING, DOUBLES, CARD, CLAIMS
        case DouDizhuDetails():
            return STAKE, COMBINATIONS, PASSING
        case BaohuangDetails():
            return OFFER, COMBINATIONS, NAMED, PASSING
        case _:
            return (CARD,) if shared.climbing is None else (COMBINATIONS, PASSING)
