/** Which session a person means by an id, the beginning of one, or a title. */
import { PalimpsestError } from '@palimpsest/core';
import { type Session, type Store, titleNumber } from '@palimpsest/core/store';
import { oneLine } from '../render/text.ts';
import { timeText } from '../render/time.ts';
import { sessionTitle } from './titles.ts';

/**
 * The newest session of the conversation that is meant. A title stands for the newest of those that are numbered after
 * it. Throws `ID_UNKNOWN`, and `ID_AMBIGUOUS` with those that it may stand for.
 */
export async function findSession(store: Store, wanted: string): Promise<Session> {
  const found = await store.sessions.find(wanted);
  const [best] = found;
  if (!best) {
    const message = `no conversation has the id or title ${JSON.stringify(wanted)}: \`palimpsest sessions list\` lists all`;
    throw new PalimpsestError('ID_UNKNOWN', message, { evidence: { session: wanted.slice(0, 80) } });
  }
  const text = wanted.trim();
  if (found.length === 1 || best.id === text || best.sourceId === text || isTitle(best, text)) return best;
  const many = found.length < mostFound ? String(found.length) : 'many';
  const message = `${JSON.stringify(wanted)} matches ${many} conversations: give more of the id of one of them:\n${await listed(store, found)}`;
  throw new PalimpsestError('ID_AMBIGUOUS', message, { evidence: { session: wanted.slice(0, 80) } });
}

const isTitle = ({ title }: Session, text: string): boolean =>
  title !== undefined && [title, titleNumber(title).base].some((one) => one.toLowerCase() === text.toLowerCase());

/** How many a store looks for. */
const mostFound = 20;
/** More lines than this are no help in an error. */
const mostListed = 12;

async function listed(store: Store, found: readonly Session[]): Promise<string> {
  const shown = found.slice(0, mostListed);
  const titles = await Promise.all(shown.map((tip) => sessionTitle(store, tip.id)));
  const lines = shown.map(({ id, lastActiveAt, source }, at) =>
    `  ${id}  ${timeText(lastActiveAt)}  ${oneLine(source)}  ${oneLine(titles[at] ?? '')}`.trimEnd(),
  );
  return [...lines, ...(found.length > mostListed ? [`  … and ${found.length - mostListed} more`] : [])].join('\n');
}

/** Enough of each id to tell it from the others; at least the milliseconds in which it was given. */
export function shortIds(ids: readonly string[]): readonly string[] {
  const sorted = [...new Set(ids)].sort();
  const lengths = new Map(
    sorted.map((id, at) => [
      id,
      Math.max(least, ...[sorted[at - 1], sorted[at + 1]].map((near) => 1 + shared(id, near))),
    ]),
  );
  return ids.map((id) => id.slice(0, lengths.get(id) ?? id.length).replace(/-$/, ''));
}

/** Of `0193a2b4-c5d6-7…`, the time. */
const least = 13;

function shared(id: string, other: string | undefined): number {
  let length = 0;
  while (other !== undefined && length < id.length && id[length] === other[length]) length++;
  return length;
}
