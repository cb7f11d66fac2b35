/** What a person does with a conversation of a wrapped model: for the commands of a program, and never for a tool. */
import type { LanguageModelMiddleware, ModelMessage } from 'ai';
import type { BranchReport, BranchRequest } from '../conversation/branch.ts';
import type { PinList, PinReport, PinRequest, UnpinReport } from '../conversation/pins.ts';
import type { UndoReport, UndoRequest } from '../conversation/undo.ts';
import { keepSaid } from './call.ts';
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

/**
 * Keeps what was said in a conversation since its last call, where no other call follows: results of tools, when a person stops the
 * work. The messages are those of the next call, as far as they are known. Gives the session to go on with.
 *
 * Throws `ID_UNKNOWN` for a session that does not exist, and `BAD_OPTION` for a model that was not wrapped.
 */
export function keep(
  wrapped: AnyModel | LanguageModelMiddleware,
  request: { readonly messages: readonly ModelMessage[]; readonly sessionId: string },
): Promise<string> {
  return keepSaid(doorFor(wrapped), request);
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

/**
 * Takes the last turn of the person back. The program drops as many messages from the end of its own list as the report says, and
 * goes on: by what is left, or by the session, in this process and in others. What was taken back stays in the store, where
 * `expand` and a search find it, marked. Refused where the turn was compressed. Call it when no call is under way.
 *
 * Throws `ID_UNKNOWN` for a session that does not exist, and `BAD_OPTION` for a model that was not wrapped.
 */
export async function undo(wrapped: AnyModel | LanguageModelMiddleware, request: UndoRequest): Promise<UndoReport> {
  return (await doorFor(wrapped).conversations()).undo(request);
}

/**
 * Opens a session of its own that shows what a conversation shows, up to a message, with its pins; the conversation stays as it is.
 * The program names the session of the report with each call (`providerOptions.palimpsest.sessionId`): until both differ, nothing
 * else tells them apart.
 *
 * Throws `ID_UNKNOWN` for a session or a message that does not exist, and `BAD_OPTION` for what names not one message, for one that
 * was taken back, and for a model that was not wrapped.
 */
export async function branch(
  wrapped: AnyModel | LanguageModelMiddleware,
  request: BranchRequest,
): Promise<BranchReport> {
  return (await doorFor(wrapped).conversations()).branch(request);
}
