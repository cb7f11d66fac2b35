// Runs in a folder where the packed package is installed: the public entry loads and does its work.
import assert from 'node:assert/strict';
import * as palimpsest from 'palimpsest';
import { startFakeProvider } from 'palimpsest/testing';

assert.equal(typeof palimpsest.compress, 'function');
console.log(`imported ${Object.keys(palimpsest).length} names`);

const fake = await startFakeProvider();
assert.equal((await fetch(`${fake.url}/v1/models`)).status, 200);
await fake.close();
