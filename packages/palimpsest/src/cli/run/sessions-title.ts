/** `palimpsest sessions title`: what a conversation is called. */
import { PalimpsestError } from '@palimpsest/core';
import { cleanTitle } from '@palimpsest/core/store';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { openStoreFor, type StoreFlags } from '../open-store.ts';
import { visible } from '../render/text.ts';
import { findSession } from '../sessions/find-session.ts';
import { sessionTitle } from '../sessions/titles.ts';
import { type Terminal, writeJson, writeLines, writeNotes } from '../terminal.ts';

export interface SessionsTitleFlags extends StoreFlags {
  readonly clear?: boolean;
}

/** `words` are the session, and the title where there is one. */
export async function runSessionsTitle(
  [wanted = '', given]: readonly (string | undefined)[],
  flags: SessionsTitleFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  if (given !== undefined && flags.clear) throw wrong('expected a TITLE or --clear, got both');
  if (given !== undefined && cleanTitle(given, 'user') === undefined) {
    throw wrong('expected a TITLE with visible characters, got none; to remove the title, use --clear');
  }
  const { store, notes } = await openStoreFor(flags, terminal);
  await using opened = store;
  const tip = await findSession(opened, wanted);
  const changes = given !== undefined || flags.clear === true;
  if (changes) await opened.sessions.title(tip.id, given);
  const own = (await opened.sessions.chain(tip.id)).findLast((session) => session.title !== undefined);
  const shown = await sessionTitle(opened, tip.id);
  if (flags.json) {
    const about = { id: tip.id, title: shown || null, titleFrom: own?.titleFrom ?? null };
    await writeJson(terminal.stdout, { command: 'sessions title', ...about, notes });
    return exitCodes.fine;
  }
  const taken =
    given !== undefined && own?.title !== cleanTitle(given, 'user')
      ? ['the title is already in use, so a number was added']
      : [];
  const none = shown === '' ? 'it has no title' : 'it has no title: this is how its first request begins';
  await writeNotes(terminal, [...notes, ...taken, ...(own === undefined ? [none] : [])], flags);
  await writeLines(terminal.stdout, shown === '' ? [] : [visible(shown)]);
  return exitCodes.fine;
}

const wrong = (message: string): PalimpsestError => new PalimpsestError('BAD_OPTION', message);
