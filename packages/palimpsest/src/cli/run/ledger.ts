/** `palimpsest ledger`: the facts of a conversation, or the handoff that they give. */
import {
  type Action,
  type Ask,
  type ErrorFact,
  focusOn,
  type Ledger,
  type LedgerFacts,
  ledgerOf,
} from '@palimpsest/core/engine';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type InputFlags, type LoadedConversation, loadConversation } from '../load.ts';
import { loadSettings } from '../load-settings.ts';
import { glyph, type Screen, styled } from '../render/screen.ts';
import { oneLine, shortPath, thousands, visible } from '../render/text.ts';
import { clip } from '../render/width.ts';
import { type Terminal, writeJson, writeNotes, writePieces, writeResult } from '../terminal.ts';
import { tokenCountOf } from '../token-count.ts';
import { type Measure, type ModelFlags, measureFor } from '../window.ts';

interface LedgerFlags extends InputFlags, Pick<ModelFlags, 'model'> {
  readonly budget?: string;
  readonly focus?: string;
  readonly template?: 'handoff' | 'progress' | 'brief';
  readonly all?: boolean;
}

/** Entries of a section that a person reads without scrolling far. */
const mostEntries = 12;

interface Target {
  readonly ledger: Ledger;
  readonly loaded: LoadedConversation;
  readonly measure: Measure;
  readonly notes: readonly string[];
  readonly terminal: Terminal;
}

export async function runLedger(file: string | undefined, flags: LedgerFlags, terminal: Terminal): Promise<ExitCode> {
  const budgetTokens = flags.budget === undefined ? undefined : tokenCountOf('--budget', flags.budget);
  const settings = await loadSettings(terminal);
  const loaded = await loadConversation(file, flags, { terminal });
  const measure = await measureFor(loaded, flags);
  const ledger = ledgerOf(loaded.messages, { count: (text) => measure.tokenizer.count(text) });
  const target = { ledger, loaded, measure, notes: [...settings.notes, ...loaded.notes], terminal };
  const configured = settings.config.compression.summary.template;
  const template = flags.template ?? (typeof configured === 'string' ? configured : undefined);
  if (budgetTokens !== undefined) await printHandoff(target, { ...flags, budgetTokens, template });
  else await printFacts(target, flags);
  return exitCodes.fine;
}

async function printHandoff(
  { ledger, loaded, measure, notes, terminal }: Target,
  flags: Omit<LedgerFlags, 'template'> & { readonly budgetTokens: number; readonly template: string | undefined },
): Promise<void> {
  const { budgetTokens, focus, template } = flags;
  const handoff = ledger.handoff({
    budgetTokens,
    ...(focus ? { focusTopic: focus } : {}),
    ...(template === undefined ? {} : { template }),
  });
  if (flags.json) {
    await writeJson(terminal.stdout, { command: 'ledger', input: inputOf(loaded), budgetTokens, handoff, notes });
    return;
  }
  const size = `${thousands(handoff.tokens)} tokens of ${thousands(budgetTokens)}, by ${measure.tokenizer.name}`;
  await writeNotes(terminal, [...notes, size], flags);
  const text = terminal.stdout.isTTY ? visible(handoff.body) : handoff.body;
  await writePieces(terminal.stdout, [`${text}\n`]);
}

async function printFacts({ ledger, loaded, notes, terminal }: Target, flags: LedgerFlags): Promise<void> {
  const facts = ledger.facts();
  const most = flags.all ? {} : { most: mostEntries };
  const focus = flags.focus ? { focus: flags.focus } : {};
  const json = (): object => ({ command: 'ledger', input: inputOf(loaded), facts });
  await writeResult(
    { json, notes, lines: (screen) => ledgerReport(facts, { screen, ...most, ...focus }) },
    flags,
    terminal,
  );
}

const inputOf = ({ label, format, index, messages }: LoadedConversation): object => ({
  file: label,
  format,
  conversation: index + 1,
  messages: messages.length,
});

// The facts of a conversation in sections, for a person.

interface LedgerReportOptions {
  readonly screen: Screen;
  /** Most entries of a section, the newest; undefined for all. */
  readonly most?: number;
  /** Entries about this topic come last, where they are seen first. */
  readonly focus?: string;
}

