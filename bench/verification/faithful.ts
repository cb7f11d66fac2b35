/** Faithful summaries: facts of the record put into sentences, in four languages and in the shapes that models write. */
import { type Dice, pick } from '../invented-texts.ts';
import { headingOf, orderOf, type SectionName, type SummaryShape, sectionOf, summaryShapes } from './headings.ts';
import { factOf, ledgerFacts, quotable } from './ledger-facts.ts';
import { type Base, type Fact, type FactType, type Language, type TrueLine, textOf } from './lines.ts';
import { messageFacts } from './message-facts.ts';
import { englishPhrasings } from './phrasings-en.ts';
import { japanesePhrasings } from './phrasings-ja.ts';
import { koreanPhrasings } from './phrasings-ko.ts';
import { chinesePhrasings } from './phrasings-zh.ts';
import type { SessionRecord } from './record.ts';
import { joinedLines, prefixed, renderFact } from './render.ts';
import { saidFacts } from './said-facts.ts';

const phrasings: Readonly<Record<Language, Readonly<Record<FactType, readonly string[]>>>> = {
  en: englishPhrasings,
  zh: chinesePhrasings,
  ja: japanesePhrasings,
  ko: koreanPhrasings,
};

/** How many facts of a type a summary states; the others 3. */
const wantedFacts: Readonly<Partial<Record<FactType, number>>> = {
  request: 5,
  constraint: 6,
  run: 5,
  exit: 2,
  duration: 2,
  read: 2,
  plan: 4,
  version: 4,
  commit: 4,
  function: 4,
  url: 2,
  flag: 2,
  env: 2,
  branch: 2,
  issue: 2,
};

/** The facts of a record by type, found once. */
export function factsOf(record: SessionRecord): ReadonlyMap<FactType, readonly Fact[]> {
  return Map.groupBy([...ledgerFacts(record), ...messageFacts(record), ...saidFacts(record)], ({ type }) => type);
}

/** The newest request of the record, where it can be quoted whole. */
export function newestRequest({ facts }: SessionRecord): Fact | undefined {
  const ask = facts.asks.at(-1);
  const quote = ask && quotable(ask.text);
  return ask && quote !== undefined ? factOf('request', { ref: ask.ref, fields: { quote } }) : undefined;
}

export interface Wording {
  readonly record: SessionRecord;
  readonly facts: ReadonlyMap<FactType, readonly Fact[]>;
  readonly language: Language;
  readonly dice: Dice;
}

/** One summary in that language, drawn from the facts. */
export function rewordedBase({ record, facts, language, dice }: Wording): Base {
  const shape = pick(dice, summaryShapes);
  const bySection = new Map<SectionName, TrueLine[]>();
  const add = (section: SectionName, line: TrueLine): void => {
    bySection.set(section, [...(bySection.get(section) ?? []), line]);
  };
  const newest = newestRequest(record);
  if (newest) add('newest', renderFact(pick(dice, phrasings[language].request), newest, language));
  for (const [type, known] of facts) {
    for (const fact of drawn(known, wantedFacts[type] ?? 3, dice)) {
      const possible = phrasings[language][type].filter((template) => !fact.needsRef || template.includes('{ref}'));
      add(sectionOf[type], renderFact(pick(dice, possible), fact, language));
    }
  }
  const lines = laidOut(bySection, { shape, language, dice });
  return { name: `${record.name} ${shape} ${language}`, kind: 'reworded', language, messages: record.messages, lines };
}

/** Some of a list, each once, in the order of the list. */
function drawn<T>(from: readonly T[], count: number, dice: Dice): readonly T[] {
  const left = from.map((one, at) => ({ one, at }));
  const taken = Array.from({ length: Math.min(count, from.length) }, () => left.splice(dice(left.length), 1)).flat();
  return taken.sort((a, b) => a.at - b.at).map(({ one }) => one);
}

interface Layout {
  readonly shape: SummaryShape;
  readonly language: Language;
  readonly dice: Dice;
}

function laidOut(bySection: ReadonlyMap<SectionName, readonly TrueLine[]>, layout: Layout): readonly TrueLine[] {
  const { shape, language, dice } = layout;
  const mark = pick(dice, ['- ', '* ', '   - ', '1']);
  return orderOf[shape].flatMap((section) => {
    const lines = bySection.get(section) ?? [];
    if (lines.length === 0) return [];
    const heading = headingOf(section, shape, language);
    const together = joined(lines, layout);
    const marked = together.map((line, at) =>
      heading === undefined ? line : prefixed(mark === '1' ? `${at + 1}. ` : mark, line),
    );
    const blank: TrueLine = { text: '', atoms: [], facts: [], isHeading: true };
    return heading === undefined
      ? [...marked, blank]
      : [{ text: heading, atoms: [], facts: [], isHeading: true as const }, ...marked, blank];
  });
}

/** Some lines hold two facts; in prose most do. Requests stand alone, as each quote of the user does. */
function joined(lines: readonly TrueLine[], { shape, language, dice }: Layout): readonly TrueLine[] {
  const between = language === 'zh' || language === 'ja' ? '；' : '; ';
  const together: TrueLine[] = [];
  for (const line of lines) {
    const last = together.at(-1);
    const isSaid = [line, last].some((one) =>
      one?.facts.some(({ type, fields }) => 'quote' in fields || type === 'topic'),
    );
    const wants = dice(10) < (shape === 'prose' ? 6 : 2);
    if (last && wants && !isSaid && last.facts.length < 3 && !/[。.]$/.test(last.text))
      together.splice(-1, 1, joinedLines(last, line, between));
    else if (last && wants && !isSaid && last.facts.length < 3) together.splice(-1, 1, joinedLines(last, line, ' '));
    else together.push(line);
  }
  return together;
}

/** The text of a base without the lines that state the words of that message. */
export function withoutAsk({ lines }: Base, ref: string): string {
  return textOf(lines.filter(({ facts }) => !facts.some((fact) => fact.ref === ref && 'quote' in fact.fields)));
}
