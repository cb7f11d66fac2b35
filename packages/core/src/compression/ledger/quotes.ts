/** What a handoff quotes of a person: whole where there is room, else the beginning and the rules in it. */
import { eastAsianLetters } from '../../language/languages.ts';
import { ownPart } from '../../transcript/origin.ts';
import { speakerRow } from '../handoff-rows.ts';
import type { Ref } from '../result.ts';
import { isAllRule, wholeAskChars } from './cues.ts';
import type { Ask, Directive, LedgerFacts } from './facts.ts';
import { clip, flat, inOrder, leastLine, type OutlineLine } from './names.ts';
import { type OwnSentence, sentencesBy } from './own-words.ts';
import { standingIn, worthOf } from './standing.ts';
import { type Saying, sayingOf } from './stated.ts';
import type { SectionContent } from './templates.ts';

/** Something to quote, in its forms from the longest to the shortest; none where its rules are all there is. */
export interface Words {
  readonly content: SectionContent;
  readonly ref: Ref;
  readonly rank: number;
  readonly forms: readonly string[];
  readonly isRule?: true;
}

/** Lengths to which a request is cut, in characters: the first where it is long, all of them where it matters and room is scarce. */
const cuts = [240, 120, 60] as const;

/** What comes first where there is no room for all. */
const ranks: Partial<Readonly<Record<SectionContent, number>>> = { task: 0, constraints: 1, goal: 2 };
const ruleRank = 3;
/** Short messages of a person come before long ones, and of them those that nothing else can give back. */
const shortRanks: Readonly<Record<Saying, number>> = { names: 4, states: 5, wants: 6, asks: 7, nods: 9 };
const otherRank = shortRanks.names;
const longRank = 8;
const shortChars = 160;

/** Rank of a message that lays down nothing and is not open; of what says the same, the shorter comes first. */
function rankOf(ask: Ask): number {
  const { text } = ask;
  if (text.length > wholeAskChars) return longRank;
  const saying = sayings.get(ask) ?? sayingOf(text, sentencesBy(ask));
  sayings.set(ask, saying);
  return shortRanks[saying] + (text.length > shortChars ? 0.5 : 0);
}

/** Every handoff of a conversation asks for them again. */
const sayings = new WeakMap<Ask, Saying>();

/** True for a short message of a person that says more than yes. */
export const isShort = ({ rank }: Words): boolean => rank >= otherRank && rank < longRank;

interface Telling {
  readonly facts: Pick<LedgerFacts, 'asks'>;
  /** Requests before the newest that nothing has settled. */
  readonly open: ReadonlySet<Ref>;
}

/** The lines that tell of an ask: its words, and the rules in it that its beginning leaves out. */
export function wordsOf(ask: Ask, { facts: { asks }, open }: Telling): readonly Words[] {
  const { ref, rules = [] } = ask;
  const isOpen = open.has(ref);
  const content = ask === asks.at(-1) ? 'task' : ask === asks[0] && !isOpen ? 'goal' : contentOf(ask, isOpen);
  // Of a request that another handoff told, the rules are no longer among its words.
  const isWithin = rules.every((rule) => ask.text.includes(rule));
  const isWhole = content === 'task' || (content === 'goal' && ask.text.length <= wholeAskChars);
  const apart = isWhole && isWithin ? [] : rules;
  const least = apart.length === 0 ? rankOf(ask) : longRank;
  const rank = Math.min(ranks[content] ?? least, isOpen ? (ranks.goal ?? 0) : least);
  // Among the actions, a request opens a stretch of its own.
  const heading = content === 'actions' ? '### ' : '';
  // What stands behind a slash command is a program's.
  const speaker = ask.by === 'program' || ownPart(ask.text).trim() === '' ? 'host' : 'person';
  const forms = (): readonly string[] => {
    const said = ask.by === 'program' ? shortened(ask) : formsOf(ask, apart);
    return said.map((text) => `${heading}${askRow(ref, speaker, text)}`);
  };
  const best = apart.length < 2 ? apart[0] : apart.toSorted((a, b) => worthOf(b) - worthOf(a))[0];
  const rows = apart.map((rule) =>
    ruleWords(ref, [speakerRow(ref, 'person', rule)], rule === best ? ruleRank : longRank),
  );
  return [new AskWords({ content, ref, rank }, forms), ...rows];
}

/** Where there is room for few requests, most are never asked for their forms. */
class AskWords implements Words {
  readonly content: SectionContent;
  readonly ref: Ref;
  readonly rank: number;
  readonly #write: () => readonly string[];
  #forms: readonly string[] | undefined;

  constructor({ content, ref, rank }: Omit<Words, 'forms'>, write: () => readonly string[]) {
    this.content = content;
    this.ref = ref;
    this.rank = rank;
    this.#write = write;
  }

