/** Makes the engine of a conversation. */
import { createCompressor } from '../compression/engine.ts';
import type { PolicyState } from '../compression/policy/state.ts';
import type { ConversationRecord } from '../compression/record.ts';
import type { Session } from '../store/session-store.ts';
import type { LiveConversation } from './live/live.ts';
import type { Runtime } from './runtime.ts';

interface EngineBasis {
  readonly record: ConversationRecord;
  readonly ids: (string | undefined)[];
  readonly policy: PolicyState;
  readonly compressions: number;
}

/** The engine of the settings, else the built-in one. */
export async function engineFor(
  runtime: Runtime,
  session: Session,
  { record, ids, policy, compressions }: EngineBasis,
): Promise<Pick<LiveConversation, 'engine' | 'builtIn'>> {
  const { engine, config: _, ...settings } = runtime.settings;
  const { tokenizer, contextLength, summarizer } = await runtime.basis();
  const { model, reservedOutputTokens, now } = settings;
  if (engine) return { engine: engine(session.id), builtIn: undefined };
  const compressor = createCompressor({
    model,
    contextLength,
    reservedOutputTokens,
    now,
    tokenizer,
    record,
    config: runtime.settings.config,
    policy,
    compressionCount: compressions,
    ...(settings.store.name === undefined ? {} : { keptIn: settings.store.name }),
    ...(summarizer === undefined ? {} : { summarizer }),
  });
  return { engine: compressor, builtIn: { compressor, record, ids } };
}
