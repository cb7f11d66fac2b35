/** `palimpsest approvals`: what an agent may do without a question, as a person sees it and takes it back. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { openApprovalRules } from '../../packages/palimpsest/src/agent/approval/rules-file.ts';
import { dataFolder } from '../../packages/palimpsest/src/config/folders.ts';
import { runHere } from '../support/command-line.ts';

const home = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-approvals-')));
after(() => rmSync(home, { recursive: true, force: true }));
const env = { HOME: home };
const folder = dataFolder(env, process.platform) ?? assert.fail();
const project = join(home, 'oven');
mkdirSync(project);
const run = (...args: readonly string[]) => runHere(['approvals', ...args], { env, cwd: project });

describe('K1: palimpsest approvals', () => {
  test('says that nothing is allowed where nothing was', async () => {
    const { stdout, code } = await run();
    assert.equal(stdout, 'Nothing is allowed here without a question.\n');
    assert.equal(code, 0);
  });

  test('lists each rule with exactly what it covers, and takes one back by its number', async () => {
    const rules = openApprovalRules({ folder, project });
    await rules.add({ type: 'command', text: 'npm test' });
    await rules.add({ type: 'write', path: 'oven.ts' });
    const { stdout } = await run('list');
    assert.match(stdout, /1 {2}\d{4}-\d\d-\d\d {2}the command `npm test`, in .*oven/);
    assert.match(stdout, /2 {2}\d{4}-\d\d-\d\d {2}changes to the file .*oven\.ts/);
    const { stdout: removed } = await run('remove', '1');
    assert.match(removed, /^Asked again from now on: the command `npm test`/);
    const { stdout: json } = await run('list', '--json');
    const [only] = JSON.parse(json).projects;
    assert.equal(only.project, project);
    assert.deepEqual(
      only.rules.map(({ number, rule }: { number: number; rule: object }) => [number, rule]),
      [[1, { type: 'write', path: 'oven.ts' }]],
    );
  });

  test('refuses a number that no rule has, and a file that is broken, which it leaves alone', async () => {
    const { code, stderr } = await run('remove', '7');
    assert.equal(code, 2);
    assert.match(stderr, /7/);
    writeFileSync(join(folder, 'approvals.json'), '{ broken');
    const { code: broken, stderr: why } = await run('list');
    assert.equal(broken, 2);
    assert.match(why, /approvals\.json/);
  });
});
