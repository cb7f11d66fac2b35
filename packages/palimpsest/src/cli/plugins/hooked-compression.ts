/** A compression on the command line with the hook commands of the configuration around it. */

import type { ContextCompression } from '@palimpsest/core';
import { keptText } from '@palimpsest/core/store';
import { hooksFromConfig } from '../../hooks/hooks-from-config.ts';
import type { Terminal } from '../terminal.ts';
import type { HeardSettings } from './heard-settings.ts';

/** What the hooks are told of, and what is done between them. */
export interface HookedWork<T> {
  readonly heard: HeardSettings;
  readonly sessionId: string;
  /** Of what is no session. */
  readonly file?: string;
  /** Tokens of the conversation as it is. */
  readonly tokens: number;
  /** `kept` is what the context is to begin with; null where no hook wants anything. */
  readonly work: (kept: string | null) => Promise<T>;
  /** What the hooks are told in the end; undefined where nothing was compressed. */
  readonly endOf: (done: T) => ContextCompression | undefined;
}

/** What came of it: without a result where a hook has held it back. */
export interface HookedCompression<T> {
  readonly done: T | undefined;
  readonly veto: string | undefined;
  readonly notes: readonly string[];
}

/** Throws what the work throws; never for what a hook does. */
export async function hooked<T>(
  { cwd, env }: Terminal,
  { heard, sessionId, file, tokens, work, endOf }: HookedWork<T>,
): Promise<HookedCompression<T>> {
  const notes: string[] = [];
  const hooks = hooksFromConfig(heard.hooks, { cwd, env, onNotice: (notice) => void notes.push(notice) });
  const what = file === undefined ? {} : { file };
  const start = { sessionId, tokens, isForced: false, inBackground: false, ...what };
  const { veto, keep } = (await hooks.onCompressionStart?.(start)) ?? {};
  if (veto !== undefined) return { done: undefined, veto, notes };
  const done = await work(keptText(keep));
  const end = endOf(done);
  if (end) {
    const { from, to } = end;
    if (from !== to) await hooks.onSessionContinue?.({ from, to });
    await hooks.onCompressionEnd?.({ ...end, ...what });
  }
  return { done, veto: undefined, notes };
}
