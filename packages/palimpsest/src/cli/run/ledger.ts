/** `palimpsest ledger`: the facts of a conversation, or the handoff that they give. */
import { type Action, type ErrorFact, focusOn, type LedgerFacts, ledgerOf } from '@palimpsest/core/engine';
import { clip, glyph, type Screen, styled } from '../../terminal/screen.ts';
import type { Call } from '../commands/build.ts';
import { type InputFlags, inputDocument, loadConversation } from '../load.ts';
import { given, tokenCountOf } from '../option-values.ts';
import { roundsOf, storyLines } from '../render/story.ts';
import { linesOf, oneLine, shortPath, thousands } from '../render/text.ts';
import { loadSettings } from '../settings.ts';
import { shownText, writeJson, writeNotes, writePieces, writeResult } from '../terminal.ts';
import { measureFor } from '../window.ts';

interface LedgerFlags extends InputFlags {
  readonly model?: string;
  readonly budget?: string;
  readonly focus?: string;
  readonly template?: 'handoff' | 'progress' | 'brief';
  readonly all?: boolean;
}

export async function runLedger({ words: [file], flags, terminal }: Call<LedgerFlags>): Promise<void> {
  const { budget, focus } = flags;
  const budgetTokens = budget === undefined ? undefined : tokenCountOf('--budget', budget);
  const settings = await loadSettings(terminal);
  const loaded = await loadConversation(file, flags, { terminal });
  const { tokenizer } = await measureFor(loaded, flags);
  const ledger = ledgerOf(loaded.messages, { count: (text) => tokenizer.count(text) });
  const input = { ...inputDocument(loaded), messages: loaded.messages.length };
  const notes = [...settings.notes, ...loaded.notes];
  if (budgetTokens === undefined) {
    const facts = ledger.facts();
    const json = (): object => ({ command: 'ledger', input, facts });
    const handoff = terminal.json ? '' : ledger.handoff({ budgetTokens: storyTokens }).body;
    const lines = (screen: Screen): readonly string[] => ledgerReport({ facts, handoff }, flags, screen);
    return writeResult(terminal, { json, notes, lines });
  }
  const { template: configured } = settings.config.compression.summary;
  const template = flags.template ?? (typeof configured === 'string' ? configured : undefined);
  const handoff = ledger.handoff({ budgetTokens, ...given({ focusTopic: focus || undefined, template }) });
  if (terminal.json) return writeJson(terminal, { command: 'ledger', input, budgetTokens, handoff, notes });
  const size = `${thousands(handoff.tokens)} tokens of ${thousands(budgetTokens)}, by ${tokenizer.name}`;
  await writeNotes(terminal, [...notes, size]);
  await writePieces(terminal.stdout, [`${shownText(terminal, handoff.body)}\n`]);
}

/** Tokens of the handoff whose outcomes the story quotes: the more, the longer each is. */
const storyTokens = 8_000;

// The story of a conversation and its facts in sections, for a person.

interface Line {
  readonly ref: string;
  readonly text: string;
}

interface Read {
  readonly facts: LedgerFacts;
  readonly handoff: string;
}

/** Sections without entries are left out. */
function ledgerReport({ facts, handoff }: Read, flags: LedgerFlags, screen: Screen): readonly string[] {
  const sections = sectionsOf(facts, glyph(screen, '→', '->')).filter(([, lines]) => lines.length > 0);
  if (sections.length === 0 && facts.asks.length === 0)
    return ['No facts: the conversation has no requests and no tool calls.'];
  const rounds = roundsOf(facts, handoff);
  const most = flags.all ? rounds.length : mostEntries;
  const story = storyLines(rounds, { screen, most, rest: '--all shows them' });
  const tables = sections.flatMap(([title, lines], index) =>
    linesOf(
      (index > 0 || story.length > 0) && '',
      styled(`${title} (${thousands(lines.length)})`, 'bold', screen),
      sectionLines(focused(lines, flags.focus), flags.all ? lines.length : mostEntries, screen),
    ),
  );
  return [...story, ...tables];
}

function sectionsOf(facts: LedgerFacts, arrow: string): readonly (readonly [title: string, lines: readonly Line[]])[] {
  const { directives, actions, files, errors, decisions, sideEffects, plan } = facts;
  return [
    ['System messages', directives.map(({ ref, text }) => line(ref, text))],
    ['Actions', actions.map((action) => line(action.ref, actionText(action)))],
    ['Files', files.map((file) => line(file.ref, `${shortPath(file.path)}  ${file.state}, ${times(file.touches)}`))],
    ['Errors and fixes', errors.map((error) => line(error.ref, errorText(error, arrow)))],
    ['Decisions', decisions.map(({ ref, by, text }) => line(ref, `${by}: ${text}`))],
    ['Side effects', sideEffects.map(({ ref, tool, target, ok }) => line(ref, `${tool} ${target}${outcomeText(ok)}`))],
    ['Plan', plan?.entries.map(({ text, state }) => line(plan.ref, `${state}: ${text}`)) ?? []],
  ];
}

const line = (ref: string, text: string): Line => ({ ref, text: oneLine(text) });
const times = (count: number): string => (count === 1 ? 'once' : `${thousands(count)} times`);

function errorText({ tool, target, line: first, fixed }: ErrorFact, arrow: string): string {
  const by = fixed && fixed.by.length > 0 ? ` (${fixed.by.join(', ')})` : '';
  return `${tool} ${shortPath(target)}: ${first}${fixed ? `  ${arrow} fixed in ${fixed.ref}${by}` : '  (open)'}`;
}

function actionText({ tool, target, ok, exitCode, firstErrorLine }: Action): string {
  const code = exitCode === undefined || exitCode === 0 ? '' : ` (exit ${exitCode})`;
  return `${tool} ${shortPath(target)}${outcomeText(ok)}${code}${firstErrorLine ? `: ${firstErrorLine}` : ''}`;
}

const outcomeText = (ok: boolean | undefined): string => (ok === undefined ? '' : ok ? '  ok' : '  failed');

/** Entries of a section that a person reads without scrolling far. */
const mostEntries = 12;

/** The newest lines of a section. */
function sectionLines(lines: readonly Line[], most: number, screen: Screen): readonly string[] {
  const rest = lines.length - most;
  const shown = rest > 0 ? lines.slice(-most) : lines;
  const width = Math.max(...shown.map(({ ref }) => ref.length));
  const room = screen.columns - width - 4;
  const mark = glyph(screen, '…', '~');
  return linesOf(
    rest > 0 && styled(`  ${thousands(rest)} earlier: --all shows them`, 'dim', screen),
    shown.map(({ ref, text }) => `  ${styled(ref.padEnd(width), 'cyan', screen)}  ${clip(text, room, mark)}`),
  );
}

/** Those about the topic last: there they are shown where a section is cut, and stand nearest to the prompt. */
function focused(lines: readonly Line[], topic: string | undefined): readonly Line[] {
  if (!topic) return lines;
  const isAbout = focusOn(topic);
  const { true: about = [], false: others = [] } = Object.groupBy(lines, ({ text }) => `${isAbout(text)}`);
  return [...others, ...about];
}
