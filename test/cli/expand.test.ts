import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sourceRanges, spansOf } from '../../packages/core/src/recall/refs.ts';
import { readTranscripts } from '../../packages/core/src/transcript/read.ts';
import { inFolder, runHere, runProcess } from '../support/command-line.ts';
import { chatFile, chatMessages } from '../support/small-session.ts';

const file = chatFile(4);
const messages = chatMessages(4);
const lines = messages.map((message) => JSON.stringify(message));

describe('A6: palimpsest expand', () => {
  it('prints the text alone, and who said it on standard error', () =>
    inFolder({ 'chat.json': file }, async (cwd) => {
      const { code, stdout, stderr } = await runProcess(['expand', 'chat.json', 'm4'], { cwd });
      assert.equal(code, 0);
      assert.equal(stdout, messages[3]?.content);
      assert.equal(stderr, 'm4  tool results  read_file\n');
    }));

  it('gives the exact bytes of the records with --raw, plain, packed and piped', () =>
    inFolder({ 'log.jsonl': lines.join('\r\n'), 'log.jsonl.gz': gzipSync(lines.join('\n')) }, async (cwd) => {
      const expected = `${lines[1]}\n${lines[2]}\n${lines[4]}`;
      for (const name of ['log.jsonl', 'log.jsonl.gz']) {
        const { stdout } = await runHere(['expand', name, 'm2-m3', 'm5', '--raw'], { cwd });
        assert.equal(stdout, expected, name);
      }
      const piped = await runProcess(['expand', '-', 'm2-m3,m5', '--raw'], { input: lines.join('\n') });
      assert.equal(piped.stdout, expected);
    }));

  it('A6 refuses to give the bytes and a document at once', () =>
    inFolder({ 'chat.json': chatFile(3) }, async (cwd) => {
      const { code, stdout } = await runHere(['expand', 'chat.json', 'm2', '--raw', '--json'], { cwd });
      assert.equal(code, 2);
      assert.match(JSON.parse(stdout).error.message, /expected --json or --raw, got both/);
    }));

  it('gives programs the messages as they were read', () =>
    inFolder({ 'chat.json': file }, async (cwd) => {
      const { stdout } = await runHere(['expand', 'chat.json', 'm2', '--json'], { cwd });
      const { transcripts } = await readTranscripts(file);
      const document = JSON.parse(stdout);
      assert.deepEqual(document.messages, [
        { ref: 'm2', message: JSON.parse(JSON.stringify(transcripts[0]?.messages[1])) },
      ]);
    }));

  it('names the valid range and the nearest for an unknown message, with exit code 2', () =>
    inFolder({ 'chat.json': file }, async (cwd) => {
      const { code, stdout, stderr } = await runHere(['expand', 'chat.json', 'm99', '--json'], { cwd });
      assert.equal(code, 2);
      assert.match(stderr, /palimpsest: there is no message m99: the conversation has m1 to m25; the nearest is m25/);
      assert.deepEqual(JSON.parse(stdout).error.code, 'ID_UNKNOWN');
      assert.equal((await runHere(['expand', 'chat.json'], { cwd })).code, 2);
    }));

  it('does not let a transcript drive the terminal', () =>
    inFolder({ 'chat.json': JSON.stringify([{ role: 'user', content: 'a\u001b[2Jb' }]) }, async (cwd) => {
      const shown = await runHere(['expand', 'chat.json', 'm1', '--no-color'], { cwd, isTerminal: true });
      assert.equal(shown.stdout, 'a\\x1b[2Jb\n');
      const piped = await runHere(['expand', 'chat.json', 'm1'], { cwd });
      assert.equal(piped.stdout, 'a\u001b[2Jb');
    }));
});

const data = fileURLToPath(new URL('../../../shared/data/transcripts/', import.meta.url));
const logs = existsSync(data)
  ? readdirSync(data, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.gz'))
  : [];

describe('A6: real logs', { skip: logs.length === 0 && 'needs ../shared/data/transcripts, which is absent' }, () => {
  for (const name of logs) {
    it(`gives back every message of ${name} byte for byte`, async () => {
      const bytes = gunzipSync(readFileSync(join(data, name)));
      const { transcripts } = await readTranscripts(bytes);
      for (const { messages: read } of transcripts) {
        const spans = spansOf(read);
        const ranges = await sourceRanges(chunksOf(bytes), spans);
        for (const [at, range] of ranges.entries()) {
          const span = spans[at];
          assert.ok(span && Buffer.compare(range, bytes.subarray(span.start, span.end)) === 0);
          assert.doesNotThrow(() => JSON.parse(Buffer.from(range).toString('utf8')));
        }
        assert.ok(
          read.every(({ source }) => (source?.length ?? 0) > 0),
          'every message knows its records',
        );
      }
    });
  }
});

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}
