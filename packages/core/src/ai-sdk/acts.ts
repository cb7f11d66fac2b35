/** What a person does with a conversation of a wrapped model: for the commands of a program, and never for a tool. */
import type { LanguageModelMiddleware } from 'ai';
import type { PinList, PinReport, PinRequest, UnpinReport } from '../conversation/pins.ts';
import type { AnyModel } from './interface.ts';
import { doorFor } from './with-palimpsest.ts';

/**
 * Pins a message of a conversation: what the person or the assistant said in it stays word for word in every later context,
 * within the budget `pinRatio` of the configuration. Without `ref` and `messageId` it is the newest message of the person. The
 * id of the session stands in `providerMetadata.palimpsest` of each answer. What cannot be pinned is refused with the reason.
 *
 * Throws `ID_UNKNOWN` for a session or a message that does not exist there, `BAD_OPTION` for what names not one message and for
 * a model that was not wrapped.
 */
export async function pin(wrapped: AnyModel | LanguageModelMiddleware, request: PinRequest): Promise<PinReport> {
  return (await doorFor(wrapped).conversations()).pin(request);
}

/** Takes a pin away. Throws as `pin` does. */
export async function unpin(wrapped: AnyModel | LanguageModelMiddleware, request: PinRequest): Promise<UnpinReport> {
  return (await doorFor(wrapped).conversations()).unpin(request);
}

/** What is pinned in a conversation, the oldest pin first. Throws `ID_UNKNOWN` for a session that does not exist, and as `pin` does. */
export async function pins(
  wrapped: AnyModel | LanguageModelMiddleware,
  request: { readonly sessionId: string },
): Promise<PinList> {
  return (await doorFor(wrapped).conversations()).pins(request);
}
