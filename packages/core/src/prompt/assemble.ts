/** ★ Start here: a system prompt from its parts, in one order, each within its room. */
import { disarmed, fence } from '../memory/fence/fence.ts';
import { cleaned } from '../memory/providers/cleaning.ts';
import { redact } from '../redaction/redact.ts';
import { defined } from '../shared/defined.ts';
import { platformTimers } from '../shared/timers.ts';
import { estimatingTokenizer } from '../tokens/tokenizer.ts';
import { asAttribute, inFolderFence } from './folder-fence.ts';
import { cleanLines, type Line } from './lines.ts';
import {
  checkPromptOptions,
  type PromptBudgets,
  type PromptFile,
  type PromptOptions,
  promptBudgets,
  promptMaxShare,
} from './options.ts';
import { type PromptFinding, scanAheadOf, scannedLines } from './passages.ts';
import { type Cuttable, cutTo, shares } from './room.ts';

/** A part of a prompt, as it came out. */
export interface PromptBlock {
  /** Its kind; each file, skill and text of a provider is a part of its own. */
  readonly name: keyof PromptBudgets;
  /** For a person. */
  readonly title: string;
  /** As it stands in the prompt; empty where there is nothing. */
  readonly text: string;
  readonly tokens: number;
  /** The most that it may have in this window. */
  readonly maxTokens: number;
  /** `cut`: something is missing for want of room, and the text says how much. `blocked`: the scan keeps it from the model. */
  readonly state: 'whole' | 'cut' | 'blocked' | 'empty';
  /** The path of its file. */
  readonly source?: string;
  /** What the scan found in its file. */
  readonly findings: readonly PromptFinding[];
  /** What was taken out of its file beside that, for a person. */
  readonly remarks: readonly string[];
}

/** A system prompt. The same options give the same bytes. */
export interface AssembledPrompt {
  readonly text: string;
  /** In the order of the text. */
  readonly blocks: readonly PromptBlock[];
  readonly tokens: number;
  /** The most that the whole may have. */
  readonly maxTokens: number;
}

/**
 * Assembles a system prompt: identity, system message, memory, texts of providers, skills, files, date, platform. Each part has
 * a budget; together they have no more than a share of the window, and what is cut says how much is missing and where it stands.
 * What comes from files is data: it stands in a marked place that it cannot end, without credentials and what nobody sees; a
 * passage in which the scan is sure of an order is left out, and one that it doubts is marked. Pure, and free of a clock: keep
 * the text for a session, and assemble it anew with the next one or behind a compression. Throws `BAD_OPTION`.
 *
 * @example
 * import { assemblePrompt } from '@palimpsest/core/prompt';
 * const files = [{ path: 'AGENTS.md', text: 'Tests run with npm test.' }];
 * const prompt = assemblePrompt({ contextLength: 200_000, files, date: '2026-01-31' });
 * prompt.blocks.map(({ name, tokens, state }) => [name, tokens, state]);
 */
export function assemblePrompt(options: PromptOptions): AssembledPrompt {
  const { budgets, maxTokens } = basisOf(options);
  const { tokenizer = estimatingTokenizer('unknown') } = options;
  const count = (text: string): number => (text === '' ? 0 : tokenizer.count(text));
  const drafts = draftsOf(options, { budgets, count });
  // What stands between two parts is a token, or two where a count is an estimate.
  let room = maxTokens - 2 * drafts.length;
  for (;;) {
    const blocks = blocksOf(drafts, { budgets, count, room });
    const text = blocks.flatMap((one) => (one.text === '' ? [] : [one.text])).join('\n\n');
    const tokens = count(text);
    // A count of the whole may be more than the counts of its parts.
    if (tokens <= maxTokens || room <= 0) return { text, blocks, tokens, maxTokens };
    room -= Math.max(1, tokens - maxTokens);
  }
}

/**
 * Does what takes time in `assemblePrompt`, which is the scan of files, bit by bit, with a pause between: what runs beside it, such as a
 * terminal, is not held up. `assemblePrompt` with the same files is quick behind it. Throws `BAD_OPTION`.
 */
export async function scanAhead(options: PromptOptions, pause: () => Promise<void> = oneTick): Promise<void> {
  const { budgets } = basisOf(options);
  for (const name of ['skills', 'files'] as const) {
    for (const { text, isOwn } of options[name] ?? []) {
      if (isOwn) continue;
      await scanAheadOf(cleanLines(startOf(text, budgets[name]).start).lines, pause);
    }
  }
}

const oneTick = (): Promise<void> =>
  new Promise((resolve) => {
    platformTimers.after(0, resolve);
  });

