/** `session_search` and `expand`: what was said in earlier conversations, found again and brought back. */
import { PalimpsestError } from '@palimpsest/core';
import {
  expandedText,
  type Lineage,
  lineageOf,
  lineageTitle,
  sessionNamed,
  sessionSearchTool,
} from '@palimpsest/core/search';
import { isJsonObject, type JsonObject, parseJson } from '@palimpsest/core/settings';
import type { SessionId } from '@palimpsest/core/store';
import type { KeptCall } from '../kept.ts';
import type { ReadableParts } from '../project-store.ts';
import { fitted, type ToolAnswer, textOf } from './tool.ts';

export async function searchSessions(given: JsonObject, kept: KeptCall, signal: AbortSignal): Promise<ToolAnswer> {
  const store = await kept.record();
  const text = await fitted((pageChars) => sessionSearchTool({ store, pageChars }).run(given, { signal }));
  const answer = parseJson(text);
  return { text, isError: isJsonObject(answer) && answer.success === false };
}

export async function expandRefs(given: JsonObject, kept: KeptCall): Promise<ToolAnswer> {
  const { session_id: wanted, refs, offset = 0 } = given;
  const store = await kept.record();
  const lineage = await lineageMeant(store, textOf(wanted));
  const place = { store, sessionId: lineage.tip.id, isMasked: true };
  const text = await fitted((pageChars) => expandedText({ refs, offset }, { ...place, pageChars }));
  return { text: `[${await nameOf(store, lineage)}]\n${text}` };
}

/** `conversation 0193a2b4-…, "Oven timer drift"`. */
export async function nameOf(store: ReadableParts, lineage: Lineage): Promise<string> {
  const title = await lineageTitle(store, lineage);
  return `conversation ${lineage.tip.id}${title === '' ? '' : `, ${JSON.stringify(title)}`}`;
}

/** The conversation with an id, the beginning of one, or a title; without it the newest. Throws `ID_UNKNOWN`, `ID_AMBIGUOUS`. */
export async function lineageMeant(store: ReadableParts, wanted: string | undefined): Promise<Lineage> {
  return lineageOf(store, wanted === undefined ? await newestOf(store) : await sessionNamed(store, wanted));
}

async function newestOf(store: ReadableParts): Promise<SessionId> {
  const [newest] = await store.sessions.list({ limit: 1 });
  if (newest) return newest.tip.id;
  throw new PalimpsestError('ID_UNKNOWN', 'There is no earlier conversation here.');
}
