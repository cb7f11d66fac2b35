/** `palimpsest compress FILE` with the engine that was chosen. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readTranscripts } from '../../packages/core/src/transcript/read.ts';
import { validate } from '../../packages/core/src/transcript/validate.ts';
import { entry, quietEnv, runProcess } from '../support/command-line.ts';
import { chatFile, chatMessages } from '../support/small-session.ts';
import { atHome, configFile, holds, manifest, own, plugin, works } from './plugin-home.ts';

const chat = { 'chat.json': chatFile(30) };
const uses = (engine: string, more = ''): Record<string, string> => ({
  [configFile]: `context:\n  engine: ${engine}\nplugins:\n  timeout_seconds: 1\n${more}`,
});
const asked = chatMessages(30).findLast(({ role }) => role === 'user')?.content ?? '';

describe('E3: palimpsest compress', () => {
  it('E3 uses the engine of the configuration, and names it in the report and in the document', () =>
    atHome({ ...chat, ...plugin('tidy'), ...uses('tidy') }, async (home, run) => {
      const { code, stdout, stderr } = await run('compress', 'chat.json', '-o', 'short.json');
      assert.equal(code, 0, stderr);
      assert.match(stdout, /The engine "tidy" removed 176 messages: 22,686 tokens became [\d,]+\./);
      assert.match(stdout, /; engine tidy\n/);
      assert.match(stdout, /palimpsest expand chat\.json m2 /);
      const { transcripts } = await readTranscripts(readFileSync(join(home, 'short.json')));
      const messages = transcripts[0]?.messages ?? [];
      assert.deepEqual([messages.length, validate(messages)], [5, []]);
      assert.ok(JSON.stringify(messages).includes(asked));
      const { engine, status, fates, before, after } = JSON.parse(
        (await run('compress', 'chat.json', '--json')).stdout,
      );
      assert.deepEqual(engine, { name: 'tidy', from: 'plugins/context_engine', asked: 'tidy', warning: null });
      assert.equal(status, 'compressed');
      const kept = fates.filter(({ fate }: { fate: string }) => fate === 'kept');
      assert.deepEqual([fates.length, kept.length, kept[0].why], [181, 5, 'kept by the engine "tidy"']);
      assert.ok(after.total < before.total / 10);
    }));

  it('E3 finds it in the registry of packages that are named', () =>
    atHome(
      {
        ...chat,
        ...uses('second', '  packages: [engines]\n'),
        '.local/share/palimpsest/plugins/node_modules/engines/plugin.json': manifest('engines', { kind: 'general' }),
        '.local/share/palimpsest/plugins/node_modules/engines/engine.mjs': `${works}
          export const register = (registry) => registry.registerContextEngine({ name: 'second', create: createEngine });`,
      },
      async (_, run) => {
        const { engine } = JSON.parse((await run('compress', 'chat.json', '--json')).stdout);
        assert.deepEqual([engine.name, engine.from], ['second', 'the plugin registry']);
      },
    ));

  it('E3 goes on with the built-in engine where the name is not known any more, with a warning', () =>
    atHome({ ...chat, ...plugin('tidy'), ...uses('tidy') }, async (home, run) => {
      const small = ['compress', 'chat.json', '--target', '3000'];
      const ours = await run(...small, '--engine', 'compressor');
      assert.equal(ours.code, 0, ours.stderr);
      rmSync(join(home, own, 'tidy'), { recursive: true });
      const { code, stdout, stderr } = await run(...small);
      assert.equal(code, 0);
      assert.match(stderr, /note: The context engine "tidy" is not known; "compressor" is used instead/);
      assert.equal(stdout, ours.stdout);
      const { engine, notes } = JSON.parse((await run(...small, '--json')).stdout);
      assert.deepEqual([engine.name, engine.from, engine.asked], ['compressor', 'built-in', 'tidy']);
      assert.ok(notes.includes(engine.warning));
    }));

  it('E3 takes another engine for one run, and refuses one that is not there', () =>
    atHome({ ...chat, ...plugin('tidy') }, async (home, run) => {
      const { engine } = JSON.parse((await run('compress', 'chat.json', '--engine', 'tidy', '--json')).stdout);
      assert.equal(engine.name, 'tidy');
      const { code, stdout, stderr } = await run('compress', 'chat.json', '--engine', 'tydy', '-o', 'short.json');
      assert.deepEqual([code, stdout], [3, '']);
      assert.match(stderr, /"tydy" is not known\. Nothing was written\. Did you mean tidy\?/);
      assert.ok(!existsSync(join(home, 'short.json')));
    }));

  it('E3 says which options only the built-in engine hears', () =>
    atHome({ ...chat, ...plugin('tidy'), ...uses('tidy') }, async (_, run) => {
      const { code, stderr } = await run('compress', 'chat.json', '--target', '3k', '--template', 'brief');
      assert.equal(code, 2);
      assert.match(stderr, /--target, --template are for the built-in engine only, but "tidy" is chosen/);
      assert.equal((await run('compress', 'chat.json', '--summarizer', 'openai/gpt-5')).code, 2);
      assert.equal((await run('compress', 'chat.json', '--model', 'gpt-5', '--focus', 'rows')).code, 0);
    }));

  it('E3 runs no engine of a project that is not trusted', () =>
    atHome(
      {
        ...chat,
        'palimpsest.yaml': 'context:\n  engine: theirs\n',
        ...plugin(
          'theirs',
          `(await import('node:fs')).writeFileSync(new URL('./ran', import.meta.url), '');\n${works}`,
          '.palimpsest/plugins/context_engine',
        ),
      },
      async (home, run) => {
        const ran = join(home, '.palimpsest/plugins/context_engine/theirs/ran');
        const { code, stderr } = await run('compress', 'chat.json');
        assert.equal(code, 0);
        assert.match(stderr, /context\.engine in .*palimpsest\.yaml is ignored/);
        assert.equal((await run('compress', 'chat.json', '--engine', 'theirs')).code, 3);
        assert.ok(!existsSync(ran));
        await run('plugins', 'trust');
        const { engine } = JSON.parse((await run('compress', 'chat.json', '--json')).stdout);
        assert.equal(engine.name, 'theirs');
      },
    ));
});

const making = (body: string): string =>
  `export const createEngine = ({ name, groupsOf }) => ({ name, compress: async (list) => { ${body} } });`;

/** Each with the reason that a person is told. */
const broken: readonly (readonly [string, string, RegExp])[] = [
  ['throws', making(`throw new Error('no luck');`), /failed in compress \(no luck\)/],
  ['cannot be made', `export const createEngine = () => { throw 'no disk'; };`, /could not be created \(no disk\)/],
  ['gives back no list', making('return list.length;'), /number instead of a list/],
  [
    'leaves out the newest request',
    making('return list.filter(({ role }, at) => role === "system" || at === 1);'),
    /removed the newest request/,
  ],
  ['leaves out the system prompt', making('return list.slice(-6);'), /removed the system prompt/],
  [
    'leaves a result without its call',
    making('return list.filter((_, at) => at < 2 || at > 2 && at > 170);'),
    /providers would refuse its list/,
  ],
  ['makes it larger than the window', making('return list.toSpliced(1, 6);'), /and the window has room for 6000/],
  ['hangs', making('return new Promise(() => undefined);'), /it took longer than 1000 ms/],
];

