/** `palimpsest sessions list`: the conversations of the store. */
import { PalimpsestError } from '@palimpsest/core';
import type { ConversationFilter } from '@palimpsest/core/store';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { openStoreFor, type StoreFlags } from '../open-store.ts';
import { projectFolder } from '../project-folder.ts';
import { conversationTable } from '../render/session-list.ts';
import { conversationRow } from '../sessions/conversation-row.ts';
import { withTitles } from '../sessions/titles.ts';
import { type Terminal, writeResult } from '../terminal.ts';
import { type TimeFlags, timeRange } from '../when.ts';

export interface SessionsListFlags extends StoreFlags, TimeFlags {
  readonly limit?: string;
  readonly source?: string;
  readonly project?: string;
  readonly sides?: boolean;
}

const defaultLimit = 20;

export async function runSessionsList(flags: SessionsListFlags, terminal: Terminal): Promise<ExitCode> {
  const limit = limitOf(flags.limit);
  const filter = { ...filterOf(flags, terminal), limit: limit + 1 };
  const { store, path, notes } = await openStoreFor(flags, terminal);
  await using opened = store;
  const found = await opened.sessions.list(filter);
  const shown = await withTitles(opened, found.slice(0, limit));
  const hasMore = found.length > limit;
  const json = (): object => {
    return { command: 'sessions list', store: path, conversations: shown.map(conversationRow), hasMore };
  };
  const remarks = [
    ...(hasMore
      ? [`showing the first ${limit}: --limit N shows more; --since, --source and --project narrow the list`]
      : []),
    ...(shown.length === 0 ? ['no conversation matches'] : []),
  ];
  await writeResult({ json, notes, remarks, lines: (screen) => conversationTable(shown, screen) }, flags, terminal);
  return exitCodes.fine;
}

function filterOf({ source, project, sides, since, until }: SessionsListFlags, { cwd }: Terminal): ConversationFilter {
  const times = timeRange({ ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) });
  return {
    ...times,
    ...(source === undefined ? {} : { source }),
    ...(project === undefined ? {} : { project: projectFolder(project, cwd) }),
    ...(sides ? { sides } : {}),
  };
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return defaultLimit;
  if (/^\d{1,7}$/.test(text) && Number(text) > 0) return Number(text);
  const message = `expected --limit to be a whole number from 1 on, got ${JSON.stringify(text)}`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { limit: text.slice(0, 40) } });
}
