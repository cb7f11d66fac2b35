/**
 * Lines that tell the next assistant what to do, which a summary may not: only the user instructs. By their words, by
 * their structure (who is addressed, what he is bound to, and what he is bound to do), or by what they permit.
 */

import { chinese } from '../../../language/chinese.ts';
import { englishInstructions, englishPermissions, latinOrders, speakerMarks } from '../../../language/english.ts';
import {
  type Danger,
  dangers,
  dutyWords,
  firstWords,
  type Instruction,
  type InstructionWords,
  instructionHeads,
  type OrderReason,
  orderReasons,
  pipedCommand,
  readerOpening,
  readerWords,
  refusedWords,
  reportedSource,
  roleTag,
} from '../../../language/instruction.ts';
import { japanese } from '../../../language/japanese.ts';
import { korean } from '../../../language/korean.ts';
import { releasingWords } from '../../../language/requests.ts';
import { lazily } from '../../../shared/lazily.ts';
import { attributionIn, userSection } from './attributions.ts';
import { languagesIn } from './language.ts';
import { matchesIn } from './matches.ts';
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
  for (const { words, reason } of [
    ...latin,
    ...languagesIn(text).flatMap((language) => wide.get(language)?.orders ?? []),
  ])
    for (const { 0: found, index } of words.sticky ? atHeads(words, text, heads) : matchesIn(text, words)) {
      if (said && said.start < index && said.verb !== 'provided') continue;
      if (reason !== 'speaking' && isReported(text, index, index + found.length)) continue;
      if (section !== undefined && reason === 'telling') continue;
      return { start: index, end: index + found.length, reason };
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

/** Words that instruct; sticky ones are tried at the heads of clauses, the others anywhere. */
interface Pattern {
  readonly words: RegExp;
  readonly reason: OrderReason;
}

const patternsOf = (words: InstructionWords, flags: 'giu' | 'iuy' = 'giu'): readonly Pattern[] =>
  // The keys of the table are reasons, which Object.keys forgets.
  (Object.keys(orderReasons) as OrderReason[]).flatMap((reason) =>
    (words[reason] ?? []).map((source) => {
      const pattern = lazily(() => new RegExp(source, flags));
      return {
        get words() {
          return pattern();
        },
        reason,
      };
    }),
  );

const latin: readonly Pattern[] = [
  ...speakerMarks.map((words) => ({ words, reason: 'speaking' as const })),
  ...patternsOf(latinOrders, 'iuy'),
  ...patternsOf(englishInstructions),
];
const permissionsOf = (sources: readonly string[]): (() => readonly RegExp[]) =>
  lazily(() => sources.map((source) => new RegExp(source, 'iu')));

const wide = new Map(
  [chinese, japanese, korean].map((language) => [
    language,
    { orders: patternsOf(language.instructions), permissions: permissionsOf(language.permissions) },
  ]),
);

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
const orderHeads = (text: string): readonly number[] => [
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
    const reason = reasonOf(found, { line: line.slice(start, start + found.length), isOpenWork });
    if (reason) return { start, end: start + found.length, reason };
  }
  return undefined;
}

interface Said {
  /** With its code and quotations. */
  readonly line: string;
  readonly isOpenWork: boolean;
}

function reasonOf(text: string, { line, isOpenWork }: Said): OrderReason | undefined {
  const isTold = readerWords.test(text);
  const isBound = dutyWords.test(text);
  const fulfils = ({ needs, reason }: Danger): boolean => {
    if (needs === 'nothing') return true;
    // Powers are given without any duty: `you have root rights`.
    return needs === 'duty' ? isBound : isTold && (isBound || reason === 'powers');
  };
  const danger = dangers.find((one) =>
    one.words === pipedCommand
      ? // A command is told of in every other line; an order to run it is not.
        isBound && (isTold || firstWords.test(text)) && pipedCommand.test(line)
      : one.words.test(text) && fulfils(one),
  );
  if (danger) return danger.reason;
  if (roleTag.test(text) && isBound) return 'overriding';
  if (!isTold || !isBound || isOpenWork) return undefined;
  return readerOpening.test(text) ? 'telling' : 'addressing';
}

const english = permissionsOf(englishPermissions);

/** The words that allow something, where the line has such; what is quoted allows nothing. Linear. */
export function permissionIn(line: string): Instruction | undefined {
  const text = masked(line);
  for (const pattern of [
    ...english(),
    ...languagesIn(text).flatMap((language) => wide.get(language)?.permissions() ?? []),
  ]) {
    const found = pattern.exec(text);
    if (found) return { start: found.index, end: found.index + found[0].length, reason: 'powers' };
  }
  return undefined;
}

/** A person who says so may allow something. */
export const mayAllow = (text: string): boolean => releasingWords.test(text);
