/** What a handoff quotes of a person: whole where there is room, else the beginning and the rules in it. */
import { speakerRow } from '../handoff-rows.ts';
import type { Ref } from '../result.ts';
import { wholeAskChars } from './cues.ts';
import type { Ask, Directive, LedgerFacts } from './facts.ts';
import { clip, flat, inOrder, leastLine, type OutlineLine, position } from './names.ts';
import type { SectionContent } from './templates.ts';

/** Something to quote, in its forms from the longest to the shortest. */
export interface Words {
  readonly content: SectionContent;
  readonly ref: Ref;
  readonly rank: number;
  readonly forms: readonly string[];
  readonly isRule?: true;
}

/** Lengths to which a request is cut, in characters: the first where it is long, all of them where it matters and room is scarce. */
const cuts = [240, 120, 60] as const;

/** An answer up to this many characters ("yes", "go on") leaves the request before it as the task. */
const followUpChars = 40;

/** What comes first where there is no room for all. */
const ranks: Partial<Readonly<Record<SectionContent, number>>> = { task: 0, constraints: 1, goal: 2 };
const ruleRank = 3;
const otherRank = 4;
/** Short messages of a person come before long ones. */
const longRank = 5;
const shortChars = 160;

interface Telling {
  readonly facts: Pick<LedgerFacts, 'asks'>;
  /** Number of the message that ended a turn last. */
  readonly closedAt: number;
}

/** The lines that tell of an ask: its words, and the rules in it that its beginning leaves out. */
export function wordsOf(ask: Ask, { facts: { asks }, closedAt }: Telling): readonly Words[] {
  const { ref, rules = [] } = ask;
  const newest = asks.at(-1);
  // The newest goes on with it: what the agent said in between did not close it.
  const isContinued = newest !== undefined && newest.text.length <= followUpChars && ask === asks.at(-2);
  const content = ask === newest ? 'task' : ask === asks[0] ? 'goal' : contentOf(ask, isContinued, closedAt);
  const least = ask.text.length <= shortChars ? otherRank : longRank;
  const rank = Math.min(ranks[content] ?? least, isContinued ? (ranks.goal ?? 0) : least);
  // Among the actions, a request opens a stretch of its own.
  const heading = content === 'actions' ? '### ' : '';
  const forms = formsOf(ask.text, rank < otherRank).map((text) => `${heading}${speakerRow(ref, 'person', text)}`);
  const rows = rules.map((rule) => ruleWords(ref, [speakerRow(ref, 'person', rule)]));
  return [{ content, ref, rank, forms }, ...rows];
}

/** The line that tells of a system message. */
export function directiveWords({ ref, text }: Directive): Words {
  const forms = [wholeAskChars, ...cuts].map((length) => speakerRow(ref, 'system', clip(text, length)));
  return ruleWords(ref, forms);
}

const ruleWords = (ref: Ref, forms: readonly string[]): Words => {
  return { content: 'constraints', ref, rank: ruleRank, forms, isRule: true };
};

/** Where an ask belongs; one that the agent closed with words stands among the actions it led to. */
function contentOf({ ref, type, answer }: Ask, isContinued: boolean, closedAt: number): SectionContent {
  if (type === 'constraint' || type === 'reversal') return 'constraints';
  // What nobody answered before the assistant ended a later turn was dealt with there, or put otherwise.
  if (isContinued || (!answer && position(ref) > closedAt)) return 'asks';
  return 'actions';
}

function formsOf(text: string, matters: boolean): readonly string[] {
  const lines = text.replace(/\s*\n\s*/g, '\n');
  const prose = withoutPastes(text);
  const cut = cuts
    .filter((length) => lines.length > length)
    .map((length) => `${bothEnds(prose, length)} (${text.length} characters in all)`);
  const forms = text.length <= wholeAskChars ? [lines, ...cut] : cut;
  return matters ? forms : forms.slice(0, 2);
}

/** What a person wrote around the fenced blocks that were pasted; the whole text where nothing else is in it. */
function withoutPastes(text: string): string {
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
  readonly count: (text: string) => number;
}

/**
 * Quotes, most wanted first, while the share lasts: each in the longest form that there is room for. Neither the newest
 * request nor a row of rules takes the room that the first request needs.
 */
export function quoted(order: readonly Words[], { budget, share, forRules = 0, count }: Room): readonly OutlineLine[] {
  const taken: OutlineLine[] = [];
  let left = budget * (share + forRules);
  const goal = order.find(({ content }) => content === 'goal');
  const tokensOf = (text: string): number => count(text) + 1;
  let reserved = goal ? Math.min(left / 2, tokensOf(goal.forms.at(-1) ?? '')) : 0;
  for (const one of order) {
    // What is left holds no line any more: spare the counting of all the others.
    if (left < leastLine) break;
    if (one === goal) reserved = 0;
    const { content, ref, rank, forms, isRule } = one;
    const most = left - (rank < otherRank ? reserved : budget * forRules);
    const text = forms.find((form) => tokensOf(form) <= most);
    if (text === undefined) continue;
    left -= tokensOf(text);
    taken.push({ content, ref, text, ...(isRule ? { isRule } : {}) });
  }
  return inOrder(taken);
}
