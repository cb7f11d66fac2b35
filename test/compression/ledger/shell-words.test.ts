import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { effectiveCommands } from '../../../packages/core/src/compression/ledger/commands.ts';
import { simpleCommands } from '../../../packages/core/src/compression/ledger/shell-words.ts';

const words = (line: string): readonly (readonly string[])[] => simpleCommands(line).map((command) => command.words);
const programs = (line: string): readonly string[] =>
  effectiveCommands(line).flatMap((command) => command.words.slice(0, 2).join(' ') || []);

test('S8: a line is split at its operators, not inside quotes', () => {
  assert.deepEqual(words('a "b; c" && d \'e | f\' || g | h; i &\nj'), [
    ['a', 'b; c'],
    ['d', 'e | f'],
    ['g'],
    ['h'],
    ['i'],
    ['j'],
  ]);
  assert.deepEqual(words('echo "a \\"b\\" c" it\\ s'), [['echo', 'a "b" c', 'it s']]);
  assert.deepEqual(words('(cd x && make) # git push'), [['cd', 'x'], ['make']]);
  assert.deepEqual(words('gh pr create \\\n  --title "x"'), [['gh', 'pr', 'create', '--title', 'x']]);
});

test('S8: redirections name files, not words', () => {
  assert.deepEqual(simpleCommands('make > out.log 2>&1'), [
    { words: ['make'], writes: [{ path: 'out.log', append: false }] },
  ]);
  assert.deepEqual(simpleCommands('a >> b.txt 2> err.txt < in.txt'), [
    { words: ['a'], writes: [{ path: 'b.txt', append: true }] },
  ]);
  assert.deepEqual(simpleCommands('a &> all.txt')[0]?.writes, [{ path: 'all.txt', append: false }]);
});

test('S8: the body of a here-document is no command', () => {
  const line = "cat > run.sh <<'EOF'\nrm -rf / > gone.txt\ngit push\nEOF\necho done";
  assert.deepEqual(simpleCommands(line), [
    { words: ['cat'], writes: [{ path: 'run.sh', append: false }] },
    { words: ['echo', 'done'], writes: [] },
  ]);
  assert.deepEqual(words('cat <<A <<B\n1\nA\n2\nB\nls'), [['cat'], ['ls']]);
  assert.deepEqual(words('cat <<EOF | tee x.txt\nbody\nEOF'), [['cat'], ['tee', 'x.txt']]);
});

test('S8: a message that is given as a here-document is one word', () => {
  const line = 'git commit -m "$(cat <<\'EOF\'\nfix: it\'s "done" (now)\n\nBody.\nEOF\n)" && git push';
  assert.deepEqual(words(line), [
    ['git', 'commit', '-m', 'fix: it\'s "done" (now)\n\nBody.'],
    ['git', 'push'],
  ]);
});

test('S8: programs are found behind what starts them', () => {
  assert.deepEqual(programs('sudo -E FOO=1 git push'), ['git push']);
  assert.deepEqual(programs('CI=1 timeout -k 5 60 npm publish'), ['npm publish']);
  assert.deepEqual(programs('npx -y vercel deploy; pnpm exec prisma migrate; ls | xargs -0 rm x'), [
    'vercel deploy',
    'prisma migrate',
    'ls',
    'rm x',
  ]);
  assert.deepEqual(programs("bash -lc 'cd x && git push'"), ['cd x', 'git push']);
  assert.deepEqual(programs('ssh -A host systemctl restart app'), ['systemctl restart']);
  assert.deepEqual(programs('if test -f x; then git push; fi'), ['test -f', 'git push', 'fi']);
});

const shellText = (): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 4 }),
        fc.constantFrom(
          '"',
          "'",
          '$(',
          ')',
          '`',
          '\\',
          '<<',
          'EOF',
          '\n',
          '>',
          '&',
          '|',
          ';',
          '#',
          ' ',
          'bash -c ',
          'eval ',
          '\ud800',
        ),
      ),
    )
    .map((pieces) => pieces.join(''));

test('S8: every text comes apart without an error, into words that are not white space alone', () => {
  fc.assert(
    fc.property(shellText(), (text) => {
      for (const { words: list, writes } of simpleCommands(text)) assert.ok(list.length + writes.length > 0);
      effectiveCommands(text);
    }),
    { numRuns: 500 },
  );
});

test('invariant 10: nested and unfinished quotes, substitutions and documents stay small', () => {
  for (const text of [
    '$('.repeat(20_000),
    '"$('.repeat(20_000),
    "'".repeat(20_001),
    '<<a\n'.repeat(20_000),
    '`'.repeat(20_001),
    "bash -c '".repeat(5000),
    'eval '.repeat(20_000),
  ]) {
    const size = effectiveCommands(text).reduce((sum, command) => sum + command.words.join(' ').length + 1, 0);
    assert.ok(size <= 5 * text.length);
  }
});
