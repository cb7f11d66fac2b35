// Runs in a folder where the packed package is installed: the public entry loads and does its work.
import assert from 'node:assert/strict';
import * as palimpsest from '@palimpsest/core';
import { ContextCompressor } from '@palimpsest/core/engine';
import { startFakeProvider } from '@palimpsest/core/testing';

assert.equal(typeof palimpsest.compress, 'function');
console.log(`imported ${Object.keys(palimpsest).length} names`);

assert.equal(new ContextCompressor({ contextLength: 200_000 }).thresholdTokens, 100_000);

const fake = await startFakeProvider();
assert.equal((await fetch(`${fake.url}/v1/models`)).status, 200);
await fake.close();
