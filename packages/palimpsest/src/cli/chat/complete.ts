/** What Tab offers: commands behind `/`, files behind `@`, conversations behind `/resume`. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Store } from '@palimpsest/core/store';
import type { Candidate, Completion } from '../../terminal/completion.ts';
import { slashCommands } from './slash-commands.ts';

/** What candidates are made of. */
export interface CompletionParts {
  readonly project: string;
  readonly store: Store;
}

const mostCandidates = 20;

/** The candidates for what stands before the cursor; none where nothing is to be completed. */
export async function complete(text: string, cursor: number, parts: CompletionParts): Promise<Completion | undefined> {
  const before = text.slice(0, cursor);
  const command = /^\/([a-z]*)$/i.exec(before);
  if (command) return offer(0, commandsLike(command[1] ?? ''));
  const wanted = /^\/resume\s+(.*)$/is.exec(before);
  if (wanted) return offer(before.length - (wanted[1] ?? '').length, await conversationsLike(wanted[1] ?? '', parts));
  const file = /(?:^|\s)@(\S*)$/.exec(before);
  if (file) return offer(before.length - nameIn(file[1] ?? '').length, await filesLike(file[1] ?? '', parts));
  return undefined;
}

const offer = (start: number, candidates: readonly Candidate[]): Completion | undefined =>
  candidates.length === 0 ? undefined : { start, candidates };

/** Behind the folder. */
const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function commandsLike(start: string): readonly Candidate[] {
  const wanted = start.toLowerCase();
  return slashCommands.flatMap(({ names, summary }) => {
    const name = names.find((one) => one.startsWith(wanted));
    return name === undefined ? [] : [{ text: `/${name} `, label: `/${name}`, note: summary }];
  });
}

async function conversationsLike(start: string, { store }: CompletionParts): Promise<readonly Candidate[]> {
  const found = await store.sessions.list({ source: 'chat', limit: 200 });
  const wanted = start.toLowerCase();
  return found
    .map(({ tip, title, preview }) => ({ id: tip.id, about: title ?? preview }))
    .filter(({ id, about }) => about.toLowerCase().startsWith(wanted) || id.startsWith(wanted))
    .slice(0, mostCandidates)
    .map(({ id, about }) => ({ text: id, label: about, note: id.slice(0, 13) }));
}

/** Names in the folder that is typed so far; folders end with a slash. Hidden names only where the dot is typed. */
async function filesLike(start: string, { project }: CompletionParts): Promise<readonly Candidate[]> {
  const name = nameIn(start);
  const folder = start.slice(0, start.length - name.length);
  const entries = await readdir(join(project, folder), { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.name.startsWith(name) && (name.startsWith('.') || !entry.name.startsWith('.')))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
    .slice(0, mostCandidates)
    .map((entry) => ({ text: entry.isDirectory() ? `${entry.name}/` : `${entry.name} `, label: entry.name }));
}
