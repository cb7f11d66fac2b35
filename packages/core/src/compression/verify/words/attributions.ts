/** Words that say what the user asked for, wants or said, what they attribute to the user, and which sections speak for the user. */

import {
  type Attribution,
  type AttributionPattern,
  attributionEdges,
  deniedAttribution,
  manyUsers,
  programContinuations,
  suppositions,
} from '../../../language/attribution.ts';
import { chinese } from '../../../language/chinese.ts';
import { englishAttributions } from '../../../language/english.ts';
import { europeanAttributions } from '../../../language/european.ts';
import { type UserSection, userHeadings } from '../../../language/headings.ts';
import { japanese } from '../../../language/japanese.ts';
import { korean } from '../../../language/korean.ts';
import { matchesIn } from './matches.ts';
import { masked } from './quotes.ts';

/**
 * The first attribution to the user in a line; undefined where there is none. The user of a program under work
 * (`when the user clicks`, `asks the user for a name`, `the user table`) asks for nothing. Linear.
 */
export function attributionIn(line: string): Attribution | undefined {
  const known = remembered.get(line);
  if (known) return known.attribution;
  const attribution = readAttribution(line);
  if (remembered.size >= mostRemembered) remembered.clear();
  remembered.set(line, { attribution });
  return attribution;
}

/** Several checks ask of the same line, one after the other. */
const remembered = new Map<string, { readonly attribution: Attribution | undefined }>();
const mostRemembered = 64;

const languages = [
  englishAttributions,
  chinese.attributions,
  japanese.attributions,
  korean.attributions,
  europeanAttributions,
];

function readAttribution(line: string): Attribution | undefined {
  const text = masked(line);
  const spoken = languages.filter(({ mention }) => mention.test(text));
  const place = { line, text };
  return (
    firstOf(
      spoken.flatMap(({ patterns }) => patterns),
      place,
    ) ??
    firstOf(
      spoken.flatMap(({ loose }) => loose),
      place,
    )
  );
}

interface Text {
  readonly line: string;
  /** With its quotations and code masked. */
  readonly text: string;
}

function firstOf(patterns: readonly AttributionPattern[], { line, text }: Text): Attribution | undefined {
  let best: Attribution | undefined;
  for (const { words, verb, content } of patterns)
    for (const match of matchesIn(text, words)) {
      const start = match.index;
      const end = start + match[0].length;
      if (best && best.start <= start) break;
      if (supposed(text, start) || ofProgram(text, end)) continue;
      const rest = restOf(line, { start, end, content, between: match.indices?.groups?.content });
      best = { verb, start, end, negated: deniedAttribution.test(match[0]), rest };
      break;
    }
  return best;
}

function supposed(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 24), start);
  return suppositions.test(before) || (manyUsers.test(before) && /^user/i.test(text.slice(start, start + 4)));
}

const ofProgram = (text: string, end: number): boolean => programContinuations.test(text.slice(end, end + 12));

interface Place {
  readonly start: number;
  readonly end: number;
  readonly content: 'after' | 'before' | 'between';
  readonly between: readonly [number, number] | undefined;
}

function restOf(line: string, { start, end, content, between }: Place): string {
  const after = withinBrackets(line, start, end).replace(attributionEdges, '');
  const before = line.slice(0, start).replace(attributionEdges, '');
  if (content === 'between' && between) return line.slice(...between).replace(attributionEdges, '');
  return content === 'before' ? before || after : after || before;
}

/** What follows; within `(user chose: JSON)` only up to the bracket that closes. */
function withinBrackets(line: string, start: number, end: number): string {
  const closing = { '(': ')', '（': '）', '[': ']' }[line.slice(0, start).trimEnd().slice(-1)];
  const close = closing === undefined ? -1 : line.indexOf(closing, end);
  return line.slice(end, close < 0 ? undefined : close);
}

/** What the lines under a heading are to the user; undefined where they are none of the user's. */
export const userSection = (heading: string): UserSection | undefined =>
  userHeadings.find(([words]) => words.test(heading.trim()))?.[1];
