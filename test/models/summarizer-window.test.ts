import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadWriter } from '../../packages/palimpsest/src/cli/writer/load-writer.ts';
import { modelServer } from './model-server.ts';

test('O4, S7: a summarizer on an own server has the window that the server says, unless one is given', async () => {
  await using server = await modelServer({
    '/api/ps': { json: { models: [{ name: 'mill', context_length: 24_576 }] } },
  });
  const first = { model: 'ollama/mill', baseUrl: `${server.url}/v1` };
  const setting = { env: {}, timeouts: { timeoutSeconds: 1, totalTimeoutSeconds: 1 } };
  const asked = await loadWriter({ first, isNamed: true }, setting);
  assert.equal(asked.first.contextLength, 24_576);
  const requests = server.asked.length;
  const given = await loadWriter({ first, isNamed: true }, { ...setting, contextLength: 8_192 });
  assert.deepEqual([given.first.contextLength, server.asked.length], [8_192, requests]);
});
