import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inFolder, runHere, runProcess } from '../support/command-line.ts';
import { chatFile, chatMessages } from '../support/small-session.ts';

const chat = chatFile(3);

/** True but for what a test adds; it names every request of the session. */
const lines = [
  '## Active Task',
  '"Please make the parser accept an empty row 2." (m14)',
  '',
  '## Completed Actions',
  '1. "Please make the parser accept an empty row 0.": ran `node --test src/parse-0.js`, which passed (m6)',
  '2. "Please make the parser accept an empty row 1.": ran `node --test src/parse-1.js`, which passed (m12)',
];
const good = `${lines.join('\n')}\n`;
const bad = `${[...lines, '3. Wrote `src/parse-7.js`', '', 'Key: sk-proj-a1B2c3D4e5F6g7H8a1B2c3D4e5F6g7H8a1B2c3D4'].join('\n')}\n`;
const files = { 'chat.json': chat, 'good.md': good, 'bad.md': bad };

describe('S9: palimpsest verify SUMMARY TRANSCRIPT', () => {
  it('says that a true summary holds, with exit code 0', () =>
    inFolder(files, async (cwd) => {
      const { code, stdout, stderr } = await runProcess(['verify', 'good.md', 'chat.json'], { cwd });
      assert.equal(
        stdout.split('\n').slice(0, 2).join('|'),
        'good.md: it holds|checked against the 19 messages of chat.json',
      );
      assert.match(stdout, /\d+ claims checked: [\s\S]*;\s+0 contradicted, 0 unsupported, 0 missing/);
      assert.equal(stderr, '');
      assert.equal(code, 0);
    }));

  it('marks what does not hold in its line and says why, with exit code 1, and repeats no credential', () =>
    inFolder(files, async (cwd) => {
      const { code, stdout } = await runHere(['verify', 'bad.md', 'chat.json'], { cwd });
      assert.equal(code, 1);
      assert.match(stdout, /^bad\.md: \d claims do not hold/);
      assert.match(
        stdout,
        /^line 7 {5}3\. Wrote `src\/parse-7\.js`\n {21}\^{14}\n {11}(?:contradicted|unsupported) path: /m,
      );
      assert.match(stdout, /^line 9 {5}Key: \[REDACTED/m);
      assert.doesNotMatch(stdout, /sk-proj-a1/);
    }));

  it('colours the words on a terminal instead of marking them below', () =>
    inFolder(files, async (cwd) => {
      const { stdout } = await runHere(['verify', 'bad.md', 'chat.json'], { cwd, isTerminal: true });
      assert.match(stdout, /`\u001b\[3[13]msrc\/parse-7\.js\u001b\[39m`/);
      assert.doesNotMatch(stdout, /\^\^/);
    }));

  it('names the rules and requests that are missing', () =>
    inFolder({ ...files, 'short.md': `${lines.slice(0, 2).join('\n')}\n` }, async (cwd) => {
      const document = JSON.parse((await runHere(['verify', 'short.md', 'chat.json', '--json'], { cwd })).stdout);
      const { stdout } = await runHere(['verify', 'short.md', 'chat.json'], { cwd });
      for (const { ref } of document.summaries[0].missing)
        assert.match(stdout, new RegExp(`^missing\n[sS]*${ref}$`, 'm'));
    }));

  it('prints the corrected summary with --fix and the report on standard error', () =>
    inFolder(files, async (cwd) => {
      const { code, stdout, stderr } = await runProcess(['verify', 'bad.md', 'chat.json', '--fix'], { cwd });
      assert.equal(code, 1);
      assert.ok(stdout.startsWith(lines.slice(0, 2).join('\n')));
      assert.doesNotMatch(stdout, /parse-7|sk-proj-a1/);
      assert.match(stderr, /^bad\.md: \d claims do not hold/);
      const again = await runHere(['verify', '-', 'chat.json'], { cwd, input: stdout });
      assert.equal(again.code, 0, again.stdout);
    }));

  it('writes it with -o, and never over SUMMARY or TRANSCRIPT', () =>
    inFolder(files, async (cwd) => {
      const to = (...name: string[]): ReturnType<typeof runHere> =>
        runHere(['verify', 'bad.md', 'chat.json', '--fix', '-o', ...name], { cwd });
      const { code, stdout } = await to('true.md');
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.doesNotMatch(readFileSync(join(cwd, 'true.md'), 'utf8'), /parse-7/);
      assert.equal((await to('true.md')).code, 2);
      assert.equal((await to('true.md', '--force')).code, 1);
      for (const input of ['chat.json', 'bad.md']) {
        const before = readFileSync(join(cwd, input), 'utf8');
        for (const flags of [[], ['--force']]) assert.equal((await to(input, ...flags)).code, 2);
        assert.equal(readFileSync(join(cwd, input), 'utf8'), before);
      }
      assert.equal((await runHere(['verify', 'good.md', 'chat.json', '-o', 'x.md'], { cwd })).code, 2);
    }));

  it('keeps a summary that holds byte for byte', () =>
    inFolder({ ...files, 'bare.md': good.trimEnd() }, async (cwd) => {
      assert.equal((await runHere(['verify', 'good.md', 'chat.json', '--fix'], { cwd })).stdout, good);
      assert.equal((await runHere(['verify', 'bare.md', 'chat.json', '--fix'], { cwd })).stdout, good.trimEnd());
    }));

  it('reads the summary in the block of a tool, counts the lines of the file and keeps the block', () => {
    const opening = 'This session is being continued from a previous conversation that ran out of context.\n\n';
    const wrapped = `${opening}${bad}`;
    return inFolder({ ...files, 'wrapped.md': wrapped }, async (cwd) => {
      const { stdout } = await runHere(['verify', 'wrapped.md', 'chat.json'], { cwd });
      assert.match(stdout, /^line 9 {5}3\. Wrote `src\/parse-7\.js`$/m);
      const fixed = await runHere(['verify', 'wrapped.md', 'chat.json', '--fix'], { cwd });
      assert.ok(fixed.stdout.startsWith(`${opening}${lines[0]}`));
    });
  });

  it('gives programs one document with the same', () =>
    inFolder(files, async (cwd) => {
      const { code, stdout, stderr } = await runHere(['verify', 'bad.md', 'chat.json', '--json'], { cwd });
      const document = JSON.parse(stdout);
      assert.equal(code, 1);
      assert.equal(stderr, '');
      assert.deepEqual(Object.keys(document), ['command', 'transcript', 'holds', 'summaries', 'notes', 'output']);
      const [summary] = document.summaries;
      assert.deepEqual(
        { holds: document.holds, file: summary.file, ref: summary.ref, messages: summary.messages },
        { holds: false, file: 'bad.md', ref: null, messages: 19 },
      );
      assert.ok(summary.wrong.some(({ type, line }: Record<string, unknown>) => type === 'path' && line === 7));
      assert.doesNotMatch(summary.text, /parse-7/);
    }));

  it('holds it only against what was said before --at', () =>
    inFolder(files, async (cwd) => {
      const { code, stdout } = await runHere(['verify', 'good.md', 'chat.json', '--at', 'm8'], { cwd });
      assert.equal(code, 1);
      assert.match(stdout, /checked against the 7 messages of chat\.json/);
      assert.equal((await runHere(['verify', 'good.md', 'chat.json', '--at', 'm99'], { cwd })).code, 2);
      assert.equal((await runHere(['verify', 'good.md', 'chat.json', '--at', '1'], { cwd })).code, 2);
      assert.equal((await runHere(['verify', 'good.md', 'chat.json', '--at', 'm1'], { cwd })).code, 2);
    }));
});

describe('S9: palimpsest verify TRANSCRIPT', () => {
  it('holds every compaction of a log against the messages before it', () =>
    inFolder({ 'log.jsonl': claudeLog(bad) }, async (cwd) => {
      const { code, stdout } = await runHere(['verify', 'log.jsonl'], { cwd });
      assert.equal(code, 1);
      assert.match(stdout, /^the summary in m\d+ of log\.jsonl: \d+ claims do not hold/);
      const at = await runHere(['verify', 'log.jsonl', '--at', '1', '--json'], { cwd });
      assert.match(JSON.parse(at.stdout).summaries[0].ref, /^m\d+$/);
      const fixed = await runHere(['verify', 'log.jsonl', '--fix'], { cwd });
      assert.doesNotMatch(fixed.stdout, /parse-7/);
    }));

  it('does not judge a summary whose messages are gone', () =>
    inFolder({ 'chat.json': chatFile(30) }, async (cwd) => {
      await runHere(['compress', 'chat.json', '--target', '3000', '-o', 'short.json', '--quiet'], { cwd });
      const { code, stderr } = await runHere(['verify', 'short.json'], { cwd });
      assert.equal(code, 2);
      assert.match(
        stderr,
        /m\d+ contains [\s\S]*: give the original conversation with palimpsest verify SUMMARY TRANSCRIPT/,
      );
    }));

  it('says what is missing where there is no summary, and where the conversation is', () =>
    inFolder(files, async (cwd) => {
      const none = await runHere(['verify', 'chat.json'], { cwd });
      assert.equal(none.code, 2);
      assert.match(none.stderr, /contains none: use palimpsest verify SUMMARY TRANSCRIPT/);
      const alone = await runHere(['verify', 'good.md'], { cwd });
      assert.equal(alone.code, 3);
      assert.match(alone.stderr, /The order is: palimpsest verify SUMMARY TRANSCRIPT/);
      const swapped = await runHere(['verify', 'chat.json', 'chat.json'], { cwd });
      assert.equal(swapped.code, 3);
      assert.match(swapped.stderr, /without a summary: the order is palimpsest verify SUMMARY TRANSCRIPT/);
      const twice = await runHere(['verify', '-', '-'], { cwd });
      assert.equal(twice.code, 2);
      const empty = await runHere(['verify', '-', 'chat.json'], { cwd, input: ' \n' });
      assert.equal(empty.code, 3);
    }));
});

/** A log of Claude Code that was compacted once. */
function claudeLog(summary: string): string {
  const uuid = (at: number): string => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
  const text = `This session is being continued from a previous conversation that ran out of context.\n\n${summary}`;
  const said = chatMessages(3).flatMap(({ role, content }) =>
    typeof content === 'string' && (role === 'user' || role === 'assistant') ? [{ role, content }] : [],
  );
  const records = [
    ...said.map((message) => ({ type: message.role, message })),
    { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', isMeta: false },
    { type: 'user', message: { role: 'user', content: text }, isCompactSummary: true },
    { type: 'assistant', message: { role: 'assistant', content: 'I go on.' } },
  ];
  return records
    .map((record, at) =>
      JSON.stringify({
        ...record,
        uuid: uuid(at),
        parentUuid: at === 0 ? null : uuid(at - 1),
        sessionId: uuid(999),
        isSidechain: false,
        timestamp: '2026-01-01T00:00:00.000Z',
        version: '2.0.0',
        cwd: '/repo',
        userType: 'external',
      }),
    )
    .join('\n');
}

describe("S8, S9: a ledger's own handoff", () => {
  it('holds, as the block itself and in the conversation that carries it', () =>
    inFolder({ 'chat.json': chatFile(30) }, async (cwd) => {
      const words = ['compress', 'chat.json', '--target', '3000'];
      const { stdout: document } = await runHere([...words, '--json'], { cwd });
      const piped = await runHere(['verify', '-', 'chat.json'], { cwd, input: document });
      assert.equal(piped.code, 0, piped.stdout);
      const { handoff } = JSON.parse(document);
      const block = await runHere(['verify', '-', 'chat.json'], { cwd, input: handoff.text });
      assert.equal(block.code, 0, block.stdout);
      await runHere([...words, '-o', 'short.json', '--quiet'], { cwd });
      const carried = await runHere(['verify', 'short.json', 'chat.json'], { cwd });
      assert.equal(carried.code, 0, carried.stdout);
    }));

  it('holds over the recorded example', async () => {
    const { stdout } = await runHere(['compress', '--example', '--json']);
    const { code, stdout: report } = await runHere(['verify', '-', '--example'], { input: stdout });
    assert.equal(code, 0, report);
  });

  const folder = fileURLToPath(new URL('../../../shared/data/transcripts/', import.meta.url));
  const logs = existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(?:gz)$/.test(name))
    : [];
  describe('over real logs', { skip: logs.length === 0 && 'needs ../shared/data/transcripts, which is absent' }, () => {
    for (const name of logs) {
      it(`holds over ${name}`, async () => {
        const file = join(folder, name);
        const { stdout } = await runHere(['compress', file, '--target', '8000', '--json']);
        if (JSON.parse(stdout).handoff === null) return;
        const { code, stdout: report } = await runHere(['verify', '-', file], { input: stdout });
        assert.equal(code, 0, report.slice(0, 2_000));
      });
    }
  });
});
