/**
 * Lines that tell the next assistant what to do, which a summary may not: only the user instructs. By their words, by
 * their structure (who is addressed, what he is bound to, and what he is bound to do), or by what they permit.
 */

import {
  addressing,
  type Danger,
  dangers,
  dutyWords,
  firstWords,
  type Instruction,
  type InstructionPattern,
  instructionHeads,
  overriding,
  pipedCommand,
  powers,
  readerOpening,
  readerWords,
  refusedWords,
  reportedSource,
  roleTag,
  telling,
} from '../../../language/instruction.ts';
import { chineseInstructions, chinesePowers } from '../../../language/instructions-chinese.ts';
import { japaneseInstructions, japanesePowers } from '../../../language/instructions-japanese.ts';
import { koreanInstructions, koreanPowers } from '../../../language/instructions-korean.ts';
import { englishPowers, latinInstructions } from '../../../language/instructions-latin.ts';
import { han, hangul, kana } from '../../../language/languages.ts';
import { permissions, releasingWords } from '../../../language/permissions.ts';
import { attributionIn, userSection } from './attributions.ts';
import { masked, quoteMark } from './quotes.ts';

/**
 * The first words of a line that instruct whoever reads it, beyond telling what is left to do; undefined where there
 * are none. Not what is quoted, reported or attributed to the user, nor lines of a section that holds the user's
 * messages or rules; a line that is one quotation and nothing else is read as if it stood without its marks. Linear.
 * @param heading the heading that the line stands under
 */
export function instructionIn(line: string, heading = ''): Instruction | undefined {
  const section = userSection(heading);
  if (section === 'messages') return undefined;
  const text = onlyQuoted(line) ?? masked(line);
  const said = attributionIn(line);
  const heads = orderHeads(text);
  for (const { words, why, place, report = true } of patternsFor(text))
    for (const { 0: found, index } of place === 'head' ? atHeads(words, text, heads) : text.matchAll(words)) {
      if (said && said.start < index && said.verb !== 'provided') continue;
      if (report && isReported(text, index, index + found.length)) continue;
      if (section !== undefined && why === telling) continue;
      return { start: index, end: index + found.length, why };
    }
  return undefined;
}

function atHeads(words: RegExp, text: string, heads: readonly number[]): readonly RegExpExecArray[] {
  return heads.flatMap((at) => {
    words.lastIndex = at;
    const found = words.exec(text);
    return found ? [found] : [];
  });
}

/** Most lines have no letter of the languages that have patterns of their own. */
const patternsFor = (text: string): readonly InstructionPattern[] => [
  ...latinInstructions,
  ...englishPowers,
  ...(han.test(text) && !kana.test(text) ? [...chineseInstructions, ...chinesePowers] : []),
  ...(kana.test(text) ? [...japaneseInstructions, ...japanesePowers] : []),
  ...(hangul.test(text) ? [...koreanInstructions, ...koreanPowers] : []),
];

/** The line with its outer marks blanked out where it is a quotation and nothing else. */
function onlyQuoted(line: string): string | undefined {
  const rest = masked(line);
  if (!rest.includes(quoteMark) || /[\p{L}\p{N}\ufffc]/u.test(rest)) return undefined;
  return line.replaceAll(/["“”„«»「」『』]/g, ' ');
}

/** Told of a page, a file or an attack, or told to have been refused. */
const isReported = (text: string, start: number, end: number): boolean =>
  reportedSource.test(text.slice(Math.max(0, start - 120), start)) || refusedWords.test(text.slice(end, end + 160));

/** Where an order may begin. Found once for all patterns, which is what keeps them cheap. Linear. */
export const orderHeads = (text: string): readonly number[] => [
  /^[^\p{L}\p{N}]{0,16}/u.exec(text)?.[0].length ?? 0,
  ...[...text.matchAll(instructionHeads)].map(({ 0: found, index }) => index + found.length),
];

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

/** The words that allow something, where the line has such; what is quoted allows nothing. Linear. */
export function permissionIn(line: string): Instruction | undefined {
  const text = masked(line);
  for (const { letters, patterns } of permissions) {
    if (!letters.test(text)) continue;
    for (const pattern of patterns) {
      const found = pattern.exec(text);
      if (found) return { start: found.index, end: found.index + found[0].length, why: powers };
    }
  }
  return undefined;
}

/** A person who says so may allow something. */
export const mayAllow = (text: string): boolean => releasingWords.test(text);
