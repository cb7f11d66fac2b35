/** Stores in real files, and what became of the files. */
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import type { Store } from '../../packages/core/src/store/store.ts';
import { compressed, said, sessionOf } from './store-contract/store-bench.ts';

/** A folder that is gone after the test. */
export async function newFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-store-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A closed store with some hundred messages, two conversations and a compression. */
export async function filledFile(t: TestContext, messages = 300): Promise<string> {
  const path = join(await newFolder(t), 'store.db');
  await using store = await openStore({ path });
  const texts = Array.from({ length: messages }, (_, i) => `message ${i} about the parser in src/parser-${i}.ts`);
  const session = await sessionOf(store, texts, { title: 'Parser' });
  await compressed(store, session, '<handoff>');
  await sessionOf(store, ['short']);
  await store.outputs.save('line 1\nline 2\n');
  return path;
}

/** A hash over the file and every file beside it. */
export async function fingerprint(path: string): Promise<string> {
  const folder = join(path, '..');
  const hash = createHash('sha256');
  for (const name of (await readdir(folder)).sort()) hash.update(name).update(await readFile(join(folder, name)));
  return hash.digest('hex');
}

/** Everything that a person would miss. */
export async function contentOf(store: Store): Promise<unknown> {
  const conversations = await store.sessions.list({ limit: 1_000 });
  const chains = await Promise.all(conversations.map(({ tip }) => store.sessions.chain(tip.id)));
  const views = await Promise.all(chains.flat().map(({ id }) => store.messages.view(id)));
  const outputs = await Promise.all((await store.outputs.list()).map(({ id }) => store.outputs.read(id)));
  return { conversations, views, outputs, messages: await store.messages.count() };
}

/** Changes a file behind the back of the store. */
export function withDatabase<T>(path: string, work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(path);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** Appends one message to a new session; what a store that is well can do. */
export async function writeOne(store: Store): Promise<void> {
  const session = await store.sessions.create({ source: 'library' });
  await store.messages.append(session.id, [said(`one more in ${session.id}`)]);
}
