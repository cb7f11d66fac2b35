import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inFolder, runHere } from '../support/command-line.ts';
import { assertGolden } from '../support/golden.ts';
import { chatFile, chatMessages } from '../support/small-session.ts';

describe('palimpsest inspect', () => {
  it('shows messages, tokens, tools and the largest messages', () =>
    inFolder({ 'chat.json': chatFile(6) }, async (cwd) => {
      const { code, stdout } = await runHere(['inspect', 'chat.json', '--context-length', '32k'], { cwd });
      assert.equal(code, 0);
      assertGolden('cli/golden/inspect.txt', stdout);
    }));

  it('gives programs the same figures', () =>
    inFolder({ 'chat.json': chatFile(6) }, async (cwd) => {
      const document = JSON.parse((await runHere(['inspect', 'chat.json', '--json'], { cwd })).stdout);
      assert.equal(document.messages, 37);
      assert.equal(
        document.kinds.reduce((sum: number, row: { tokens: number }) => sum + row.tokens, 0),
        document.tokens,
      );
      const names = document.tools.map(({ tool, calls, results }: Record<string, unknown>) => [tool, calls, results]);
      assert.deepEqual(names.sort(), [
        ['bash', 6, 6],
        ['read_file', 6, 6],
      ]);
      assert.equal(document.largest[0].about, 'read_file src/parse-0.js');
    }));

  it('names what a provider would reject, and fails with --strict only', () =>
    inFolder({ 'broken.json': JSON.stringify(chatMessages(3).filter((_, at) => at !== 4)) }, async (cwd) => {
      const { code, stdout } = await runHere(['inspect', 'broken.json'], { cwd });
      assert.equal(code, 0);
      assert.match(stdout, /unanswered-call|orphan-result/);
      assert.equal((await runHere(['inspect', 'broken.json', '--strict'], { cwd })).code, 1);
    }));

  it('names the lines that the reader left out', () =>
    inFolder(
      { 'log.jsonl': '{"role":"user","content":"a"}\nnot json\n{"role":"assistant","content":"b"}\n' },
      async (cwd) => {
        const { code, stdout } = await runHere(['inspect', 'log.jsonl', '--strict'], { cwd });
        assert.equal(code, 1);
        assert.match(stdout, /skipped {2}line 2: /);
      },
    ));

  it('lists the conversations of a file and takes the longest', () => {
    const lines = [2, 5, 1].map((turns) => JSON.stringify({ messages: chatMessages(turns) })).join('\n');
    return inFolder({ 'many.jsonl': lines }, async (cwd) => {
      const { stdout, stderr } = await runHere(['inspect', 'many.jsonl'], { cwd });
      assert.match(stderr, /note: the file contains 3 conversations; using number 2/);
      assert.match(stdout, /\* +2 .* 31/);
      const third = await runHere(['inspect', 'many.jsonl', '--conversation', '3', '--json'], { cwd });
      assert.equal(JSON.parse(third.stdout).messages, 7);
      const wrong = await runHere(['inspect', 'many.jsonl', '--session', '4'], { cwd });
      assert.equal(wrong.code, 2);
      assert.match(wrong.stderr, /the file contains no conversation "4"[\s\S]*31 messages/);
    });
  });

  it('tells that a large file is being read, on a terminal only', () =>
    inFolder({ 'chat.json': chatFile(2) }, async (cwd) => {
      let time = 0;
      const now = (): number => {
        time += 1_000;
        return time;
      };
      const shown = await runHere(['inspect', 'chat.json'], { cwd, isTerminal: true, now });
      assert.match(shown.stderr, /\r\u001b\[2Kreading chat\.json: 100 % of 0\.0 MB/);
      assert.doesNotMatch((await runHere(['inspect', 'chat.json'], { cwd, now })).stderr, /reading/);
    }));
});
