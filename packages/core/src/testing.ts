/** `@palimpsest/core/testing`: a model provider for tests, the ways in which models go wrong, and the contract that every
 * engine is held to. */

export { guardEngine } from './compression/guard/guard-engine.ts';
export type { GuardOptions } from './compression/guard/guarded.ts';
export type { Wait } from './testing/answer.ts';
export {
  type CheckEngineOptions,
  type ContractFinding,
  checkEngine,
  contractRules,
} from './testing/engine-contract.ts';
export { faithfulSummary } from './testing/faithful-summary.ts';
export { type FakeProvider, type FakeProviderOptions, startFakeProvider } from './testing/fake-provider.ts';
export {
  type MisbehaviourName,
  misbehaving,
  misbehaviourNames,
  misbehaviours,
} from './testing/misbehaviours/catalogue.ts';
export type { Misbehaviour, MisbehaviourOptions } from './testing/misbehaviours/texts.ts';
export type { BadReply, RawReply, Reply, ReplyCall, ReplyError, ReplyUsage, Script } from './testing/reply.ts';
export { type FakeRequest, promptText, systemText } from './testing/request.ts';
export type { DialectName, Finish } from './transcript/wire/answer.ts';
