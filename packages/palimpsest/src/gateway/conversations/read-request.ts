/** What a request is: a turn of a conversation, a call beside one, a summary that the client writes itself, or nothing that is read here. */
import { PalimpsestError } from '@palimpsest/core';
import { type Body, readBody } from '@palimpsest/core/wire';
import { headerOf, unpacked } from '../answers/packing.ts';
import type { Received } from '../middle.ts';
import { writesOwnSummary } from './own-summary.ts';
import { saidBody } from './said-form.ts';
import { isSideCall } from './side-call.ts';

/** Why a request is sent as it came, and nothing is known of it afterwards. */
export type PassReason =
  /** A count, a list of models, a compression by the provider. */
  | 'other-act'
  /** No body of its dialect, or packed in a way that is not read here. */
  | 'unreadable'
  /** The provider has what was said before. */
  | 'stored-upstream'
  /** A title, a router, a classifier, a suggestion, a probe. */
  | 'side-call'
  /** The client summarises its conversation itself. */
  | 'own-summary'
  /** It had gone before it was read, and would have gone in another form. */
  | 'sent'
  /** Its provider took it only as it came. */
  | 'refused';

/** A request as it is treated. */
export type ReadRequest =
  | { readonly type: 'pass'; readonly why: PassReason; readonly detail?: string; readonly model?: string }
  | {
      readonly type: 'turn';
      readonly body: Body;
      /** The same with its messages as they were said: what a conversation is recognised by. */
      readonly said: Body;
      readonly model: string;
      /** The name that the client has for the conversation. */
      readonly clientId: string | undefined;
      /** True where the provider compacts the conversation by itself: it is kept, and never changed. */
      readonly isProviders: boolean;
      /** True where the client asks for a summary of its own. */
      readonly isSummary: boolean;
    };

/** Reads a request; never throws. `hasTools` says whether a conversation of that name has used tools. */
export function readRequest(received: Received, hasTools: (clientId: string) => boolean): ReadRequest {
  if (received.act !== 'answer') return { type: 'pass', why: 'other-act' };
  const { body, detail } = readBodyOf(received);
  if (body === undefined) return { type: 'pass', why: 'unreadable', detail };
  const { model = 'unknown' } = body;
  if (body.continues !== undefined) return { type: 'pass', why: 'stored-upstream', detail: body.continues, model };
  const said = body.messages.filter(({ role }) => role !== 'system');
  if (said.length === 0) return { type: 'pass', why: 'unreadable', detail: 'no messages' };
  const clientId = clientIdOf(received);
  const isSummary = writesOwnSummary(body) || body.acts.some(({ field, type }) => asksForSummary(field, type));
  const hasUsedTools = clientId !== undefined && hasTools(clientId);
  if (!isSummary && isSideCall(body, said, hasUsedTools)) return { type: 'pass', why: 'side-call', model };
  const isProviders = body.acts.some(({ compacts }) => compacts === true);
  return { type: 'turn', body, said: saidBody(body), model, clientId, isProviders, isSummary };
}

type BodyRead =
  | { readonly body: Body; readonly detail?: undefined }
  | { readonly body?: undefined; readonly detail: string };

/** The body of a request, or why it cannot be read; never throws. */
export function readBodyOf({ dialect, path, headers, body }: Received): BodyRead {
  const model = /\/(?:models|tunedModels)\/([^/:?]+):/.exec(path)?.[1];
  try {
    const bytes = unpacked(headers, body);
    if (bytes === undefined) return { detail: 'an unknown content-encoding' };
    return { body: readBody(dialect, bytes, model === undefined ? {} : { model }) };
  } catch (error) {
    return { detail: reasonOf(error) };
  }
}

const reasonOf = (error: unknown): string => (PalimpsestError.isInstance(error) ? error.code : String(error));

/** Summaries on demand: a member of Anthropic's body, an item of OpenAI's list. */
const asksForSummary = (field: string, type = ''): boolean => field === 'compaction' || type === 'compaction_trigger';

/** How clients name a conversation, the most exact first (Claude Code, Codex, opencode). */
const idHeaders = [
  'x-claude-code-session-id',
  'session-id',
  'thread-id',
  'x-session-id',
  'x-session-affinity',
] as const;

/** The name is the client's to choose, so that of one user is never that of another. */
function clientIdOf({ headers, user }: Received): string | undefined {
  for (const wanted of idHeaders) {
    const value = headerOf(headers, wanted);
    if (value !== undefined && /^[\w.:-]{8,128}$/.test(value)) return JSON.stringify([user ?? null, value]);
  }
  return undefined;
}
