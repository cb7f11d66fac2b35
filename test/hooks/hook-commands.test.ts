/** Commands of the configuration, run as real processes. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { type Message, validate } from '@palimpsest/core';
import { type CommandHooks, type HookCommand, type HooksConfig, hooksFromConfig } from 'palimpsest';
import { listOf, runtimeOver, system, user, withStore, work } from '../conversation/agent.ts';
import { inFolder } from '../support/command-line.ts';

const none: HooksConfig = {
  compressionStart: [],
  compressionEnd: [],
  sessionStart: [],
  sessionContinue: [],
  sessionEnd: [],
};

/** A program of one file, run by this Node without a shell. */
const script = (folder: string, name: string, source: string): HookCommand => {
  const path = join(folder, name);
  writeFileSync(path, source);
  return { command: [process.execPath, path], timeoutMs: 20_000 };
};

interface Hooked {
  readonly hooks: CommandHooks;
  readonly notices: readonly string[];
}

function hooked(cwd: string, config: Partial<HooksConfig>): Hooked {
  const notices: string[] = [];
  const env = { PATH: process.env.PATH, SECRET_OF_MINE: 'kept' };
  const onNotice = (notice: string): void => void notices.push(notice);
  return { hooks: hooksFromConfig({ ...none, ...config }, { cwd, env, onNotice }), notices };
}

const start = { sessionId: 'session-1', tokens: 90_000, isForced: false, inBackground: false };

const said = (messages: readonly Message[]): string => JSON.stringify(messages);

/** Reads its input and writes down what it was told. */
const listening = `
  let text = '';
  for await (const piece of process.stdin) text += piece;
  (await import('node:fs')).appendFileSync('heard.jsonl', text);
`;

