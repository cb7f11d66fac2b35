/** What the commands over saved results share: which are meant, and what is told of them. */
import { type OutputScope, outputMeant, PalimpsestError, redact } from '@palimpsest/core';
import type { SavedOutput, Store } from '@palimpsest/core/store';
import { oneLine } from '../render/text.ts';
import { timeStamp } from '../render/time.ts';
import { findSession } from '../sessions/find-session.ts';

/** Where to look: in all results, or in those of a conversation. Throws as `findSession` does. */
export async function outputScope(store: Store, session: string | undefined): Promise<OutputScope> {
  if (session === undefined) return { outputs: store.outputs };
  const chain = await store.sessions.chain((await findSession(store, session)).id);
  return { outputs: store.outputs, sessionIds: chain.map(({ id }) => id) };
}

/** More lines than this are no help in an error. */
const mostListed = 12;

/** The output that is meant by an id or the beginning of one. Throws `ID_UNKNOWN` and `ID_AMBIGUOUS`. */
export async function requireOutput(id: string, scope: OutputScope): Promise<SavedOutput> {
  const meant = await outputMeant(id, scope);
  if (meant.type === 'found') return meant.output;
  const shown = JSON.stringify(id.slice(0, 80));
  const evidence = { output: id.slice(0, 80) };
  if (meant.type === 'none') {
    const message = `there is no saved output ${shown}: give its id, or at least the first four characters of it (\`palimpsest outputs list\` shows the ids)`;
    throw new PalimpsestError('ID_UNKNOWN', message, { evidence });
  }
  const lines = meant.outputs.slice(0, mostListed).map((one) => `  ${one.id}  ${toolOf(one) ?? ''}`.trimEnd());
  const more = meant.outputs.length > mostListed ? [`  … and ${meant.outputs.length - mostListed} more`] : [];
  const message = `several saved outputs begin with ${shown}: give more of the id\n${[...lines, ...more].join('\n')}`;
  throw new PalimpsestError('ID_AMBIGUOUS', message, { evidence });
}

/** The name of its tool for a person: whatever a client called it, in one line. */
export const toolOf = ({ tool }: SavedOutput): string | undefined =>
  tool === undefined ? undefined : oneLine(redact(tool));

/** An output for programs. */
export const outputRow = (output: SavedOutput): object => ({
  id: output.id,
  tool: output.tool === undefined ? null : redact(output.tool),
  characters: output.characters,
  bytes: output.bytes,
  lines: output.lines,
  savedAt: timeStamp(output.savedAt),
  session: output.sessionId ?? null,
});

/** A number in an option. Throws `BAD_OPTION`. */
export function numberOption(text: string, name: string, [from, to]: readonly [number, number]): number {
  if (/^\d{1,12}$/.test(text) && Number(text) >= from && Number(text) <= to) return Number(text);
  const range = to >= mostLines ? `from ${from} on` : `from ${from} to ${to}`;
  const message = `expected ${name} to be a whole number ${range}, got ${JSON.stringify(text.slice(0, 40))}`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { [name]: text.slice(0, 40) } });
}

/** No output has more. */
export const mostLines = 999_999_999_999;
