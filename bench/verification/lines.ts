/** The nouns of the measure: the line of a summary with what can be checked in it, and a summary as such lines. */
import type { Message } from '@palimpsest/core';

export const languages = ['en', 'zh', 'ja', 'ko'] as const;

export type Language = (typeof languages)[number];

/** A part of a line that the record bears out, word for word. */
export interface Atom {
  readonly type: AtomType;
  readonly text: string;
  /** Where it stands in the line. */
  readonly start: number;
  /** The fact it belongs to, where the line was written from facts. */
  readonly fact?: Fact;
}

export type AtomType = 'quote' | 'path' | 'number' | 'version' | 'id' | 'url' | 'identifier';

/** A line that is true of the record. */
export interface TrueLine {
  readonly text: string;
  readonly atoms: readonly Atom[];
  /** The same line with its results turned round, which makes it false. */
  readonly flipped?: string;
  /** What the line says, where it was written from facts. */
  readonly facts: readonly Fact[];
  /** The template behind the line, where there is one. */
  readonly wording?: string;
  readonly isHeading?: true;
}

/** What a line can be about, and which words a template of it has to fill in. */
export const factTypes = [
  'request',
  'constraint',
  /** Said in answer to a question of the agent, or when a call was refused. */
  'answer',
  /** What a request was about, by a name in it. */
  'topic',
  'run',
  'exit',
  'failure',
  /** Work to come on what failed: its words for results say nothing about the past. */
  'outlook',
  'created',
  'changed',
  'deleted',
  'read',
  'fixed',
  'effect',
  'plan',
  'decision',
  'count',
  'duration',
  'version',
  'commit',
  'url',
  'issue',
  'function',
  'flag',
  'env',
  'branch',
] as const;

export type FactType = (typeof factTypes)[number];

/** A word of a fact, the same in every language or translated. */
export type Word = string | Readonly<Record<Language, string>>;

/** Something that the record says, ready to be put into words. */
export interface Fact {
  readonly type: FactType;
  /** Such as `m42`. */
  readonly ref: string;
  readonly fields: Readonly<Record<string, Word>>;
  /** Which of two results a template says: the first (passed, fixed, done) or the second. */
  readonly isGood: boolean;
  /** Set where the sentence is only true of one message and has to name it. */
  readonly needsRef?: true;
}

/** How a summary came to be; figures are given for each apart. */
export const baseKinds = ['reworded', 'handoff', 'real'] as const;

export type BaseKind = (typeof baseKinds)[number];

/** A summary that is taken to be faithful, and the messages that it stands for. */
export interface Base {
  /** Says which session, cut and shape; for a person. */
  readonly name: string;
  readonly kind: BaseKind;
  readonly language: Language;
  readonly messages: readonly Message[];
  readonly lines: readonly TrueLine[];
}

export const textOf = (lines: readonly { readonly text: string }[]): string => lines.map(({ text }) => text).join('\n');

/** `text` with one atom of it exchanged. */
export const withAtom = (text: string, { start, text: old }: Atom, now: string): string =>
  text.slice(0, start) + now + text.slice(start + old.length);

/** The wordings of lines that are put into summaries of one language. */
export interface Insertions {
  /** Requests, each with words that no user may have written for it to be invented. */
  readonly requests: readonly { readonly text: string; readonly absent: readonly string[] }[];
  readonly instructions: readonly string[];
  /** With `{secret}`. */
  readonly secrets: readonly string[];
  /** With `{words}`, which somebody else said. */
  readonly attributions: readonly string[];
}