/** How much there may be. @throws BAD_OPTION */
function basisOf(options: PromptOptions): { readonly budgets: PromptBudgets; readonly maxTokens: number } {
  checkPromptOptions(options);
  const { contextLength, maxShare = promptMaxShare } = options;
  const maxTokens = Math.floor(contextLength * maxShare);
  return { maxTokens, budgets: within({ ...promptBudgets, ...defined(options.budgets ?? {}) }, maxTokens) };
}

/** No part has more than there is for all. */
const within = (budgets: PromptBudgets, most: number): PromptBudgets => ({
  identity: Math.min(budgets.identity, most),
  system: Math.min(budgets.system, most),
  memory: Math.min(budgets.memory, most),
  provider: Math.min(budgets.provider, most),
  skills: Math.min(budgets.skills, most),
  files: Math.min(budgets.files, most),
  date: Math.min(budgets.date, most),
  platform: Math.min(budgets.platform, most),
});

/** A part before it has its room. */
interface Draft extends Cuttable {
  readonly name: keyof PromptBudgets;
  readonly title: string;
  readonly isBlocked: boolean;
  readonly findings: readonly PromptFinding[];
  readonly remarks: readonly string[];
  /** What it would have with room for all of it. */
  readonly need: number;
}

interface Drafting {
  readonly budgets: PromptBudgets;
  readonly count: (text: string) => number;
}

/** In the order of the prompt. */
function draftsOf(options: PromptOptions, drafting: Drafting): readonly Draft[] {
  const { identity, system, memory, provider = [], skills = [], files = [], date, platform } = options;
  const ofText = (name: keyof PromptBudgets, text: string | undefined, render = itself): Draft =>
    textDraft(name, { text, render }, drafting);
  const mostChars = drafting.budgets.provider * mostCharsOfToken;
  const providerDraft = (text: string): Draft => ofText('provider', cleaned(redact(text), mostChars).text, fence);
  return [
    identity === undefined ? ofText('identity', defaultIdentity) : identityFile(identity, drafting),
    ofText('system', system),
    ofText('memory', memory, fence),
    ...(provider.length === 0 ? [ofText('provider', undefined)] : provider.map(providerDraft)),
    ...(skills.length === 0
      ? [ofText('skills', undefined)]
      : skills.map((file) => folderFile('skills', file, drafting))),
    ...(files.length === 0 ? [ofText('files', undefined)] : files.map((file) => folderFile('files', file, drafting))),
    ofText('date', date && dayText(date)),
    ofText('platform', platform),
  ];
}

const itself = (text: string): string => text;

const defaultIdentity =
  'You are a careful assistant who works for one person. Do what they ask, no more and no less. Say what you did and what you found, in their language; say so when you do not know, and when something went wrong.';

const dayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The same for the whole day, and honest on the days after it. */
const dayText = (day: string): string =>
  `This session began on ${dayNames[new Date(day).getUTCDay()] ?? ''}, ${day}. It may be a later day by now.`;

const titles: Readonly<Record<keyof PromptBudgets, string>> = {
  identity: 'identity',
  system: 'system message',
  memory: 'memory',
  provider: 'memory provider',
  skills: 'skills',
  files: 'project files',
  date: 'date',
  platform: 'platform',
};

interface Given {
  readonly text: string | undefined;
  readonly render: (text: string) => string;
}

function textDraft(name: keyof PromptBudgets, { text = '', render }: Given, drafting: Drafting): Draft {
  const lines = linesOf(text.trim());
  const nothing = { isBlocked: false, findings: [], remarks: [], unreadLines: 0, unreadBytes: 0, source: undefined };
  return withNeed({ ...nothing, name, title: titles[name], lines, render, count: drafting.count }, drafting);
}

const linesOf = (text: string): readonly Line[] =>
  text === '' ? [] : text.split('\n').map((line, at) => ({ text: line, number: at + 1 }));

function identityFile(file: PromptFile, drafting: Drafting): Draft {
  const draft = ownFile('identity', file, drafting);
  if (draft.lines.length > 0) return draft;
  const { remarks } = draft;
  return { ...textDraft('identity', { text: defaultIdentity, render: itself }, drafting), remarks };
}

/** The person's own file: nothing of it is doubted. */
function ownFile(name: keyof PromptBudgets, { path, text, unreadBytes = 0 }: PromptFile, drafting: Drafting): Draft {
  const { start, unreadLines } = startOf(text, drafting.budgets[name]);
  const { lines, remarks } = cleanLines(start, { keepsComments: true });
  const about = { name, title: nameOf(path), source: path, isBlocked: false, findings: [] };
  return withNeed(
    { ...about, lines, remarks, unreadLines, unreadBytes, render: itself, count: drafting.count },
    drafting,
  );
}

