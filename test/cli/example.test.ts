import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { examplePath } from '../../packages/palimpsest/src/cli/load.ts';
import { runProcess } from '../support/command-line.ts';

const path = await examplePath().catch(() => undefined);

describe('the recorded example', { skip: path === undefined && 'examples/recorded holds no session' }, () => {
  it('is compressed and reported, also into a pipe', async () => {
    const { code, stdout } = await runProcess(['compress', '--example']);
    assert.equal(code, 0);
    assert.match(stdout, /^the recorded example: [\d,]+ → [\d,]+ tokens/);
    assert.match(stdout, /palimpsest expand --example m\d+/);
  });

  it('gives its messages back', async () => {
    const { code, stdout } = await runProcess(['expand', '--example', 'm1', '--raw']);
    assert.equal(code, 0);
    assert.ok(JSON.parse(stdout));
  });
});