describe('E3: palimpsest compress with an engine of the configuration', () => {
  for (const [title, source, reason] of broken) {
    it(`E3 that ${title} goes on with the built-in one and says why; with one that was typed it changes nothing`, () =>
      atHome({ ...chat, ...plugin('bad', source), ...uses('bad') }, async (home, run) => {
        const window = ['--context-length', '6k'];
        const { code, stdout, stderr } = await run('compress', 'chat.json', ...window, '--json');
        assert.equal(code, 0, stderr);
        const { engine, handoff, notes } = JSON.parse(stdout);
        assert.deepEqual([engine.name, engine.asked], ['compressor', 'bad']);
        assert.match(engine.warning, reason);
        assert.match(engine.warning, /^The context engine "bad" .*; "compressor" compressed instead\.$/);
        assert.ok(notes.includes(engine.warning) && handoff.covers.length > 100);
        const typed = await run('compress', 'chat.json', ...window, '--engine', 'bad', '-o', 'short.json');
        assert.deepEqual([typed.code, typed.stdout], [3, '']);
        assert.match(typed.stderr, reason);
        assert.match(typed.stderr, /The context engine "bad" .*Nothing was changed/);
        assert.ok(!existsSync(join(home, 'short.json')));
      }));
  }

  it('E3 that ends the process, at once or later, goes on with the built-in one, and what it prints stays aside', () =>
    atHome(
      {
        ...chat,
        ...plugin('atonce', making(`console.log('NOISE'); process.exit(0);`)),
        ...plugin(
          'later',
          making('setTimeout(() => process.exit(0), 5); await new Promise((go) => setTimeout(go, 100)); return list;'),
        ),
      },
      async (home) => {
        for (const name of ['atonce', 'later']) {
          const env = { PALIMPSEST_CONTEXT_ENGINE: name };
          const { code, stdout, stderr } = await runProcess(['compress', 'chat.json', '--json'], { cwd: home, env });
          assert.equal(code, 0, stderr);
          const { engine } = JSON.parse(stdout);
          assert.equal(engine.name, 'compressor');
          assert.match(engine.warning, /^The context engine "(?:atonce|later)" failed .*it called process\.exit\(0\)/);
        }
      },
    ));

  it('E3 that never lets go of the processor is ended with the command when its time is over, and named', () =>
    atHome({ ...chat, ...plugin('loops', making(holds)), ...uses('loops') }, async (home) => {
      const args = ['compress', 'chat.json', '-o', 'short.json', '--json'];
      const { code, stdout, stderr } = await runProcess(args, { cwd: home });
      assert.equal(code, 3);
      assert.match(stderr, /^palimpsest: The context engine "loops" blocked the process .*\n$/);
      const { error } = JSON.parse(stdout);
      assert.deepEqual([error.code, error.evidence], ['BAD_PLUGIN', { name: 'loops' }]);
      assert.equal(stderr, `palimpsest: ${error.message}\n`);
      assert.ok(!existsSync(join(home, 'short.json')));
    }));

  const loudly = `import { writeSync } from 'node:fs';\n${making(`writeSync(2, 'begun'); ${holds}`)}`;
  it('E3 that never lets go of the processor is ended by Ctrl-C before its time is over', () =>
    atHome({ ...chat, ...plugin('loops', loudly) }, async (home) => {
      const command = [entry, 'compress', 'chat.json', '--engine', 'loops', '-o', 'short.json'];
      const env = { ...quietEnv, HOME: home };
      const child = spawn(process.execPath, command, { cwd: home, env, stdio: ['ignore', 'ignore', 'pipe'] });
      await once(child.stderr, 'data');
      // As somebody does who sees that nothing happens.
      const pressing = setInterval(() => child.kill('SIGINT'), 300);
      const [code, signal] = await once(child, 'exit');
      clearInterval(pressing);
      assert.deepEqual([code, signal], [null, 'SIGINT']);
      assert.ok(!existsSync(join(home, 'short.json')));
    }));

  it('E3 that finds nothing to do leaves the conversation as it is', () =>
    atHome({ ...chat, ...plugin('idle', making('return list;')), ...uses('idle') }, async (_, run) => {
      const { code, stdout, stderr } = await run('compress', 'chat.json');
      assert.equal(code, 0);
      assert.match(stderr, /chat\.json: unchanged\. The engine "idle" found nothing to compress\./);
      assert.deepEqual(JSON.parse(stdout), JSON.parse(chat['chat.json']));
    }));
});

