/** Writes the body of a handoff: facts under their headings, then the lines that are worth most per token. */
import type { Message } from '../../transcript/message.ts';
import type { HandoffLine, Ref } from '../result.ts';
import { type Chooser, createChooser } from './chooser.ts';
import type { Corpus, LineStats, TermStats } from './corpus.ts';
import type { LedgerFacts } from './facts.ts';
import { type OutlineLine, outlineOf, position } from './outline.ts';
import type { SectionContent, Template } from './templates.ts';

export interface ComposeInput {
  readonly corpus: Corpus;
  readonly facts: LedgerFacts;
  /** The handoff stands for the messages from `from` to before `to`; those after it are shown in full. */
  readonly from: number;
  readonly to: number;
  /** Messages before `from` that stay in the context (the head), so that their lines need no place. */
  readonly shownBefore: number;
  /** Messages after the range that are shown shortened, and what is shown of them. */
  readonly partly: ReadonlyMap<number, Message>;
  /** Messages of the range that are said again after the handoff. */
  readonly restated: ReadonlySet<number>;
  readonly budget: number;
  readonly template: Template;
  readonly focus: (line: LineStats) => boolean;
  /** Share of the budget that the focus gets first; 0 without one. */
  readonly focusShare: number;
  /** Newest requests whose terms count more. */
  readonly focusMessages: number;
  readonly count: (text: string) => number;
  readonly stepOf: (message: number) => number;
  /** The words in front of a step's lines: who, with which tool, and whether it failed. */
  readonly headerOf: (step: number) => string;
}

export interface ComposedHandoff {
  readonly body: string;
  readonly tokens: number;
  readonly lines: readonly HandoffLine[];
}

/** What a handoff is filled by; measured like `choosing`. */
export const composing = {
  /** Worth of a line beside its terms, in chances of being needed: a reason given, a failure, an odd line out. */
  /** From this strength on, a line stands under the decisions instead of its step. */
  decisionStrength: 2,
  decisionBonus: [0, 0.1, 0.3, 1.1],
  errorBonus: [0, 0.15, 0.8],
  oddBonus: 1.1,
  /** Worth of a sentence of the agent or the user with a name that is said nowhere else. */
  factBonus: 0.7,
  /** Share of the tokens kept for bare names with the headers they stand under, and of the names alone. */
  nameShare: 0.27,
  bareShare: 0.19,
  /** Share of the tokens that the focus gets before everything else competes, and what its lines count more. */
  focusShare: 0.65,
  focusFactor: 8,
  /** Without a topic, this many of the newest requests are the focus. */
  focusMessages: 3,
  /** Below this size a handoff has less room for odd facts: the worth of what is not a name shrinks with it. */
  roomyTokens: 6500,
  smallestRoom: 0.15,
} as const;

interface Draft {
  readonly outline: readonly OutlineLine[];
  readonly lines: { readonly line: LineStats; readonly step: number }[];
  readonly names: Map<number, string[]>;
}

export function compose(input: ComposeInput): ComposedHandoff {
  const outline = outlineOf({
    facts: input.facts,
    covers: (ref) => {
      const at = position(ref) - 1;
      return at >= input.from && at < input.to && !input.restated.has(at);
    },
    budget: input.budget,
    count: input.count,
  });
  const draft: Draft = { outline, lines: [], names: new Map() };
  const chooser = chooserFor(input, outline);
  fill(input, chooser, draft);
  return shrinkToFit(input, draft);
}

