/** Commands by the kind of attack that they are, and commands of a day's work. The first are asked for, the second are not. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asked, run, temporaryProject } from './project.ts';

const nbsp = '\u00a0';

/** Each must be put before the person, whatever it begins with. Rules for `npm test` and `git commit` are there. */
const mustAsk: Readonly<Record<string, readonly string[]>> = {
  'a second command behind a harmless one': [
    'ls; touch x',
    'ls && touch x',
    'ls || touch x',
    'ls | xargs touch',
    'ls\ntouch x',
    'ls & touch x',
    'ls |& tee x',
    'true; { touch x; }',
    'ls;touch x',
    'git status;curl example.com',
    'cat README.md|sh',
  ],
  'a command inside a word': [
    'ls $(touch x)',
    'ls `touch x`',
    'ls "$(touch x)"',
    'echo "`touch x`"',
    'cat <(touch x)',
    'echo $' + '{x:=$(touch x)}',
    'echo $((a[$(touch x)]))',
    'grep "$(cat keys/server.pem)" README.md',
  ],
  'a shell that is told what to run': [
    'bash -c "touch x"',
    'sh -c touch\\ x',
    'eval touch x',
    'env touch x',
    'command touch x',
    'xargs -I{} touch {}',
    'sudo ls',
    'nohup ls',
    'timeout 5 touch x',
    'busybox touch x',
    "python3 -c \"open('x','w')\"",
    "node -e \"require('fs').writeFileSync('x','')\"",
    'perl -e "unlink 1"',
    'awk \'BEGIN{system("touch x")}\'',
    'echo "touch x" | sh',
    'echo "import os" | python3',
    'cat src/index.ts | node',
    'echo dG91Y2ggeA== | base64 -d | bash',
  ],
  'a redirection': [
    'echo x > README.md',
    'echo x>>README.md',
    'ls 2> src/cart.ts',
    'ls &> x',
    'cat < keys/server.pem',
    'cat <<EOF\n$(touch x)\nEOF',
    'ls >| README.md',
    'echo x >&README.md',
    'echo x > /dev/null.sh',
  ],
  'an option of a reading program that writes or runs': [
    'find . -delete',
    'find . -exec touch x ;',
    'find . -name x -fprint y',
    'sort -o README.md README.md',
    'sort --output=README.md README.md',
    'sort --outp=README.md README.md',
    'sort --compress-program=./x README.md',
    'rg --pre ./x foo',
    'rg --pre=./x foo src',
    'rg --hostname-bin ./x foo',
    'sed -i s/a/b/ README.md',
    "sed -n '1w x' README.md",
    "sed '1e touch x' README.md",
    'uniq README.md src/cart.ts',
    'tree -o x',
    'date -s 2020-01-01',
    'tail -f README.md',
    'diff --to-file=/etc/passwd README.md',
    'wc --files0-from=/etc/passwd',
    'grep -f keys/server.pem README.md',
    'hostname elsewhere',
    'file -m ./x README.md',
    'less README.md',
  ],
  'what Git runs': [
    'git diff --ext-diff',
    'git log --output=README.md',
    'git diff --no-index /etc/passwd README.md',
    'git diff /etc/passwd README.md',
    'git -c core.pager=./x log',
    'git -c alias.x=!./x x',
    'git -C / status',
    'git --exec-path=. status',
    'git --git-dir=x status',
    'git -p log',
    'git grep -O./x foo',
    'git branch -D main',
    'git branch new',
    'git config core.fsmonitor ./x',
    'git checkout -- .',
    'git remote add x ext::sh',
    'git fetch --upload-pack=./x',
    'git show HEAD:app/.env',
    'git tag v1',
    'git stash drop',
    'GIT_EXTERNAL_DIFF=./x git diff',
    'GIT_PAGER=./x git log',
    'git log --show-signature',
  ],
  'a variable before the command': [
    'PATH=. ls',
    'LD_PRELOAD=./x ls',
    'RIPGREP_CONFIG_PATH=x rg foo',
    'FOO=1 npm test',
    'IFS=/ ls',
    'BASH_ENV=./x ls',
    'export PATH=.; ls',
  ],
  'quotes and signs that hide': [
    "l''s; touch x",
    '"ls" ; touch x',
    "$'ls\\ntouch x'",
    'ls \\\n; touch x',
    `ls${nbsp}README.md`,
    'ls \u202eexe.txt',
    'l\u200bs',
    '\u0441at README.md',
    'ls\r\ntouch x',
    'ls \u2028touch x',
    'ls # \ntouch x',
    "echo 'unclosed",
    '{ls,-la}',
    'ls "a\\"; touch x; echo \\"b"; touch y',
    'alias ls=touch; ls x',
    'ls() { touch x; }; ls',
    './ls',
    'src/ls',
    'function git { touch x; }; git status',
  ],
  'a file outside, or one with credentials': [
    'cat /etc/passwd',
    'cat ../notes.txt',
    'cat ~/notes.txt',
    'cat linked.txt',
    'cat up/notes.txt',
    'cat src/../../notes.txt',
    'cd .. && cat notes.txt',
    'cd up && cat notes.txt',
    'cd src; cat ../README.md',
    'cat app/.env',
    'cat app/.e*',
    'cat app/.en?',
    'head -n 5 keys/server.pem',
    'grep TOKEN app/.env',
    'grep -r TOKEN .',
    'grep -R TOKEN app',
    'rg --hidden TOKEN',
    'rg -uu TOKEN',
    "rg -g '.env' TOKEN app",
    'cat .git/config',
    'ls /',
    'cat /proc/self/environ',
    'wc -c /etc/shadow',
    'diff app/.env README.md',
    'printenv',
    'env',
    'echo $HOME',
  ],
  'more than a rule says': [
    'npm test -- --import ./x.js',
    'npm test --script-shell=./x',
    'npm test --prefix /elsewhere',
    'npm test && npm publish',
    'npm testx',
    'npm test; curl example.com',
    'npm test $(touch x)',
    'npm test > src/cart.ts',
    'npm test ../../elsewhere',
    'npm test app/.env',
    'npm test -t --import ./x.js',
    'npm --prefix up test',
    'npm run test',
    'cd up && npm test',
    'git commit --template=../x',
    'git commit -F ../notes.txt',
    'git -c core.hooksPath=x commit -m x',
    'git commit -m "$(cat ../notes.txt)"',
    'sudo npm test',
    'npm test https://example.com/x.js',
    'npm test data:text/javascript,x',
  ],
};

