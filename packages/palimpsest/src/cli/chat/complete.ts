/** What Tab offers: commands behind `/`, files behind `@`, conversations behind `/resume`. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Store } from '@palimpsest/core/store';
import { slashCommands } from './slash-commands.ts';

/** One way to go on: `text` takes the place of what stands from `from` to the cursor. */
export interface Candidate {
  readonly from: number;
  readonly text: string;
  /** Beside it, for a person. */
  readonly about?: string;
}

/** What candidates are made of. */
export interface CompletionParts {
  readonly project: string;
  readonly store: Store;
}

const mostCandidates = 20;

/** The candidates for what stands before the cursor; none where nothing is to be completed. */
export async function complete(text: string, cursor: number, parts: CompletionParts): Promise<readonly Candidate[]> {
  const before = text.slice(0, cursor);
  const command = /^\/([a-z]*)$/i.exec(before);
  if (command) return commandsLike(command[1] ?? '');
  const wanted = /^\/resume\s+(.*)$/is.exec(before);
  if (wanted) return conversationsLike(wanted[1] ?? '', before.length, parts);
  const file = /(?:^|\s)@(\S*)$/.exec(before);
  if (file) return filesLike(file[1] ?? '', before.length, parts);
  return [];
}

function commandsLike(start: string): readonly Candidate[] {
  const wanted = start.toLowerCase();
  return slashCommands.flatMap(({ names, summary }) => {
    const name = names.find((one) => one.startsWith(wanted));
    return name === undefined ? [] : [{ from: 0, text: `/${name} `, about: summary }];
  });
}

async function conversationsLike(
  start: string,
  cursor: number,
  { store }: CompletionParts,
): Promise<readonly Candidate[]> {
  const found = await store.sessions.list({ source: 'chat', limit: 200 });
  const wanted = start.toLowerCase();
  return found
    .map(({ tip, title, preview }) => ({ id: tip.id, about: title ?? preview }))
    .filter(({ id, about }) => about.toLowerCase().startsWith(wanted) || id.startsWith(wanted))
    .slice(0, mostCandidates)
    .map(({ id, about }) => ({ from: cursor - start.length, text: id, about }));
}

/** Names in the folder that is typed so far; folders end with a slash. Hidden names only where the dot is typed. */
async function filesLike(start: string, cursor: number, { project }: CompletionParts): Promise<readonly Candidate[]> {
  const slash = start.lastIndexOf('/') + 1;
  const [folder, name] = [start.slice(0, slash), start.slice(slash)];
  const entries = await readdir(join(project, folder), { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.name.startsWith(name) && (name.startsWith('.') || !entry.name.startsWith('.')))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
    .slice(0, mostCandidates)
    .map((entry) => ({
      from: cursor - name.length,
      text: entry.isDirectory() ? `${entry.name}/` : `${entry.name} `,
    }));
}
