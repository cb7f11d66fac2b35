/** What is sent for a context: the bytes that came, or those with other messages in them; and who hears what comes back. */
import { type Message, PalimpsestError, type PreparedContext } from '@palimpsest/core';
import { isJsonObject } from '@palimpsest/core/settings';
import { isTraced } from '@palimpsest/core/tracing';
import { type Body, nextMessages, type SpliceOptions, spliceBody, withTurnOpening } from '@palimpsest/core/wire';
import { lookAt } from '../answers/look.ts';
import type { HeaderList, Prepared } from '../middle.ts';
import type { Call, Turn } from './call.ts';
import { type Doing, type DoneAt, headersFor, type Kept, toldOf } from './doing.ts';
import { judgeStart, type Recovery, recover } from './recover.ts';
import { nameOf } from './runtimes.ts';
import { inForm } from './said-form.ts';
import { watchAnswer } from './watch-answer.ts';

/** When a context was asked for, and why. */
type SentAt = Required<Pick<DoneAt, 'startedAt' | 'isRecovery'>>;

/** What is sent for a context: the bytes that came, or those with other messages in them. */
export function sent(call: Call, prepared: PreparedContext, at: SentAt): Prepared {
  const { shared, received, request } = call;
  if (request.clientId !== undefined) shared.names.noteSession(request.clientId, prepared.sessionId);
  const messages = shownMessages(call, prepared);
  const { text, doing } = bodyFor(call, prepared, messages);
  const isView = !prepared.isWhole && doing.type !== 'unfit';
  const { sessionId } = prepared;
  const view = isView ? { sessionId: shared.health && sessionId, messages } : undefined;
  shared.views.note({ list: request.said, user: received.user }, sessionId, view);
  const percent = shared.fullness(prepared);
  const bytes = Math.max(received.body.length, request.body.text.length);
  const { length } = request.said.messages;
  const name = nameOf(received.dialect, request.model);
  const wholeBelow = shared.wholeSizes?.note({ name, bytes, messages: length, prepared });
  const isChanged = text !== undefined && !shared.isDryRun;
  const done: Doing = shared.isDryRun ? { type: 'would', doing } : doing;
  const { conversationId } = prepared;
  return {
    body: isChanged ? Buffer.from(text) : received.body,
    ...(isChanged ? { headers: unpackedHeaders(received.headers) } : {}),
    responseHeaders: [
      ...headersFor(done),
      ...(percent === undefined ? [] : [['x-palimpsest-full', `${percent}%`] as const]),
    ],
    told: toldOf(done, { ...at, model: request.model, conversationId, isTraced: isTraced() }),
    ...(wholeBelow ? { wholeBelow } : {}),
    settle: (outcome) => {
      const again: Recovery['again'] = (next, startedAt) => sent(call, next, { startedAt, isRecovery: true });
      // What had gone as it came does not go so again.
      const recovery = { call, prepared, isChanged: isChanged && !received.isSent, again };
      if (outcome.type === 'failure' || lookAt(outcome) !== 'watch') return recover(recovery, outcome);
      const judge = judgeStart(recovery, outcome);
      return { watch: watchAnswer(call, prepared, outcome.headers), ...(judge ? { judge } : {}) };
    },
  };
}

interface NewBody {
  /** Undefined where the body goes as it came. */
  readonly text: string | undefined;
  readonly doing: Kept;
}

function shownMessages(
  { shared, received, request: { said, model } }: Call,
  prepared: PreparedContext,
): readonly Message[] {
  if (prepared.isWhole) return said.messages;
  if (prepared.isThoughtless) return prepared.messages;
  if (!wantsThoughts(said)) return prepared.messages;
  const contextLength = shared.windowOf(received.dialect, model);
  return withTurnOpening(prepared.messages, { said: said.messages, contextLength });
}

/** With a budget for thinking, Anthropic refuses a turn that does not begin with a thought. */
const wantsThoughts = ({ dialect, value }: Body): boolean =>
  dialect === 'anthropic' && isJsonObject(value.thinking) && value.thinking.type === 'enabled';

function bodyFor({ shared, request }: Call, prepared: PreparedContext, messages: readonly Message[]): NewBody {
  const { sessionId, size, compression, maxTokens } = prepared;
  const about = { sessionId: shared.health && sessionId, tokens: size.tokens };
  if (prepared.isWhole && maxTokens === undefined) return { text: undefined, doing: { type: 'whole', ...about } };
  try {
    const text = splicedBody(request, messages, maxTokens === undefined ? {} : { maxTokens });
    return { text, doing: compression ? { type: 'compressed', ...about, compression } : { type: 'view', ...about } };
  } catch (error) {
    if (!PalimpsestError.isInstance(error)) throw error;
    shared.note(`A conversation could not be shortened and was sent as it came: ${error.message}`);
    return { text: undefined, doing: { type: 'unfit', ...about } };
  }
}

/** The text of a body with other messages in it, each in the form that the client gave it. @throws BODY_UNFIT */
export function splicedBody(
  { body, said }: Pick<Turn, 'body' | 'said'>,
  messages: readonly Message[],
  options: SpliceOptions,
): string {
  const next = nextMessages(said, messages).map((one) => inForm(body, one));
  return spliceBody(body, next, options);
}

/** A body that was changed is no longer packed. */
export const unpackedHeaders = (headers: HeaderList): HeaderList =>
  headers.filter(([name]) => !/^(?:content-encoding|content-md5|digest|content-digest)$/i.test(name));
