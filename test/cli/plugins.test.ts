import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { runProcess } from '../support/command-line.ts';
import { atHome, configFile, holds, own, plugin, works, write } from './plugin-home.ts';

describe('E3: palimpsest plugins', () => {
  it('E3 lists what there is, what is active, and what is broken, without running what is not active', () =>
    atHome(
      {
        ...plugin('tidy'),
        ...plugin('loud', `(await import('node:fs')).writeFileSync(new URL('./ran', import.meta.url), '');`),
        [`${own}/half/plugin.json`]: '{"name":"half"}',
      },
      async (home, run) => {
        const { code, stdout } = await run('plugins');
        assert.equal(code, 0);
        assert.match(stdout, /compressor +context engine +\d\S+ +built-in +active/);
        assert.match(stdout, /tidy +context engine +1\.2\.3 +your plugins/);
        assert.match(stdout, /half +unknown +your plugins +broken/);
        assert.match(stdout, /half: plugin\.json of .*version is missing/s);
        assert.ok(!existsSync(join(home, own, 'loud', 'ran')));
        const listed = JSON.parse((await run('plugins', 'list', '--json')).stdout);
        assert.deepEqual(listed.active, { name: 'compressor', from: 'built-in' });
        const states = listed.plugins.map((row: { name: string; active: boolean; problem: string | null }) => [
          row.name,
          row.active,
          row.problem !== null,
        ]);
        assert.deepEqual(states, [
          ['compressor', true, false],
          ['half', false, true],
          ['loud', false, false],
          ['tidy', false, false],
        ]);
      },
    ));

  it('E3 sends nothing of the name of a folder to the terminal that could change it', () =>
    atHome({ [`${own}/evil\u001b[31m\nx/plugin.json`]: '{}' }, async (_, run) => {
      const { stdout } = await run('plugins');
      assert.ok(stdout.includes('evil\\x1b[31m x: ') && !stdout.includes('\u001b'), JSON.stringify(stdout));
    }));

  it('E3 chooses an engine in the file of the person, and its comments stay', () =>
    atHome(
      { ...plugin('tidy'), [configFile]: '# mine\ncompression:\n  threshold: 0.6 # early\n' },
      async (home, run) => {
        const { code, stdout } = await run('plugins', 'use', 'tidy');
        assert.equal(code, 0);
        assert.match(stdout, /context\.engine is now tidy \(plugins\/context_engine\), in .*config\.yaml/);
        const text = readFileSync(join(home, configFile), 'utf8');
        assert.equal(text, '# mine\ncompression:\n  threshold: 0.6 # early\ncontext:\n  engine: tidy\n');
        assert.match((await run('plugins')).stdout, /tidy .*active/);
        const back = JSON.parse((await run('plugins', 'use', 'compressor', '--json')).stdout);
        assert.deepEqual([back.before, back.engine, back.active, back.notes], ['tidy', 'compressor', 'compressor', []]);
      },
    ));

  it('E3 refuses an engine that is unknown or broken, writes nothing, and names the nearest', () =>
    atHome({ ...plugin('tidy'), ...plugin('bad', 'throw new Error("no luck")') }, async (home, run) => {
      const unknown = await run('plugins', 'use', 'tydy');
      assert.equal(unknown.code, 3);
      assert.match(unknown.stderr, /"tydy" is not known.*Nothing was written\. Did you mean tidy\?/);
      const bad = await run('plugins', 'use', 'bad', '--json');
      assert.equal(bad.code, 3);
      assert.equal(JSON.parse(bad.stdout).error.code, 'BAD_PLUGIN');
      assert.match(bad.stderr, /no luck/);
      assert.ok(!existsSync(join(home, configFile)));
    }));

  it('E3 refuses an engine that loads and cannot be made for a session, and writes nothing', () =>
    atHome(
      {
        ...plugin('throws', "export const createEngine = () => { throw new Error('no disk'); };"),
        ...plugin('empty', 'export const createEngine = () => ({});'),
      },
      async (home, run) => {
        for (const [name, reason] of [
          ['throws', /"throws" could not be created \(no disk\)\. Nothing was written/],
          ['empty', /"empty" could not be created \(.+\)\. Nothing was written/],
        ] as const) {
          const { code, stderr } = await run('plugins', 'use', name);
          assert.equal(code, 3, stderr);
          assert.match(stderr, reason);
        }
        assert.ok(!existsSync(join(home, configFile)));
      },
    ));

  it('E3 lists what lies there instead of a manifest or a folder as broken, and never fails for it', () =>
    atHome(
      {
        ...plugin('tidy'),
        [`${own}/half/plugin.json/x`]: '',
        '.local/share/palimpsest/plugins/node_modules/pack/plugin.json/x': '',
        [configFile]: 'plugins:\n  packages: [pack]\n',
      },
      async (home, run) => {
        symlinkSync('round', join(home, own, 'round'));
        const { code, stdout, stderr } = await run('plugins');
        assert.equal(code, 0, stderr);
        for (const name of ['half', 'pack', 'round'])
          assert.match(stdout, new RegExp(`^ *${name}: .*no plugin.json`, 'm'));
        assert.match(stdout, /tidy +context engine/);
        rmSync(join(home, own), { recursive: true });
        symlinkSync('context_engine', join(home, own));
        assert.equal((await run('plugins')).code, 0);
      },
    ));

  it('E3 keeps what a plugin prints while it loads out of the document', () =>
    atHome(plugin('loud', `console.log('LOADED');\nprocess.stdout.write('RAW');\n${works}`), async (home) => {
      for (const args of [['use', 'loud'], ['list']]) {
        const { code, stdout, stderr } = await runProcess(['plugins', ...args, '--json'], { cwd: home });
        assert.equal(code, 0, stderr);
        const { active } = JSON.parse(stdout);
        assert.equal(active.name ?? active, 'loud');
        assert.match(stderr, /LOADED\nRAW/);
      }
    }));

  const unloadable: readonly (readonly [string, string, RegExp])[] = [
    ['ends the process', 'process.exit(0)', /ended its process while it was loading|it called process\.exit\(0\)/],
    [
      'ends the process a moment later',
      `setTimeout(() => process.exit(0), 5); await new Promise((go) => setTimeout(go, 100)); ${works}`,
      /ended its process while it was loading|outside any call \(it called process\.exit\(0\)\)/,
    ],
    ['waits for ever', 'await new Promise(() => undefined)', /it took longer than 1000 ms/],
    ['throws words', `throw 'just words'`, /failed to load: just words/],
    ['throws nothing', 'throw undefined', /failed to load: it threw undefined/],
    [
      'fails behind its own back',
      `Promise.reject(new Error('unheard')); await new Promise((go) => setTimeout(go, 100)); ${works}`,
      /failed outside any call \(unheard\)/,
    ],
  ];
  for (const [title, source, expected] of unloadable) {
    // Only what never ends is waited for to the end: a busy machine takes its time to load anything.
    const seconds = title === 'waits for ever' ? '1' : '20';
    const config = `plugins:\n  timeout_seconds: ${seconds}\n`;
    it(`E3 names a plugin that ${title} while it is loaded, writes nothing, and ends with an error`, () =>
      atHome({ ...plugin('bad', source), [configFile]: config }, async (home, run) => {
        // What fails behind everybody's back would fail the process of the tests.
        const isBehind = source.includes('setTimeout');
        const use = ['plugins', 'use', 'bad'];
        const used = await (isBehind ? runProcess(use, { cwd: home }) : run(...use));
        assert.equal(used.code, 3, used.stderr);
        assert.match(used.stderr, /^palimpsest: The context engine "bad" could not be loaded.*Nothing was written/);
        assert.match(used.stderr, expected);
        assert.doesNotMatch(readFileSync(join(home, configFile), 'utf8'), /engine/);
        const checked = await run('plugins', 'check', join(own, 'bad'), '--timeout', seconds, '--json');
        assert.equal(checked.code, 1);
        const { name, problem } = JSON.parse(checked.stdout);
        assert.equal(name, 'bad');
        assert.match(problem, expected);
      }));
  }

  it('E3 is ended where a plugin never lets go of the processor while it is loaded, and names it', () =>
    atHome({ ...plugin('loops', holds), [configFile]: 'plugins:\n  timeout_seconds: 1\n' }, async (home) => {
      const { code, stderr } = await runProcess(['plugins', 'use', 'loops'], { cwd: home });
      assert.equal(code, 3);
      assert.match(stderr, /^palimpsest: The context engine "loops" blocked the process/);
      assert.doesNotMatch(readFileSync(join(home, configFile), 'utf8'), /engine/);
    }));

  it('E3 ends when it is done, whatever a plugin has left running', () =>
    atHome(plugin('busy', `setInterval(() => undefined, 1_000);\n${works}`), async (home) => {
      const { code, stdout } = await runProcess(['plugins', 'use', 'busy'], { cwd: home });
      assert.equal(code, 0);
      assert.match(stdout, /context\.engine is now busy/);
    }));

  it('E3 says with exit code 1 that another engine runs than the one asked for', () =>
    atHome(
      { ...plugin('bad', 'throw new Error("no luck")'), [configFile]: 'context:\n  engine: bad\n' },
      async (_, run) => {
        const { code, stdout, stderr } = await run('plugins');
        assert.equal(code, 1);
        assert.match(stdout, /compressor .*active/);
        assert.match(stderr, /"bad" could not be loaded .*no luck.*"compressor" is used instead/);
      },
    ));
});

