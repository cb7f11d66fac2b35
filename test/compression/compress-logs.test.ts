/** Whole compressions of real logs, where they are at hand; nothing of those logs is in this repository. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { estimatingTokenizer, expand, readTranscripts, type Transcript, toOpenAiChat } from '@palimpsest/core';
import { live } from '../support/compression-laws.ts';

const folder = new URL('../../../shared/data/transcripts/', import.meta.url);
const checker = new URL('../../../shared/eval/lib/validate.mjs', import.meta.url);
const skip = existsSync(folder) ? false : 'the folder with real logs is not here';
const tokenizer = estimatingTokenizer('claude');
/** Undefined stands for the default window. */
const windows = [4_000, 8_000, 32_000, undefined, 1_000_000];
/** Some files hold hundreds of short conversations that are much alike. */
const mostOfAFile = 2;

type Checker = (messages: readonly unknown[]) => readonly { readonly at: number; readonly rule: string }[];

/** A second opinion on what a strict provider takes, written without a look at our own rules. */
async function outsideChecker(): Promise<Checker | undefined> {
  if (!existsSync(checker)) return undefined;
  const { violationsIn }: { violationsIn: Checker } = await import(checker.href);
  return violationsIn;
}

async function* logs(): AsyncGenerator<{ name: string; transcript: Transcript }> {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.gz')) continue;
    const { transcripts } = await readTranscripts(gunzipSync(readFileSync(new URL(name, folder))));
    for (const transcript of transcripts.slice(0, mostOfAFile)) yield { name, transcript };
  }
}

test('A1–A6, B4, T1: real logs keep every promise at every window, after one, two or five passes', {
  skip,
}, async (t) => {
  const violationsIn = await outsideChecker();
  if (!violationsIn) t.diagnostic('the outside checker is not here: only our own rules were asked');
  let compressed = 0;
  let lives = 0;
  let seen = 0;
  for await (const { name, transcript } of logs()) {
    seen++;
    // Three windows of each log, and the passes in turn: `bench/validity.ts` takes its time for all of them.
    for (const contextLength of windows.filter((_, at) => (at + seen) % windows.length < 3)) {
      const passes = [1, 2, 5][lives++ % 3] ?? 1;
      const what = `${name}, window ${contextLength ?? 'default'}, ${passes} passes`;
      const life = await live(transcript.messages, { tokenizer, passes, ...(contextLength ? { contextLength } : {}) });
      assert.deepEqual(life.broken, [], what);
      for (const { result } of life.passes) {
        if (result.status !== 'compressed') continue;
        compressed++;
        const sent = toOpenAiChat(result.messages, transcript.format);
        assert.deepEqual(violationsIn?.(sent) ?? [], [], what);
      }
    }
  }
  assert.ok(compressed > 50, `only ${compressed} compressions`);
});

test('A6: expand brings back every message that a handoff of a real log covers', { skip }, async () => {
  for await (const { name, transcript } of logs()) {
    const { messages } = transcript;
    const { passes } = await live(messages, { tokenizer, contextLength: 32_000, passes: 2 });
    for (const { result, said } of passes) {
      const covers = /covers="([^"]*)"/.exec(result.handoff?.text ?? '')?.[1];
      if (covers === undefined) continue;
      const back = expand(said, covers);
      assert.equal(back.length, result.handoff?.covers.length, name);
      for (const { at, message } of back) assert.equal(message, messages[at]);
    }
  }
});
