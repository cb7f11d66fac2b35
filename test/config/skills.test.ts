/** Skills of a person and of a project: which are found, in which order, and what lies in their place without doing harm. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { readSkills, type Skills } from '../../packages/palimpsest/src/config/skills.ts';

interface Place {
  /** A home, in which the checkout `kiln` has the folder `door`. */
  readonly home: string;
  /** Writes a file; the path begins at the home. */
  write(path: string, text: string | Uint8Array): void;
  read(folder?: string): Promise<Skills>;
}

function place(t: TestContext): Place {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-skills-')));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, 'kiln/.git'), { recursive: true });
  mkdirSync(join(home, 'kiln/door'));
  return {
    home,
    write(path, text) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), text);
    },
    read: (folder = 'kiln') => readSkills({ cwd: join(home, folder), env: { HOME: home }, platform: 'linux' }),
  };
}

const skill = (description: string, name?: string): string =>
  `---\n${name === undefined ? '' : `name: ${name}\n`}description: ${description}\n---\n# How\n`;

const linesOf = ({ own, project }: Skills): readonly string[] =>
  [own, project].flatMap((index) => index?.file.text.split('\n') ?? []);

describe('Y1 skills', () => {
  test('Y1 are found where we, other agents and the person keep them, by name, the own ones first', async (t) => {
    const { write, read } = place(t);
    write('kiln/.palimpsest/skills/glaze/SKILL.md', skill('Mixes a glaze.', 'glaze'));
    write('kiln/.claude/skills/fire/SKILL.md', skill('Fires the kiln.'));
    write('kiln/.agents/skills/cool/SKILL.md', skill('Cools it.', 'cooling'));
    write('.config/palimpsest/skills/sell/SKILL.md', skill('Sells pots.'));
    write('.local/share/palimpsest/skills/pack/SKILL.md', skill('Packs pots.'));
    write('.agents/skills/zinc/SKILL.md', skill('Buys zinc.'));
    write('.claude/skills/ash/SKILL.md', skill('Sieves ash.'));
    const skills = await read();
    assert.deepEqual(linesOf(skills), [
      'Skills of the person:',
      '- ash: Sieves ash. (~/.claude/skills/ash/SKILL.md)',
      '- pack: Packs pots. (~/.local/share/palimpsest/skills/pack/SKILL.md)',
      '- sell: Sells pots. (~/.config/palimpsest/skills/sell/SKILL.md)',
      '- zinc: Buys zinc. (~/.agents/skills/zinc/SKILL.md)',
      '- cooling: Cools it. (.agents/skills/cool/SKILL.md)',
      '- fire: Fires the kiln. (.claude/skills/fire/SKILL.md)',
      '- glaze: Mixes a glaze. (.palimpsest/skills/glaze/SKILL.md)',
    ]);
    assert.deepEqual([skills.own?.file.isOwn, skills.project?.file.isOwn], [true, undefined]);
    assert.deepEqual(skills.notes, []);
    assert.deepEqual(await read(), skills);
  });

  test('Y1 of folders above are found up to the root of the checkout, and told by paths that can be read', async (t) => {
    const { home, write, read } = place(t);
    write('kiln/.palimpsest/skills/fire/SKILL.md', skill('Fires the kiln.'));
    write('kiln/door/.palimpsest/skills/hinge/SKILL.md', skill('Oils hinges.'));
    write('.palimpsest/skills/outside/SKILL.md', skill('Lies outside of the checkout.'));
    assert.deepEqual(linesOf(await read('kiln/door')), [
      `- fire: Fires the kiln. (${home}/kiln/.palimpsest/skills/fire/SKILL.md)`,
      '- hinge: Oils hinges. (.palimpsest/skills/hinge/SKILL.md)',
    ]);
  });

  test('Y1 of one name: the own one goes first, then the nearest; the other is told, and a copy is not', async (t) => {
    const { home, write, read } = place(t);
    write('.config/palimpsest/skills/fire/SKILL.md', skill('Fires as I like it.'));
    write('kiln/.palimpsest/skills/fire/SKILL.md', skill('Fires as the project likes it.'));
    write('kiln/.agents/skills/Glaze/SKILL.md', skill('Of all.', 'GLAZE'));
    write('kiln/door/.palimpsest/skills/glaze/SKILL.md', skill('Of the door.'));
    write('kiln/.claude/skills/other/SKILL.md', skill('Of all.', 'GLAZE'));
    const skills = await read('kiln/door');
    assert.deepEqual(
      linesOf(skills).map((line) => line.replace(/ \(.*/, '')),
      ['Skills of the person:', '- fire: Fires as I like it.', '- glaze: Of the door.'],
    );
    const rest = `${home}/kiln/door/.palimpsest/skills/glaze/SKILL.md has the same name (GLAZE) and goes first.`;
    assert.deepEqual(skills.notes, [
      `${home}/kiln/.palimpsest/skills/fire/SKILL.md is not shown to the model: ${home}/.config/palimpsest/skills/fire/SKILL.md has the same name (fire) and goes first.`,
      `${home}/kiln/.agents/skills/Glaze/SKILL.md is not shown to the model: ${rest}`,
      `${home}/kiln/.claude/skills/other/SKILL.md is not shown to the model: ${rest}`,
    ]);
    write('kiln/.agents/skills/same/SKILL.md', skill('The same.'));
    write('kiln/.claude/skills/same/SKILL.md', skill('The same.'));
    symlinkSync(join(home, 'kiln/.agents/skills/same'), join(home, 'kiln/.claude/skills/linked'));
    const again = await read();
    assert.equal(linesOf(again).filter((line) => line.includes('The same.')).length, 1);
    assert.ok(!again.notes.some((note) => /same\/SKILL|linked/.test(note)));
  });

  test('Y1 have names in any script, in one form, and stay on a line', async (t) => {
    const { write, read } = place(t);
    write('kiln/.palimpsest/skills/釉薬/SKILL.md', skill('"釉薬を調合します。\\n二行目。"'));
    write('kiln/.palimpsest/skills/cafe/SKILL.md', skill('>-\n  Serves\n  coffee: hot.', 'cafe\u0301'));
    write('kiln/.claude/skills/other/SKILL.md', skill('Another one.', 'café'));
    write('kiln/.palimpsest/skills/long/SKILL.md', skill('d'.repeat(3_000), 'n'.repeat(200)));
    const skills = await read();
    const [cafe, long, glaze] = linesOf(skills);
    assert.equal(cafe, '- café: Serves coffee: hot. (.palimpsest/skills/cafe/SKILL.md)');
    assert.ok(long?.startsWith(`- ${'n'.repeat(64)}: ${'d'.repeat(1_024)}… (`));
    assert.equal(glaze, '- 釉薬: 釉薬を調合します。 二行目。 (.palimpsest/skills/釉薬/SKILL.md)');
    assert.match(
      skills.notes.join('\n'),
      /^[^\n]+other\/SKILL\.md is not shown to the model: [^\n]+ has the same name/,
    );
  });

  test('Y1 in great numbers have shorter descriptions, and more than 200 of a folder are told', async (t) => {
    const { home, write, read } = place(t);
    for (let at = 0; at < 60; at++) write(`kiln/.palimpsest/skills/s${at}/SKILL.md`, skill('word '.repeat(150)));
    const lines = linesOf(await read());
    assert.equal(lines.length, 60);
    assert.ok(lines.join('\n').length < 7_000);
    for (let at = 60; at < 230; at++) write(`kiln/.palimpsest/skills/s${at}/SKILL.md`, skill('One of many.'));
    const { notes } = await read();
    assert.deepEqual(notes, [
      `${home}/kiln/.palimpsest/skills has 230 folders: the skills in the first 200 are shown to the model.`,
    ]);
  });

  test('Y1 of a file of 3 MB are known by its head, and one that only a person begins is not shown', async (t) => {
    const { write, read } = place(t);
    write('kiln/.palimpsest/skills/huge/SKILL.md', skill('Is long.') + 'x'.repeat(3_000_000));
    write('kiln/.palimpsest/skills/mine/SKILL.md', '---\ndescription: Mine.\ndisable-model-invocation: true\n---\n');
    assert.deepEqual(linesOf(await read()), ['- huge: Is long. (.palimpsest/skills/huge/SKILL.md)']);
  });

  test('Y1 are taken with a colon in a description without quotes, as other agents take them', async (t) => {
    const { write, read } = place(t);
    write('kiln/.palimpsest/skills/fire/SKILL.md', skill('Fires. Use when: the kiln is full', 'fire'));
    const skills = await read();
    assert.match(linesOf(skills).join(), /^- fire: Fires\. Use when: the kiln is full \(/);
    assert.deepEqual(skills.notes, []);
  });

  test('Y1 of a project are not looked for where its files are off', async (t) => {
    const { home, write } = place(t);
    write('kiln/.palimpsest/skills/fire/SKILL.md', skill('Fires.'));
    write('.agents/skills/zinc/SKILL.md', skill('Buys zinc.'));
    const skills = await readSkills({
      cwd: join(home, 'kiln'),
      env: { HOME: home },
      platform: 'linux',
      hasProject: false,
    });
    assert.deepEqual([skills.own?.paths.length, skills.project], [1, undefined]);
  });
});

describe('Y1 what lies in place of a skill', () => {
  const head = (text: string) => (path: string) => writeFileSync(path, text);
  const cases: readonly (readonly [string, (path: string, place: Place) => void, RegExp])[] = [
    ['a text without a head', head('# Fires the kiln\n'), /does not begin with a name and a description between two/],
    ['a head without an end', head('---\nname: fire\ndescription: Fires.\n'), /does not begin with a name and/],
    ['a head without a description', head('---\nname: fire\n---\n'), /its head has no description/],
    ['an empty description', head('---\ndescription: " "\n---\n'), /its head has no description/],
    ['a description that is no text', head('---\ndescription: [a, b]\n---\n'), /its head has no description/],
    ['a name without a letter', head('---\nname: " "\ndescription: Fires.\n---\n'), /its head has an empty name/],
    ['a list for a head', head('---\n- a\n---\n'), /its head is no list of members/],
    ['a head that is no YAML', head('---\nname: "fire\n---\n'), /its head is no YAML \(.+\)/],
    [
      'aliases that grow',
      head(`---\na: &a [x,x]\nb: &b [*a,*a]\ndescription: [*b,*b]\n---\n`),
      /its head is no YAML \(.*alias/i,
    ],
    ['a head of 20,000 characters', head(`---\ndescription: ${'x'.repeat(20_000)}\n---\n`), /its head has more than/],
    ['bytes that are no text', (path) => writeFileSync(path, new Uint8Array([45, 0, 45])), /it is no text/],
    ['a folder', (path) => mkdirSync(path), /it is a folder/],
    ['a pipe', (path) => execFileSync('mkfifo', [path]), /it is not a file/],
    ['a link to a device', (path) => symlinkSync('/dev/zero', path), /a link that leads out of the project/],
    [
      'a link out of the project',
      (path, { home, write }) => {
        write('secret.md', skill('A secret.'));
        symlinkSync(join(home, 'secret.md'), path);
      },
      /a link that leads out of the project/,
    ],
  ];

  for (const [name, make, reason] of cases) {
    test(`Y1 is told where it is ${name}, and the others are shown`, async (t) => {
      const here = place(t);
      here.write('kiln/.palimpsest/skills/cool/SKILL.md', skill('Cools.'));
      mkdirSync(join(here.home, 'kiln/.palimpsest/skills/fire'));
      make(join(here.home, 'kiln/.palimpsest/skills/fire/SKILL.md'), here);
      const skills = await here.read();
      assert.deepEqual(linesOf(skills), ['- cool: Cools. (.palimpsest/skills/cool/SKILL.md)']);
      assert.equal(skills.notes.length, 1);
      assert.match(skills.notes[0] ?? '', /fire\/SKILL\.md is not shown to the model: /);
      assert.match(skills.notes[0] ?? '', reason);
    });
  }

  test('Y1 a folder of skills that is a link out of the project is told once, and none of it is read', async (t) => {
    const { home, write, read } = place(t);
    for (const name of ['one', 'two']) write(`elsewhere/${name}/SKILL.md`, skill('A secret.'));
    mkdirSync(join(home, 'kiln/.claude'));
    symlinkSync(join(home, 'elsewhere'), join(home, 'kiln/.claude/skills'));
    symlinkSync(join(home, 'elsewhere'), join(home, 'kiln/.palimpsest'));
    const { project, notes } = await read();
    assert.equal(project, undefined);
    assert.deepEqual(notes, [
      `The skills in ${home}/kiln/.claude/skills are not shown to the model: it is a link that leads out of the project.`,
    ]);
  });

  test('Y1 a path with signs that nobody sees is told, and a file beside the skills is none', async (t) => {
    const { write, read } = place(t);
    write('kiln/.palimpsest/skills/fi\u202Ere/SKILL.md', skill('Fires.'));
    write('kiln/.agents/skills/notes.md', 'no folder, and so no skill');
    const { project, notes } = await read();
    assert.equal(project, undefined);
    assert.equal(notes.length, 1);
    assert.match(notes[0] ?? '', /its path has signs that nobody sees/);
  });

  test('Y1 an own skill that is a link to where the person keeps it is shown', async (t) => {
    const { home, write, read } = place(t);
    write('dotfiles/fire/SKILL.md', skill('Fires.'));
    mkdirSync(join(home, '.agents/skills'), { recursive: true });
    symlinkSync(join(home, 'dotfiles/fire'), join(home, '.agents/skills/fire'));
    assert.deepEqual(linesOf(await read()), [
      'Skills of the person:',
      '- fire: Fires. (~/.agents/skills/fire/SKILL.md)',
    ]);
  });
});
