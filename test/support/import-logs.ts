/** Logs of a tool that are imported, and a store to import them into. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { exportSession } from '../../packages/core/src/store/export-session.ts';
import { type ImportedSession, importAt } from '../../packages/core/src/store/import-transcript.ts';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import type { Store } from '../../packages/core/src/store/store.ts';
import type { Message, Transcript } from '../../packages/core/src/transcript/message.ts';
import { readTranscripts } from '../../packages/core/src/transcript/read.ts';
import { writableFormats, writeTranscript } from '../../packages/core/src/transcript/registry.ts';

/** When the logs are imported; they were written two hours before. */
export const now: number = Date.parse('2026-06-01T12:00:00Z');
export const clock = (): number => now;

export async function inMemory<T>(use: (store: Store) => Promise<T>): Promise<T> {
  await using store = await openStore({ path: ':memory:' });
  return await use(store);
}

/** What a file of logs holds, packed by gzip or not. */
export async function transcriptsOf(file: string): Promise<readonly Transcript[]> {
  const bytes = readFileSync(file);
  return (await readTranscripts(bytes[0] === 0x1f ? gunzipSync(bytes) : bytes)).transcripts;
}

/** What JSON can tell of it, without the place in its file. */
export const plain = ({ source: _, ...message }: Message): unknown => JSON.parse(JSON.stringify(message));

/** Imports, exports, and compares every message, and the file where its format can be written. */
export async function requireRoundTrip(store: Store, transcripts: readonly Transcript[]): Promise<void> {
  const said = transcripts.filter(({ messages }) => messages.length > 0);
  const imported = await importAt(clock, store, { transcripts });
  assert.equal(imported.length, said.length);
  for (const [at, transcript] of said.entries()) {
    const back = await exportSession(store, imported[at]?.sessionId ?? '');
    assert.deepEqual(back.messages.map(plain), transcript.messages.map(plain));
    assert.deepEqual(back.compressions, transcript.compressions);
    assert.deepEqual(back.sideOf, transcript.sideOf);
    if (!writableFormats.includes(transcript.format)) continue;
    const { id: _, ...withoutId } = back;
    assert.equal(textOf(transcript.id === undefined ? withoutId : back), textOf(transcript));
  }
  const again = await importAt(clock, store, { transcripts });
  assert.ok(again.every(({ outcome, appended }) => outcome === 'unchanged' && appended === 0));
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
