/** `palimpsest sessions title`: what a conversation is called. */
import { redact } from '../../redaction/redact.ts';
import { PalimpsestError } from '../../shared/errors.ts';
import { cleanTitle } from '../../store/title.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { openStoreFor, type StoreFlags } from '../open-store.ts';
import { visible } from '../render/text.ts';
import { findSession } from '../sessions/find-session.ts';
import { type Terminal, writeJson, writeLines, writeNotes } from '../terminal.ts';

export interface SessionsTitleFlags extends StoreFlags {
  readonly clear?: boolean;
  readonly json?: boolean;
}

/** `words` are the session, and the title where there is one. */
export async function runSessionsTitle(
  [wanted = '', given]: readonly (string | undefined)[],
  flags: SessionsTitleFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  if (given !== undefined && flags.clear) throw wrong('expected a TITLE or --clear, not both');
  if (given !== undefined && cleanTitle(given, 'user') === undefined) {
    throw wrong('expected a TITLE with letters that can be seen; --clear takes a title away');
  }
  const { store, notes } = await openStoreFor(flags, terminal, { mustExist: true });
  await using opened = store;
  const tip = await findSession(opened, wanted);
  const changes = given !== undefined || flags.clear === true;
  const chain = await opened.sessions.chain(tip.id);
  const title = changes
    ? await opened.sessions.title(tip.id, given)
    : chain.findLast((session) => session.title !== undefined)?.title;
  const shown = title === undefined ? null : redact(title);
  if (flags.json) {
    await writeJson(terminal.stdout, { command: 'sessions title', id: tip.id, title: shown, notes });
    return exitCodes.fine;
  }
  const taken =
    given !== undefined && title !== cleanTitle(given, 'user') ? ['that title is in use, so it got a number'] : [];
  await writeNotes(terminal, [...notes, ...taken, ...(title === undefined ? ['it has no title'] : [])], flags);
  await writeLines(terminal.stdout, shown === null ? [] : [visible(shown)]);
  return exitCodes.fine;
}

const wrong = (message: string): PalimpsestError => new PalimpsestError('BAD_OPTION', message);
