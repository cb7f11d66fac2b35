/** The results in real logs, where they are at hand; nothing of those logs is in this repository. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { outcomeOf } from '../../packages/core/src/compression/outcome.ts';
import { createOutputBudget } from '../../packages/core/src/output/budget.ts';
import type { ResultContent, ToolCallPart, ToolResultPart } from '../../packages/core/src/transcript/message.ts';
import { readTranscripts } from '../../packages/core/src/transcript/read.ts';
import { spilledOutput, toolCalls, toolResults } from '../../packages/core/src/transcript/text.ts';
import { memoryStore, wholeText } from './results.ts';

const folder = new URL('../../../shared/data/transcripts/', import.meta.url);
const skip = existsSync(folder) ? false : 'the folder with real logs is not here';

/** So small that many results are saved. */
const config = { resultChars: 2_000, turnChars: 6_000 };

interface Answered {
  readonly call: ToolCallPart | undefined;
  readonly result: ToolResultPart;
}

/** The results of each message of a log, with their calls. */
async function answersIn(file: URL): Promise<readonly (readonly Answered[])[]> {
  const { transcripts } = await readTranscripts(gunzipSync(readFileSync(file)));
  return transcripts.slice(0, 20).flatMap(({ messages }) => {
    const calls = new Map(messages.flatMap(toolCalls).map((call) => [call.callId, call]));
    return messages.map((message) =>
      toolResults(message).map((result) => {
        const call = calls.get(result.callId);
        return { call, result: { ...result, name: result.name ?? call?.name ?? '' } };
      }),
    );
  });
}

test('R1 real logs: saved results come back whole, and keep the outcome of their calls', { skip }, async () => {
  await using store = await memoryStore();
  const budget = createOutputBudget({ outputs: store.outputs, contextLength: 1_000, config });
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.gz'));
  let saved = 0;
  for (const name of names) {
    for (const answer of await answersIn(new URL(name, folder))) {
      const admitted = await budget.admitTurn(answer.map(({ result }) => result));
      for (const [at, { call, result }] of answer.entries()) {
        const now = admitted[at];
        if (now === undefined || now === result) continue;
        saved++;
        assert.equal(outcomeOf(call, now).ok === false, outcomeOf(call, result).ok === false, `${name} ${call?.input}`);
        for (const [i, part] of result.content.entries()) {
          const shown: ResultContent | undefined = now.content[i];
          if (shown === part || part.type !== 'text' || shown?.type !== 'text') continue;
          if (!/^It came in an MCP envelope/m.test(shown.text))
            assert.equal(await wholeText(store.outputs, spilledOutput(shown.text)), part.text);
        }
      }
    }
  }
  assert.ok(saved > 100, `only ${saved} results were large enough`);
});
