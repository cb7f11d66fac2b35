/** What was done with a request, as headers of the answer tell it, and as it is counted. */
import type { ContextCompression } from '@palimpsest/core';
import type { SessionId } from '@palimpsest/core/store';
import type { HeaderList, Told, ToldCompression } from '../middle.ts';
import type { PassReason } from './read-request.ts';

interface InSession {
  /** Undefined where it is kept in memory alone, because the store cannot be written. */
  readonly sessionId: SessionId | undefined;
  /** Of the context that is sent. */
  readonly tokens: number;
}

/** `whole`: sent as it came. `view`: with the handoff of an earlier compression. `compressed`: with a new one. `unfit`: nothing fits its dialect, sent as it came. */
export type Kept =
  | ({ readonly type: 'whole' | 'view' | 'unfit' } & InSession)
  | ({ readonly type: 'compressed'; readonly compression: ContextCompression } & InSession);

export type Doing =
  | Kept
  /** Nothing was kept of it. */
  | { readonly type: 'passed'; readonly why: PassReason }
  /** What was said is kept, and its provider compacts it. */
  | ({ readonly type: 'kept' } & Pick<InSession, 'sessionId'>)
  /** Tokens were counted of what would be sent, in place of the client's list. */
  | ({ readonly type: 'counted' } & Pick<InSession, 'sessionId'>)
  /** A dry run: nothing was done. */
  | { readonly type: 'would'; readonly doing: Kept };

/** What goes with it where it is told. */
export interface DoneAt {
  readonly model?: string;
  readonly conversationId?: SessionId;
  readonly isRecovery?: boolean;
  readonly isTraced?: boolean;
  /** Milliseconds since 1970: from when on it was prepared. */
  readonly startedAt?: number;
}

/** The same for who counts and shows it. */
export function toldOf(doing: Doing, { startedAt, ...beside }: DoneAt = {}): Told {
  if (doing.type === 'passed') return { ...beside, action: 'passed', reason: doing.why };
  if (doing.type === 'would') return { ...beside, action: 'would', reason: doing.doing.type };
  const { type: action, sessionId } = doing;
  const isCompacted = action === 'view' || action === 'compressed';
  const kept = {
    ...beside,
    action,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(isCompacted ? { isCompacted } : {}),
  };
  return action === 'compressed' ? { ...kept, compression: compressionOf(doing.compression, startedAt) } : kept;
}

const compressionOf = (
  { tokensBefore, tokensAfter, result }: ContextCompression,
  startedAt = Date.now(),
): ToldCompression => ({
  tokensBefore,
  tokensAfter,
  writer: result?.handoff?.writtenBy ?? 'ledger',
  startedAt,
  endedAt: Date.now(),
});

const named = (name: string, value: string | number): readonly [string, string] => [
  `x-palimpsest-${name}`,
  String(value),
];

export function headersFor(doing: Doing): HeaderList {
  if (doing.type === 'would') return [named('dry-run', doing.doing.type), ...about(doing.doing)];
  const action = named('action', doing.type);
  if (doing.type === 'passed') return [action, named('reason', doing.why)];
  return doing.type === 'kept' || doing.type === 'counted' ? [action, session(doing)] : [action, ...about(doing)];
}

const session = ({ sessionId }: Pick<InSession, 'sessionId'>): readonly [string, string] =>
  sessionId === undefined ? named('kept', 'no') : named('session', sessionId);

function about(doing: Kept): HeaderList {
  const both = [session(doing), named('tokens', doing.tokens)];
  if (doing.type !== 'compressed') return both;
  const { tokensBefore, tokensAfter } = doing.compression;
  return [...both, named('tokens-before', tokensBefore), named('tokens-after', tokensAfter)];
}
