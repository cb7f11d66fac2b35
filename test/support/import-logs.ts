/** Logs of a tool that are imported, and a store to import them into. */
import assert from 'node:assert/strict';
import { type ImportedSession, importAt } from '../../packages/core/src/store/import-transcript.ts';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import type { Store } from '../../packages/core/src/store/store.ts';
import type { Transcript } from '../../packages/core/src/transcript/message.ts';
import { readTranscripts } from '../../packages/core/src/transcript/read.ts';
import { writeTranscript } from '../../packages/core/src/transcript/registry.ts';

/** When the logs are imported; they were written two hours before. */
export const now: number = Date.parse('2026-06-01T12:00:00Z');
export const clock = (): number => now;

export async function inMemory<T>(use: (store: Store) => Promise<T>): Promise<T> {
  await using store = await openStore({ path: ':memory:' });
  return await use(store);
}

/** A transcript as the file of its own format. */
export const textOf = (transcript: Transcript): string => [...writeTranscript(transcript, transcript.format)].join('');

/** A line of the log, so many seconds after its start. */
export const line = (at: number, fields: object): string =>
  JSON.stringify({
    sessionId: '8f7d2c11-0000-4000-8000-000000000001',
    cwd: '/bakery',
    timestamp: new Date(now - 7_200_000 + at * 1000).toISOString(),
    uuid: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    parentUuid: null,
    ...fields,
  });

/** A log of Claude Code with some turns; `extra` lines stand before the third. */
export function log(
  turns: number,
  { extra = [], word = 'flour' }: { readonly extra?: readonly string[]; readonly word?: string } = {},
): string {
  const lines = Array.from({ length: turns }, (_, turn) => [
    ...(turn === 2 ? extra : []),
    line(turn * 2, { type: 'user', message: { role: 'user', content: `Weigh ${turn} pounds of ${word}.` } }),
    line(turn * 2 + 1, {
      type: 'assistant',
      message: { id: `msg_${turn}`, role: 'assistant', content: [{ type: 'text', text: `Weighed ${turn}.` }] },
    }),
  ]);
  return `${lines.flat().join('\n')}\n`;
}

/** Imports a log of one conversation. */
export const importLog = async (store: Store, text: string, at: () => number = clock): Promise<ImportedSession> => {
  const { transcripts } = await readTranscripts(text);
  const [imported] = await importAt(at, store, { transcripts });
  assert.ok(imported);
  return imported;
};
