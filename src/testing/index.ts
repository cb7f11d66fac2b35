/** The public entry `palimpsest/testing`: a model provider for tests. */

export { faithfulSummary } from './faithful-summary.ts';
export { type FakeProvider, startFakeProvider } from './fake-provider.ts';
export type { FakeProviderOptions, Wait } from './options.ts';
export type { Finish, RawReply, Reply, ReplyCall, ReplyError, ReplyUsage, Script } from './reply.ts';
export { type DialectName, type FakeRequest, promptText, systemText } from './request.ts';
