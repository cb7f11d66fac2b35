/** What every chat format promises: what was read is written again, field by field. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../packages/core/src/shared/json.ts';
import type { FormatName, Message, Transcript } from '../../../packages/core/src/transcript/message.ts';
import { readTranscripts } from '../../../packages/core/src/transcript/read.ts';
import { writeTranscript } from '../../../packages/core/src/transcript/registry.ts';
import * as gemini from '../../support/gemini-contents.ts';
import * as wire from '../../support/messages.ts';

interface Chat {
  readonly format: FormatName;
  readonly list: string;
  readonly message: () => fc.Arbitrary<JsonObject>;
  /** A plain message, where the usual one is none of the format. */
  readonly last?: string;
}

const usualLast = '{"role":"user","content":"last","from":"human"}';
const geminiLast = '{"role":"user","parts":[{"text":"last"}]}';

const chats: readonly Chat[] = [
  { format: 'openai-chat', list: 'messages', message: wire.chatMessages },
  { format: 'openai-responses', list: 'input', message: wire.responsesItems },
  { format: 'anthropic', list: 'messages', message: wire.anthropicMessages },
  { format: 'gemini', list: 'contents', message: gemini.geminiContents, last: geminiLast },
  { format: 'gemini', list: 'candidates', message: gemini.geminiCandidates, last: geminiLast },
  { format: 'ai-sdk', list: 'messages', message: wire.modelMessages },
  { format: 'sharegpt', list: 'conversations', message: wire.shareGptEntries },
];

const written = (transcript: Transcript): string => [...writeTranscript(transcript, transcript.format)].join('');

const withoutSource = (message: Message): Message => {
  const { source: _, ...rest } = message;
  return rest;
};

const around: readonly JsonObject[] = [
  {},
  { model: 'a-model', tools: [{ type: 'function', function: { name: 'read' } }], temperature: 0 },
  { model: null, tools: null, metadata: { a: [1, null] } },
  { id: 'abc', model: '', system: 'Be brief.', instructions: 'Be kind.' },
  { id: 7, system: [{ type: 'text', text: 'Be brief.' }], instructions: null, messages_total: 3 },
];

async function only(text: string, format: FormatName): Promise<Transcript> {
  const { transcripts } = await readTranscripts(text, { format });
  assert.equal(transcripts.length, 1);
  const [transcript] = transcripts;
  assert.ok(transcript);
  return transcript;
}

for (const { format, list, message, last = usualLast } of chats) {
  describe(`${format}: ${list}`, () => {
    const lists = fc.array(message(), { minLength: 1, maxLength: 6 });

    test('gives back the JSON that it read', async () => {
      await fc.assert(
        fc.asyncProperty(lists, fc.constantFrom(...around), async (messages, fields) => {
          const document: JsonValue = { ...fields, [list]: messages };
          const transcript = await only(JSON.stringify(document, null, 2), format);
          assert.deepEqual(JSON.parse(written(transcript)), document);
        }),
        { numRuns: 200 },
      );
    });

    test('gives back a bare list as a list and lines as lines', async () => {
      await fc.assert(
        fc.asyncProperty(lists, async (messages) => {
          assert.deepEqual(JSON.parse(written(await only(JSON.stringify(messages), format))), messages);
          const lines = `${messages.map((one) => JSON.stringify(one)).join('\n')}\n${last}\n`;
          const back = written(await only(lines, format));
          assert.deepEqual(
            back
              .trim()
              .split('\n')
              .map((line) => JSON.parse(line)),
            lines
              .trim()
              .split('\n')
              .map((line) => JSON.parse(line)),
          );
        }),
        { numRuns: 60 },
      );
    });

    test('reads what it wrote as the same messages', async () => {
      await fc.assert(
        fc.asyncProperty(lists, async (messages) => {
          const first = await only(JSON.stringify({ [list]: messages }), format);
          const second = await only(written(first), format);
          assert.deepEqual(second.messages.map(withoutSource), first.messages.map(withoutSource));
        }),
        { numRuns: 60 },
      );
    });
  });
}
