/**
 * What a conversation was about, in so few words that a month of them fits a page: what was wanted, what was done, what was
 * found out, what was decided, what was left open. Taken from its handoff, word for word where it is not shortened.
 */
import { subjectHeadings } from '../language/headings.ts';
import { type HandoffRow, readRows } from './handoff-rows.ts';
import { storyOf, type Told } from './handoff-story.ts';
import { isAssent } from './ledger/choices.ts';
import { decisionStrength, errorStrength, tells } from './ledger/cues.ts';
import { clip, flat } from './ledger/names.ts';

/** One conversation, remembered. Each list has what counts most first. */
export interface Episode {
  readonly wanted: readonly Told[];
  readonly done: readonly Told[];
  readonly found: readonly Told[];
  readonly decided: readonly Told[];
  readonly open: readonly Told[];
}

/** How an episode is written. */
export interface EpisodeSize {
  /** @default 110 */
  readonly tokens?: number;
  /** Tokens of a text. */
  readonly count: (text: string) => number;
}

const parts = ['wanted', 'done', 'found', 'decided', 'open'] as const;

/** A sentence of a part has at most so many characters; what was wanted opens the entry and may be longer. */
const lengths = { wanted: 180, done: 170, found: 150, decided: 150, open: 120 } as const;
const leastChars = 50;
const defaultTokens = 110;

/** What a handoff tells of its conversation. Linear in its length. */
export function episodeOf(handoff: string): Episode {
  const rows = readRows(handoff);
  const rounds = storyOf(handoff);
  const [first, ...later] = rounds.filter(({ text }) => !isAssent(text) && weight(text) >= leastWeight.wanted);
  const said = (subjects: readonly string[]): readonly Told[] =>
    rows.filter((row) => subjects.includes(subjectOf(row.section))).flatMap(toldBy);
  return {
    // The first request names the matter; the newest ones tell how it went on.
    wanted: [...(first ? [first] : []), ...later.toReversed()],
    done: rounds.flatMap(({ outcome }) => (outcome && tells(flat(outcome.text)) ? [outcome] : [])).toReversed(),
    found: rows
      .filter(isFinding)
      .flatMap(toldBy)
      .toReversed()
      .sort((a, b) => strength(b.text) - strength(a.text)),
    decided: said(['decisions']).toReversed(),
    open: [
      ...said(['progress', 'blocked', 'remaining']).filter(({ text }) => !isFileRow(text)),
      ...said(['progress']).filter(({ text }) => isFileRow(text)),
    ],
  };
}

/** Letters of a text, of which one of Han, kana or Hangul tells as much as two others. */
const weight = (text: string): number =>
  (text.match(/\p{L}/gu)?.length ?? 0) + (text.match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/gu)?.length ?? 0);
/** Of fewer letters, a request goes on with another, and a sentence finds out nothing. */
const leastWeight = { wanted: 12, found: 30 } as const;

/** What the assistant said on the way: sentences, no questions, no announcements of what follows. */
const isFinding = ({ section, speaker, isAnswer, text }: HandoffRow): boolean =>
  subjectOf(section) === 'actions' &&
  speaker === 'assistant' &&
  !isAnswer &&
  weight(text) >= leastWeight.found &&
  tells(text) &&
  !/[:：?？]\s*$/u.test(text);

/** How much a finding says: a cause or a choice, an error, a name. */
const strength = (text: string): number =>
  decisionStrength(text) + (errorStrength(text) > 0 ? 1 : 0) + (/[`\d]/.test(text) ? 1 : 0);

const isFileRow = (text: string): boolean => /^(?:created|changed|deleted) \S/.test(text);

const subjectOf = (heading: string): string => subjectHeadings.find(([words]) => words.test(heading))?.[1] ?? '';

/** What somebody said in a row; what a program noted of calls and files tells no story. */
const toldBy = ({ number, speaker, text }: HandoffRow): readonly Told[] =>
  number === undefined || speaker === 'call' || speaker === 'result' || speaker === 'names'
    ? []
    : [{ ref: `m${number}`, text: text.replace(/^m\d+(?:-m\d+)? /, '') }];

/**
 * An episode as text, a line a part, at most so many tokens: each part says its first sentence before any says its second.
 * Empty where the handoff told nothing. Handed the same episode it gives the same text.
 */
export function episodeText(episode: Episode, { tokens = defaultTokens, count }: EpisodeSize): string {
  for (let scale = 1; ; scale *= 0.8) {
    const chosen = new Map<string, readonly string[]>();
    let text = '';
    for (let round = 0; round < mostSentences; round++) {
      for (const part of parts) {
        const sentence = shown(episode[part][round]?.text, Math.max(leastChars, Math.round(lengths[part] * scale)));
        if (sentence === undefined) continue;
        const before = chosen.get(part) ?? [];
        chosen.set(part, [...before, sentence]);
        const longer = written(chosen);
        if (count(longer) <= tokens) text = longer;
        else if (before.length > 0) chosen.set(part, before);
        else chosen.delete(part);
      }
    }
    const isWhole = parts.every((part) => episode[part].length === 0 || chosen.has(part));
    if (isWhole || scale < leastScale) return text;
  }
}

const mostSentences = 3;
/** Sentences are not shortened further than to this share: then the last parts give way. */
const leastScale = 0.4;

/** A text that was shortened in a handoff has its beginning here, and more of it only where that is short. */
const opening = (text: string): string => {
  const [first = '', second] = text.split(/\s*…\s*/u);
  return weight(first) >= leastWeight.found || second === undefined ? first : `${first} … ${second}`;
};

const shown = (text: string | undefined, length: number): string | undefined =>
  (text &&
    clip(
      flat(
        opening(text)
          .replace(/^\s*(?:[-*•]|#{1,6}|\d+[.)])\s+/, '')
          .replace(/\*\*|__|`{3}/g, ''),
      ),
      length,
    )) ||
  undefined;

const written = (chosen: ReadonlyMap<string, readonly string[]>): string =>
  parts.flatMap((part) => (chosen.get(part) ? [`${part}: ${chosen.get(part)?.join(' / ')}`] : [])).join('\n');
