/** `palimpsest ledger`: the facts of a conversation, or the handoff that they give. */
import { type Ledger, ledgerOf } from '@palimpsest/core/engine';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type InputFlags, type LoadedConversation, loadConversation } from '../load.ts';
import { loadSettings } from '../load-settings.ts';
import { ledgerReport } from '../render/ledger-report.ts';
import { thousands, visible } from '../render/text.ts';
import { type Terminal, writeJson, writeNotes, writePieces, writeResult } from '../terminal.ts';
import { tokenCountOf } from '../token-count.ts';
import { type Measure, type ModelFlags, measureFor } from '../window.ts';

export interface LedgerFlags extends InputFlags, Pick<ModelFlags, 'model'> {
  readonly budget?: string;
  readonly focus?: string;
  readonly template?: string;
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
  const configured = settings.config.compression.template;
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
