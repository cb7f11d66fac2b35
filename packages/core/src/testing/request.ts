/** A request as the fake provider keeps it. */
import type { JsonObject } from '../shared/json.ts';
import type { Message } from '../transcript/message.ts';
import { messageText } from '../transcript/text.ts';
import type { DialectName } from '../transcript/wire/answer.ts';

/** One request to the fake provider, in the order in which they came. */
export interface FakeRequest {
  /** From 1, over all requests. */
  readonly number: number;
  /** The dialect of the path; for a path of no dialect that of the headers. */
  readonly dialect: DialectName;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Names in small letters. Keys and cookies are replaced by `[hidden]`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body; empty where it was no JSON object. */
  readonly body: JsonObject;
  readonly model: string;
  /** True when the client asked for a stream. */
  readonly stream: boolean;
  /** The messages in our own form, the system prompt first. */
  readonly messages: readonly Message[];
  /** The status that was answered; undefined while nothing was. */
  readonly status: number | undefined;
  /** True when the client went away before the answer was complete. */
  readonly aborted: boolean;
  /** Settles when the answer is complete, or the connection gone. */
  readonly ended: Promise<void>;
}

/** The texts of the system prompt. */
export const systemText = (request: Pick<FakeRequest, 'messages'>): string =>
  textOf(request, (role) => role === 'system');

/** The texts of all messages but the system prompt: what a client of a summariser calls the prompt. */
export const promptText = (request: Pick<FakeRequest, 'messages'>): string =>
  textOf(request, (role) => role !== 'system');

function textOf({ messages }: Pick<FakeRequest, 'messages'>, wanted: (role: Message['role']) => boolean): string {
  return messages
    .filter(({ role }) => wanted(role))
    .map(messageText)
    .join('\n\n');
}
