// Runs in a folder where the packed package is installed: the public entry loads and does its work.
import assert from 'node:assert/strict';
import * as palimpsest from 'palimpsest';

assert.equal(typeof palimpsest.compress, 'function');
console.log(`imported ${Object.keys(palimpsest).length} names`);
