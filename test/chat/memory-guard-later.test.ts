/** Commands of an agent that write into the memory late: in the background, behind their end, or when nobody is there any more. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openStore } from '@palimpsest/core/store';
import { systemText } from '@palimpsest/core/testing';
import { entry, runHere } from '../support/command-line.ts';
import { type House, inHouse, liveTexts, runs, write } from './support/house.ts';

const said = 'The ovens are in hall 3.';
const planted = 'The deploy host is deploy-9.ovens.example.';

const plant = `printf '\\n§\\n%s' '${planted}' >> "$HOME/.local/share/pal""impsest/mem""ories/MEMORY.md"\n`;
/** Goes on when somebody writes to the pipe. */
const stop = 'echo $$ > pid; read line < gate\n';

async function withGate(use: (house: House, gate: Gate) => Promise<void>): Promise<void> {
  await inHouse(async (house) => {
    const at = (name: string): string => join(house.project, name);
    execFileSync('mkfifo', [at('gate')]);
    house.does([{ toolCalls: [{ name: 'remember', input: { text: said, about: 'everywhere' } }] }]);
    await house.ask(`Remember: ${said}`);
    const pid = (): number => Number(readFileSync(at('pid'), 'utf8'));
    await use(house, {
      reached: () => until(() => existsSync(at('pid')) && readFileSync(at('pid'), 'utf8').endsWith('\n')),
      open: async () => {
        writeFileSync(at('gate'), 'go\n');
        await until(() => !isAlive(pid()));
      },
    });
  });
}

interface Gate {
  /** The script stands before it. */
  readonly reached: () => Promise<void>;
  /** Lets it go on to its end. */
  readonly open: () => Promise<void>;
}

async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + 30_000;
  while (!holds()) {
    assert.ok(Date.now() < end, 'waited for half a minute');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

async function waiting({ data }: House): Promise<readonly string[]> {
  await using store = await openStore({ path: join(data, 'palimpsest.db') });
  return (await store.memory.list({ status: ['pending'] })).map(({ text }) => text);
}

async function nextPrompt({ ask, does, provider }: House): Promise<string> {
  does([]);
  await ask('What do you know?');
  return systemText(provider.requests.at(-1) ?? { messages: [] });
}

const memoryFile = ({ data }: House): string => join(data, 'memories/MEMORY.md');
const byHand = (house: House, text: string): void =>
  writeFileSync(memoryFile(house), `${readFileSync(memoryFile(house), 'utf8')}\n§\n${text}`);
const show = (house: House) => runHere(['memory', 'show', '--everywhere'], { cwd: house.project, env: house.env });

const options = { skip: process.platform === 'linux' ? false : 'only Linux tells who has a variable' };

describe('A6 what a command writes into the memory later waits for the person', options, () => {
  test('in the background, also where something else looks at the memory first', async () => {
    await withGate(async (house) => {
      write(join(house.project, 'serve.sh'), `${plant}${stop}`);
      const remember = { name: 'remember', input: { text: 'Halls close at six.', about: 'everywhere' } };
      const serve = { name: 'terminal', input: { command: 'sh serve.sh', background: true } };
      house.does([{ toolCalls: [serve] }, { toolCalls: [remember] }, { text: 'It runs.' }]);
      const { stdout } = await house.ask('Serve it. Remember: Halls close at six.');
      assert.match(stdout, /\(sh serve\.sh\): 1 new .*palimpsest memory approve/);
      assert.deepEqual(await waiting(house), [planted]);
      assert.deepEqual(await liveTexts(house), [said, 'Halls close at six.']);
      byHand(house, 'By hand.');
      assert.ok((await nextPrompt(house)).includes('By hand.'), 'nothing is held back any more');
    });
  });

  test('by a process that went away from its command, as long as it runs', async () => {
    await withGate(async (house, gate) => {
      write(join(house.project, 'late.sh'), `${stop}${plant}`);
      write(join(house.project, 'build.sh'), 'setsid sh late.sh </dev/null >/dev/null 2>&1 &\n');
      house.does([runs('sh build.sh; while [ ! -s pid ]; do :; done')]);
      const { stdout } = await house.ask('Build it.');
      assert.match(stdout, /still runs .*waits for your yes, by hand too/);
      byHand(house, 'By hand.');
      assert.match((await show(house)).stdout, /By hand\./);
      assert.deepEqual(await waiting(house), ['By hand.']);
      await gate.open();
      assert.ok(readFileSync(memoryFile(house), 'utf8').includes(planted));
      const prompt = await nextPrompt(house);
      assert.ok(prompt.includes(said) && !prompt.includes('deploy-9'));
      assert.deepEqual(await waiting(house), ['By hand.', planted]);
      byHand(house, 'By hand again.');
      assert.ok((await nextPrompt(house)).includes('By hand again.'), 'it has ended');
    });
  });

  test('also where the conversation was killed meanwhile: the next one says so', async () => {
    await withGate(async (house, gate) => {
      write(join(house.project, 'build.sh'), `${plant}${stop}`);
      house.does([runs('sh build.sh')]);
      const args = [entry, 'chat', '-p', 'Build it.', ...house.place];
      const chat = spawn(process.execPath, args, { cwd: house.project, env: house.env, stdio: 'ignore' });
      const closed = new Promise((resolve) => chat.once('close', resolve));
      await gate.reached();
      chat.kill('SIGKILL');
      await closed;
      // The command outlives it.
      await show(house);
      assert.deepEqual([await liveTexts(house), await waiting(house)], [[said], [planted]]);
      writeFileSync(memoryFile(house), `${said}\n§\nOvens are red.`);
      await gate.open();
      house.does([]);
      const { stderr } = await runHere(['chat', '-p', 'Hello.', ...house.place.filter((word) => word !== '--json')], {
        cwd: house.project,
        env: house.env,
        input: '',
      });
      assert.match(stderr, /\(sh build\.sh\): 1 new .*palimpsest memory approve/);
      assert.deepEqual([await liveTexts(house), await waiting(house)], [[said], [planted, 'Ovens are red.']]);
      assert.equal(readFileSync(memoryFile(house), 'utf8'), said);
      byHand(house, 'By hand.');
      assert.ok((await nextPrompt(house)).includes('By hand.'), 'it has ended');
    });
  });
});