  get forms(): readonly string[] {
    this.#forms ??= this.#write();
    return this.#forms;
  }
}

/** Few words stand on a line of their own: beside the name they are overlooked. */
const fewChars = 40;

const askRow = (ref: Ref, speaker: 'person' | 'host', text: string): string =>
  speakerRow(ref, speaker, speaker === 'person' && text.length <= fewChars ? `\n${text}` : text);

/** The line that tells of a system message. */
export function directiveWords({ ref, text }: Directive): Words {
  const forms = [wholeAskChars, ...cuts].map((length) => speakerRow(ref, 'system', clip(text, length)));
  return ruleWords(ref, forms, ruleRank);
}

const ruleWords = (ref: Ref, forms: readonly string[], rank: number): Words => {
  return { content: 'constraints', ref, rank, forms, isRule: true };
};

/** Where an ask belongs; one that is settled stands among the actions it led to. */
function contentOf(ask: Ask, isOpen: boolean): SectionContent {
  const { type, text } = ask;
  if (type === 'reversal' || (type === 'constraint' && isAllRule(text, sentencesBy(ask)))) return 'constraints';
  return isOpen ? 'asks' : 'actions';
}

/** What a person said, the longest form first, without the rules that stand apart. */
export function formsOf(ask: Ask, apart: readonly string[]): readonly string[] {
  const known = formsByAsk.get(ask);
  if (known && known.apart.length === apart.length && known.apart.every((rule, at) => rule === apart[at]))
    return known.forms;
  const forms = newForms(ask, apart);
  formsByAsk.set(ask, { apart, forms });
  return forms;
}

/** Every handoff of a conversation asks for them again. */
const formsByAsk = new WeakMap<Ask, { readonly apart: readonly string[]; readonly forms: readonly string[] }>();

function newForms(ask: Ask, apart: readonly string[]): readonly string[] {
  const { text } = ask;
  const lines = text.replace(/\s*\n\s*/g, '\n');
  const own = sentencesBy(ask);
  if (own.length === 0) return [...(text.length <= wholeAskChars ? [lines] : []), ...shortened(ask)];
  const isWhole = text.length <= wholeAskChars && apart.length === 0 && ownPart(text) === text;
  const rest = own.filter((sentence) => !apart.includes(sentence.text));
  if (rest.length === 0) return [];
  const scale = eastAsianLetters.test(rest[0]?.text ?? '') ? wideScale : 1;
  const chars = rest.reduce((sum, sentence) => sum + sentence.text.length, 0);
  // What was said briefly is not shortened: all of it is told, whatever each sentence is worth.
  const isBrief = chars <= briefChars * scale;
  const lengths = isBrief ? [wholeAskChars] : [...(isWhole ? [] : [wholeAskChars]), ...cuts];
  const places = isBrief ? placesOnce(own, apart) : placesByWorth(own, apart);
  const said = lengths.map((length) => mostTelling(own, places, length * scale));
  const note = ask.length === undefined ? '' : lengthNote(ask);
  return [
    ...new Set([...(isWhole ? [lines] : []), ...said.filter((form) => !isWhole || form.length < lines.length)]),
  ].map((form) => form + note);
}

/** Characters of all that was said. */
export const lengthOf = ({ text, length }: Ask): number => length ?? text.length;

const lengthNote = (ask: Ask): string => ` (${lengthOf(ask)} characters in all)`;

/** A sign of a script without blanks says as much as some letters. */
const wideScale = 0.5;
const briefChars = 130;

/** Sentences that lose least when the others are left out, as they were said, with a mark where something is missing. */
function mostTelling(own: readonly OwnSentence[], byWorth: readonly number[], length: number): string {
  const taken = new Set<number>();
  let left = length;
  for (const at of byWorth) {
    const chars = own[at]?.text.length ?? 0;
    if (taken.size > 0 && chars > left) continue;
    taken.add(at);
    left -= chars;
  }
  let text = '';
  let last = -1;
  for (const [at, sentence] of own.entries()) {
    if (!taken.has(at)) continue;
    const said = taken.size === 1 ? bothEnds(sentence.text, Math.max(length, leastCut)) : sentence.text;
    const joint = last === at - 1 && sentence.joint !== undefined ? sentence.joint : ' … ';
    text = text === '' ? said : text + joint + said;
    last = at;
  }
  return text;
}

/** Places of the sentences that do not stand apart; what was said twice is told once. */
function placesOnce(own: readonly OwnSentence[], apart: readonly string[]): number[] {
  const told = new Set(apart);
  return own.flatMap(({ text }, at) => {
    if (told.has(text)) return [];
    told.add(text);
    return [at];
  });
}

