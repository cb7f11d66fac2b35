import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { commandEnv } from '../../../packages/palimpsest/src/agent/tools/terminal/command-env.ts';
import { createKeptOutput, plainOutput } from '../../../packages/palimpsest/src/agent/tools/terminal/kept-output.ts';
import { type Workshop, workshop } from './workshop.ts';

const run = (place: Workshop, command: string, more: object = {}): Promise<string> =>
  place.call('terminal', { command, ...more });

/** A clock whose time limits pass when the test says so. */
function heldTimers() {
  const open = new Set<{ readonly ms: number; readonly fire: () => void }>();
  return {
    timers: {
      after: (ms: number, fire: () => void) => {
        const one = { ms, fire };
        open.add(one);
        return () => void open.delete(one);
      },
    },
    pass: (ms: number): void => {
      for (const one of [...open]) {
        if (one.ms !== ms) continue;
        open.delete(one);
        one.fire();
      }
    },
  };
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A process that nobody has taken leave of is dead all the same.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
};

describe('terminal', () => {
  it('runs a line in the folder of the project, and gives what it writes, how it ended and nothing else', async () => {
    const heard: string[] = [];
    await using place = workshop({ onOutput: ({ callId, text }) => heard.push(`${callId} ${text}`) });
    assert.equal(await run(place, 'pwd && echo b >&2'), `${place.folder}\nb\n[exit code 0]`);
    assert.equal(await run(place, 'true'), '[no output; exit code 0]');
    assert.equal(await run(place, 'echo no; exit 3'), 'no\n[exit code 3]');
    assert.equal(await run(place, 'kill -KILL $$'), '[no output; ended by SIGKILL]');
    assert.match(await run(place, 'nonesuch'), /nonesuch: command not found\n\[exit code 127\]/);
    assert.match(await run(place, '-x'), /exit code 127/);
    assert.equal(heard.join('').includes(`c1 ${place.folder}`), true);
    assert.deepEqual(place.requests[0], {
      tool: 'terminal',
      kind: 'run',
      target: place.folder,
      command: 'pwd && echo b >&2',
    });
    assert.match(await place.call('terminal', {}), /Expected command/);
  });

  it('runs nothing that was refused', async () => {
    await using place = workshop({
      decide: () => ({ allowed: false, by: 'person', reason: 'The user refused and said: later' }),
    });
    assert.equal(await run(place, 'touch made'), 'The user refused and said: later');
    assert.ok(!existsSync(join(place.folder, 'made')));
  });

  it('has no terminal and no input: what asks ends, with advice', async () => {
    await using place = workshop();
    assert.equal(
      await run(place, 'cat; tty; echo "[$TERM $CI $GIT_TERMINAL_PROMPT]"'),
      'not a tty\n[dumb true 0]\n[exit code 0]',
    );
    const asks = await run(place, 'read -p "Proceed? " x || { echo "EOF when reading a line" >&2; exit 1; }');
    assert.match(asks, /\[exit code 1\. It wanted input, and nobody can type: .*--yes\]$/);
  });

  it('gives commands no keys and no tokens, and no programs of the project by their bare names', async () => {
    const env = {
      PATH: `.:${process.env.PATH}:bin`,
      HOME: '/home/ada',
      OPENAI_API_KEY: 'sk-1',
      GITHUB_TOKEN: 'x',
      AWS_SECRET_ACCESS_KEY: 'x',
      DATABASE_URL: 'postgres://ada:hunter2hunter2@db/shop',
      MY_SERVICE: `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`,
      SSH_AUTH_SOCK: '/run/agent',
      EDITOR: 'vim',
      BASH_ENV: './evil',
      'BASH_FUNC_ls%%': '() { echo evil; }',
      npm_config_registry: 'https://registry.example.com',
      KEEP_TOKEN: 'kept',
      LANG: 'C.UTF-8',
    };
    await using place = workshop({ env, keepEnv: ['KEEP_TOKEN'] });
    assert.deepEqual(place.agent.hiddenEnv(), [
      'AWS_SECRET_ACCESS_KEY',
      'DATABASE_URL',
      'GITHUB_TOKEN',
      'MY_SERVICE',
      'OPENAI_API_KEY',
    ]);
    const shown = await run(place, 'env');
    for (const text of ['sk-1', 'hunter2', 'ghp_', 'evil', 'vim', 'GITHUB']) assert.ok(!shown.includes(text), text);
    for (const text of [
      'SSH_AUTH_SOCK=/run/agent',
      'KEEP_TOKEN=kept',
      'HOME=/home/ada',
      'LANG=C.UTF-8',
      'npm_config_registry',
    ])
      assert.ok(shown.includes(text), text);
    assert.doesNotMatch(/^PATH=(.*)$/m.exec(shown)?.[1] ?? '.', /(?:^|:)(?:\.|bin|)(?::|$)/);
    const path = commandEnv({ PATH: '/p/node_modules/.bin:/usr/bin' }, { project: '/p', delimiter: ':' }).env.PATH;
    assert.equal(path, '/usr/bin');
  });

  it('keeps start and end of what is too long, and all of what is not', () => {
    const kept = createKeptOutput(100);
    for (let i = 0; i < 50; i++) kept.add(`line ${i}\n`);
    const text = kept.text();
    assert.ok(text.startsWith('line 0\nline 1\n') && text.endsWith('line 48\nline 49\n'), text);
    assert.match(text, /\[… \d+ characters left out here/);
    assert.equal(kept.news(), text);
    assert.equal(kept.news(), '');
    const whole = createKeptOutput(100);
    whole.add('x'.repeat(100));
    assert.equal(whole.text(), 'x'.repeat(100));
  });

  it('gives what a screen would show: no colours, and of a line that was written again the last one', () => {
    assert.equal(
      plainOutput('\u001b[31mred\u001b[0m \u001b]0;title\u0007x\r\n10%\r50%\r100%\ndone\u0007'),
      'red x\n100%\ndone',
    );
    assert.equal(plainOutput('\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\'), 'link');
  });

  it('stops what takes too long with all that it started, and says what to do', async () => {
    const { timers, pass } = heldTimers();
    let text = '';
    await using place = workshop({ timers, onOutput: (output) => (text += output.text) });
    const late = run(place, 'sleep 1000 & echo $!; wait', { timeout: 5 });
    await until(() => /\d+\n/.test(text));
    const pid = Number.parseInt(text, 10);
    assert.ok(isAlive(pid));
    pass(5_000);
    assert.match(
      await late,
      /^\d+\n\[stopped after 5 s: it had not ended\. Give it a longer timeout, or run it with background/,
    );
    assert.ok(!isAlive(pid));
    text = '';
    const asking = run(place, 'printf "Continue? [y/N] "; sleep 1000', { timeout: 5 });
    await until(() => text.includes('N]'));
    pass(5_000);
    assert.match(await asking, /It seems to wait for input, and nobody can type/);
  });

  it('ends what a command leaves running behind its back', async () => {
    const { timers, pass } = heldTimers();
    let text = '';
    await using place = workshop({ timers, onOutput: (output) => (text += output.text) });
    let isDone = false;
    const done = run(place, 'sleep 1000 & echo $!').finally(() => {
      isDone = true;
    });
    // The sleep holds the pipes open: the grace of the pipes has to pass.
    await until(() => {
      pass(250);
      return isDone;
    });
    assert.match(await done, /\[exit code 0\]$/);
    await until(() => !isAlive(Number.parseInt(text, 10)));
  });

  it('ends the command when the call is aborted, gives what it printed, and starts none any more', async () => {
    let text = '';
    await using place = workshop({ onOutput: (output) => (text += output.text) });
    const stop = new AbortController();
    const call = place.call('terminal', { command: 'echo $$; sleep 1000' }, stop.signal);
    await until(() => text.includes('\n'));
    stop.abort(new Error('esc'));
    assert.match(await call, /^\d+\n\[stopped by the person before it was done\]$/);
    await until(() => !isAlive(Number.parseInt(text, 10)));
    await assert.rejects(place.call('terminal', { command: 'touch late' }, stop.signal), /esc/);
    assert.ok(!existsSync(join(place.folder, 'late')));
  });

  it('runs processes in the background: what is new is read, a second one ends them, and so does the end', async () => {
    const { timers, pass } = heldTimers();
    let text = '';
    await using place = workshop({ timers, onOutput: (output) => (text += `${output.process} ${output.text}`) });
    execFileSync('mkfifo', [join(place.folder, 'go')]);
    const start = run(place, 'echo ready; read x < go; echo went; exec sleep 1000', { background: true });
    await until(() => text.includes('ready'));
    pass(1_000);
    assert.equal(await start, 'ready\n[p1 runs in the background]');
    assert.equal(await place.call('terminal', { process: 'p1' }), '[nothing new]\n[p1 still runs]');
    await run(place, 'echo > go');
    await until(() => text.includes('went'));
    assert.equal(await place.call('terminal', { process: 'p1' }), 'went\n[p1 still runs]');
    assert.equal(await place.call('terminal', { process: 'p1', kill: true }), '[no output; p1 was ended]');
    assert.match(await place.call('terminal', { process: 'p9' }), /There is no process p9: there are p1 \(echo ready;/);
    const second = run(place, 'echo $$; exec sleep 1000', { background: true });
    await until(() => /p2 \d+/.test(text));
    pass(1_000);
    const pid = Number(/^(\d+)/.exec(await second)?.[1]);
    assert.ok(isAlive(pid));
    await place.agent.close();
    assert.ok(!isAlive(pid));
  });

  it('gives at once what ends at once in the background', async () => {
    await using place = workshop();
    assert.equal(await run(place, 'echo no such port; exit 1', { background: true }), 'no such port\n[exit code 1]');
  });
});
