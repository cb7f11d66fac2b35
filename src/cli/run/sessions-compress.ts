/** `palimpsest sessions compress`: a conversation of the store goes on in a smaller session. */
import { compressSession, type SessionCompression } from '../../compression/compress-session.ts';
import { redact } from '../../redaction/redact.ts';
import type { Session } from '../../store/session-store.ts';
import type { Store } from '../../store/store.ts';
import { parseTokenCount } from '../../tokens/models.ts';
import type { Message } from '../../transcript/message.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { interruptible } from '../interruption.ts';
import { loadOwnSettings, loadSettings } from '../load-settings.ts';
import { openStoreFor, type StoreFlags } from '../open-store.ts';
import { hooked } from '../plugins/hooked-compression.ts';
import { compressionReport } from '../render/compression-report.ts';
import { oneLine, visible } from '../render/text.ts';
import { findSession } from '../sessions/find-session.ts';
import { stdoutScreen, type Terminal, writeJson, writeLines, writeNotes } from '../terminal.ts';
import { type Measure, measureFor, tokensOfAll } from '../window.ts';
import { chooseWriter } from '../writer/choose-writer.ts';
import { modelDocument } from '../writer/summary-facts.ts';
import { summaryProgress } from '../writer/summary-progress.ts';
import { countedBy, expectedTokens, type WritingFlags, writerFor } from '../writer/writer-for.ts';
import { exitCodeFor } from './compress.ts';

export interface SessionsCompressFlags extends StoreFlags, WritingFlags {
  readonly focus?: string;
  readonly template?: string;
  readonly json?: boolean;
}

/** Everything that is known once the compression is done. */
interface Done extends SessionCompression {
  readonly type: 'done';
  readonly before: Session;
  readonly messages: readonly Message[];
  readonly measure: Measure;
  readonly notes: readonly string[];
}

/** A hook did not want it. */
interface HeldBack {
  readonly type: 'held_back';
  readonly veto: string;
  readonly before: Session;
  readonly notes: readonly string[];
}

export async function runSessionsCompress(
  wanted: string,
  flags: SessionsCompressFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const { store, notes } = await openStoreFor(flags, terminal, { mustExist: true });
  await using opened = store;
  const before = await findSession(opened, wanted);
  const done = await compressed(opened, { before, flags, terminal, notes });
  if (done.type === 'held_back') return heldBack(done, flags, terminal);
  if (flags.json) await writeJson(terminal.stdout, documentOf(done));
  else await report(done, flags, terminal);
  return exitCodeFor(done.result);
}

/** A hook had a reason; the conversation is as it was. */
async function heldBack(
  { veto, before, notes }: HeldBack,
  flags: SessionsCompressFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const reason = redact(oneLine(veto));
  if (flags.json) {
    const session = { id: before.id, rootId: before.rootId, parentId: before.parentId ?? null, before: before.id };
    await writeJson(terminal.stdout, { command: 'sessions compress', session, status: 'held_back', reason, notes });
    return exitCodes.finding;
  }
  await writeNotes(terminal, notes, flags);
  await writeLines(terminal.stdout, [`A hook has held the compression back: ${visible(reason)}`]);
  return exitCodes.finding;
}

interface Wanted {
  readonly before: Session;
  readonly flags: SessionsCompressFlags;
  readonly terminal: Terminal;
  readonly notes: readonly string[];
}

async function compressed(store: Store, { before, flags, terminal, notes }: Wanted): Promise<Done | HeldBack> {
  const settings = await loadSettings(terminal);
  const choice = chooseWriter(flags, { settings, own: await loadOwnSettings(terminal) });
  const writer = await writerFor(choice, { flags, settings, terminal });
  const messages = (await store.messages.view(before.id)).map(({ message }) => message);
  const measure = await measureFor({ messages, transcript: before }, countedBy(flags));
  const progress = writer
    ? summaryProgress(terminal, {
        flags,
        addresses: writer.addresses,
        outputTokens: expectedTokens(messages, { flags, settings, measure }),
      })
    : undefined;
  const work = (): Promise<SessionCompression> =>
    interruptible(terminal, (signal) =>
      compressSession(store, before.id, {
        tokenizer: measure.tokenizer,
        contextLength: measure.window.tokens,
        config: settings.config.compression,
        owner: 'palimpsest sessions compress',
        signal,
        ...(flags.target === undefined ? {} : { targetTokens: parseTokenCount(flags.target) }),
        ...(flags.focus ? { focusTopic: flags.focus } : {}),
        ...(flags.template ? { template: flags.template } : {}),
        ...(writer ? { summarizer: writer.first } : {}),
        ...(writer?.fallback ? { fallbackSummarizer: writer.fallback } : {}),
        ...(progress ? { onSummaryProgress: progress.hear } : {}),
      }),
    );
  try {
    const outcome = await hooked(terminal, { before, tokens: tokensOfAll(messages, measure), work });
    const all = [...notes, ...choice.notes, ...settings.notes, ...measure.notes, ...outcome.notes];
    const { done, veto = '' } = outcome;
    if (!done) return { type: 'held_back', veto, before, notes: all };
    return { type: 'done', ...done, before, messages, measure, notes: all };
  } finally {
    progress?.end();
  }
}

async function report(done: Done, flags: SessionsCompressFlags, terminal: Terminal): Promise<void> {
  const { session, before, result, messages, measure, notes } = done;
  await writeNotes(terminal, notes, flags);
  const next: (readonly [string, string])[] =
    session.id === before.id
      ? []
      : [
          [`palimpsest sessions show ${session.id} --messages`, 'what its model sees now'],
          [`palimpsest sessions export ${session.id} --view`, 'the smaller list, to go on with'],
          [`palimpsest sessions export ${session.id}`, 'everything that was said'],
        ];
  const title = redact(session.title ?? session.id);
  const facts = { result, messages, title, window: measure.window, toolTokens: measure.toolTokens, next };
  await writeLines(terminal.stdout, compressionReport(facts, stdoutScreen(terminal, flags)));
}

/** The document of `--json`; docs/guide/sessions.md describes it. */
function documentOf({ session, before, result, measure, notes }: Done): unknown {
  const { messages: _messages, handoff, summary: _summary, failure: _failure, ...outcome } = result;
  return {
    command: 'sessions compress',
    session: { id: session.id, rootId: session.rootId, parentId: session.parentId ?? null, before: before.id },
    model: measure.model ?? null,
    window: measure.window,
    ...outcome,
    handoff: handoff ?? null,
    ...modelDocument(result),
    notes,
  };
}
