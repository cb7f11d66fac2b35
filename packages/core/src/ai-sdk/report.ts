/** What an answer says about the tokens that it took, and what we say of the call beside it. */
import type { PreparedContext } from '../conversation/request.ts';
import { streamPart } from '../provider/ai-sdk-model.ts';
import type { Usage } from '../usage/usage.ts';
import type { GenerateResult } from './interface.ts';

type Ending = Pick<GenerateResult, 'usage' | 'providerMetadata'>;

/** The usage that a provider reported; undefined where it reported none. */
export function usageOf({ usage, providerMetadata }: Ending): Usage | undefined {
  const part = streamPart({ type: 'finish', usage, providerMetadata });
  return part.type === 'finish' ? part.usage : undefined;
}

/** What a call tells of its context, under `providerMetadata.palimpsest` of its answer. */
export interface CallReport {
  /** The session that the call belongs to. */
  readonly sessionId: string;
  /** Tokens of the context, as they were reckoned before the call. */
  readonly contextTokens: number;
  /** True when everything that the program sent went to the model, with recalled text or without. */
  readonly isWhole: boolean;
}

/** The end of an answer with our report beside what the provider says. */
export function withReport<E extends Ending>(ending: E, { sessionId, size, isWhole, carrier }: PreparedContext): E {
  const palimpsest = { sessionId, contextTokens: size.tokens, isWhole: isWhole || carrier !== undefined };
  return { ...ending, providerMetadata: { ...ending.providerMetadata, palimpsest } };
}
