/** Lines that tell the next assistant what to do, which a summary may not: only the user instructs. */

import {
  type Instruction,
  type InstructionPattern,
  refusedWords,
  reportedSource,
  telling,
} from '../../../language/instruction.ts';
import { chineseInstructions, chinesePowers } from '../../../language/instructions-chinese.ts';
import { japaneseInstructions, japanesePowers } from '../../../language/instructions-japanese.ts';
import { koreanInstructions, koreanPowers } from '../../../language/instructions-korean.ts';
import { englishPowers, latinInstructions } from '../../../language/instructions-latin.ts';
import { attributionIn } from './attributions.ts';
import { orderHeads } from './instruction-pattern.ts';
import { masked, quoteMark } from './quotes.ts';
import { userSection } from './user-sections.ts';

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

const kana = /[\u3041-\u30ff]/;
const hangul = /[\uac00-\ud7a3]/;
const han = /\p{Script=Han}/u;

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