function folderFile(name: 'skills' | 'files', file: PromptFile, drafting: Drafting): Draft {
  const { path, text, unreadBytes = 0, isTrusted, isOwn } = file;
  // A skill of others may have been put among the person's own.
  if (isOwn) return { ...ownFile(name, file, drafting), render: disarmed };
  const { start, unreadLines } = startOf(text, drafting.budgets[name]);
  const clean = cleanLines(start);
  const { lines, findings, isBlocked } = scannedLines(clean.lines, isTrusted);
  const render = (shown: string): string => inFolderFence(path, shown);
  const about = { name, title: nameOf(path), source: path, findings, isBlocked, remarks: clean.remarks };
  if (isBlocked)
    return withNeed(
      {
        ...about,
        lines: linesOf(blockedText(path, findings)),
        render: itself,
        ...nothingUnread,
        count: drafting.count,
      },
      drafting,
    );
  return withNeed({ ...about, lines, render, unreadLines, unreadBytes, count: drafting.count }, drafting);
}

const nothingUnread = { unreadLines: 0, unreadBytes: 0 } as const;

const nameOf = (path: string): string => path.split(/[\\/]/).findLast(Boolean) ?? path;

/** What stands for a file that is kept from the model. */
function blockedText(path: string, findings: readonly PromptFinding[]): string {
  const [first] = findings.filter(({ became }) => became === 'left out');
  const place = first?.lines ? ` (line ${first.lines})` : '';
  return `[${asAttribute(path)} is not shown, because of what the scan found in it: ${first?.what ?? ''}${place}. Tell the person, who can look at the file.]`;
}

/** More characters than a usual text has of a token: what stands behind is never looked at, for a scan takes its time. */
const mostCharsOfToken = 6;

/** The beginning of a text, in whole lines where there are some, and how many lines stand behind it. */
function startOf(text: string, maxTokens: number): { readonly start: string; readonly unreadLines: number } {
  const most = maxTokens * mostCharsOfToken;
  if (text.length <= most) return { start: text, unreadLines: 0 };
  const end = text.lastIndexOf('\n', most);
  const start = text.slice(0, end > 0 ? end : most);
  let unreadLines = 1;
  for (let at = text.indexOf('\n', start.length + 1); at >= 0; at = text.indexOf('\n', at + 1)) unreadLines++;
  return { start, unreadLines };
}

function withNeed(draft: Omit<Draft, 'need'>, { budgets }: Drafting): Draft {
  const { lines, render, unreadLines, unreadBytes, count } = draft;
  if (lines.length === 0 && unreadBytes === 0) return { ...draft, need: 0 };
  const isWhole = unreadLines === 0 && unreadBytes === 0;
  const need = isWhole ? count(render(lines.map(({ text }) => text).join('\n'))) : budgets[draft.name];
  return { ...draft, need };
}

interface Placing extends Drafting {
  /** Tokens for all parts. */
  readonly room: number;
}

/** The parts in their room: first each kind gets its share, then each part of a kind. */
function blocksOf(drafts: readonly Draft[], { budgets, count, room }: Placing): readonly PromptBlock[] {
  const kinds = [...Map.groupBy(drafts, ({ name }) => name)];
  const needs = kinds.map(([name, parts]) =>
    Math.min(
      budgets[name],
      parts.reduce((sum, { need }) => sum + need, 0),
    ),
  );
  const given = shares(needs, room);
  return kinds.flatMap(([name, parts], at) => {
    const own = shares(
      parts.map(({ need }) => need),
      given[at] ?? 0,
    );
    const most = Math.min(budgets[name], room);
    return parts.map((draft, i) => blockOf(draft, { room: own[i] ?? 0, most, count }));
  });
}

interface BlockRoom extends Pick<Drafting, 'count'> {
  readonly room: number;
  /** With which it would not be cut. */
  readonly most: number;
}

function blockOf(draft: Draft, { room, most, count }: BlockRoom): PromptBlock {
  const { name, title, source, findings, remarks, need, isBlocked } = draft;
  const about = { name, title, ...defined({ source }), findings, remarks };
  if (need === 0) return { ...about, text: '', tokens: 0, maxTokens: most, state: 'empty' };
  const { text, isCut } = cutTo(draft, room);
  const state = isBlocked ? 'blocked' : isCut ? 'cut' : 'whole';
  return { ...about, text, tokens: count(text), maxTokens: need > room ? room : most, state };
}
