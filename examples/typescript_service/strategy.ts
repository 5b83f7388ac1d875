/** A strategy: it passes if it may, follows with its lowest card, and leads its highest. */

import { Message, bytesField, joined, numberField } from "./protobuf.js";

/** Fields of `junto.v1.Choices`, and of `junto.v1.Action`: they have the same numbers. */
const PASS = 1;
const BID = 2;
const CHOOSE_TRUMP = 5;
const DISCARD = 6;
const CALL_CARD = 7;
const PLAY_CARD = 8;

/** `CARD_BJ` and `CARD_RJ` are the last cards; before them are thirteen of each suit, from the two up. */
const JOKERS_FROM = 53;
const SPADES = 1;

export const GAMES = ["whist", "napoleon-tw", "hundred"];

/** Return the action, a `junto.v1.Action`, for what may be done, a `junto.v1.Choices`. */
export function choose(choices: Message): Uint8Array {
  if (choices.has(PLAY_CARD)) {
    return bytesField(PLAY_CARD, play(choices.message(PLAY_CARD)));
  }
  if (choices.has(DISCARD)) {
    const discard = choices.message(DISCARD);
    const cards = discard.numbers(2).sort(byRank).slice(0, discard.number(1));
    return bytesField(DISCARD, joined(...cards.map((card) => numberField(1, card))));
  }
  if (choices.has(PASS)) {
    return bytesField(PASS, new Uint8Array());
  }
  if (choices.has(CALL_CARD)) {
    return bytesField(CALL_CARD, numberField(1, choices.message(CALL_CARD).number(1)));
  }
  if (choices.has(CHOOSE_TRUMP)) {
    return bytesField(CHOOSE_TRUMP, numberField(1, choices.message(CHOOSE_TRUMP).number(1)));
  }
  return bytesField(BID, choices.message(BID).bytes(1));
}

function play(choice: Message): Uint8Array {
  const cards = choice.numbers(2).sort(byRank);
  const card = (choice.has(3) ? cards[0] : cards[cards.length - 1]) ?? 0;
  const named = choice.numbers(4).includes(card) ? numberField(2, SPADES) : new Uint8Array();
  return joined(numberField(1, card), named);
}

function byRank(one: number, other: number): number {
  return rank(one) - rank(other);
}

function rank(card: number): number {
  return card >= JOKERS_FROM ? card : (card - 1) % 13;
}
