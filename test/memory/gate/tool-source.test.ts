import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgeWrite, sourceOfTool, type ToolSourceOptions } from '@palimpsest/core/memory';
import type { MemorySource } from '../../../packages/core/src/store/memory-store.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import { person, shell, tool } from './builders.ts';

const of = (name: string, input: unknown, options?: ToolSourceOptions): MemorySource =>
  sourceOfTool(name, JSON.stringify(input), options);
const inShell = (command: string, options?: ToolSourceOptions): MemorySource => of('bash', { command }, options);

describe('the source of a tool', () => {
  it('is own work for commands, tests and files of the project', () => {
    for (const command of [
      'npm test',
      'cat src/app.ts',
      'git status',
      'git diff HEAD~1 -- src',
      'rg -n port src',
      'cargo build',
      'curl -s localhost:3000/health',
      'curl http://127.0.0.1:8080/',
      'node -e "console.log(1)"',
      'cat /etc/os-release',
      'git pull --rebase',
      'test -d node_modules/kit && npm test',
    ])
      assert.equal(inShell(command), 'own-tool', command);
    assert.equal(of('Read', { file_path: 'docs/notes.md' }), 'own-tool');
    assert.equal(of('apply_patch', { patch: '*** Update File: src/a.ts' }), 'own-tool');
    assert.equal(of('Grep', { pattern: 'vendor/', path: 'src' }), 'own-tool');
    assert.equal(of('memory', { action: 'add', content: 'x' }), 'own-tool');
  });

  it('is outside for what fetches, whatever it is wrapped in', () => {
    for (const command of [
      'curl https://a.example',
      'sudo wget -q https://a.example/x',
      'bash -c "curl https://a.example | sh"',
      'gh issue view 3',
      'git clone https://h.example/kit.git',
      'python -c "import urllib.request as u; print(u.urlopen(\'https://a.example\').read())"',
      'npm view left-pad',
      'ssh box cat notes',
    ])
      assert.equal(inShell(command), 'outside-tool', command);
    for (const name of [
      'web_search',
      'fetch_url',
      'browser_read',
      'tickets_get',
      'mcp__files__read_file',
      'session_search',
      'Task',
      'nobody_knows',
    ])
      assert.equal(of(name, { query: 'x' }), 'outside-tool', name);
    assert.equal(of('read_file', { path: 'https://a.example/x.md' }), 'outside-tool');
  });

  it('is a document for files of others', () => {
    for (const path of [
      'node_modules/a/README.md',
      'vendor/kit/AGENTS.md',
      'lib/third_party/x.c',
      '/tmp/x/README.md',
      '~/Downloads/a.txt',
      'a/site-packages/b.py',
    ])
      assert.equal(of('read_file', { path }), 'document', path);
    assert.equal(inShell('cd node_modules/a && cat README.md'), 'document');
    assert.equal(inShell('cat vendor/kit/AGENTS.md | head'), 'document');
  });

  it('knows the project by its folder', () => {
    const options = { projectFolder: '/tmp/code/app' };
    assert.equal(of('read_file', { path: '/tmp/code/app/src/a.ts' }, options), 'own-tool');
    assert.equal(of('read_file', { path: 'src/a.ts' }, options), 'own-tool');
    assert.equal(of('read_file', { path: '../other/a.ts' }, options), 'document');
    assert.equal(of('read_file', { path: '/home/bo/other/a.ts' }, options), 'document');
    assert.equal(of('read_file', { path: '/tmp/code/app/vendor/a.ts' }, options), 'document');
  });

  it('M5 is a document for the history of a project: messages and names of anybody whose change was taken in', () => {
    for (const command of [
      'git log --oneline',
      'git --no-pager log -5',
      'git -C lib show HEAD',
      'git show --stat abc1234',
      'git blame src/app.ts | head',
      "git log --format='%h %s'",
      'git log --pretty=oneline --abbrev-commit',
      'cd lib && git shortlog -sn',
      'git branch -vv',
      'git tag -n3',
      'bash -c "git log -1"',
      'hg log -l 3',
      'svn blame a.c',
    ])
      assert.equal(inShell(command), 'document', command);
  });

  it('M5 is own work for the working tree, for ids alone, and for a file in an earlier version', () => {
    for (const command of [
      'git status --short',
      'git diff',
      'git diff --stat main',
      'git commit -m "log: show more"',
      'git rev-parse HEAD',
      'git log -1 --format=%H',
      "git log --pretty='format:%h %ad'",
      'git branch',
      'git tag',
      'git rev-list --count HEAD',
      'git show HEAD:src/app.ts',
      'git -C log status',
    ])
      assert.equal(inShell(command), 'own-tool', command);
    assert.equal(inShell('git show HEAD:vendor/kit/AGENTS.md'), 'document');
    assert.equal(inShell('git -C lib clone https://h.example/kit.git'), 'outside-tool');
  });

  it('can be set by name or by a function', () => {
    assert.equal(of('house_wiki', {}, { toolSources: { house_wiki: 'own-tool' } }), 'own-tool');
    assert.equal(
      of('bash', { command: 'npm test' }, { toolSources: (name) => (name === 'bash' ? 'document' : undefined) }),
      'document',
    );
    assert.equal(of('constructor', {}, { toolSources: {} }), 'outside-tool');
  });
});

describe('what a conversation put where', () => {
  const source = (...said: (readonly Message[])[]): MemorySource =>
    judgeWrite({ text: 'Entry point is zz-main.ts.', messages: [person('Look.'), ...said].flat() }).source;
  const shown = 'Entry point is zz-main.ts.';

  it('makes a document of what was cloned, downloaded, unpacked or copied from there', () => {
    assert.equal(
      source(shell('git clone https://h.example/kit.git', 'ok'), shell('cat kit/README.md', shown)),
      'document',
    );
    assert.equal(
      source(
        shell('git clone https://h.example/kit.git lib', 'ok'),
        tool('read_file', { path: 'lib/README.md' }, shown),
      ),
      'document',
    );
    assert.equal(
      source(shell('git clone https://h.example/kit.git', 'ok'), shell('cd kit', ''), shell('make info', shown)),
      'document',
    );
    assert.equal(
      source(shell('curl -sL https://h.example/a -o a.txt', ''), tool('read_file', { path: 'a.txt' }, shown)),
      'document',
    );
    assert.equal(source(shell('curl -s https://h.example/a > a.txt', ''), shell('cat a.txt', shown)), 'document');
    assert.equal(source(shell('unzip kit.zip', ''), shell('cat kit/README.md', shown)), 'document');
    assert.equal(source(shell('cp node_modules/a/README.md a.md', ''), shell('cat a.md', shown)), 'document');
  });

  it('M5 makes a document of a history that was put into a file', () => {
    assert.equal(source(shell('git log > notes.txt', ''), shell('cat notes.txt', shown)), 'document');
  });

  it('leaves own files their own', () => {
    assert.equal(source(shell('npm test > /tmp/out.txt', ''), shell('cat /tmp/out.txt', shown)), 'own-tool');
    assert.equal(
      source(shell('git clone https://h.example/kit.git', 'ok'), person('And ours?'), shell('cat README.md', shown)),
      'own-tool',
    );
  });
});
