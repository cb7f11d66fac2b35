/** The handoff that `docs/guide/handoff.md` shows: what this version writes of a conversation of the tests. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compress, readTranscripts, tokenizerFor } from '@palimpsest/core';
import type { ReferencePage } from './pages.ts';

const root = join(import.meta.dirname, '..', '..');
const path = 'docs/guide/handoff.md';
const place = /(?<=<!-- handoff -->\n)[\s\S]*?(?=<!-- \/handoff -->)/;

/** The page with the block as it is now; the rest is written by hand. */
export async function handoffPage(): Promise<ReferencePage> {
  const file = readFileSync(join(root, 'test/fixtures/golden/claude-code-en.jsonl'));
  const { transcripts } = await readTranscripts(file);
  const tokenizer = await tokenizerFor('gpt-4o');
  const { handoff } = await compress(transcripts[0]?.messages ?? [], { tokenizer, targetTokens: 2_000 });
  if (!handoff) throw new Error('expected the conversation of the guide to be compressed');
  const page = readFileSync(join(root, path), 'utf8');
  if (!place.test(page)) throw new Error(`expected a place between <!-- handoff --> and <!-- /handoff --> in ${path}`);
  return { path, text: page.replace(place, () => `\`\`\`text\n${handoff.text}\n\`\`\`\n`) };
}

/** The page where the file holds another block. */
export async function staleHandoffPage(): Promise<readonly ReferencePage[]> {
  const page = await handoffPage();
  return readFileSync(join(root, page.path), 'utf8') === page.text ? [] : [page];
}