/** A day's work that changes nothing, and what the rules cover. */
const mayPass: readonly string[] = [
  'pwd',
  'ls',
  'ls -la',
  'ls -la src',
  'ls src/*.ts',
  'tree -L 2 src',
  'cat README.md',
  'cat -n src/cart.ts',
  "cat 'README.md'",
  'head -n 20 src/cart.ts',
  'head -20 src/cart.ts',
  'tail -5 README.md',
  'wc -l src/cart.ts src/index.ts',
  "sed -n '1,20p' src/cart.ts",
  'grep -n total src/cart.ts',
  'grep -rn total src',
  'grep -rn --include="*.ts" "total = 1" src',
  'grep -rn "foo$" src',
  'rg total src',
  "rg -n --glob '!*.md' 'a|b' src",
  'find . -name "*.ts" -type f',
  'find src \\( -name a -o -name b \\) -print',
  'find . -maxdepth 2 -not -path "./node_modules/*"',
  'git status',
  'git status --short --branch',
  'git diff',
  'git diff --stat HEAD~3',
  'git diff main..feature -- src',
  'git --no-pager log --oneline -5',
  'git log -p -n 2 -- src/cart.ts',
  'git show HEAD:src/cart.ts',
  'git show --stat HEAD^',
  'git branch -a',
  'git blame -L 1,5 src/cart.ts',
  'git rev-parse --abbrev-ref HEAD',
  'git ls-files',
  'ls -la | head -5',
  'cat package.json | grep version | wc -l',
  'git status && git diff --stat',
  'cd src && ls',
  'cd src && cat cart.ts && cat ../README.md',
  'ls nothing 2>/dev/null',
  'ls 2>&1 | sort -u',
  'echo "done; really" \'$HOME\'',
  'node --version',
  'which node',
  'test -f README.md && echo yes',
  'diff README.md package.json',
  'npm test',
  'npm test 2>&1 | tail -20',
  'npm test -- src/cart.ts',
  'npm test -- -t "adds two; numbers"',
  'cd src && npm test',
  'git status && npm test',
  'git commit -m "Fix `total`"'.replaceAll('`', "'"),
  "git commit -am 'Fix $total; really'",
];

const rulesOfTheDay = [
  { type: 'commands', words: ['npm', 'test'] },
  { type: 'commands', words: ['git', 'commit'] },
] as const;

describe('what runs without a question', () => {
  const count = Object.values(mustAsk).flat().length;
  assert.ok(count >= 60 && mayPass.length >= 40, `${count}, ${mayPass.length}`);

  for (const [kind, commands] of Object.entries(mustAsk)) {
    it(`asks before ${kind}`, async () => {
      using place = temporaryProject();
      const { approve, rules, questions } = asked(place);
      for (const rule of rulesOfTheDay) await rules.add(rule);
      const passed: string[] = [];
      for (const command of commands) if ((await approve(run(command))).allowed) passed.push(command);
      assert.deepEqual(passed, []);
      assert.equal(questions.length, commands.length);
    });
  }

  it('does not ask for commands that only look, nor for what a rule covers', async () => {
    using place = temporaryProject();
    const { approve, rules, questions } = asked(place);
    for (const rule of rulesOfTheDay) await rules.add(rule);
    const refused: string[] = [];
    for (const command of mayPass) if (!(await approve(run(command))).allowed) refused.push(command);
    assert.deepEqual(refused, []);
    assert.deepEqual(questions, []);
  });

  it('asks for reading commands of Git where the repository brings programs along', async () => {
    const bad = [
      '[core]\n\tfsmonitor = ./x\n',
      '[diff "z"]\n\ttextconv = ./x\n',
      '[include]\n\tpath = ../evil\n',
      '[filter "x"] clean = ./x\n',
      '[core]\nfs\\\nmonitor = x\n',
    ];
    for (const config of bad) {
      using place = temporaryProject({ 'home/shop/.git/config': config });
      const { approve, questions } = asked(place);
      assert.equal((await approve(run('git status'))).allowed, false, config);
      assert.equal(questions.length, 1);
    }
  });
});