const hooks = (answer: string): string =>
  [
    'hooks:',
    `  compression_start: [{ command: "cat >> heard.jsonl; echo '${answer.replaceAll('"', '\\"')}'" }]`,
    '  compression_end: [{ command: cat >> heard.jsonl }]\n',
  ].join('\n');

describe('E6: palimpsest compress', () => {
  for (const engine of ['compressor', 'tidy']) {
    it(`E6 runs the hook commands around ${engine}, and begins the context with what they keep`, () =>
      atHome(
        { ...chat, ...plugin('tidy'), [configFile]: `context:\n  engine: ${engine}\n${hooks('{"keep":"ticket 7"}')}` },
        async (home, run) => {
          const { code, stderr } = await run('compress', 'chat.json', '-o', 'short.json');
          assert.equal(code, 0, stderr);
          const lines = readFileSync(join(home, 'heard.jsonl'), 'utf8').trim().split('\n');
          const [start, end] = lines.map((line) => JSON.parse(line));
          assert.deepEqual([start.event, start.file], ['compression_start', join(home, 'chat.json')]);
          assert.deepEqual([end.event, end.status], ['compression_end', engine === 'tidy' ? undefined : 'compressed']);
          assert.ok(end.tokens_after < start.tokens);
          const { messages } = JSON.parse(readFileSync(join(home, 'short.json'), 'utf8'));
          assert.equal(messages[0].role, 'system');
          assert.match(messages[1].content, /^\[System: kept by this program through the compression\]\nticket 7$/);
          const { reason, before, after } = JSON.parse((await run('compress', 'chat.json', '--json')).stdout);
          const totals = [before, after].map(({ total }) => total.toLocaleString('en'));
          assert.ok(reason.endsWith(`${totals[0]} tokens became ${totals[1]}.`), reason);
        },
      ));
  }

  it('E6 is held back by a veto, with exit code 1, and gives the conversation as it is', () =>
    atHome({ ...chat, [configFile]: hooks('{"veto":"a deployment runs"}') }, async (_, run) => {
      const { code, stdout, stderr } = await run('compress', 'chat.json');
      assert.equal(code, 1);
      assert.match(stderr, /not compressed\. A hook vetoed the compression: a deployment runs/);
      assert.deepEqual(JSON.parse(stdout), JSON.parse(chat['chat.json']));
      const { status, reason } = JSON.parse((await run('compress', 'chat.json', '--json')).stdout);
      assert.deepEqual([status, reason], ['held_back', 'A hook vetoed the compression: a deployment runs']);
    }));
});
