import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { lostLines, reportedLines, writeBrokenCorpus } from '../../../bench/trajectories/broken-lines.ts';
import { runCommand, succeeded } from '../../../bench/trajectories/command.ts';
import { corpusLine, writeCorpus } from '../../../bench/trajectories/corpora.ts';
import { faultsOf, turnsIn } from '../../../bench/trajectories/turns.ts';

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-corpora-'));
after(() => rmSync(folder, { recursive: true }));

const linesOf = (path: string): readonly string[] => readFileSync(path, 'utf8').split('\n').slice(0, -1);

describe('an invented corpus', () => {
  test('is the same for the same seed, and another for another', () => {
    assert.equal(corpusLine('short', { seed: 3, at: 5 }), corpusLine('short', { seed: 3, at: 5 }));
    assert.notEqual(corpusLine('short', { seed: 3, at: 5 }), corpusLine('short', { seed: 4, at: 5 }));
  });

  test('holds records whose roles alternate and whose calls have their results', () => {
    for (const line of [corpusLine('long', { seed: 3, at: 0 }), corpusLine('short', { seed: 3, at: 1 })])
      assert.deepEqual(faultsOf(turnsIn(line)), []);
  });

  test('has at least the size that was asked for, and says what it has', async () => {
    const path = join(folder, 'mixed.jsonl');
    const written = await writeCorpus({ path, name: 'mixed', bytes: 300_000, seed: 1 });
    assert.equal(statSync(path).size, written.bytes);
    assert.ok(written.bytes >= 300_000);
    assert.equal(linesOf(path).length, written.records);
  });
});

describe('a corpus with broken lines', () => {
  const path = join(folder, 'broken.jsonl');

  test('names the lines that are broken, and no others are', async () => {
    const { broken } = await writeBrokenCorpus({ path, records: 300, every: 10, seed: 2 });
    const found = linesOf(path).flatMap((line, at) => (isRecord(line) ? [] : [at + 1]));
    assert.deepEqual(broken, found);
    assert.ok(broken.length > 10);
  });

  test('broken lines that an output changed are named', async () => {
    const { broken } = await writeBrokenCorpus({ path, records: 100, every: 10, seed: 2 });
    const output = join(folder, 'output.jsonl');
    const [first = 0] = broken;
    const lines = linesOf(path).map((line, at) => (at + 1 === first || !broken.includes(at + 1) ? '{}' : line));
    writeFileSync(output, `${lines.join('\n')}\n`);
    assert.deepEqual(await lostLines(path, output, broken), [first]);
  });

  test('reports are read from lines and from documents of JSON beside the output', () => {
    const reports = mkdtempSync(join(folder, 'reports-'));
    writeFileSync(join(reports, 'out.jsonl'), '{"number":1,"code":"NOT_A_REPORT"}\n');
    writeFileSync(join(reports, 'broken.jsonl'), '{"number":7,"code":"A","message":"m"}\n{"number":3,"code":"A"}\n');
    writeFileSync(join(reports, 'metrics.json'), '{"errors":[{"line":9,"code":"A"}],"number":4}');
    assert.deepEqual(reportedLines(reports, new Set(['out.jsonl'])), [3, 7, 9]);
  });
});

function isRecord(line: string): boolean {
  try {
    return turnsIn(line).every(({ from }) => ['system', 'human', 'gpt'].includes(from));
  } catch {
    return false;
  }
}

test('a command that fails is an error with what it printed', async () => {
  const run = await runCommand(['-e', 'console.error("no berth"); process.exit(3)']);
  assert.equal(run.ended, 3);
  assert.throws(() => succeeded(run, 'it'), /it ended with 3, expected 0: no berth/);
});
