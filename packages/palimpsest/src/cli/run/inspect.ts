/** `palimpsest inspect`: what is in a transcript. */
import { messageTokens } from '@palimpsest/core';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type Inspection, inspectionOf } from '../inspection.ts';
import { type InputFlags, loadConversation } from '../load.ts';
import { inspectionReport } from '../render/inspection-report.ts';
import { type Terminal, writeResult } from '../terminal.ts';
import { type ModelFlags, measureFor } from '../window.ts';

export interface InspectFlags extends InputFlags, ModelFlags {
  readonly strict?: boolean;
}

export async function runInspect(file: string | undefined, flags: InspectFlags, terminal: Terminal): Promise<ExitCode> {
  const loaded = await loadConversation(file, flags, { terminal });
  const measure = await measureFor(loaded, flags);
  const { tokenizer, window, toolTokens, model } = measure;
  const inspection = inspectionOf(loaded, { tokensOf: (message) => messageTokens(message, tokenizer) });
  const notes = [...loaded.notes, ...measure.notes];
  const { label, title, format } = loaded;
  const number = loaded.index + 1;
  const report = { inspection, title, format, number, model, window, toolTokens, tokenizer };
  const json = (): object => {
    const input = { file: label, format, conversation: number, id: loaded.transcript.id ?? null };
    const { name, exact } = tokenizer;
    const about = { model: model ?? null, window, toolTokens, tokenizer: { name, exact } };
    return { command: 'inspect', input, ...about, ...inspection };
  };
  await writeResult({ json, notes, lines: (screen) => inspectionReport(report, screen) }, flags, terminal);
  return flags.strict && hasFindings(inspection) ? exitCodes.finding : exitCodes.fine;
}

/** What `--strict` fails on; remarks that cost nothing are none. */
const hasFindings = ({ invalid, findings }: Inspection): boolean =>
  invalid.length > 0 || findings.some(({ level }) => level === 'skipped');
