/** `palimpsest sessions compress`: a conversation of the store goes on in a smaller session. */
import type { Message } from '@palimpsest/core';
import type { Session, SessionCompression, Store } from '@palimpsest/core/store';
import type { ExitCode } from '../exit-codes.ts';
import { findSession, sessionTitle } from '../find-session.ts';
import { openStoreFor, type StoreFlags } from '../open-store.ts';
import { compressStored } from '../plugins/compress-with-engine.ts';
import { containPlugins } from '../plugins/containment.ts';
import { heardSettings } from '../plugins/heard-settings.ts';
import {
  type EngineFacts,
  type EngineFlags,
  engineDocument,
  refuseUnheard,
  runEngineFor,
  warningOf,
  writerNotes,
} from '../plugins/run-engine.ts';
import { compressionReport } from '../render/compression-report.ts';
import { visible } from '../render/text.ts';
import { stdoutScreen, type Terminal, writeJson, writeNotes, writeReport } from '../terminal.ts';
import { type Measure, measureFor } from '../window.ts';
import { chooseWriter } from '../writer/choose-writer.ts';
import type { Writer } from '../writer/load-writer.ts';
import { modelDocument } from '../writer/summary-facts.ts';
import { modelFlags, type Typed, type WritingFlags, writerFor } from '../writer/writer-for.ts';
import { exitCodeFor, fillNotes } from './compress.ts';

export interface SessionsCompressFlags extends StoreFlags, WritingFlags, EngineFlags {
  readonly focus?: string;
  readonly template?: 'handoff' | 'progress' | 'brief';
}

/** Everything that is known once the compression is done, or was held back by a hook. */
interface Done extends SessionCompression {
  readonly before: Session;
  readonly title: string;
  readonly messages: readonly Message[];
  readonly measure: Measure;
  readonly engine: EngineFacts;
  readonly notes: readonly string[];
}

export async function runSessionsCompress(
  wanted: string,
  typed: Typed<SessionsCompressFlags>,
  terminal: Terminal,
): Promise<ExitCode> {
  const { model: _model, ...others } = typed;
  const flags: SessionsCompressFlags = { ...others, ...modelFlags(typed) };
  const { store, notes } = await openStoreFor(flags, terminal);
  await using opened = store;
  const before = await findSession(opened, wanted);
  const done = await compressed(opened, { before, flags, terminal, notes });
  if (flags.json) await writeJson(terminal.stdout, documentOf(done));
  else await report(done, flags, terminal);
  return exitCodeFor(done.result);
}

interface Wanted {
  readonly before: Session;
  readonly flags: SessionsCompressFlags;
  readonly terminal: Terminal;
  readonly notes: readonly string[];
}

async function compressed(store: Store, { before, flags, terminal, notes }: Wanted): Promise<Done> {
  const heard = await heardSettings(terminal);
  const settings = heard.all;
  const choice = chooseWriter(flags, { settings, own: heard.own });
  const messages = (await store.messages.view(before.id)).map(({ message }) => message);
  const measure = await measureFor({ messages, transcript: before }, flags);
  using containment = containPlugins(terminal, flags);
  const engine = await runEngineFor(flags, { heard, measure, terminal, containment });
  refuseUnheard(flags, engine);
  const writer = (): Promise<Writer | undefined> => writerFor(choice, { flags, settings, terminal });
  const work = { flags, terminal, heard, writer, messages, measure, engine };
  const done = await compressStored(work, { store, session: before });
  const said = [...notes, ...heard.notes, ...settings.notes, ...measure.notes, ...done.notes, ...engine.notices];
  const known = { before, messages, measure, title: await sessionTitle(store, done.session.id) };
  if (done.veto !== undefined) return { ...done, ...known, notes: [...said, ...warningOf(done.engine)] };
  const room = fillNotes(done.result, { flags, measure, engine: done.engine, config: settings.config.compression });
  return {
    ...done,
    ...known,
    notes: [...said, ...writerNotes(choice, done.engine), ...room, ...warningOf(done.engine)],
  };
}

async function report(done: Done, flags: SessionsCompressFlags, terminal: Terminal): Promise<void> {
  const { session, before, result, messages, measure, engine, notes } = done;
  await writeNotes(terminal, notes, flags);
  if (done.veto !== undefined) return writeReport(terminal, [visible(result.reason)], flags);
  const next: (readonly [string, string])[] =
    session.id === before.id
      ? []
      : [
          [`palimpsest sessions show ${session.id} --messages`, 'show what the model sees now'],
          [`palimpsest sessions export ${session.id} --view`, 'write the smaller conversation, to continue with'],
          [`palimpsest sessions export ${session.id}`, 'everything that was said'],
        ];
  const title = done.title || session.id;
  const { window, toolTokens } = measure;
  const facts = { result, messages, title, window, toolTokens, engine: engine.name, next };
  await writeReport(terminal, compressionReport(facts, stdoutScreen(terminal, flags)), flags);
}

/** The document of `--json`; docs/guide/sessions.md describes it. */
function documentOf({ session, title, before, result, measure, engine, veto, notes }: Done): unknown {
  const { messages: _messages, handoff, summary: _summary, failure: _failure, ...outcome } = result;
  return {
    command: 'sessions compress',
    session: {
      id: session.id,
      rootId: session.rootId,
      parentId: session.parentId ?? null,
      before: before.id,
      title: title || null,
    },
    engine: engineDocument(engine),
    model: measure.model ?? null,
    window: measure.window,
    toolTokens: measure.toolTokens,
    ...outcome,
    ...(veto === undefined ? {} : { status: 'held_back' }),
    handoff: handoff ?? null,
    ...modelDocument(result),
    notes,
  };
}
