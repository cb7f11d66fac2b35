/** The plans of this folder on real logs, where they are at hand; nothing of those logs is in this repository. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { assemble } from '../../packages/core/src/compression/assemble.ts';
import { planBoundaries } from '../../packages/core/src/compression/boundaries.ts';
import { handoffBlock, isHandoff, personMessage } from '../../packages/core/src/compression/handoff-block.ts';
import { prune } from '../../packages/core/src/compression/prune/prune.ts';
import { repair } from '../../packages/core/src/compression/repair.ts';
import type { Message } from '../../packages/core/src/transcript/message.ts';
import { readTranscripts } from '../../packages/core/src/transcript/read.ts';
import { readableText, resultText, toolResults } from '../../packages/core/src/transcript/text.ts';
import { validate } from '../../packages/core/src/transcript/validate.ts';

const folder = new URL('../../../shared/data/transcripts/', import.meta.url);
const skip = existsSync(folder) ? false : 'the folder with real logs is not here';
const tokensOf = (message: Message): number => 4 + Math.ceil(readableText(message).length / 4);
const options = { headMessages: 3, tailTokens: 10_000, tokensOf, force: true };

function files(): readonly URL[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.gz')).map((name) => new URL(name, folder));
}

async function conversationsOf(file: URL): Promise<readonly (readonly Message[])[]> {
  const bytes = gunzipSync(readFileSync(file));
  const { transcripts } = await readTranscripts(bytes);
  return transcripts.slice(0, 20).map((transcript) => transcript.messages);
}

test('A4, P2, B3, A3: real logs stay valid through repair, pruning, cut and assembly', { skip }, async () => {
  for (const file of files()) {
    for (const messages of await conversationsOf(file)) {
      let list = repair(messages).messages;
      assert.deepEqual(validate(list), [], file.pathname);
      const said = list.findLast((one) => personMessage(one) !== undefined);
      for (let pass = 1; pass <= 2; pass++) {
        const ids = new Map(list.map((one, at) => [one, `m${at}`]));
        const pruned = prune(list, {
          tokensOf,
          refOf: (one) => ids.get(one) ?? assert.fail(),
          tailTokens: 10_000,
        }).messages;
        const plan = planBoundaries(pruned, { ...options, headMessages: pass === 1 ? 3 : 0 });
        if (plan.type === 'nothing') continue;
        list = assemble(pruned, plan, {
          block: handoffBlock(`Summary ${pass}.`, { covers: 'm1-m2', count: 2 }),
        }).messages;
        assert.deepEqual(validate(list), [], `${file.pathname}, pass ${pass}`);
        assert.equal(list.filter(isHandoff).length, 1);
        const shown = new Set(list.slice(list.findIndex(isHandoff)).flatMap((one) => one.parts));
        const words = said?.parts.filter((part) => part.type === 'text') ?? [];
        assert.ok(
          words.every((part) => shown.has(part)),
          `${file.pathname}: the newest request`,
        );
      }
    }
  }
});

test('P2: in real logs no result that is marked as failed gets a stub that looks like a success', {
  skip,
}, async () => {
  let failures = 0;
  for (const file of files()) {
    for (const messages of await conversationsOf(file)) {
      const list = repair(messages).messages;
      const { messages: pruned } = prune(list, { tokensOf, refOf: () => 'm1', tailTokens: 1, minMessages: 1 });
      for (const result of pruned.flatMap(toolResults)) {
        const text = resultText(result);
        if (!result.isError || !text.startsWith('[pruned: ')) continue;
        failures++;
        assert.match(text, /\| (?:FAILED|exit 1 )/);
      }
    }
  }
  assert.ok(failures > 50, `only ${failures} failures seen`);
});
