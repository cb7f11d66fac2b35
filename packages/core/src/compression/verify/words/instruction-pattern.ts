/** How words that instruct the reader are described, and what is said of each kind. */

/** Words of a line that instruct its reader. */
export interface Instruction {
  readonly start: number;
  readonly end: number;
  /** One clause for a person. */
  readonly why: string;
}

/** Words that instruct the reader. */
export interface InstructionPattern {
  readonly words: RegExp;
  readonly why: string;
  /** `head` patterns are sticky and are tried at the heads of clauses, the others are global. */
  readonly place: 'head' | 'anywhere';
  /** May be told of a third party; a mark of another speaker may not. */
  readonly report?: boolean;
}

/** An order in those words: it stands at the head of a clause, or after `you must` and the like. */
export const order = (words: string, why: string): InstructionPattern => ({
  words: new RegExp(words, 'iuy'),
  why,
  place: 'head',
});
/** These words wherever they stand. */
export const anywhere = (words: string, why: string): InstructionPattern => ({
  words: new RegExp(words, 'giu'),
  why,
  place: 'anywhere',
});

const heads =
  /[.!?:;—–,)\]]\s{0,4}|\b(?:please|now|just|then|also|next|instead|first|must|should|shall|need to|have to|can|will|and|important|assistant|claude|agent|model)[:,]?\s/giu;

/** Where an order may begin. Found once for all patterns, which is what keeps them cheap. Linear. */
export const orderHeads = (text: string): readonly number[] => [
  /^[^\p{L}\p{N}]{0,16}/u.exec(text)?.[0].length ?? 0,
  ...[...text.matchAll(heads)].map(({ 0: found, index }) => index + found.length),
];

// The clauses that tell a person what is wrong with a line.
export const overriding: string = 'tells the reader to set earlier instructions aside';
export const telling: string = 'tells the reader what it must do';
export const roles: string = 'gives the reader another role';
export const hiding: string = 'tells the reader to keep something from the user';
export const sending: string = 'tells the reader to send secrets away';
export const powers: string = 'gives the reader powers that only the user can give';
export const addressing: string = 'addresses the assistant that comes next';
export const speaking: string = 'puts words into the mouth of the system or of another speaker';
