import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { readTranscripts } from '../../packages/core/src/transcript/read.ts';
import { validate } from '../../packages/core/src/transcript/validate.ts';
import { inFolder, runHere, runProcess } from '../support/command-line.ts';
import { chatFile } from '../support/small-session.ts';

const long = chatFile(30);
const small = ['--target', '3000'];

describe('palimpsest compress', () => {
  it('gives a pipe the conversation and standard error the report', () =>
    inFolder({ 'chat.json': long }, async (cwd) => {
      const { code, stdout, stderr } = await runProcess(['compress', 'chat.json', ...small], { cwd });
      assert.equal(code, 0, stderr);
      const { format, transcripts } = await readTranscripts(stdout);
      assert.equal(format, 'openai-chat');
      const messages = transcripts[0]?.messages ?? [];
      assert.ok(messages.length < 181);
      assert.deepEqual(validate(messages, { strictRoles: true }), []);
      assert.match(stderr, /chat\.json: [\d,]+ → [\d,]+ tokens \(\d+ % saved\)/);
      assert.match(stderr, /palimpsest expand chat\.json m\d+/);
    }));

  it('writes -o FILE whole and prints the report', () =>
    inFolder({ 'chat.json': long }, async (cwd) => {
      const { code, stdout } = await runProcess(['compress', 'chat.json', ...small, '-o', 'short.json'], { cwd });
      assert.equal(code, 0);
      assert.match(stdout, /before .*\n {2}after /);
      const { transcripts } = await readTranscripts(readFileSync(join(cwd, 'short.json')));
      assert.match(JSON.stringify(transcripts[0]?.messages), /<handoff /);
      assert.deepEqual(readdirSync(cwd).sort(), ['chat.json', 'short.json']);
    }));

  it('L6 packs a file whose name says so', () =>
    inFolder({ 'chat.json': long }, async (cwd) => {
      for (const name of ['short.json', 'short.json.gz'])
        assert.equal((await runHere(['compress', 'chat.json', ...small, '-o', name], { cwd })).code, 0);
      const plain = readFileSync(join(cwd, 'short.json'));
      assert.deepEqual(gunzipSync(readFileSync(join(cwd, 'short.json.gz'))), plain);
    }));

  it('writes nothing on a terminal unless asked', () =>
    inFolder({ 'chat.json': long }, async (cwd) => {
      const args = ['compress', 'chat.json', ...small, '--no-color'];
      const { stdout } = await runHere(args, { cwd, isTerminal: true, columns: 100 });
      assert.match(stdout, /compress chat\.json -o FILE/);
      assert.doesNotMatch(stdout, /"role"/);
      assert.ok(stdout.split('\n').every((line) => [...line].length <= 100));
    }));

  it('colours the report on a terminal only', () =>
    inFolder({ 'chat.json': long }, async (cwd) => {
      const args = ['compress', 'chat.json', ...small];
      const sequence = '\u001b[';
      assert.ok((await runHere(args, { cwd, isTerminal: true })).stdout.includes(sequence));
      assert.ok(!(await runHere(args, { cwd, isTerminal: true, env: { NO_COLOR: '1' } })).stdout.includes(sequence));
      assert.ok(!(await runHere(args, { cwd })).stderr.includes(sequence));
    }));

  it('never replaces its input, and another file only with --force', () =>
    inFolder({ 'chat.json': long, 'old.json': 'old' }, async (cwd) => {
      const to = (...name: string[]): ReturnType<typeof runHere> =>
        runHere(['compress', 'chat.json', ...small, '-o', ...name], { cwd });
      for (const flags of [[], ['--force']]) {
        const refused = await to('./chat.json', ...flags);
        assert.equal(refused.code, 2);
        assert.match(refused.stderr, /palimpsest: \.\/chat\.json is the input: name another file/);
        assert.equal(readFileSync(join(cwd, 'chat.json'), 'utf8'), long);
      }
      const kept = await to('old.json');
      assert.deepEqual([kept.code, readFileSync(join(cwd, 'old.json'), 'utf8')], [2, 'old']);
      assert.match(kept.stderr, /old\.json already exists: name another file, or use --force to replace it/);
      assert.equal((await to('old.json', '--force')).code, 0);
      assert.ok(readFileSync(join(cwd, 'old.json'), 'utf8').length > 100);
    }));

  it('leaves a conversation alone that is too short, with exit code 0', () =>
    inFolder({ 'chat.json': chatFile(0) }, async (cwd) => {
      const { code, stdout, stderr } = await runHere(['compress', 'chat.json'], { cwd });
      assert.equal(code, 0, stderr);
      assert.deepEqual(JSON.parse(stdout), JSON.parse(chatFile(0)));
      assert.match(stderr, /chat\.json: unchanged\. /);
    }));

  it('reads standard input and gzip', async () => {
    const plain = await runHere(['compress', '-', ...small, '--quiet'], { input: long });
    const packed = await runHere(['compress', ...small, '--quiet'], { input: gzipSync(long) });
    assert.equal(plain.stderr, '');
    assert.equal(packed.stdout, plain.stdout);
    assert.notEqual(gunzipSync(gzipSync(plain.stdout)).length, 0);
  });

  it('converts to another format', () =>
    inFolder({ 'chat.json': long }, async (cwd) => {
      const { stdout } = await runHere(['compress', 'chat.json', ...small, '--to', 'anthropic'], { cwd });
      assert.equal((await readTranscripts(stdout)).format, 'anthropic');
      const unwritable = await runHere(['compress', 'chat.json', '--to', 'swe-agent'], { cwd });
      assert.equal(unwritable.code, 2);
      assert.match(unwritable.stderr, /swe-agent can be read but not written; expected one of/);
    }));

  it('explains every message in one row', () =>
    inFolder({ 'chat.json': long }, async (cwd) => {
      const { stdout } = await runHere(['compress', 'chat.json', ...small, '--explain'], { cwd });
      const rows = stdout
        .split('\n')
        .filter((line) => /^ {2}m\d+ .*(kept|stubbed|summarised|restated|removed)/.test(line));
      assert.ok(rows.length >= 181, `${rows.length} rows`);
    }));

  it('gives programs one document with everything', () =>
    inFolder({ 'chat.json': long }, async (cwd) => {
      const { stdout, stderr } = await runHere(['compress', 'chat.json', ...small, '--json'], { cwd });
      const document = JSON.parse(stdout);
      assert.equal(stderr, '');
      assert.deepEqual(Object.keys(document), [
        'command',
        'input',
        'engine',
        'model',
        'window',
        'toolTokens',
        'status',
        'reason',
        'fates',
        'before',
        'after',
        'targetTokens',
        'tokenizer',
        'overTarget',
        'handoff',
        'summary',
        'failure',
        'notes',
        'findings',
        'output',
      ]);
      assert.equal(document.fates.length, 181);
      assert.equal(document.output.conversation.messages.length, document.output.messages);
      const toFile = await runHere(['compress', 'chat.json', ...small, '--json', '-o', 'short.json'], { cwd });
      assert.equal(JSON.parse(toFile.stdout).output.file, 'short.json');
      assert.equal(JSON.parse(toFile.stdout).output.conversation, undefined);
      assert.ok(existsSync(join(cwd, 'short.json')));
    }));

  it('is the same twice', () =>
    inFolder({ 'chat.json': long }, async (cwd) => {
      const [first, second] = await Promise.all(
        [0, 1].map(() => runProcess(['compress', 'chat.json', ...small], { cwd })),
      );
      assert.deepEqual(first, second);
    }));
});
