/** What a handoff quotes of a person: whole where there is room, else the beginning and the rules in it. */
import { speakerRow } from '../handoff-rows.ts';
import type { Ref } from '../result.ts';
import { wholeAskChars } from './asks.ts';
import type { Ask, Directive, LedgerFacts } from './facts.ts';
import { clip } from './names.ts';
import { leastLine, type OutlineLine, position } from './outline-line.ts';
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

interface Telling {
  readonly facts: Pick<LedgerFacts, 'asks'>;
  /** A model's summary says itself what goes on. */
  readonly besideSummary?: boolean;
}

/** The lines that tell of an ask: its words, and the rules in it that its beginning leaves out. */
export function wordsOf(ask: Ask, { facts: { asks }, besideSummary = false }: Telling): readonly Words[] {
  const newest = asks.at(-1);
  const isContinued =
    !besideSummary && newest !== undefined && newest.text.length <= followUpChars && ask === asks.at(-2);
  const content = contentOf(ask, { isNewest: ask === newest, isFirst: ask === asks[0], isContinued });
  const rank = isContinued ? Math.min(rankOf(content), ranks.goal) : rankOf(content);
  // Among the actions, a request opens a stretch of its own.
  const heading = content === 'actions' ? '### ' : '';
  const form = (text: string): string => `${heading}${speakerRow(ask.ref, 'person', text)}`;
  const forms = formsOf(ask.text, rank < ranks.other).map(form);
  const rules = ask.rules ?? [];
  return [
    { content, ref: ask.ref, rank, forms },
    ...rules.map((rule): Words => {
      const text = speakerRow(ask.ref, 'person', rule);
      return { content: 'constraints', ref: ask.ref, rank: ranks.rule, forms: [text], isRule: true };
    }),
  ];
}

/** The line that tells of a system message. */
export const directiveWords = ({ ref, text }: Directive): Words => ({
  content: 'constraints',
  ref,
  rank: ranks.rule,
  isRule: true,
  forms: [clip(text, wholeAskChars), ...cuts.map((length) => clip(text, length))].map((form) =>
    speakerRow(ref, 'system', form),
  ),
});

/** What comes first where there is no room for all. */
const ranks = { task: 0, constraints: 1, goal: 2, rule: 3, other: 4 } as const;

const rankOf = (content: SectionContent): number =>
  content === 'task' || content === 'constraints' || content === 'goal' ? ranks[content] : ranks.other;

interface Standing {
  readonly isNewest: boolean;
  readonly isFirst: boolean;
  /** The newest goes on with it: what the agent said in between did not close it. */
  readonly isContinued: boolean;
}

/** Where an ask belongs; one that the agent closed with words stands among the actions it led to. */
function contentOf(ask: Ask, { isNewest, isFirst, isContinued }: Standing): SectionContent {
  if (isNewest) return 'task';
  if (isFirst) return 'goal';
  if (ask.type === 'constraint' || ask.type === 'reversal') return 'constraints';
  if (!ask.answer || isContinued) return 'asks';
  return ask.type === 'question' && ask.text.length <= wholeAskChars ? 'answers' : 'actions';
}

function formsOf(text: string, matters: boolean): readonly string[] {
  const lines = text.replace(/\s*\n\s*/g, '\n');
  const cut = cuts
    .filter((length) => lines.length > length)
    .map((length) => `${clip(lines, length)} (${text.length} characters in all)`);
  const forms = text.length <= wholeAskChars ? [lines, ...cut] : cut;
  return matters ? forms : forms.slice(0, 1);
}

interface Room {
  readonly budget: number;
  /** A further share for what matters: requests that are open, and rules. @default 0 */
  readonly forRules?: number;
  readonly count: (text: string) => number;
}

/**
 * Quotes, most wanted first, while the share lasts: each in the longest form that there is room for. Neither the newest
 * request nor a row of rules takes the room that the first request needs.
 */
export function quoted(share: number, order: readonly Words[], { budget, forRules = 0, count }: Room): OutlineLine[] {
  const taken: OutlineLine[] = [];
  let left = budget * (share + forRules);
  const goal = order.find(({ content }) => content === 'goal');
  const tokensOf = (text: string): number => count(text) + 1;
  let reserved = goal ? Math.min(left / 2, tokensOf(goal.forms.at(-1) ?? '')) : 0;
  for (const one of order) {
    // What is left holds no line any more: spare the counting of all the others.
    if (left < leastLine) break;
    if (one === goal) reserved = 0;
    const most = left - (one.rank < ranks.other ? reserved : budget * forRules);
    const text = one.forms.find((form) => tokensOf(form) <= most);
    if (text === undefined) continue;
    left -= tokensOf(text);
    taken.push({ content: one.content, ref: one.ref, text, ...(one.isRule ? { isRule: one.isRule } : {}) });
  }
  return taken.sort((a, b) => position(a.ref) - position(b.ref));
}
