import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { memoryProviderNames, providerQuestions } from 'palimpsest';
import { isKeyName } from '../../packages/palimpsest/src/cli/settings.ts';
import type { FakeService } from '../memory/providers/services/fake-service.ts';
import { fakeMem0Server, goodKey } from '../memory/providers/services/fakes.ts';
import { runHere, runProcess } from '../support/command-line.ts';
import { fine, inMemoryHome, type MemoryHome } from '../support/memory-command.ts';

const configPath = ({ home }: MemoryHome): string => join(home, '.config/palimpsest/config.yaml');
const configOf = (home: MemoryHome): string =>
  existsSync(configPath(home)) ? readFileSync(configPath(home), 'utf8') : '';
const keyed = { env: { MEM0_API_KEY: goodKey } };
const own = ({ url }: FakeService): readonly string[] => ['setup', 'mem0', '--set', `base_url=${url}`];
const result = async (home: MemoryHome, options = {}) => {
  const outcome = await home.program(['status', '--json'], options);
  return { ...JSON.parse(outcome.stdout), code: outcome.code };
};

describe('M3: palimpsest memory setup', () => {
  it('asks a person what the provider has to know, and writes what differs from the defaults', () =>
    inMemoryHome(async (home) => {
      const input = 'mem0\nhttp://127.0.0.1:9\n\nalice\n\n';
      const { stdout, stderr } = await fine(home.person(['setup'], { input }));
      for (const name of memoryProviderNames) assert.match(stderr, new RegExp(`^ +${name} `, 'm'));
      assert.match(stderr, /The address of the service \(default: https:\/\/api\.mem0\.ai\):/);
      assert.equal(
        configOf(home),
        'memory:\n  provider: mem0\n  providers:\n    mem0:\n      base_url: http://127.0.0.1:9\n      user: alice\n',
      );
      assert.match(stdout, /^memory\.provider is now mem0 \(built-in\), in /);
      assert.match(stdout, /memory\.providers\.mem0\.user: alice/);
      assert.match(stdout, /palimpsest memory status$/m);
    }));

  it('asks again where an answer is wrong, and writes nothing where the answers end', () =>
    inMemoryHome(async (home) => {
      const { stderr, code } = await home.person(['setup', 'mem0'], { input: 'nowhere\n' });
      assert.equal(code, 2);
      assert.match(stderr, /Expected as base_url an address[\s\S]*the input has ended, and nothing was written/);
      assert.equal(configOf(home), '');
    }));

  it('asks every question of every provider but keys', () =>
    inMemoryHome(async (home) => {
      for (const name of memoryProviderNames) {
        const questions = providerQuestions(name).filter(({ isSecret }) => !isSecret);
        const { stderr } = await fine(home.person(['setup', name], { input: '\n'.repeat(questions.length) }));
        for (const { text } of questions) assert.ok(stderr.includes(text), `${name}: ${text}`);
        assert.doesNotMatch(stderr, /a key of/i, name);
        for (const { key, isSecret } of providerQuestions(name)) assert.equal(isKeyName(key), isSecret === true, key);
      }
    }));

  it('takes answers from --set where there is no terminal, and keeps those that were given before', () =>
    inMemoryHome(async (home) => {
      await fine(home.program(['setup', 'mem0', '--set', 'user=alice', '--set', 'scope=person']));
      await fine(home.program(['setup', 'mem0', '--set', 'scope=', '--set', 'base_url=http://127.0.0.1:9']));
      const { settings } = JSON.parse((await fine(home.program(['setup', 'mem0', '--json']))).stdout);
      assert.deepEqual(settings, { base_url: 'http://127.0.0.1:9', user: 'alice' });
    }));

  it('names the variable of a key that is missing', () =>
    inMemoryHome(async (home) => {
      const { stdout } = await fine(home.program(['setup', 'mem0']));
      assert.match(stdout, /api_key: read from the variable MEM0_API_KEY, which is not set/);
      const { missing } = JSON.parse((await fine(home.program(['setup', 'mem0', '--json']))).stdout);
      assert.match(missing, /set the variable MEM0_API_KEY/);
      const set = JSON.parse((await fine(home.program(['setup', 'mem0', '--json'], keyed))).stdout);
      assert.equal(set.missing, null);
      assert.ok(!configOf(home).includes(goodKey));
    }));

  it('writes a key only when it is told to, into a file that nobody else reads, and never shows it', () =>
    inMemoryHome(async (home) => {
      const refused = await home.program(['setup', 'mem0', '--set', `api_key=${goodKey}`]);
      assert.equal(refused.code, 2);
      assert.match(refused.stderr, /put it into the variable MEM0_API_KEY.*--save-key/);
      assert.equal(configOf(home), '');
      const saved = await fine(
        home.program(['setup', 'mem0', '--save-key', '--set', 'api_key=-'], { input: `${goodKey}\n` }),
      );
      assert.ok(configOf(home).includes(`api_key: ${goodKey}`));
      assert.equal(statSync(configPath(home)).mode & 0o777, 0o600);
      const shown = await runHere(['config', 'show', '--changed'], { cwd: home.oven, env: { HOME: home.home } });
      for (const text of [refused.stderr, saved.stdout, saved.stderr, shown.stdout])
        assert.ok(!text.includes(goodKey), text);
      await fine(home.program(['setup', 'mem0', '--set', 'user=alice']));
      assert.ok(configOf(home).includes(goodKey));
    }));

  it('refuses what the provider does not ask for, and repeats no answer', () =>
    inMemoryHome(async (home) => {
      for (const [args, said] of [
        [['setup'], /expected the name of a provider: supermemory, mem0/],
        [['setup', 'memo'], /Did you mean mem0\?/],
        [['setup', 'mem0', '--set', `usr=${goodKey}`], /did you mean user\?/],
        [['setup', 'mem0', '--set', goodKey], /key=value/],
        [['setup', 'mem0', '--set', `base_url=${goodKey}`], /Expected as base_url an address/],
        [['setup', 'mem0', '--save-key'], /--set api_key=-/],
        [['setup', '--remove', 'honcho'], /expected a provider that is set up, got "honcho"/],
      ] as const) {
        const { code, stderr } = await home.program(args);
        assert.equal(code, 2, stderr);
        assert.match(stderr, said);
        assert.ok(!stderr.includes(goodKey), stderr);
      }
      assert.equal(configOf(home), '');
    }));

  it('removes what it wrote and leaves the rest of the file', () =>
    inMemoryHome(async (home) => {
      mkdirSync(join(home.home, '.config/palimpsest'), { recursive: true });
      writeFileSync(configPath(home), '# mine\nstore:\n  path: null # here\n');
      await fine(home.program(['setup', 'mem0', '--set', 'user=alice']));
      const { stdout } = await fine(home.program(['setup', '--remove']));
      assert.match(stdout, /^removed mem0 from .*config\.yaml; what it keeps stays with it$/m);
      assert.match(configOf(home), /^# mine\nstore:\n {2}path: null # here\n/);
      assert.doesNotMatch(configOf(home), /mem0|alice/);
      assert.equal((await result(home)).provider, null);
      assert.match((await fine(home.program(['setup', '--remove']))).stdout, /no memory provider was set/);
    }));
});

describe('M3: palimpsest memory status', () => {
  it('says that the built-in memory works alone where no provider is set', () =>
    inMemoryHome(async (home) => {
      assert.match((await fine(home.program(['status']))).stdout, /no memory provider is set.*palimpsest memory setup/);
    }));

  it('really writes a note with a marker, reads it and removes it', () =>
    inMemoryHome(async (home) => {
      await using service = await fakeMem0Server();
      await fine(home.program(own(service)));
      const { stdout } = await fine(home.program(['status'], keyed));
      assert.match(stdout, /works: wrote a note, read it back and removed it/);
      const did = service.requests.map(({ method, path }) => `${method} ${path.replace(/mem-\d+/, 'ID')}`);
      for (const request of ['POST /memories', 'GET /memories/ID', 'DELETE /memories/ID'])
        assert.ok(did.includes(request), did.join());
      assert.match(JSON.stringify(service.requests), /palimpsest-probe-/);
      const { address, result: outcome } = await result(home, keyed);
      assert.deepEqual([address, outcome], [service.url, { type: 'works' }]);
    }));

  it('fails with the step, the reason and what to do, and repeats no key', () =>
    inMemoryHome(async (home) => {
      await using service = await fakeMem0Server();
      await fine(home.program(own(service)));
      const wrongKey = await result(home, { env: { MEM0_API_KEY: 'wrong-key-0815' } });
      assert.deepEqual([wrongKey.code, wrongKey.result.step], [1, 'write']);
      assert.match(wrongKey.result.reason, /HTTP 401: its key is not accepted/);
      assert.match(wrongKey.result.advice, /memory\.providers\.mem0\.api_key or MEM0_API_KEY/);
      assert.ok(!JSON.stringify(wrongKey).includes('wrong-key-0815'));
      const { code, stdout } = await home.person(['status'], { env: { MEM0_API_KEY: 'wrong-key-0815' } });
      assert.equal(code, 1);
      assert.match(stdout, /does NOT work: it could not write a note/);
    }));

  it('finds a service that takes everything and keeps nothing', () =>
    inMemoryHome(async (home) => {
      await using service = await fakeMem0Server();
      await fine(home.program(own(service)));
      service.breakWith({ body: 'null' }, /^\/memories\/./);
      const { code, result: outcome } = await result(home, keyed);
      assert.deepEqual([code, outcome.type, outcome.step], [1, 'failed', 'read']);
    }));

  it('names the note that it could not remove again', () =>
    inMemoryHome(async (home) => {
      const folder = join(home.home, '.local/share/palimpsest/plugins/memory_provider/notes');
      mkdirSync(folder, { recursive: true });
      const manifest = { name: 'notes', version: '1.0.0', kind: 'memory_provider', palimpsest: '*', main: 'index.mjs' };
      writeFileSync(join(folder, 'plugin.json'), JSON.stringify(manifest));
      const notes = `{ write: (text) => (kept = text, '1'), read: () => kept, remove() { throw new Error('locked') } }`;
      const module = `let kept;\nexport const createMemoryProvider = ({ name }) => ({ name, notes: ${notes} });\n`;
      writeFileSync(join(folder, 'index.mjs'), module);
      const refused = await home.program(['setup', 'notes', '--set', `token=${goodKey}`]);
      assert.equal(refused.code, 2);
      assert.match(refused.stderr, /token is a secret/);
      await fine(home.program(['setup', 'notes', '--set', 'colour=plum']));
      assert.match(configOf(home), /provider: notes\n {2}providers:\n {4}notes:\n {6}colour: plum/);
      const { from, result: outcome } = await result(home);
      assert.notEqual(from, 'built-in');
      assert.deepEqual([outcome.step, outcome.reason], ['remove', 'locked']);
      assert.match(outcome.advice, /remove palimpsest-probe-[0-9a-f-]{36}/);
    }));

  it('stands in plugins list as what it is: active, unused, or hidden by one that ships', () =>
    inMemoryHome(async (home) => {
      for (const name of ['notes', 'other', 'mem0']) {
        const folder = join(home.home, '.local/share/palimpsest/plugins/memory_provider', name);
        mkdirSync(folder, { recursive: true });
        const manifest = { name, version: '1.0.0', kind: 'memory_provider', palimpsest: '*', main: 'index.mjs' };
        writeFileSync(join(folder, 'plugin.json'), JSON.stringify(manifest));
        writeFileSync(join(folder, 'index.mjs'), 'export const createMemoryProvider = ({ name }) => ({ name });\n');
      }
      await fine(home.program(['setup', 'notes']));
      const at = { cwd: home.oven, env: { HOME: home.home } };
      const { plugins } = JSON.parse((await runProcess(['plugins', 'list', '--json'], at)).stdout);
      assert.deepEqual(
        plugins.map((row: Record<string, unknown>) => [row.name, row.kind, row.active, row.problem]),
        [
          ['compressor', 'context_engine', true, null],
          ['mem0', 'memory_provider', false, 'hidden by the provider of the same name that ships with Palimpsest'],
          ['notes', 'memory_provider', true, null],
          ['other', 'memory_provider', false, null],
        ],
      );
      const { stdout } = await runProcess(['plugins', 'list'], at);
      assert.match(stdout, /notes +memory provider +1\.0\.0 +your plugins +active/);
      assert.match(stdout.replaceAll(/\s+/g, ' '), /context_engine\/NAME, \S+memory_provider\/NAME/);
    }));

  it('shows the command that installs the client where it is looked for', () =>
    inMemoryHome(async (home) => {
      await fine(home.program(['setup', 'supermemory']));
      // A Node that does not find the package, as on a machine where nobody has installed it.
      const hook = join(home.home, 'hook.mjs');
      const missing = "Object.assign(new Error('Cannot find package supermemory'), { code: 'ERR_MODULE_NOT_FOUND' })";
      const resolve = `(name, context, next) => { if (name === 'supermemory') throw ${missing}; return next(name, context); }`;
      writeFileSync(hook, `import { registerHooks } from 'node:module';\nregisterHooks({ resolve: ${resolve} });\n`);
      const env = { HOME: home.home, NODE_OPTIONS: `--import=${hook}`, SUPERMEMORY_API_KEY: goodKey };
      const { code, stdout, stderr } = await runProcess(['memory', 'status', '--json'], { cwd: home.oven, env });
      assert.equal(code, 1, stderr);
      const install = `npm install --prefix ${join(home.home, '.local/share/palimpsest/plugins')} supermemory`;
      const { client, result: outcome } = JSON.parse(stdout);
      assert.deepEqual(client, { package: 'supermemory', installed: false, install });
      assert.deepEqual([outcome.step, outcome.advice], ['client', `Install it: ${install}`]);
    }));

  it('says what is missing before it uses the network', () =>
    inMemoryHome(async (home) => {
      await fine(home.program(['setup', 'mem0']));
      const { code, result: outcome } = await result(home);
      assert.deepEqual([code, outcome.step], [1, 'settings']);
      assert.match(outcome.reason, /set the variable MEM0_API_KEY/);
    }));

  it('reports a provider that nobody has, or settings that it cannot take', () =>
    inMemoryHome(async (home) => {
      for (const [env, said] of [
        [{ PALIMPSEST_MEMORY_PROVIDER: 'memo' }, /Did you mean mem0/],
        [
          { PALIMPSEST_MEMORY_PROVIDER: 'mem0', PALIMPSEST_MEMORY_PROVIDERS: '{"mem0":{"usr":"a"}}' },
          /did you mean user/,
        ],
      ] as const) {
        const { code, result: outcome } = await result(home, { env });
        assert.deepEqual([code, outcome.step], [1, 'load']);
        assert.match(outcome.reason, said);
      }
    }));

  it('works with a provider in a file on this machine', () =>
    inMemoryHome(async (home) => {
      await fine(home.program(['setup', 'holographic']));
      assert.deepEqual((await result(home)).result, { type: 'works' });
    }));
});

describe('M3: the memory provider of a project', () => {
  it('is ignored with a note until the project is trusted: it says where keys go', () =>
    inMemoryHome(async (home) => {
      await using service = await fakeMem0Server();
      const theirs = `memory:\n  provider: mem0\n  providers:\n    mem0:\n      base_url: ${service.url}\n`;
      writeFileSync(join(home.oven, 'palimpsest.yaml'), theirs);
      const before = await result(home, keyed);
      assert.deepEqual([before.code, before.provider], [0, null]);
      assert.match(before.notes.join('\n'), /memory\.provider, memory\.providers in .* are ignored/);
      assert.equal(service.requests.length, 0);
      const shown = await runHere(['config', 'show', '--changed'], { cwd: home.oven, env: { HOME: home.home } });
      assert.match(shown.stdout, /memory\.provider +mem0 +ignored \(null is used\)/);
      await fine(runHere(['plugins', 'trust'], { cwd: home.oven, env: { HOME: home.home } }));
      const after = await result(home, keyed);
      assert.deepEqual([after.code, after.provider, after.result], [0, 'mem0', { type: 'works' }]);
    }));

  it('does not turn the key of a person to another address', () =>
    inMemoryHome(async (home) => {
      await using mine = await fakeMem0Server();
      await using theirs = await fakeMem0Server();
      await fine(home.program(own(mine)));
      writeFileSync(
        join(home.oven, 'palimpsest.json'),
        `{"memory":{"providers":{"mem0":{"base_url":"${theirs.url}"}}}}`,
      );
      const { address, code } = await result(home, keyed);
      assert.deepEqual([address, code, theirs.requests.length], [mine.url, 0, 0]);
    }));

  it('may not be a text where settings are expected, and no message repeats it', () =>
    inMemoryHome(async (home) => {
      const env = { PALIMPSEST_MEMORY_PROVIDERS: `{"mem0":"${goodKey}"}` };
      const { code, stderr } = await home.program(['status'], { env });
      assert.equal(code, 2);
      assert.match(stderr, /PALIMPSEST_MEMORY_PROVIDERS.*expected an object of settings/);
      assert.ok(!stderr.includes(goodKey));
    }));
});
