import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readCommand } from '../../../packages/core/src/compression/ledger/commands.ts';

const touched = (command: string, folder?: string): readonly string[] =>
  readCommand(command, folder).files.map(({ path, state }) => `${state} ${path}`);
const outside = (command: string): readonly string[] => readCommand(command).outside;

test('S8: what a command writes, moves and removes is seen', () => {
  for (const [command, expected] of [
    ['cat > src/a.ts <<EOF\nx > y.txt\nEOF', ['created src/a.ts']],
    ['echo one >> notes/log.md', ['changed notes/log.md']],
    ['make 2>&1 | tee -a out/build.log > /dev/null', ['changed out/build.log']],
    ["sed -i '' -e 's/a/b/g' src/a.ts src/b.ts", ['changed src/a.ts', 'changed src/b.ts']],
    ["sed -i.bak 's/a\\/b/c/' src/a.ts", ['changed src/a.ts']],
    ['git mv old/name.ts new/name.ts', ['deleted old/name.ts', 'created new/name.ts']],
    ['mv a.ts b.ts lib/', ['deleted a.ts', 'created lib/a.ts', 'deleted b.ts', 'created lib/b.ts']],
    ['mv src/a.ts lib', ['deleted src/a.ts', 'created lib/a.ts']],
    ['cp conf/a.yaml conf/b.yaml', ['created conf/b.yaml']],
    ['rm -rf build/out && rm notes.txt', ['deleted build/out', 'deleted notes.txt']],
    ['git rm --cached x/y.ts', ['deleted x/y.ts']],
    ['touch "my file.txt" 说明/指南.md', ['created my file.txt', 'created 说明/指南.md']],
    ['git checkout -- src/a.ts; git restore src/b.ts', ['changed src/a.ts', 'changed src/b.ts']],
    ['curl -sL -o tmp/data.json https://example.org/data.json', ['created tmp/data.json']],
    ["perl -pi -e 's/x/y/' lib/a.pl", ['changed lib/a.pl']],
    ["apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: n/new.ts\n+x\n*** End Patch\nEOF", ['created n/new.ts']],
  ] as const) {
    assert.deepEqual(touched(command), expected, command);
  }
});

test('S8: reading by a shell is reading', () => {
  assert.deepEqual(touched("sed -n '1,80p' src/a.ts"), ['read src/a.ts']);
  assert.deepEqual(touched('cat a/b.ts c.md | head -5'), ['read a/b.ts', 'read c.md']);
  assert.deepEqual(touched('tail -n 20 logs/app.log'), ['read logs/app.log']);
});

test('S8: patterns, variables, scripts and quoted code are no files', () => {
  for (const command of [
    'rm -f *.log $TMP/x.txt',
    'echo "a > b.txt"',
    "awk '$3 > 0.5' && node -e 'x => y.z'",
    'git log --format="%h > %s"',
    'test 3 -gt 2 > /dev/null',
    'grep -c "=> a/b" || true',
  ]) {
    assert.deepEqual(touched(command), [], command);
  }
});

test('S8: relative paths stand below the folder in which the command runs', () => {
  assert.deepEqual(touched('cd packages/ui && rm src/old.ts', '/repo'), ['deleted /repo/packages/ui/src/old.ts']);
  assert.deepEqual(touched('cat ./a/../b/c.ts', '/repo'), ['read /repo/b/c.ts']);
  assert.deepEqual(touched('cd /other; touch x.ts'), ['created /other/x.ts']);
  assert.deepEqual(touched('cd "$DIR" && touch x.ts', '/repo'), ['created x.ts']);
});

