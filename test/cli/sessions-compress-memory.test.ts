/** L2 on the command line: a compression of a stored conversation keeps what is worth it in the memory, where there is one. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inFolder, runHere } from '../support/command-line.ts';
import { chatFile } from '../support/small-session.ts';

const rule = 'From now on always run the linter before you commit.';

/** The chat with a rule at its beginning, as a file. */
function chatWithRule(answer: string): string {
  const chat: unknown = JSON.parse(chatFile(30));
  const list = Array.isArray(chat) ? chat : Reflect.get(Object(chat), 'messages');
  assert.ok(Array.isArray(list));
  const at = list.findIndex(({ role }) => role === 'assistant');
  list.splice(at + 1, 0, { role: 'user', content: rule }, { role: 'assistant', content: answer });
  return JSON.stringify(chat);
}

describe('L2: palimpsest sessions compress', () => {
  it('keeps what is worth it where there is a memory, and says so; without one nothing is made', () =>
    inFolder({ 'one.json': chatWithRule('I will.'), 'two.json': chatWithRule('Fine.') }, async (cwd) => {
      const run = (...words: readonly string[]) => runHere(words, { cwd });
      await run('import', 'one.json', '--title', 'First');
      await run('import', 'two.json', '--title', 'Second');
      const memory = async () => JSON.parse((await run('memory', 'show', '--everywhere', '--json')).stdout);
      const without = await run('sessions', 'compress', 'First', '--target', '3000', '--json');
      assert.equal(without.code, 0, without.stderr);
      assert.doesNotMatch(without.stdout, /memory/);
      await run('memory', 'add', '--everywhere', '--yes', 'Uses Rust.');
      const kept = await run('sessions', 'compress', 'Second', '--target', '3000', '--json');
      const { status, notes } = JSON.parse(kept.stdout);
      assert.equal(status, 'compressed');
      assert.match(notes.join('\n'), /Before the compression, e2 waits for the person in the memory\./);
      assert.match(JSON.stringify((await memory()).pending), /run the linter before you commit/);
    }));
});
