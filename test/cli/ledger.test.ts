import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inFolder, runHere } from '../support/command-line.ts';
import { chatFile } from '../support/small-session.ts';

describe('S8: palimpsest ledger', () => {
  it('shows facts in sections, each with its message', () =>
    inFolder({ 'chat.json': chatFile(6) }, async (cwd) => {
      const { code, stdout } = await runHere(['ledger', 'chat.json'], { cwd });
      assert.equal(code, 0);
      assert.match(stdout, /^story {2}6 requests, and what came of each\n {2}m2 .*empty row 0/);
      assert.match(stdout, /Actions \(12\)\n {2}m3 .*read_file src\/parse-0\.js/);
      assert.match(stdout, /bash node --test src\/parse-2\.js failed \(exit 1\): not ok 1/);
    }));

  it('cuts long sections unless all is asked for', () =>
    inFolder({ 'chat.json': chatFile(20) }, async (cwd) => {
      const short = (await runHere(['ledger', 'chat.json'], { cwd })).stdout;
      assert.match(short, /Actions \(40\)\n {2}28 earlier: --all shows them/);
      const all = (await runHere(['ledger', 'chat.json', '--all'], { cwd })).stdout;
      assert.ok(all.includes('src/parse-0.js') && !short.includes('read_file src/parse-0.js'));
    }));

  it('tells the story first: each request, what came of it, what was changed, how commands ended', () =>
    inFolder({ 'chat.json': chatFile(20) }, async (cwd) => {
      const { stdout } = await runHere(['ledger', 'chat.json'], { cwd });
      const story = stdout.slice(0, stdout.indexOf('\nActions '));
      assert.match(story, /^story {2}20 requests/);
      assert.match(story, / m2 .*empty row 0/);
      assert.match(story, /8 more: --all shows them/);
      assert.match(story, / m\d+ +→ /);
      assert.match(story, /\n +ran 1 command, 1 failed/);
    }));

  it('writes the handoff within a budget', () =>
    inFolder({ 'chat.json': chatFile(20) }, async (cwd) => {
      const { stdout, stderr } = await runHere(['ledger', 'chat.json', '--budget', '1k'], { cwd });
      assert.match(stdout, /^## /);
      assert.match(stderr, /note: [\d,]+ tokens of 1,000/);
      const json = JSON.parse((await runHere(['ledger', 'chat.json', '--budget', '1k', '--json'], { cwd })).stdout);
      assert.equal(`${json.handoff.body}\n`, stdout);
      assert.ok(json.handoff.tokens <= 1_000);
      const brief = await runHere(['ledger', 'chat.json', '--budget', '1k', '--template', 'brief'], { cwd });
      assert.match(brief.stdout, /## Task Context/);
    }));

  it('gives programs every fact', () =>
    inFolder({ 'chat.json': chatFile(6) }, async (cwd) => {
      const { facts } = JSON.parse((await runHere(['ledger', 'chat.json', '--json'], { cwd })).stdout);
      assert.equal(facts.asks.length, 6);
      assert.equal(facts.actions.length, 12);
    }));
});