describe('E3: projects of others', () => {
  const project = {
    'palimpsest.yaml':
      'context:\n  engine: theirs\nplugins:\n  timeout_seconds: 7\nhooks:\n  session_start: [{ command: touch ran }]\n',
    ...plugin(
      'theirs',
      `(await import('node:fs')).writeFileSync(new URL('./ran', import.meta.url), '');\n${works}`,
      '.palimpsest/plugins/context_engine',
    ),
  };
  const ran = '.palimpsest/plugins/context_engine/theirs/ran';

  it('E3 E6 bring no engine, no package and no command to run, until they are trusted', () =>
    atHome(project, async (home, run) => {
      const { code, stdout, stderr } = await run('plugins');
      assert.equal(code, 0);
      assert.doesNotMatch(stdout, /theirs/);
      assert.match(
        stderr,
        /context\.engine, plugins\.timeout_seconds, hooks\.session_start in .*palimpsest\.yaml are ignored/,
      );
      assert.ok(!existsSync(join(home, ran)));
      const refused = await run('plugins', 'use', 'theirs');
      assert.equal(refused.code, 3);
      assert.ok(!existsSync(join(home, ran)));

      assert.match(
        (await run('plugins', 'trust')).stdout,
        /is trusted: its plugins, packages and hook commands may run/,
      );
      const trusted = JSON.parse((await run('plugins', '--json')).stdout);
      assert.deepEqual([trusted.active.name, trusted.trusted, trusted.notes], ['theirs', true, []]);
      assert.ok(existsSync(join(home, ran)));

      assert.match((await run('plugins', 'trust', '--remove')).stdout, /is no longer trusted/);
      assert.equal(JSON.parse((await run('plugins', '--json')).stdout).active.name, 'compressor');
    }));

  it('E3 a plugin that is not there is no finding but a wrong path', () =>
    atHome({}, async (_, run) => {
      const { code, stdout, stderr } = await run('plugins', 'check', './nowhere');
      assert.deepEqual([code, stdout], [3, '']);
      assert.match(stderr, /expected the folder of a plugin, but .*nowhere is not a folder: check the path/);
    }));

  it('E3 are only trusted where they are there', () =>
    atHome({}, async (home, run) => {
      const { code, stderr } = await run('plugins', 'trust', './nowhere');
      assert.equal(code, 3);
      assert.match(stderr, /nowhere is not a folder: check the path/);
      assert.ok(!existsSync(join(home, configFile)));
    }));

  it('E3 cannot trust themselves, nor be trusted for the folder above', () =>
    atHome({ ...project, 'palimpsest.yaml': `${project['palimpsest.yaml']}` }, async (home, run) => {
      write(home, {
        'palimpsest.yaml': `context:\n  engine: theirs\nplugins:\n  trusted_projects: [${JSON.stringify(home)}]\n`,
      });
      assert.equal(JSON.parse((await run('plugins', '--json')).stdout).trusted, false);
      await run('plugins', 'trust', dirname(home));
      assert.equal(JSON.parse((await run('plugins', '--json')).stdout).trusted, false);
      assert.ok(!existsSync(join(home, ran)));
    }));
});

