/** The AI SDK's own schema is the judge of what we write for it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modelMessageSchema } from 'ai';
import fc from 'fast-check';
import { repair } from '../../../packages/core/src/compression/repair.ts';
import { toAiSdk } from '../../../packages/core/src/transcript/wire/ai-sdk/messages.ts';
import { conversations } from '../../support/conversations.ts';

test('the AI SDK accepts every message that is written for it from a valid conversation', () => {
  fc.assert(
    fc.property(conversations(), (list) => {
      for (const message of toAiSdk(repair(list).messages, 'openai-chat')) {
        const parsed = modelMessageSchema.safeParse(message);
        assert.ok(parsed.success, `${JSON.stringify(message)}\n${parsed.error}`);
      }
    }),
    { numRuns: 300 },
  );
});