/** The same, those first whose loss would be greatest. */
function placesByWorth(own: readonly OwnSentence[], apart: readonly string[]): readonly number[] {
  const times = new Map<string, number>();
  for (const { text } of own) times.set(text, (times.get(text) ?? 0) + 1);
  const places = placesOnce(own, apart);
  const worths = new Float64Array(own.length);
  for (const at of places) {
    const sentence = own[at];
    if (!sentence) continue;
    const { text, place } = sentence;
    const again = (times.get(text) ?? 1) - 1;
    worths[at] =
      worthOf(text, standingIn(sentence)) + placeWorth[place] + (at === 0 ? firstWorth : 0) + again * againWorth;
  }
  return places.sort((a, b) => (worths[b] ?? 0) - (worths[a] ?? 0) || a - b);
}

/** What stands at the edge of a paste says what it is for; a note within one was put there on purpose. */
const placeWorth: Readonly<Record<OwnSentence['place'], number>> = { among: 0, title: 4, edge: 2, note: 3 };
/** What a message opens with mostly says what it is about. */
const firstWorth = 0.8;
/** What is said over and over tells less each time. */
const againWorth = -0.2;
/** A sentence is not cut below this. */
const leastCut = 160;

/** Beginning and end of a text that is all pasted. */
function shortened(ask: Ask): readonly string[] {
  const { text } = ask;
  const note = text.length <= wholeAskChars && ask.length === undefined ? '' : lengthNote(ask);
  const said = withoutFences(text.replace(skillOpening, ''));
  const cut = cuts.filter((length) => text.length > length).map((length) => bothEnds(said, length) + note);
  return cut.length > 0 ? cut : [flat(text) + (ask.length === undefined ? '' : note)];
}

/** Where the text of a skill lies, before the text. */
const skillOpening = /^Base directory for this skill: \S+\s+/;

/** What stands around the fenced blocks that were pasted; the whole text where nothing else is in it. */
function withoutFences(text: string): string {
  const prose = text.replace(/```[\s\S]*?(?:```|$)/g, ' … ').trim();
  return /\p{L}{3}/u.test(prose) ? prose : text;
}

/** Share of a shortened text that its beginning gets: what is wanted stands there, or behind what was pasted. */
const openingShare = 0.6;

/** Beginning and end of a text on one line, with a mark between them. */
function bothEnds(text: string, length: number): string {
  const line = flat(text);
  if (line.length <= length) return line;
  const start = line.slice(0, Math.floor(length * openingShare)).replace(/[\ud800-\udbff]$/, '');
  const end = line.slice(line.length - (length - start.length - 3)).replace(/^[\udc00-\udfff]/, '');
  return `${start.trimEnd()} … ${end.trimStart()}`;
}

interface Room {
  readonly budget: number;
  readonly share: number;
  /** A further share for what matters: requests that are open, and rules. @default 0 */
  readonly forRules?: number;
  /** A further share for quotes in their shortest form. @default 0 */
  readonly brief?: number;
  readonly count: (text: string) => number;
}

/** This many requests in a row that do not fit, and the share counts as full. */
const mostMissed = 40;

/**
 * Quotes, most wanted first, while the share lasts: each in the longest form that there is room for. Neither the newest
 * request nor a row of rules takes the room that the first request needs.
 */
export function quoted(
  order: readonly Words[],
  { budget, share, forRules = 0, brief = 0, count }: Room,
): readonly OutlineLine[] {
  const taken = new Map<Words, string>();
  let left = budget * (share + forRules + brief);
  const goal = order.find(({ content }) => content === 'goal');
  const tokensOf = (text: string): number => count(text) + 1;
  let reserved = goal ? Math.min(left / 2, tokensOf(goal.forms.at(-1) ?? '')) : 0;
  let missed = 0;
  // In its shortest form each: what was said once and briefly must not be lost to a longer form of something else.
  for (const one of order) {
    // What is left holds no line any more: spare the counting of all the others.
    if (left < leastLine) break;
    if (one === goal) reserved = 0;
    const text = one.forms.at(-1);
    if (text === undefined || tokensOf(text) > left - (one.rank < otherRank ? reserved : budget * forRules)) {
      // When so many do not fit, there is no room for the others either.
      if (++missed > mostMissed) break;
      continue;
    }
    missed = 0;
    left -= tokensOf(text);
    taken.set(one, text);
  }
  left -= budget * brief;
  // Then longer, step by step, so that none gets all there is.
  for (let step = 2; step <= cuts.length + 1; step++) {
    for (const [one, shorter] of taken) {
      const text = one.forms.at(-step);
      if (text === undefined) continue;
      const more = tokensOf(text) - tokensOf(shorter);
      if (more > left - (one.rank < otherRank ? 0 : budget * forRules)) continue;
      left -= more;
      taken.set(one, text);
    }
  }
  const rows = [...taken].map(([{ content, ref, isRule }, text]) => ({
    content,
    ref,
    text,
    ...(isRule ? { isRule } : {}),
  }));
  return inOrder(rows);
}