describe('E3: palimpsest plugins check', () => {
  it('E3 finds that a sound plugin keeps every promise', () =>
    atHome(plugin('tidy', works, 'here'), async (_, run) => {
      const { code, stdout } = await run('plugins', 'check', 'here/tidy');
      assert.equal(code, 0, stdout);
      assert.match(stdout, /^engine tidy 1\.2\.3\n {2}✓ /);
      assert.match(stdout, /The plugin can be used\.\n$/);
    }));

  const broken: readonly (readonly [string, string, RegExp])[] = [
    [
      'leaves out the request',
      works.replace('at === request || ', '').replace('.at(-2)', '.at(-1)'),
      /removed the newest request/,
    ],
    [
      'ends its process',
      works.replace('const start', 'process.exit(0); const start'),
      /it ended its process, while checking "bad"/,
    ],
    [
      'never lets go of the processor',
      works.replace('const start', `${holds} const start`),
      /blocked the process, while checking "bad": returns a smaller/,
    ],
    [
      'fails behind everybody’s back',
      works.replace(
        'const start',
        'Promise.reject(new Error("unheard")); await new Promise((go) => setTimeout(go, 50)); const start',
      ),
      /failed outside any call \(unheard\), while checking "bad"/,
    ],
    ['cannot be loaded', 'export const x = 1', /does not export a function createEngine/],
  ];
  for (const [title, source, expected] of broken) {
    const seconds = title === 'never lets go of the processor' ? '1' : '20';
    it(`E3 finds one that ${title}`, () =>
      atHome(plugin('bad', source, 'here'), async (_, run) => {
        const { code, stdout } = await run('plugins', 'check', 'here/bad', '--timeout', seconds, '--json');
        assert.equal(code, 1);
        const { holds, problem, engines } = JSON.parse(stdout);
        assert.equal(holds, false);
        assert.match(`${problem} ${JSON.stringify(engines).replaceAll('\\"', '"')}`, expected);
      }));
  }

  it('E3 refuses a time that is none, and says what is no plugin', () =>
    atHome({}, async (home, run) => {
      assert.equal((await run('plugins', 'check', '.', '--timeout', 'soon')).code, 2);
      const { code, stdout } = await runProcess(['plugins', 'check', '.'], { cwd: home });
      assert.equal(code, 1);
      assert.match(stdout, /has no plugin\.json/);
    }));
});

