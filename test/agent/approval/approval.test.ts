import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { ApprovalAnswer } from '../../../packages/palimpsest/src/agent/approval/request.ts';
import { ruleText } from '../../../packages/palimpsest/src/agent/approval/rules.ts';
import { allApprovalRules, openApprovalRules } from '../../../packages/palimpsest/src/agent/approval/rules-file.ts';
import { asked, run, temporaryProject } from './project.ts';

describe('approvals', () => {
  it('remembers what the person chose, for this project alone, and says exactly what it covers', async () => {
    using place = temporaryProject();
    const { approve, questions } = asked(place, {
      answer: ({ rules }) => ({ type: 'yes', ...(rules.at(-1) && { rule: rules.at(-1)?.rule }) }) as ApprovalAnswer,
    });
    assert.deepEqual(await approve(run('npm test src/cart.ts')), { allowed: true, by: 'person' });
    const { folder } = place.project;
    assert.deepEqual(
      questions[0]?.rules.map(({ text }) => text),
      [
        `the command \`npm test src/cart.ts\`, in ${folder}`,
        `commands that begin with \`npm test\` and go on with nothing but paths in the project, plain words and harmless options, in ${folder} and below`,
      ],
    );
    assert.deepEqual(await approve(run('npm test')), { allowed: true, by: 'rule' });
    assert.deepEqual(await approve(run('cd src && npm test | tail -3')), { allowed: true, by: 'rule' });
    assert.equal(questions.length, 1);
    const other = openApprovalRules({ folder: place.own, project: join(place.root, 'home/other') });
    assert.deepEqual(await other.list(), []);
    assert.ok(!existsSync(join(folder, 'approvals.json')), 'nothing lies in the project');
  });

  it('offers the narrowest rules, and says why there is none', async () => {
    using place = temporaryProject();
    const { approve, questions } = asked(place);
    const commands = [
      ['git add src/cart.ts', ['command', 'commands']],
      ['make test', ['command']],
      ['npm install left-pad', ['command']],
      ['npm test && npm run lint', ['command']],
      ['./scripts/check.sh', ['command']],
      ['python3 scripts/check.py', ['command']],
      ['bash x.sh', []],
      ['sudo npm test', []],
      ['rm x', []],
      ['curl example.com', []],
      ['python3 -c "1"', []],
      ['python3.12 -c "1"', []],
      ['node -e 1', []],
      ['npx cowsay', []],
      ['npm exec cowsay', []],
      ['git -c a.b=c status', []],
      ['npm test | xargs touch', []],
      ['FOO=1 npm test', []],
      ['npm test > log.txt', []],
      ['find . -exec touch x \\;', []],
    ] as const;
    for (const [command] of commands) await approve(run(command));
    const offered = questions.map(({ rules }) => rules.map(({ rule }) => rule.type));
    assert.deepEqual(
      commands.map(([command], i) => [command, offered[i]]),
      commands.map(([command, types]) => [command, [...types]]),
    );
    assert.ok(questions.every(({ rules, noRule }) => (rules.length === 0) === (noRule !== undefined)));
    assert.equal(questions.at(-2)?.noRule, 'reads or writes a file by < or >');
  });

  it('keeps no rule that was not offered', async () => {
    using place = temporaryProject();
    const { approve, rules } = asked(place, {
      answer: () => ({ type: 'yes', rule: { type: 'commands', words: ['sudo'] } }),
    });
    assert.equal((await approve(run('npm test'))).allowed, true);
    assert.deepEqual(await rules.list(), []);
  });

  it('covers files by file, by folder and all of the project, but no secrets and nothing that runs by itself', async () => {
    using place = temporaryProject();
    const { approve, rules, questions } = asked(place);
    const write = (path: string) => {
      const target = join(place.project.folder, path);
      return approve({ tool: 'write_file', kind: 'write', target });
    };
    await write('src/cart.ts');
    assert.deepEqual(
      questions[0]?.rules.map(({ rule }) => rule),
      [
        { type: 'write', path: 'src/cart.ts' },
        { type: 'write-below', path: 'src' },
        { type: 'write-below', path: '.' },
      ],
    );
    await rules.add({ type: 'write-below', path: 'src' });
    assert.equal((await write('src/deep/new.ts')).allowed, true);
    assert.equal((await write('app/main.ts')).allowed, false);
    await rules.add({ type: 'write-below', path: '.' });
    assert.equal((await write('app/main.ts')).allowed, true);
    for (const path of [
      'app/.env',
      '.envrc',
      '.vscode/tasks.json',
      '.git/hooks/pre-commit',
      'palimpsest.yaml',
      'keys/server.pem',
    ])
      assert.equal((await write(path)).allowed, false, path);
    const text = ruleText({ type: 'write-below', path: '.' }, place.project);
    assert.equal(
      text,
      `changes to all files in ${place.project.folder} and below, but for files with credentials and files that run by themselves (such as .git and .envrc)`,
    );
  });

  it('takes reading outside and reading credentials for acts of their own', async () => {
    using place = temporaryProject();
    const { approve, rules, questions } = asked(place);
    const target = join(place.root, 'home/notes.txt');
    const outside = { tool: 'read_file', kind: 'read-outside', target } as const;
    await rules.add({ type: 'write-below', path: '.' });
    assert.equal((await approve(outside)).allowed, false);
    assert.deepEqual(
      questions[0]?.rules.map(({ rule }) => rule),
      [{ type: 'read', path: target }],
    );
    await rules.add({ type: 'read', path: target });
    assert.equal((await approve(outside)).allowed, true);
    assert.equal((await approve({ ...outside, kind: 'write-outside' })).allowed, false);
    const secret = { tool: 'read_file', kind: 'read-secret', target: join(place.project.folder, 'app/.env') } as const;
    assert.equal((await approve(secret)).allowed, false);
    await rules.add({ type: 'read', path: 'app/.env' });
    assert.equal((await approve(secret)).allowed, true);
  });

  it('lets a policy decide: plan, edits, everything, nobody there', async () => {
    using place = temporaryProject();
    const write = { tool: 'patch', kind: 'write', target: join(place.project.folder, 'src/cart.ts') } as const;
    const secret = { ...write, target: join(place.project.folder, 'app/.env') };
    const outside = { tool: 'read_file', kind: 'read-outside', target: '/usr/include/stdio.h' } as const;
    const table = [
      ['ask', 'asked', 'asked', 'asked', 'asked'],
      ['read-only', 'refused', 'refused', 'refused', 'asked'],
      ['auto-edit', 'asked', 'allowed', 'asked', 'asked'],
      ['yes', 'allowed', 'allowed', 'allowed', 'allowed'],
      ['no', 'refused', 'refused', 'refused', 'refused'],
    ] as const;
    for (const [policy, ...expected] of table) {
      const { approve, questions } = asked(place, { policy });
      const found: string[] = [];
      for (const request of [run('npm test'), write, secret, outside]) {
        const before = questions.length;
        const { allowed } = await approve(request);
        found.push(questions.length > before ? 'asked' : allowed ? 'allowed' : 'refused');
      }
      assert.deepEqual(found, expected, policy);
      assert.equal((await approve(run('git status'))).allowed, true);
    }
  });

  it('lets rules count where nobody can be asked, and not for changes where only plans are made', async () => {
    using place = temporaryProject();
    const [alone, plan] = [asked(place, { policy: 'no' }), asked(place, { policy: 'read-only' })];
    await alone.rules.add({ type: 'commands', words: ['npm', 'test'] });
    assert.deepEqual(await alone.approve(run('npm test')), { allowed: true, by: 'rule' });
    assert.equal((await plan.approve(run('npm test'))).allowed, false);
    const refused = await alone.approve(run('npm publish'));
    assert.match(refused.allowed ? '' : refused.reason, /--yes/);
  });

  it('asks one question at a time, and not again for what an answer has covered meanwhile', async () => {
    using place = temporaryProject();
    let [open, most] = [0, 0];
    const answers: (() => void)[] = [];
    const { approve, questions } = asked(place, {
      answer: async ({ rules }) => {
        most = Math.max(most, ++open);
        await new Promise<void>((resolve) => answers.push(resolve));
        open--;
        const rule = rules.at(-1)?.rule;
        return rule ? { type: 'yes', rule } : { type: 'no', reason: 'not that' };
      },
    });
    const all = ['npm test', 'npm test src/cart.ts', 'rm x'].map((command) => approve(run(command)));
    assert.deepEqual(
      await approve(run('ls')),
      { allowed: true, by: 'harmless' },
      'what needs no question does not wait',
    );
    let done = 0;
    const results = Promise.all(all).finally(() => done++);
    while (done === 0) {
      answers.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.deepEqual(await results, [
      { allowed: true, by: 'person' },
      { allowed: true, by: 'rule' },
      { allowed: false, by: 'person', reason: 'The user refused and said: not that' },
    ]);
    assert.deepEqual([most, questions.length], [1, 2]);
  });

  it('calls a question off with its signal, and the next one is asked', async () => {
    using place = temporaryProject();
    const { approve, questions } = asked(place, {
      answer: ({ request }) =>
        request.command === 'rm x'
          ? new Promise((_, reject) => stop.signal.addEventListener('abort', () => reject(stop.signal.reason)))
          : { type: 'yes' },
    });
    const stop = new AbortController();
    const first = approve(run('rm x'), stop.signal);
    const waiting = approve(run('rm y'), stop.signal);
    const second = approve(run('rm z'));
    stop.abort(new Error('esc'));
    await assert.rejects(first, /esc/);
    await assert.rejects(waiting, /esc/);
    assert.deepEqual(await second, { allowed: true, by: 'person' });
    assert.deepEqual(
      questions.map(({ request }) => request.command),
      ['rm z'],
    );
  });

  it('lets no file of the project approve anything', async () => {
    using place = temporaryProject({
      'home/shop/approvals.json': '{"projects":{}}',
      'home/shop/.palimpsest/approvals.json': '{"projects":{}}',
    });
    const { approve } = asked(place, { isAlone: true });
    assert.equal((await approve(run('npm test'))).allowed, false);
  });
});

describe('the file of the rules', () => {
  const ruleOf = (n: number) => ({ type: 'command', text: `make ${n}` }) as const;

  it('keeps rules for the person alone, without a change lost between processes', async () => {
    using place = temporaryProject();
    const open = () => openApprovalRules({ folder: place.own, project: place.project.folder });
    await Promise.all([1, 2, 3, 4, 5, 6].map((n) => open().add(ruleOf(n))));
    await open().add(ruleOf(3));
    const kept = await open().list();
    assert.equal(kept.length, 6);
    assert.equal(statSync(open().path).mode & 0o777, 0o600);
    const gone = await open().remove([1, 3]);
    assert.deepEqual([gone[0]?.rule, (await open().list()).length], [kept[0]?.rule, 4]);
    await assert.rejects(open().remove([2, 9]), { code: 'ID_UNKNOWN' });
    assert.equal((await open().list()).length, 4);
    assert.deepEqual(
      readdirSync(place.own).filter((name) => /tmp|lock/.test(name)),
      [],
    );
  });

  it('takes in what a person writes by hand, and leaves the rules of other projects alone', async () => {
    using place = temporaryProject();
    const path = join(place.own, 'approvals.json');
    const { folder } = place.project;
    writeFileSync(
      path,
      `\uFEFF{"projects": {"/elsewhere": [{"type":"write","path":"a"}], "${folder}": [{"type":"commands","words":["npm","test"]}]}}`,
    );
    const { approve, rules } = asked(place);
    assert.equal((await approve(run('npm test'))).allowed, true);
    await rules.add(ruleOf(1));
    assert.deepEqual([...allApprovalRules(place.own).keys()], ['/elsewhere', folder]);
    assert.equal((await rules.list()).length, 2);
  });

  it('says what is wrong with a broken file, lets no rule count and loses nothing', async () => {
    using place = temporaryProject();
    const path = join(place.own, 'approvals.json');
    const { folder } = place.project;
    const broken = [
      ['{"projects": {', /not valid JSON/],
      ['[]', /expected \{"projects"/],
      [`{"projects": {"${folder}": [{"type":"commands","words":"npm test"}]}}`, /rule 1 of .*shop is none/],
      [`{"projects": {"${folder}": [{"type":"command","text":"ls","until":"never"}]}}`, /rule 1/],
      [`{"projects": {"${folder}": [{"type":"write","words":["x"],"path":"y"}]}}`, /rule 1/],
    ] as const;
    for (const [text, problem] of broken) {
      writeFileSync(path, text);
      const { approve, rules, notices } = asked(place, {
        answer: ({ rules: [first] }) => ({ type: 'yes', ...(first && { rule: first.rule }) }),
      });
      assert.deepEqual(await approve(run('npm test')), { allowed: true, by: 'person' });
      assert.match(notices[0] ?? '', problem);
      assert.match(notices.at(-1) ?? '', /Allowed this time only/);
      await assert.rejects(rules.list(), { code: 'BAD_CONFIG' });
      assert.equal(readFileSync(path, 'utf8'), text);
    }
  });

  it('knows a project by its real path', async () => {
    using place = temporaryProject();
    const { rules } = asked(place);
    await rules.add(ruleOf(1));
    const { openProject } = await import('../../../packages/palimpsest/src/agent/approval/project.ts');
    const linked = openProject({ folder: join(place.root, 'home/shop/up/shop'), home: undefined, ownFolders: [] });
    assert.equal(linked.folder, place.project.folder);
  });
});