function chooserFor(input: ComposeInput, outline: readonly OutlineLine[]): Chooser {
  const { corpus, from, to } = input;
  const room = Math.min(1, Math.max(composing.smallestRoom, (input.budget - 2000) / (composing.roomyTokens - 2000)));
  const state = { focusLeft: input.budget * input.focusShare };
  const chooser = createChooser({
    ...{ corpus, from, to, partly: new Set(input.partly.keys()), stepOf: input.stepOf, count: input.count },
    recentAsks: input.facts.asks
      .slice(input.facts.asks.length - Math.min(input.focusMessages, input.facts.asks.length))
      .map(({ ref }) => position(ref) - 1),
    headerTokens: (step) => input.count(input.headerOf(step)) + 1,
    bonus: (line) => room * bonusOf(line),
    focus: (line) => (state.focusLeft > 0 && input.focus(line) ? composing.focusFactor : 1),
  });
  const next = chooser.next;
  for (let message = to; message < corpus.messageLines.length; message++) {
    const shortened = input.partly.get(message);
    chooser.show(shortened ? corpus.linesOf(shortened) : (corpus.messageLines[message] ?? []));
  }
  for (let message = 0; message < input.shownBefore; message++) chooser.show(corpus.messageLines[message] ?? []);
  for (const message of input.restated) chooser.show(corpus.messageLines[message] ?? []);
  chooser.show(outlineSources(corpus, outline));
  return {
    ...chooser,
    next: (maxTokens) => {
      const pick = next(maxTokens);
      if (pick && state.focusLeft > 0 && input.focus(pick.line)) state.focusLeft -= pick.tokens;
      return pick;
    },
  };
}

/** Lines of the conversation that the outline already quotes. */
function outlineSources(corpus: Corpus, outline: readonly OutlineLine[]): Iterable<LineStats> {
  return outline.flatMap(({ ref, text }) =>
    (corpus.messageLines[position(ref) - 1] ?? []).filter((line) => text.includes(line.text)),
  );
}

function bonusOf(line: LineStats): number {
  const { voice, strength, oddIn, lastMessage } = line;
  if (voice === 'call') return 0;
  if (voice !== 'result')
    return Math.max(composing.decisionBonus[strength] ?? 0, isSaidOnce(line) ? composing.factBonus : 0);
  return (composing.errorBonus[strength] ?? 0) + (oddIn === lastMessage ? composing.oddBonus : 0);
}

/** A sentence with a name that nobody else ever said: nothing but this line can bring it back. */
function isSaidOnce({ isProse, terms }: LineStats): boolean {
  return isProse && terms.some((term) => isExact(term) && term.call + term.result + term.user + term.agent === 1);
}

const isExact = ({ kind }: TermStats): boolean => kind !== 'line' && kind !== 'errorLine' && kind !== 'hyphenated';

function fill(input: ComposeInput, chooser: Chooser, draft: Draft): void {
  const { budget, count } = input;
  const fixed = count(render(input, draft).body);
  const reserved = Math.floor(budget * composing.nameShare);
  const left = takeNames(input, { chooser, draft }, takeLines(chooser, draft, budget - fixed - reserved) + reserved);
  takeLines(chooser, draft, left);
  // Texts join with fewer tokens than they have apart: use what that leaves.
  for (let round = 0; round < 3; round++) {
    const unused = budget - count(render(input, draft).body);
    if (unused < Math.max(24, budget * 0.005) || takeLines(chooser, draft, unused) === unused) break;
  }
}

/** Takes names while they fit and are few enough; returns the tokens that are left. */
function takeNames(
  input: ComposeInput,
  { chooser, draft }: { chooser: Chooser; draft: Draft },
  tokens: number,
): number {
  let left = Math.max(0, tokens);
  let bare = Math.floor(input.budget * composing.bareShare);
  for (let name = chooser.nextName(left); name; name = chooser.nextName(left)) {
    bare -= name.term.counted;
    if (bare < 0) break;
    left -= name.tokens;
    const list = draft.names.get(name.step);
    if (list) list.push(name.term.text);
    else draft.names.set(name.step, [name.term.text]);
  }
  return left;
}

/** Takes lines while they fit; returns the tokens that are left. */
function takeLines(chooser: Chooser, draft: Draft, tokens: number): number {
  let left = tokens;
  for (let pick = chooser.next(left); pick; pick = chooser.next(left)) {
    left -= pick.tokens;
    draft.lines.push(pick);
  }
  return left;
}

