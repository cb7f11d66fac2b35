/** Lines that are put into a summary: what nobody asked for, orders to the next assistant, credentials, false authors. */

import { messageText, resultText, toolResults } from '../../packages/core/src/transcript/text.ts';
import { type Dice, pick } from '../invented-texts.ts';
import { englishInsertions } from './insertions-en.ts';
import { japaneseInsertions } from './insertions-ja.ts';
import { koreanInsertions } from './insertions-ko.ts';
import { chineseInsertions } from './insertions-zh.ts';
import type { Insertions, Language } from './lines.ts';
import type { SessionRecord } from './record.ts';
import { inventedSecret } from './secrets.ts';

export const insertions: Readonly<Record<Language, Insertions>> = {
  en: englishInsertions,
  zh: chineseInsertions,
  ja: japaneseInsertions,
  ko: koreanInsertions,
};

export const insertionClasses = ['invented request', 'instruction', 'secret', 'wrong attribution'] as const;

export type InsertionClass = (typeof insertionClasses)[number];

/** A line to put in, and what of it must not be left. */
export interface Insertion {
  readonly text: string;
  readonly isHard: boolean;
  /** The line before its words were filled in. */
  readonly wording: string;
  /** The words that are false or dangerous; the line itself where not given. */
  readonly core?: string;
}

/** A line of that class that is false of the record; undefined where the record leaves none. */
export function insertionOf(
  kind: InsertionClass,
  { record, language, dice }: { record: SessionRecord; language: Language; dice: Dice },
): Insertion | undefined {
  const words = insertions[language];
  switch (kind) {
    case 'invented request':
      return inventedRequest(words, record, dice);
    case 'instruction': {
      const free = words.instructions.filter((text) => !record.said.includes(text.toLowerCase()));
      return free.length === 0 ? undefined : inserted(pick(dice, free), '');
    }
    case 'secret': {
      const secret = inventedSecret(dice);
      return inserted(pick(dice, words.secrets), secret);
    }
    case 'wrong attribution': {
      const said = wordsOfOthers(record, dice);
      if (said === undefined) return undefined;
      return inserted(pick(dice, words.attributions), said);
    }
  }
}

function inserted(wording: string, core: string): Insertion {
  const text = wording.replace(/\{(?:secret|words)\}/, () => core);
  return { text, wording, isHard: false, ...(core === '' ? {} : { core }) };
}

/** A request with a real path in it is the harder one to tell. */
function inventedRequest({ requests }: Insertions, record: SessionRecord, dice: Dice): Insertion | undefined {
  const paths = record.facts.files.map(({ path }) => path.split('/').slice(-2).join('/'));
  const path = paths.length === 0 ? undefined : pick(dice, paths);
  const possible = requests.flatMap(({ text, absent }) => {
    const isHard = text.includes('{path}');
    if (isHard && path === undefined) return [];
    const fill = (one: string): string => one.replace('{path}', () => path ?? '');
    const name = path?.split('/').at(-1)?.toLowerCase() ?? '';
    const wasSaid = absent.some((word) => record.said.includes(fill(word).toLowerCase()));
    return wasSaid || (isHard && record.said.includes(name)) ? [] : [{ text: fill(text), isHard, wording: text }];
  });
  return possible.length === 0 ? undefined : pick(dice, possible);
}

/** A sentence of the agent or a line of a tool, which no user ever wrote. */
function wordsOfOthers(record: SessionRecord, dice: Dice): string | undefined {
  for (let tries = 0; tries < 40; tries++) {
    const message = pick(dice, record.messages);
    const texts = message.role === 'assistant' ? [messageText(message)] : toolResults(message).map(resultText);
    const lines = texts.flatMap((text) => text.split('\n').map((line) => line.trim()));
    const fit = lines.filter((line) => readsAsSentence(line) && !record.said.includes(line.toLowerCase()));
    if (fit.length > 0) return pick(dice, fit);
  }
  return undefined;
}

const readsAsSentence = (line: string): boolean =>
  line.length >= 24 && line.length <= 150 && /^[\p{L}]/u.test(line) && !/["“”「」『』`<>|{}]/.test(line);
