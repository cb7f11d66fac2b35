/** The public entry `palimpsest/testing`: a model provider for tests, the ways in which models go wrong, and the
 * contract that every engine is held to. */

export { type CheckEngineOptions, type ContractFinding, checkEngine } from '../plugins/contract/check-engine.ts';
export { guardEngine } from '../plugins/guard/guard-engine.ts';
export type { GuardOptions } from '../plugins/guard/guarded.ts';
export { faithfulSummary } from './faithful-summary.ts';
export { type FakeProvider, startFakeProvider } from './fake-provider.ts';
export { type MisbehaviourName, misbehaving, misbehaviourNames, misbehaviours } from './misbehaviours/catalogue.ts';
export type { BadReply, Misbehaviour, MisbehaviourOptions } from './misbehaviours/misbehaviour.ts';
export type { FakeProviderOptions, Wait } from './options.ts';
export type { Finish, RawReply, Reply, ReplyCall, ReplyError, ReplyUsage, Script } from './reply.ts';
export { type DialectName, type FakeRequest, promptText, systemText } from './request.ts';