test('S8: what must not be done twice is seen in every command of a line', () => {
  for (const command of [
    'git push',
    'cd repo && git -C sub push origin main',
    'git commit -am "x"',
    'git tag v1.2.0',
    'git merge feature',
    'git reset --hard HEAD~1',
    'gh pr create --fill',
    'gh pr merge 12 --squash',
    'gh issue comment 3 --body hi',
    'gh release upload v1 a.zip',
    'gh api repos/a/b/issues/1/comments -f body=hi',
    'gh api -X DELETE repos/a/b',
    "gh api graphql -f query='mutation { x }'",
    'npm publish',
    'pnpm run release',
    'yarn deploy:prod',
    'cargo publish',
    'twine upload dist/*',
    'make deploy',
    'docker push img:1',
    'docker compose -f x.yml down',
    'kubectl apply -f x.yaml',
    'terraform apply -auto-approve',
    'helm upgrade app ./chart',
    'curl -X POST https://example.org/api',
    'curl -XDELETE https://example.org/api/1',
    "curl https://example.org/api -d '{}'",
    'wget --post-data=x https://example.org',
    'aws s3 cp a s3://b',
    'gcloud run deploy app',
    'vercel --prod',
    'npx prisma migrate deploy',
    'bundle exec rails db:migrate',
    'python manage.py migrate',
    'alembic upgrade head',
    'psql -c "INSERT INTO t VALUES (1)"',
    'ssh host "systemctl restart app"',
    'scp a host:b',
    'kill 123',
    'bash -c "git push"',
    'echo y | npm publish',
  ]) {
    assert.equal(outside(command).length, 1, command);
  }
});

test('S8: looking, rehearsing and talking of it is no effect', () => {
  for (const command of [
    'git log --oneline',
    'git status && git diff',
    'git tag',
    'git tag -l "v*"',
    'git tag --list',
    'git merge-base main HEAD',
    'git push --dry-run',
    'git stash list',
    'grep -rn "git push" docs',
    'echo "npm publish"',
    'cat > deploy.sh <<EOF\ngit push\nEOF',
    'gh pr view 12',
    'gh pr list; gh pr checks 3; gh run view 1',
    'gh api repos/a/b/pulls',
    "gh api graphql -f query='query { viewer { login } }'",
    'curl https://example.org/api',
    'curl -G -d q=1 https://example.org',
    'curl -o x.json -H "A: b" https://example.org',
    'npm run test:release',
    'npm test',
    'npm publish --dry-run',
    'npm version',
    'make test',
    'docker ps; docker images; docker system df',
    'kubectl get pods; kubectl rollout status x',
    'terraform plan',
    'aws s3 ls; aws sts get-caller-identity',
    'vercel ls',
    'npx prisma migrate status',
    'alembic history',
    'psql -c "select * from updates"',
    'kill -0 123',
    'kill -l',
    'constructor x; toString y; __proto__',
  ]) {
    assert.deepEqual(outside(command), [], command);
  }
});

test('S8: an effect is told on one line, by the subject of its message', () => {
  const command =
    'git add -A && git commit -q -m "$(cat <<\'EOF\'\nfix: close the file\n\nLong body.\nEOF\n)" && git push';
  assert.deepEqual(outside(command), ['git commit -q -m "fix: close the file"', 'git push']);
});

test('S8: tries of the same thing have the same key', () => {
  const key = (command: string): string => readCommand(command).keys.at(-1) ?? '';
  assert.equal(key('cd app && npm test 2>&1 | tail -20'), key('npm test'));
  assert.equal(key('go test ./net -run TestDial -v'), key('go test ./net -run TestDial | head'));
  assert.equal(key('git add a && git commit -m "one"'), key('git commit --no-verify -m "two words"'));
  assert.notEqual(key('npm run build'), key('npm run lint'));
  assert.equal(key("cat > a.test.js <<'X'\nx\nX\nnode --test 2>&1 | tail"), key('node --test'));
  assert.notEqual(key('node --test'), key('node -e "x"'));
  assert.equal(key('npm test 2>&1 | grep -c ok && git commit -m x'), key('npm test'), 'the commit only follows');
  assert.deepEqual(readCommand('npm run build && npm test').keys, ['npm run build', 'npm test']);
  assert.notEqual(key('sleep 5'), '');
  assert.notEqual(key('cat a.txt'), '');
});

test('S8: every text is read without an error', () => {
  const unit = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 5 }),
    fc.constantFrom(
      'git ',
      'mv ',
      'rm -r ',
      'sed -i ',
      'curl ',
      'cd ',
      ' > ',
      '"',
      "'",
      '$(',
      '\n',
      ';',
      'constructor ',
      '../',
      '/',
    ),
  );
  fc.assert(
    fc.property(fc.array(unit), fc.option(fc.string(), { nil: undefined }), (pieces, folder) => {
      for (const { path } of readCommand(pieces.join(''), folder).files) assert.ok(path.length > 0);
    }),
    { numRuns: 500 },
  );
});
