/** The public entry `palimpsest/testing`: a model provider for tests, and the ways in which models go wrong. */

export { faithfulSummary } from './faithful-summary.ts';
export { type FakeProvider, startFakeProvider } from './fake-provider.ts';
export { type MisbehaviourName, misbehaving, misbehaviourNames, misbehaviours } from './misbehaviours/catalogue.ts';
export type { BadReply, Misbehaviour, MisbehaviourOptions } from './misbehaviours/misbehaviour.ts';
export type { FakeProviderOptions, Wait } from './options.ts';
export type { Finish, RawReply, Reply, ReplyCall, ReplyError, ReplyUsage, Script } from './reply.ts';
export { type DialectName, type FakeRequest, promptText, systemText } from './request.ts';
