/** Has an engine of others make a list smaller, held to everything that ours is held to. */
import type { CompressionConfig, Message } from '@palimpsest/core';
import { badPlugin, type ContextEngine, type Entry, repairedEntries, type SessionStart } from '@palimpsest/core/engine';
import { interruptible } from '../interruption.ts';
import { progressWait } from '../progress.ts';
import type { GlobalFlags, Terminal } from '../terminal.ts';
import { type Measure, tokensOfAll } from '../window.ts';
import type { EngineMaker, RunEngine } from './run-engine.ts';

/** For whom the engine works, and what it is told. */
export interface EngineWork {
  readonly engine: RunEngine;
  readonly sessionId: string;
  readonly reason: SessionStart['reason'];
  readonly config: CompressionConfig;
  readonly measure: Measure;
  /** Tokens of the window that are not the list's. */
  readonly reservedTokens: number;
  readonly focusTopic: string | undefined;
  readonly terminal: Terminal;
  readonly flags: GlobalFlags;
}

/** What the engine was given and what it gave back. */
export interface EngineList {
  readonly engine: ContextEngine<Message>;
  /** The messages as providers accept them, each with its index in the list that came in. */
  readonly input: readonly Entry[];
  /** Of `input` what stays, in its very objects, and what the engine wrote. */
  readonly list: readonly Message[];
  readonly isChanged: boolean;
}

/**
 * Throws `BAD_PLUGIN` where the engine fails, or its list is no smaller, not valid, without the newest request, or larger
 * than the window; `INTERRUPTED` after Ctrl-C.
 */
export async function engineList(
  make: EngineMaker,
  messages: readonly Message[],
  work: EngineWork,
): Promise<EngineList> {
  const { engine: run, terminal, flags, config } = work;
  const { name } = run.chosen;
  const input = repairedEntries(messages, { unanswered: config.orphanCalls });
  const given = input.map(({ message }) => message);
  const compressed = async (signal: AbortSignal): Promise<EngineList> => {
    const engine = make(work.sessionId);
    const list = await smaller(engine, given, { ...work, signal });
    requireRoom(name, list, work);
    return { engine, input, list, isChanged: list !== given };
  };
  const end = progressWait(terminal, `the engine "${name}" compresses`, flags);
  try {
    return await interruptible(
      terminal,
      (signal) => run.containment.run({ name, limitMs: run.limitMs }, () => compressed(signal)),
      'interrupted: nothing was changed',
    );
  } finally {
    end();
  }
}

async function smaller(
  engine: ContextEngine<Message>,
  given: readonly Message[],
  { sessionId, reason, measure, focusTopic, signal }: EngineWork & { readonly signal: AbortSignal },
): Promise<readonly Message[]> {
  const { model, window, toolTokens } = measure;
  engine.updateModel({ model: model ?? '', contextLength: window.tokens });
  await engine.onSessionStart(sessionId, { reason, ...(model === undefined ? {} : { model }) });
  if (!engine.hasContentToCompress(given)) return given;
  return engine.compress(given, {
    currentTokens: tokensOfAll(given, measure) + toolTokens,
    force: true,
    signal,
    ...(focusTopic === undefined ? {} : { focusTopic }),
  });
}

/** Invariant 5. */
function requireRoom(name: string, list: readonly Message[], { measure, reservedTokens }: EngineWork): void {
  const room = measure.window.tokens - reservedTokens;
  const tokens = tokensOfAll(list, measure);
  if (tokens <= room) return;
  throw badPlugin(
    `The context engine "${name}" failed in compress (its list has ${tokens} tokens, and the window has room for ${room})`,
  );
}
