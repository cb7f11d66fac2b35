/**
 * Lines that speak to their reader, told by their structure: who is addressed, what he is bound to, and what he is bound
 * to do that nobody may ask in a summary (keeping secrets from the user, taking powers, sending data away, setting rules
 * aside). One sign alone may be told of a program; two of them in one sentence are an order.
 */

import {
  addressing,
  type Danger,
  dangers,
  dutyWords,
  firstWords,
  type Instruction,
  overriding,
  pipedCommand,
  powers,
  readerOpening,
  readerWords,
  roleTag,
  telling,
} from '../../../language/instruction.ts';
import { masked } from './quotes.ts';

/** Sentences of a line, each on its own: what one of them is bound to says nothing of the next. */
const sentence = /[^.!?。！？]+(?:[.!?。！？]+(?!\s)[^.!?。！？]+)*[.!?。！？]*/gu;

/**
 * The first sentence that gives its reader an order; undefined where none does. `isOpenWork`: the line stands where work
 * to come is told, and duties are no orders.
 */
export function addressedIn(line: string, isOpenWork: boolean): Instruction | undefined {
  const text = masked(line);
  for (const { 0: found, index: start } of text.matchAll(sentence)) {
    const why = whyOf(found, { line: line.slice(start, start + found.length), isOpenWork });
    if (why !== undefined) return { start, end: start + found.length, why };
  }
  return undefined;
}

interface Said {
  /** With its code and quotations. */
  readonly line: string;
  readonly isOpenWork: boolean;
}

function whyOf(text: string, { line, isOpenWork }: Said): string | undefined {
  const isTold = readerWords.test(text);
  const isBound = dutyWords.test(text);
  for (const { why, words, needs } of dangers) {
    if (words === pipedCommand) {
      // A command is told of in every other line; an order to run it is not.
      if (words.test(line) && isBound && (isTold || firstWords.test(text))) return why;
    } else if (words.test(text) && fulfils(needs, { isTold, isBound, why })) {
      return why;
    }
  }
  if (roleTag.test(text) && isBound) return overriding;
  if (!isTold || !isBound || isOpenWork) return undefined;
  return readerOpening.test(text) ? telling : addressing;
}

interface Signs {
  readonly isTold: boolean;
  readonly isBound: boolean;
  readonly why: string;
}

/** Powers are given without any duty: `you have root rights`. */
function fulfils(needs: Danger['needs'], { isTold, isBound, why }: Signs): boolean {
  if (needs === 'nothing') return true;
  return needs === 'duty' ? isBound : isTold && (isBound || why === powers);
}
