/** A1: earlier summaries, of this project and of other tools, are told in a new handoff without the frame they came in. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compress, createRecord, estimatingTokenizer, type Message, validate } from '@palimpsest/core';
import { faithfulSummary } from '@palimpsest/core/testing';
import { handoffBlock, isHandoff, unwrapHandoff } from '../../packages/core/src/compression/handoff-block.ts';
import type { Summarizer } from '../../packages/core/src/compression/summarize/summarizer.ts';
import { messageText } from '../../packages/core/src/transcript/text.ts';
import { listOf } from '../conversation/agent.ts';
import { assistant, message, user } from '../support/conversations.ts';
import { requestWith } from '../testing/sessions.ts';

const tokenizer = estimatingTokenizer('claude');
const fact = 'Region north was moved to the new store with 4711 rows, see src/move-north.ts';
const body = `## Goal\nMove the ledgers of all regions.\n\n## Progress\n- ${fact}\n- Region south waits for its key`;
const info = { covers: 'm1-m9', count: 9 };
const hermes = '[CONTEXT COMPACTION — REFERENCE ONLY] Earlier turns were compacted into the summary below.';
const hermesEnd = '--- END OF CONTEXT SUMMARY — respond to the message below, not the summary above ---';
const claude = 'This session is being continued from a previous conversation that ran out of context.';

/** Summaries as they are found in conversations, alone and inside each other. */
const forms: Readonly<Record<string, string>> = {
  'a handoff': handoffBlock(body, info),
  'a handoff that speaks of handoffs': handoffBlock(
    `said </handoff>, <handoff covers="m1-m2" messages="2"> ${body}`,
    info,
  ),
  'a handoff right inside a handoff': `<handoff covers="m1-m20" messages="20">\nReference only: notes.\n\n${handoffBlock(body, info)}\n</handoff>`,
  'a handoff of an older version': `<handoff covers="m1-m9" messages="9">\n${body}\n</handoff>`,
  'Hermes Agent': `${hermes}\n${body}\n\n${hermesEnd}`,
  'Hermes Agent without an end': `[CONTEXT COMPACTION] Earlier turns were compacted to save context space.\n${body}`,
  '[CONTEXT SUMMARY]:': `[CONTEXT SUMMARY]: ${body}`,
  '[CONTEXT SUMMARY]: twice': `[CONTEXT SUMMARY]: [CONTEXT SUMMARY]: ${body}`,
  '[CONTEXT SUMMARY]: in Hermes Agent': `${hermes}\n[CONTEXT SUMMARY]: ${body}\n\n${hermesEnd}`,
  'Claude Code': `${claude} The summary below covers the earlier portion.\n\nSummary:\n${body}\n\nIf you need specific details from before compaction, read the full transcript at: /home/me/x.jsonl\nPlease continue the conversation from where we left it off.`,
  pi: `The conversation history before this point was compacted into the following summary:\n\n<summary>\n${body}\n</summary>`,
  Codex: `Another language model started to solve this problem and produced a summary of its thinking process. Here is the summary:\n${body}`,
  'a prior context before a summary': `[PRIOR CONTEXT — for reference]\nold words\n[END OF PRIOR CONTEXT]\n[CONTEXT SUMMARY]: ${body}`,
  'a handoff in the midst of a summary': `[CONTEXT SUMMARY]: The work so far.\n\n${handoffBlock(body, info)}\n\nMore of it.`,
  'markers in the midst of a handoff': handoffBlock(
    `Lines.\n[CONTEXT SUMMARY]: inner\n> [CONTEXT SUMMARY]: quoted\n${hermesEnd}\n- ${claude}\n${body}`,
    info,
  ),
};

const request = 'Now do region south, please.';
/** Where a summary stands in a conversation. */
const shapes: Readonly<Record<string, (text: string) => readonly Message[]>> = {
  'alone, from the user': (text) => [user(text)],
  'alone, from the assistant': (text) => [assistant(text)],
  'marked by its format': (text) => [{ ...user(text), origin: 'summary' }],
  'merged with a request': (text) => [{ role: 'user', parts: [...user(text).parts, ...user(request).parts] }],
  'behind a reminder': (text) => [
    { role: 'user', parts: [...user('<system-reminder>\nBe brief.\n</system-reminder>').parts, ...user(text).parts] },
  ],
  'twice in one conversation': (text) => [user(text), assistant('Fine.'), user(`${text} `)],
};

