/** The ledger over real logs, where they are at hand; nothing of those logs is in this repository. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { personMessage } from '../../../packages/core/src/compression/handoff-block.ts';
import { Tracker } from '../../../packages/core/src/compression/ledger/tracker.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import { readTranscripts } from '../../../packages/core/src/transcript/read.ts';
import { messageText } from '../../../packages/core/src/transcript/text.ts';

const folder = new URL('../../../../shared/data/transcripts/', import.meta.url);
const skip = existsSync(folder) ? false : 'the folder with real logs is not here';

async function conversations(): Promise<readonly { readonly name: string; readonly messages: readonly Message[] }[]> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.gz'));
  const found = [];
  for (const name of names) {
    const { transcripts } = await readTranscripts(gunzipSync(readFileSync(new URL(name, folder))));
    found.push(...transcripts.map(({ messages }) => ({ name, messages })));
  }
  return found;
}

test('S8: facts of real logs name their messages, quote people word for word, and know each file once', {
  skip,
}, async () => {
  for (const { name, messages } of await conversations()) {
    const tracker = new Tracker();
    for (const [at, message] of messages.entries()) tracker.add(message, `m${at + 1}`);
    const facts = tracker.facts();
    const at = (ref: string): Message => messages[Number(ref.slice(1)) - 1] ?? assert.fail(`${name}: ${ref}`);
    for (const { ref, text } of facts.asks) {
      const person = personMessage(at(ref)) ?? assert.fail(`${name}: ${ref} is no person's`);
      assert.equal(text, messageText(person).trim());
    }
    for (const { ref, by } of facts.decisions) if (by === 'user') assert.ok(personMessage(at(ref)), `${name}: ${ref}`);
    for (const { ref, tool } of [...facts.actions, ...facts.errors, ...facts.sideEffects]) {
      assert.ok(
        at(ref).parts.some((part) => part.type === 'toolCall' && part.name === tool),
        `${name}: ${ref}`,
      );
    }
    assert.equal(new Set(facts.files.map(({ path }) => path)).size, facts.files.length, name);
    for (const { path } of facts.files) assert.ok(!/[\n*$`]/.test(path), `${name}: ${path}`);
  }
});