describe('E6 hook commands', () => {
  test('E6 get every event of a conversation as one JSON object, in their order', () =>
    inFolder({}, (folder) =>
      withStore(async (store) => {
        const command = script(folder, 'listen.mjs', listening);
        const all = [command];
        const { hooks, notices } = hooked(folder, {
          compressionStart: all,
          compressionEnd: all,
          sessionStart: all,
          sessionContinue: all,
          sessionEnd: all,
        });
        const list = [system('You move ledgers.'), user('Move the ledgers of all regions.')];
        const runtime = runtimeOver(store, { hooks: { ...hooks, timeoutMs: 60_000 } });
        const contexts = await work(runtime, list, { steps: 20 });
        assert.equal(contexts.filter(({ compression }) => compression).length, 1);
        const last = contexts.at(-1)?.sessionId ?? '';
        await runtime.end(last, 'done');
        const heard = readFileSync(join(folder, 'heard.jsonl'), 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line));
        const events = heard.map(({ event }) => event);
        assert.deepEqual(events, [
          'session_start',
          'compression_start',
          'session_continue',
          'compression_end',
          'session_end',
        ]);
        const [first, before, , after, ended] = heard;
        assert.equal(first.reason, 'new');
        assert.equal(before.session_id, first.session_id);
        assert.ok(before.tokens > 0 && typeof before.is_forced === 'boolean');
        assert.deepEqual([after.from, after.to], [first.session_id, last]);
        assert.ok(after.tokens_after < after.tokens_before);
        assert.deepEqual([after.status, after.written_by], ['compressed', 'ledger']);
        assert.ok(after.covers > 3);
        assert.deepEqual([ended.session_id, ended.reason], [last, 'done']);
        // What was said is nobody's business.
        assert.doesNotMatch(JSON.stringify(heard), /ledger_|region north/);
        assert.deepEqual(notices, []);
      }),
    ));

  test('E6 keep a text through a compression, and veto one, by what they print', () =>
    inFolder({}, (folder) =>
      withStore(async (store) => {
        const keep = script(folder, 'keep.mjs', `console.log(JSON.stringify({ keep: 'Ask before region south.' }));`);
        const more = script(folder, 'more.mjs', `console.log(JSON.stringify({ keep: 'Never touch region east.' }));`);
        const { hooks, notices } = hooked(folder, { compressionStart: [keep, more] });
        const list = [system('You move ledgers.'), user('Move the ledgers of all regions.')];
        const contexts = await work(runtimeOver(store, { hooks: { ...hooks, timeoutMs: 60_000 } }), list, {
          steps: 20,
        });
        const last = contexts.at(-1)?.messages ?? [];
        assert.match(said(last), /Ask before region south\.[^"]*Never touch region east\./);
        assert.deepEqual(validate(last), []);
        assert.deepEqual(notices, []);
        const veto = script(folder, 'veto.mjs', `console.log('{"veto":"a deployment runs"}');`);
        const vetoing = hooked(folder, { compressionStart: [keep, veto] });
        assert.deepEqual(await vetoing.hooks.onCompressionStart?.(start), {
          veto: 'a deployment runs',
          keep: 'Ask before region south.',
        });
      }),
    ));

  test('E6 that hang are ended with everything they started, and the ones behind them still run', () =>
    inFolder({}, async (folder) => {
      const hang = { command: 'sleep 1000 & echo $! > child.pid; wait', timeoutMs: 2_000 };
      const keep = script(folder, 'keep.mjs', `console.log('{"keep":"still here"}');`);
      const { hooks, notices } = hooked(folder, { compressionStart: [hang, keep] });
      assert.deepEqual(await hooks.onCompressionStart?.(start), { keep: 'still here' });
      assert.match(notices.join('\n'), /compression_start: "sleep 1000 .*" took longer than 2000 ms and was stopped/);
      const pid = Number(readFileSync(join(folder, 'child.pid'), 'utf8'));
      assert.ok(await isGone(pid), 'expected what the command had started to be gone');
    }));

  test('E6 whose request is called off are ended with everything they started, and none is begun behind them', () =>
    inFolder({}, (folder) =>
      withStore(async (store) => {
        const hang = { command: 'sleep 1000 & echo $! > child.tmp; mv child.tmp child.pid; wait', timeoutMs: 60_000 };
        const { hooks, notices } = hooked(folder, { compressionStart: [hang, script(folder, 'next.mjs', listening)] });
        const abort = new AbortController();
        const runtime = runtimeOver(store, { hooks: { ...hooks, timeoutMs: 60_000 } });
        const preparing = runtime.prepare({ messages: listOf(24), signal: abort.signal });
        await Promise.race([fileAt(join(folder, 'child.pid')), preparing]);
        const reason = new Error('a person pressed Esc');
        abort.abort(reason);
        await assert.rejects(preparing, (error) => error === reason);
        assert.ok(await isGone(Number(readFileSync(join(folder, 'child.pid'), 'utf8'))));
        assert.ok(!existsSync(join(folder, 'heard.jsonl')));
        assert.deepEqual(notices, []);
        assert.deepEqual(await store.leases.held(), []);
      }),
    ));

  test('E6 whose process goes on behind them are not waited for', () =>
    inFolder({}, async (folder) => {
      const leaving = `
        import { spawn } from 'node:child_process';
        const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 20000)'], { stdio: 'inherit' });
        (await import('node:fs')).writeFileSync('child.pid', String(child.pid));
        console.log('{"keep":"said"}');
        process.exit(0);
      `;
      const { hooks, notices } = hooked(folder, { compressionStart: [script(folder, 'leave.mjs', leaving)] });
      assert.deepEqual(await hooks.onCompressionStart?.(start), { keep: 'said' });
      assert.deepEqual(notices, []);
      process.kill(Number(readFileSync(join(folder, 'child.pid'), 'utf8')));
    }));

  const failures: readonly (readonly [string, string, RegExp])[] = [
    ['fail', `console.error('no disk'); process.exit(3);`, /failed \(exit code 3: no disk\)/],
    ['say what is no JSON', `console.log('yes');`, /expected a JSON object with veto, keep/],
    ['answer with a key that nobody knows', `console.log('{"vetto":"x"}');`, /got the key vetto/],
    ['answer with a veto that is no text', `console.log('{"veto":true}');`, /got a veto that is not a text/],
    [
      'never stop talking',
      `const line = 'x'.repeat(4096); for (;;) { if (!process.stdout.write(line)) await new Promise((go) => process.stdout.once('drain', go)); }`,
      /wrote more than 64 KiB and was stopped/,
    ],
    ['do not read what they are told', `process.stdin.destroy(); process.exit(1);`, /exit code 1/],
  ];
  for (const [title, source, expected] of failures) {
    test(`E6 that ${title} are passed over with a notice`, () =>
      inFolder({}, async (folder) => {
        const { hooks, notices } = hooked(folder, { compressionStart: [script(folder, 'bad.mjs', source)] });
        assert.deepEqual(await hooks.onCompressionStart?.(start), {});
        assert.equal(notices.length, 1);
        assert.match(notices[0] ?? '', expected);
        assert.match(notices[0] ?? '', /it was ignored\.$/);
      }));
  }

  test('E6 that do not exist are passed over with a notice', () =>
    inFolder({}, async (folder) => {
      const lost = { command: ['./no-such-program'], timeoutMs: 5_000 };
      const { hooks, notices } = hooked(folder, { sessionStart: [lost] });
      assert.equal(await hooks.onSessionStart?.({ sessionId: 's', reason: 'new' }), undefined);
      assert.match(notices[0] ?? '', /no-such-program.*failed \(.*ENOENT/);
    }));

  test('E6 write no credential into a notice', () =>
    inFolder({}, async (folder) => {
      const key = 'AKIAIOSFODNN7EXAMPLE';
      const path = script(folder, 'leak.mjs', `console.error('refused: ${key}'); process.exit(1);`).command[1] ?? '';
      const leak = { command: [process.execPath, path, key], timeoutMs: 20_000 };
      const { hooks, notices } = hooked(folder, { compressionStart: [leak] });
      await hooks.onCompressionStart?.(start);
      assert.equal(notices.length, 1);
      assert.doesNotMatch(notices.join('\n'), /AKIAIOSFODNN7EXAMPLE/);
      assert.match(notices.join('\n'), /refused: \[REDACTED/);
    }));

  test('E6 run through the shell where the command is one line, with the environment they are given', () =>
    inFolder({}, async (folder) => {
      const line = {
        command: 'cat > heard.txt && printf "%s %s" "$PALIMPSEST_HOOK" "$SECRET_OF_MINE" > env.txt',
        timeoutMs: 20_000,
      };
      const { hooks, notices } = hooked(folder, { sessionEnd: [line] });
      await hooks.onSessionEnd?.({ sessionId: 's', reason: 'reset' });
      assert.deepEqual(notices, []);
      assert.equal(readFileSync(join(folder, 'env.txt'), 'utf8'), 'session_end kept');
      assert.deepEqual(JSON.parse(readFileSync(join(folder, 'heard.txt'), 'utf8')), {
        event: 'session_end',
        session_id: 's',
        reason: 'reset',
      });
      assert.ok(existsSync(join(folder, 'env.txt')));
    }));

  test('E6 give the runtime the time that the slowest event may take', () => {
    const command = { command: 'true', timeoutMs: 8_000 };
    const timeFor = (config: HooksConfig) =>
      hooksFromConfig(config, { cwd: '/', env: {}, onNotice: () => undefined }).timeoutMs;
    assert.equal(timeFor({ ...none, sessionStart: [{ command: 'true', timeoutMs: 10 }] }), 5_000);
    assert.equal(timeFor({ ...none, compressionStart: [command, command], sessionEnd: [command] }), 18_000);
    assert.deepEqual(hooksFromConfig(none, { cwd: '/', env: {}, onNotice: () => undefined }), { timeoutMs: 5_000 });
  });
});

/** Waits until a program has written a file. */
async function fileAt(path: string): Promise<void> {
  while (!existsSync(path)) await new Promise((resolve) => setImmediate(resolve));
}

/** True once a process has ended; a killed one may need a moment, on a busy machine a long one. */
async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 500; tries++) {
    try {
      process.kill(pid, 0);
      if (isZombie(pid)) return true;
    } catch {
      return true;
    }
    await setTimeout(10);
  }
  return false;
}

/** Killed, and not yet buried by whoever took it over. */
function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