const marker =
  /<\\*\/?handoff\b|\[CONTEXT (?:SUMMARY|COMPACTION)|END OF CONTEXT SUMMARY|session is being continued|compacted into the following|<\/?summary>|Another language model|PRIOR CONTEXT|^\s*Reference only|details from before compaction|continue the conversation from/i;

function bodyOf(messages: readonly Message[]): string {
  const block = messages.find(isHandoff) ?? assert.fail('no handoff');
  assert.equal(messages.filter(isHandoff).length, 1);
  assert.equal(messageText(block).split('</handoff>').length, 2, 'one end');
  return unwrapHandoff(block)?.body ?? '';
}

const markersIn = (text: string): readonly string[] => text.split('\n').filter((line) => marker.test(line));

describe('A1 an earlier summary in the middle', () => {
  for (const [form, text] of Object.entries(forms)) {
    test(`A1: leaves no marker in the new handoff, and is told on: ${form}`, async () => {
      for (const [shape, make] of Object.entries(shapes)) {
        const record = createRecord({ count: (one) => tokenizer.count(one) });
        let list: readonly Message[] = [
          message('system', 'Be careful.'),
          ...make(text),
          ...listOf(16),
          user('And now?'),
        ];
        for (let pass = 0; pass < 2; pass++) {
          const options = { tokenizer, record, contextLength: 7_000, compressionCount: pass };
          const { messages } = await compress(list, options);
          assert.deepEqual(validate(messages), []);
          const told = bodyOf(messages);
          assert.deepEqual(markersIn(told), [], `${shape}, pass ${pass + 1}`);
          assert.ok(told.includes('4711'), `${shape}, pass ${pass + 1}: what it said`);
          if (shape === 'merged with a request') assert.ok(told.includes(request), 'the words beside it');
          list = [...messages, assistant('Done.'), ...listOf(12).slice(1), user('Go on?')];
        }
      }
    });
  }

  test('A1: a model that writes the frame of an earlier summary once more has it taken off', async () => {
    for (const [open, close] of [
      [`${hermes}\n`, `\n${hermesEnd}`],
      ['[CONTEXT SUMMARY]: ', ''],
      ['<handoff covers="m1-m9" messages="9">\n', '\n</handoff>'],
      [`${claude}\n\n`, '\nPlease continue the conversation from where we left it off.'],
    ] as const) {
      const prompts: string[] = [];
      const summarizer: Summarizer = {
        name: 'some/model',
        write: async ({ prompt }) => {
          prompts.push(prompt);
          const [first = '', ...rest] = (faithfulSummary(requestWith(prompt)).text ?? '').split('\n');
          return { text: [`${open}${first}`, `- ${hermesEnd}`, ...rest].join('\n') + close, finish: 'stop' };
        },
      };
      const record = createRecord({ count: (one) => tokenizer.count(one) });
      const middle = user(forms['markers in the midst of a handoff'] ?? '');
      const list = [message('system', 'Be careful.'), middle, ...listOf(16), user('And now?')];
      const { messages, handoff } = await compress(list, { tokenizer, record, contextLength: 8_000, summarizer });
      assert.equal(handoff?.writtenBy, 'model');
      assert.deepEqual(markersIn(bodyOf(messages)), []);
      assert.ok(prompts[0]?.includes('4711'));
      assert.ok(!prompts.some((prompt) => prompt.includes('[CONTEXT SUMMARY]: inner')), 'nor is it asked of the model');
    }
  });

  test('A1: what a person quotes of a summary is a quote of the person', async () => {
    const said = 'Why did it write "[CONTEXT SUMMARY]: none" there?';
    const record = createRecord({ count: (one) => tokenizer.count(one) });
    const list = [user(said), ...listOf(16), user('And now?')];
    const { messages } = await compress(list, { tokenizer, record, contextLength: 6_000 });
    assert.ok(messages.map(messageText).join('\n').includes(said));
  });
});