interface Line {
  readonly ref: string;
  readonly text: string;
}

/** Sections without entries are left out. */
function ledgerReport(facts: LedgerFacts, options: LedgerReportOptions): readonly string[] {
  const { screen } = options;
  const sections = sectionsOf(facts, glyph(screen, '→', '->'));
  const shown = sections.filter(([, lines]) => lines.length > 0);
  if (shown.length === 0) return ['No facts: the conversation has no requests and no tool calls.'];
  return shown.flatMap(([title, lines], index) => [
    ...(index === 0 ? [] : ['']),
    ...sectionLines(`${title} (${thousands(lines.length)})`, focused(lines, options.focus), options),
  ]);
}

type Section = readonly [title: string, lines: readonly Line[]];

function sectionsOf(facts: LedgerFacts, arrow: string): readonly Section[] {
  const { asks, directives, actions, files, errors, decisions, sideEffects, plan } = facts;
  return [
    ['Asks', asks.map((ask) => line(ask.ref, askText(ask, arrow)))],
    ['System messages', directives.map(({ ref, text }) => line(ref, text))],
    ['Actions', actions.map((action) => line(action.ref, actionText(action)))],
    ['Files', files.map((file) => line(file.ref, `${shortPath(file.path)}  ${file.state}, ${times(file.touches)}`))],
    ['Errors and fixes', errors.map((error) => line(error.ref, errorText(error, arrow)))],
    ['Decisions', decisions.map(({ ref, by, text }) => line(ref, `${by}: ${text}`))],
    ['Side effects', sideEffects.map(({ ref, tool, target, ok }) => line(ref, `${tool} ${target}${outcomeText(ok)}`))],
    ['Plan', plan?.entries.map(({ text, state }) => line(plan.ref, `${state}: ${text}`)) ?? []],
  ];
}

const times = (count: number): string => (count === 1 ? 'once' : `${thousands(count)} times`);

function askText({ type, text, answer }: Ask, arrow: string): string {
  const kind = type === 'request' ? '' : `(${type}) `;
  return `${kind}${text || '(attachments only)'}${answer ? `  ${arrow} ${answer.ref}` : ''}`;
}

function errorText({ tool, target, line: first, fixed }: ErrorFact, arrow: string): string {
  const by = fixed && fixed.by.length > 0 ? ` (${fixed.by.join(', ')})` : '';
  return `${tool} ${shortPath(target)}: ${first}${fixed ? `  ${arrow} fixed in ${fixed.ref}${by}` : '  (open)'}`;
}

const line = (ref: string, text: string): Line => ({ ref, text: oneLine(text) });

function actionText({ tool, target, ok, exitCode, firstErrorLine }: Action): string {
  const code = exitCode === undefined || exitCode === 0 ? '' : ` (exit ${exitCode})`;
  return `${tool} ${shortPath(target)}${outcomeText(ok)}${code}${firstErrorLine ? `: ${firstErrorLine}` : ''}`;
}

const outcomeText = (ok: boolean | undefined): string => (ok === undefined ? '' : ok ? '  ok' : '  failed');

function sectionLines(title: string, lines: readonly Line[], { screen, most }: LedgerReportOptions): readonly string[] {
  const isCut = most !== undefined && lines.length > most;
  const shown = isCut ? lines.slice(-most) : lines;
  const width = Math.max(...shown.map(({ ref }) => ref.length));
  const rest = isCut ? [styled(`  ${thousands(lines.length - most)} earlier: --all shows them`, 'dim', screen)] : [];
  const rows = shown.map(({ ref, text }) => {
    const room = screen.columns - width - 4;
    return `  ${styled(ref.padEnd(width), 'cyan', screen)}  ${clip(text, room, glyph(screen, '…', '~'))}`;
  });
  return [styled(title, 'bold', screen), ...rest, ...rows];
}

/** Those about the topic last: there they are shown where a section is cut, and stand nearest to the prompt. */
function focused(lines: readonly Line[], topic: string | undefined): readonly Line[] {
  if (!topic) return lines;
  const isAbout = focusOn(topic);
  const { true: about = [], false: others = [] } = Object.groupBy(lines, ({ text }) => `${isAbout(text)}`);
  return [...others, ...about];
}
