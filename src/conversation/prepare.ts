/** ★ Before a model call: the conversation is found, brought up to date, and fitted into the window. */
import { checkMessages } from '../compression/options.ts';
import type { RecoveryState } from '../provider/errors/recovery-state.ts';
import { PalimpsestError } from '../shared/errors.ts';
import { fit } from './fit.ts';
import { follow } from './follow.ts';
import { type LiveConversation, promptsIn } from './live.ts';
import type { ContextCompression, ContextRequest, PreparedContext } from './request.ts';
import type { Asked, Runtime } from './runtime.ts';
import { rollingHashes } from './said.ts';
import { saveState } from './save-state.ts';
import { frameOf } from './size.ts';
import { without } from './strip.ts';
import { inTurn } from './turns.ts';

export async function prepare(runtime: Runtime, request: ContextRequest): Promise<PreparedContext> {
  const asked = askedFor(runtime, request);
  return inTurn(runtime, asked, async (turn) => {
    const live = await follow(runtime, asked, turn);
    return contextFor(runtime, live, { asked });
  });
}

/** What a context is made for. */
export interface Wished {
  readonly asked: Asked;
  /** The compression that led to it. */
  readonly compression?: Omit<ContextCompression, 'tokensAfter'>;
  /** Set for a retry. */
  readonly recovery?: RecoveryState;
}

/** The context of a conversation that holds everything the client has said. */
export async function contextFor(
  runtime: Runtime,
  live: LiveConversation,
  { asked, compression, recovery }: Wished,
): Promise<PreparedContext> {
  const fitted = await fit(runtime, live, asked);
  await saveState(runtime, live);
  const { size } = fitted;
  const before = compression ? { ...compression, to: live.session.id } : fitted.compression;
  const done = before && { ...fitted.compression, ...before, tokensAfter: size.tokens };
  const prepared: PreparedContext = {
    sessionId: live.session.id,
    messages: recovery ? without(fitted.messages, recovery.stripped) : fitted.messages,
    size,
    ...(recovery?.maxTokens ? { maxTokens: recovery.maxTokens } : {}),
    ...(done ? { compression: done } : {}),
    notices: [...asked.notices],
  };
  const { prompts, tools } = asked;
  const sent = { size: live.view.length, last: live.view.at(-1)?.id ?? '', frame: frameOf({ prompts, tools }) };
  const { sessionId } = prepared;
  runtime.pending.set(prepared, { asked, sessionId, sent, estimate: fitted.estimate, settled: false });
  return prepared;
}

function askedFor({ openers }: Runtime, request: ContextRequest): Asked {
  const { messages, tools = [], sessionId, focusTopic, maxTokens, signal } = request;
  checkMessages(messages);
  if (!Array.isArray(tools)) throw new PalimpsestError('BAD_OPTION', 'expected as tools a list of definitions');
  const prompts = messages.slice(0, promptsIn(messages));
  const said = messages.slice(prompts.length);
  const [opener] = said;
  if (!opener) {
    throw new PalimpsestError('BAD_MESSAGES', 'expected something said besides system prompts, got nothing to answer');
  }
  const near = openers.get(opener);
  const start = near ? near.hashes.slice(0, sameObjects(near.said, said)) : [];
  const call = {
    ...(focusTopic === undefined ? {} : { focusTopic }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(signal === undefined ? {} : { signal }),
  };
  return { prompts, said, hashes: rollingHashes(said, start), tools, sessionId, call, notices: [] };
}

/** How many messages two lists share from their start on, as objects. */
function sameObjects<T>(a: readonly T[], b: readonly T[]): number {
  const end = Math.min(a.length, b.length);
  for (let at = 0; at < end; at++) if (a[at] !== b[at]) return at;
  return end;
}
