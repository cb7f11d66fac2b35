/** A compression on the command line with the hook commands of the configuration around it. */
import type { SessionCompression } from '../../compression/compress-session.ts';
import type { ConversationHooks } from '../../conversation/hooks.ts';
import { hooksFromConfig } from '../../hooks/hooks-from-config.ts';
import type { Session } from '../../store/session-store.ts';
import type { Terminal } from '../terminal.ts';
import { heardSettings } from './heard-settings.ts';

/** What the hooks are told of, and what is done between them. */
export interface HookedWork {
  readonly before: Session;
  /** Tokens of the conversation as it is. */
  readonly tokens: number;
  readonly work: () => Promise<SessionCompression>;
}

/** What came of it: without a result where a hook has held it back. */
export interface HookedCompression {
  readonly done: SessionCompression | undefined;
  readonly veto: string | undefined;
  readonly notes: readonly string[];
}

/** Throws what the work throws; never for what a hook does. */
export async function hooked(terminal: Terminal, { before, tokens, work }: HookedWork): Promise<HookedCompression> {
  const heard = await heardSettings(terminal);
  const notes = heard.notes.filter((note) => note.includes('hooks.'));
  const { cwd, env } = terminal;
  const hooks = hooksFromConfig(heard.hooks, { cwd, env, onNotice: (notice) => void notes.push(notice) });
  const start = { sessionId: before.id, tokens, isForced: false, inBackground: false };
  const { veto, keep } = (await hooks.onCompressionStart?.(start)) ?? {};
  if (veto !== undefined) return { done: undefined, veto, notes };
  if (keep !== undefined) notes.push('The text that a hook wants to keep is only used while a conversation runs.');
  const done = await work();
  await told(hooks, before, done);
  return { done, veto: undefined, notes };
}

async function told(hooks: ConversationHooks, before: Session, { session, result }: SessionCompression): Promise<void> {
  if (session.id === before.id) return;
  const sessions = { from: before.id, to: session.id };
  await hooks.onSessionContinue?.(sessions);
  const [tokensBefore, tokensAfter] = [result.before.total, result.after.total];
  await hooks.onCompressionEnd?.({ ...sessions, tokensBefore, tokensAfter, result });
}