describe('E3: palimpsest status', () => {
  it("E3 names the engine that runs, not the one that a stranger's project names", () =>
    atHome({ 'palimpsest.yaml': 'context:\n  engine: theirs\n' }, async (_, run) => {
      const { stdout, stderr } = await run('status');
      assert.match(stdout, /engine compressor;/);
      assert.match(stderr, /context\.engine in .*palimpsest\.yaml is ignored/);
    }));

  const engines: readonly (readonly [string, Readonly<Record<string, string>>, string, RegExp | undefined])[] = [
    ['that is there', plugin('other', 'throw new Error("run")'), 'other', undefined],
    [
      'that is not there',
      {},
      'compressor',
      /note: The context engine "other" is not known; "compressor" is used instead/,
    ],
    [
      'that is broken',
      { [`${own}/other/plugin.json`]: '{"name":"other"}' },
      'compressor',
      /note: The context engine "other" cannot be used: .*version is missing/,
    ],
  ];
  for (const [title, files, engine, note] of engines) {
    it(`E3 names the engine that runs where the configuration names one ${title}, and runs none of its code`, () =>
      atHome({ ...files, [configFile]: 'context:\n  engine: other\n' }, async (_, run) => {
        const { code, stdout, stderr } = await run('status');
        assert.deepEqual([code, stdout.includes(`engine ${engine};`)], [0, true], stdout);
        if (note === undefined) assert.equal(stderr, '');
        else assert.match(stderr, note);
        assert.equal(JSON.parse((await run('status', '--json')).stdout).engine, engine);
      }));
  }
});
