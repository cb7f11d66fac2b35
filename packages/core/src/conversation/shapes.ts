/**
 * The shape in which the results of an answer were first said: whole, or with notices for the texts that were saved. Windows
 * change: a person goes on with another model, a provider names a lower limit. What was said keeps its shape, or its
 * conversation would not be recognised any more, and no cache would hold what was sent of it.
 */
import type { TextOfResults } from '../output/tool-output.ts';
import { isJsonObject, type JsonValue, parseJson } from '../shared/json.ts';
import type { Store } from '../store/store.ts';

/** What became of the results: nothing, or the texts of them that were saved. */
export type Shape = 'whole' | readonly TextOfResults[];

/** By the hash of everything that was said up to a message: the session in which it was. */
export const startKey = (hash: string): string => `said:${hash}`;

/** By the hash with the message as its client sends it. It holds no text, so that nothing of a deleted session stays in it. */
const shapeKey = (hash: string): string => `shape:${hash}`;

/** The shape of the message that a list ends with as its client sends it; undefined for one that is new. */
export async function shapeOf({ meta, sessions }: Store, hash: string): Promise<Shape | undefined> {
  const texts = textsIn(await meta.get(shapeKey(hash)));
  if (texts) return texts;
  const id = await meta.get(startKey(hash));
  return id !== undefined && (await sessions.get(id)) ? 'whole' : undefined;
}

/** Keeps it, before the message is: whenever the process dies, the next one gives the message the same shape. */
export const keepShape = ({ meta }: Store, hash: string, texts: readonly TextOfResults[]): Promise<void> =>
  meta.set(shapeKey(hash), JSON.stringify(texts));

/** What cannot be read is as if nothing had been kept. */
function textsIn(stored: string | undefined): readonly TextOfResults[] | undefined {
  const value = stored === undefined ? undefined : parseJson(stored);
  if (!Array.isArray(value)) return undefined;
  const texts = value.flatMap((one: JsonValue) => textIn(one) ?? []);
  return texts.length === value.length && texts.length > 0 ? texts : undefined;
}

function textIn(value: JsonValue): TextOfResults | undefined {
  if (!isJsonObject(value) || typeof value.result !== 'number' || typeof value.at !== 'number') return undefined;
  return { result: value.result, at: value.at };
}