/** Estimates of joined texts can be off by a few tokens: what was taken last goes until the body fits. */
function shrinkToFit(input: ComposeInput, draft: Draft): ComposedHandoff {
  for (;;) {
    const { body, lines } = render(input, draft);
    const tokens = input.count(body);
    if (tokens <= input.budget || (draft.lines.length === 0 && draft.names.size === 0)) return { body, tokens, lines };
    let over = tokens - input.budget;
    while (over > 0 && draft.lines.length > 0) over -= input.count(draft.lines.pop()?.line.text ?? '') + 1;
    if (draft.lines.length === 0) draft.names.clear();
  }
}

interface Row {
  readonly at: number;
  readonly ref: Ref;
  readonly text: string;
}

function render(input: ComposeInput, draft: Draft): { body: string; lines: readonly HandoffLine[] } {
  const rows = rowsByContent(input, draft);
  const sections = sectionsOf(input.template, rows);
  const lines: HandoffLine[] = [];
  const texts: string[] = [];
  for (const { heading, content } of sections) {
    if (content.length === 0) continue;
    texts.push(`## ${heading}`);
    for (const { ref, text } of content) {
      texts.push(text);
      lines.push({ section: heading, ref, text });
    }
  }
  return { body: texts.join('\n'), lines };
}

function rowsByContent(input: ComposeInput, draft: Draft): ReadonlyMap<SectionContent, readonly Row[]> {
  const rows = new Map<SectionContent, Row[]>();
  const add = (content: SectionContent, row: Row): void => {
    const list = rows.get(content);
    if (list) list.push(row);
    else rows.set(content, [row]);
  };
  for (const { content, ref, text } of draft.outline) add(content, { at: position(ref) - 1, ref, text });
  for (const row of decisionRows(draft)) add('decisions', row);
  for (const row of stepRows(input, draft)) add('actions', row);
  // The sort is stable: a request with what came of it stands before the steps of its turn.
  rows.get('actions')?.sort((a, b) => a.at - b.at);
  return rows;
}

/** The agent's or the user's words that say what was chosen. */
const isDecision = ({ voice, strength }: LineStats): boolean =>
  (voice === 'agent' || voice === 'user') && strength >= composing.decisionStrength;

function decisionRows({ lines }: Draft): readonly Row[] {
  const said = lines.filter(({ line }) => isDecision(line)).map(({ line }) => line);
  said.sort((a, b) => a.lastMessage - b.lastMessage || a.lastLine - b.lastLine);
  return said.map(({ text, lastMessage }) => {
    const ref: Ref = `m${lastMessage + 1}`;
    return { at: lastMessage, ref, text: `${ref} ${text}` };
  });
}

function stepRows(input: ComposeInput, { lines, names }: Draft): readonly Row[] {
  const chosen = Map.groupBy(
    lines.filter(({ line }) => !isDecision(line)),
    ({ step }) => step,
  );
  const steps = [...new Set([...chosen.keys(), ...names.keys()])].sort((a, b) => a - b);
  return steps.flatMap((step): Row[] => {
    const own = (chosen.get(step) ?? []).map(({ line }) => line);
    own.sort((a, b) => a.lastMessage - b.lastMessage || a.lastLine - b.lastLine);
    const ref: Ref = `m${step + 1}`;
    // A line that was taken later may show a name that was listed before.
    const listed = (names.get(step) ?? []).filter((name) => !own.some(({ text }) => text.includes(name)));
    const texts = [
      input.headerOf(step),
      ...own.map(({ text }) => ` ${text}`),
      ...(listed.length > 0 ? [` + ${listed.join(' ')}`] : []),
    ];
    return texts.map((text) => ({ at: step, ref, text }));
  });
}

function sectionsOf(
  template: Template,
  rows: ReadonlyMap<SectionContent, readonly Row[]>,
): readonly { heading: string; content: readonly Row[] }[] {
  const held = new Set(template.sections.flatMap(({ holds }) => holds));
  const homeless = [...rows.keys()].filter((content) => !held.has(content));
  const home = template.sections.find(({ holds }) => holds.includes('actions')) ?? template.sections.at(-1);
  return template.sections.map((section) => {
    const contents = section === home ? [...section.holds, ...homeless] : section.holds;
    return { heading: section.heading, content: contents.flatMap((content) => rows.get(content) ?? []) };
  });
}
