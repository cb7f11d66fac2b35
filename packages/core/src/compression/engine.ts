/** The default engine, `compressor`: the contract of `context/engine.ts` over `compress`, with the policy in between. */
import { defineEngine, promptTokensOf, takeUsage } from '../context/define-engine.ts';
import type { ContextEngine } from '../context/engine.ts';
import type { Message } from '../transcript/message.ts';
import { type AheadCall, type AheadPass, hasMiddle, type MessageCodec, passAhead, runPass } from './compressor-pass.ts';
import {
  type CompressorOptions,
  type CompressorParts,
  checkCompressorOptions,
  type EngineNumbers,
  startSession,
} from './compressor-session.ts';
import type { PolicyState } from './policy/state.ts';
import type { CompressionResult, Ref } from './result.ts';
import type { SummaryPrefix } from './summarize/continued.ts';

export type { MessageCodec } from './compressor-pass.ts';
export type { CompressorOptions } from './compressor-session.ts';

/** The engine, and what a host may look at beside the contract. */
export interface Compressor<M> extends ContextEngine<M> {
  /** The report of the last call of `compress`; undefined before the first. */
  lastResult(): CompressionResult | undefined;
  /** The original of a message that a handoff or a stub names, as it came in; undefined for a number not given. */
  expand(ref: Ref): M | undefined;
  /** Says behind which request the model of the session may be asked for the summary of the next pass; undefined for none. */
  usePrefix(prefix: SummaryPrefix | undefined): void;
  /** Says whether the model that writes summaries is asked in the next passes; else the ledger writes. */
  useModel(isAsked: boolean): void;
  /** Says how many tokens every request has beside the list (tools, what is remembered): the next passes leave room for them. */
  useBeside(tokens: number): void;
  /** The policy's state, for whoever stores it. */
  policyState(): PolicyState;
  /** True when a pass should be made ahead: from this share of the threshold on, while nothing holds passes back. */
  shouldCompressAhead(promptTokens: number, share: number): boolean;
  /** The pass that `compress` would make, without effect until it is taken. No other pass may run meanwhile. */
  compressAhead(messages: readonly M[], options?: AheadCall): Promise<AheadPass<M>>;
}

const ownMessages: MessageCodec<Message> = { decode: (messages) => messages, encode: (message) => [message] };

/** The default engine over our own messages. @throws BAD_CONFIG, BAD_OPTION for options that make no sense */
export function createCompressor(options: CompressorOptions = {}): Compressor<Message> {
  return compressorWith(options, {});
}

/** The same for our own doors, with what an earlier process left. */
export function compressorWith(options: CompressorOptions, parts: CompressorParts): Compressor<Message> {
  checkCompressorOptions('createCompressor', options);
  return compressorOver(ownMessages, options, parts);
}

/** The default engine over messages that a codec turns into ours. */
export function compressorOver<M>(
  codec: MessageCodec<M>,
  options: CompressorOptions,
  parts: CompressorParts = {},
): Compressor<M> {
  const session = startSession<M>(options, parts);
  const { state } = session;
  const engine = defineEngine<M>({
    name: 'compressor',
    state,
    compress: (messages, call) => runPass({ session, codec }, messages, call ?? {}),
    updateFromResponse(usage) {
      takeUsage(state, usage);
      // Without a report of the prompt nothing is known of it: the last one says nothing about this call.
      if (promptTokensOf(usage) === undefined) return;
      session.isStale = false;
      session.send({ ...session.reading(state.lastPromptTokens), type: 'reading', source: 'usage' });
    },
    shouldCompress(promptTokens) {
      const { action } = session.decide(promptTokens ?? session.lastKnown());
      return action === 'compress' || action === 'probe';
    },
    heldBack(promptTokens) {
      const decision = session.decide(promptTokens ?? session.lastKnown());
      return 'advice' in decision ? decision.advice : undefined;
    },
    hasContentToCompress: (messages) => hasMiddle({ session, codec }, messages),
    updateModel: (model) => session.useModel(model),
    onSessionReset: () => session.reset(),
  });
  const beside = {
    lastResult: () => session.last,
    expand: session.expand,
    usePrefix: (prefix: SummaryPrefix | undefined) => {
      session.prefix = prefix;
    },
    useModel: (isAsked: boolean) => {
      session.isModelAsked = isAsked;
    },
    useBeside: (tokens: number) => {
      session.beside = tokens;
    },
    policyState: () => session.policy,
    shouldCompressAhead: (promptTokens: number, share: number) => session.mayRunAhead(promptTokens, share),
    compressAhead: (messages: readonly M[], call: AheadCall = {}) => passAhead({ session, codec }, messages, call),
  };
  return Object.defineProperties({ ...engine, ...beside }, stateGetters(state));
}

/** The spread above has copied the numbers as they were; these read them as they are. */
function stateGetters(state: EngineNumbers): PropertyDescriptorMap {
  const keys = Object.keys(state) as (keyof EngineNumbers)[]; // `engineState` makes exactly these members
  return Object.fromEntries(keys.map((key) => [key, { get: () => state[key], enumerable: true }]));
}
