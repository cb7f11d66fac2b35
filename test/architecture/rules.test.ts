/** Each rule of the house fails on a sample that breaks it, and passes on the near miss beside it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as functions from './functions.ts';
import * as imports from './imports.ts';
import * as layers from './layers.ts';
import { tokensOf } from './lexer.ts';
import * as literals from './literals.ts';
import * as places from './places.ts';
import * as entry from './public-entry.ts';
import { type Finding, type SourceFile, sourceFile } from './source-file.ts';
import * as holes from './type-holes.ts';
import { foreignWords } from './words.ts';

const one = (text: string, path = 'packages/core/src/tokens/sample.ts'): readonly SourceFile[] => [
  sourceFile(path, text),
];

/** The rule finds something in every bad sample and nothing in any good one. */
function decides(
  rule: (files: readonly SourceFile[]) => readonly Finding[],
  { bad, good, path }: { bad: readonly string[]; good: readonly string[]; path?: string },
): void {
  for (const text of bad) assert.equal(rule(one(text, path)).length, 1, `expected a finding in: ${text}`);
  for (const text of good) assert.deepEqual(rule(one(text, path)), [], `expected no finding in: ${text}`);
}

describe('the lexer', () => {
  const types = (text: string): string =>
    tokensOf(text)
      .map(({ type, text: piece }) => `${type} ${piece}`)
      .join('\n');

  test('tells a regular expression from a division', () => {
    assert.equal(types('a / b / c'), 'word a\nsign /\nword b\nsign /\nword c');
    assert.equal(types("= /'[/]/g"), "sign =\nregex /'[/]/g");
  });
  test('reads a template with an expression that holds a template', () => {
    assert.equal(
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the sample is source text
      types('`a${b ? `c${d}` : {}}e` f'),
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the tokens of the sample
      'template `a${\nword b\nsign ?\ntemplate `c${\nword d\ntemplate }`\nsign :\nsign {\nsign }\ntemplate }e`\nword f',
    );
  });
  test('takes quotes in comments and comments in strings for what they are', () => {
    assert.equal(types("// it's\n'/* no */'"), "comment // it's\nstring '/* no */'");
  });
  test('knows the line of every token', () => {
    assert.deepEqual(
      tokensOf('/* 1\n2 */ a\n`\n` b').map(({ line }) => line),
      [1, 2, 3, 4],
    );
  });
});

describe('layers', () => {
  test('an import from below is found, one from above is not', () => {
    decides(layers.layerBreaches, {
      bad: [
        "import { a } from '../context/a.ts';",
        "import type { A } from '../compression/a.ts';",
        "export * from '../../../palimpsest/src/cli/a.ts';",
      ],
      good: [
        "import { a } from '../shared/a.ts';",
        "import { b } from './b.ts';",
        "const text = 'from ../testing/a.ts';",
      ],
    });
  });
  test('a door, a folder without a place and the entry are found', () => {
    decides(layers.layerBreaches, {
      path: 'packages/palimpsest/src/cli/a.ts',
      bad: ["import { a } from '../index.ts';", "import '../../../core/src/store/a.ts';"],
      good: [
        "import { a } from '../config/a.ts';",
        "import '../mcp/a.ts';",
        "import { openStore } from '@palimpsest/core/store';",
      ],
    });
    decides(layers.layerBreaches, {
      path: 'packages/palimpsest/src/mcp/a.ts',
      bad: ["import '../gateway/a.ts';", "import '../cli/a.ts';"],
      good: ["import '../agent/a.ts';"],
    });
    decides(layers.layerBreaches, { path: 'packages/core/src/attic/a.ts', bad: [''], good: [] });
  });
  test('a name that the library does not export is found, and the command in the library', () => {
    const rule = (files: readonly SourceFile[]) => layers.strayDoors(files, ['.', './store']);
    decides(rule, {
      path: 'packages/palimpsest/src/cli/a.ts',
      bad: ["import '@palimpsest/core/sqlite';", "import '@palimpsest/core/store/open.ts';"],
      good: ["import '@palimpsest/core';", "import '@palimpsest/core/store';"],
    });
    decides(rule, { bad: ["import 'palimpsest';", "import '@palimpsest/core';"], good: ["import '../shared/a.ts';"] });
  });
  test('an exception allows one import and no other', () => {
    const files = one("import { a } from '../context/a.ts';\nimport { b } from '../context/b.ts';");
    const found = layers.layerBreaches(files, [
      { what: 'packages/core/src/tokens/sample.ts → packages/core/src/context/a.ts', reason: 'sample' },
    ]);
    assert.deepEqual(
      found.map(({ line }) => line),
      [2],
    );
  });
  test('a circle of files is found once', () => {
    const a = sourceFile('src/a.ts', "import type { B } from './b.ts';");
    const b = sourceFile('src/b.ts', "import { c } from './c.ts';");
    const c = sourceFile('src/c.ts', "const load = () => import('./a.ts');");
    assert.equal(imports.cycles([a, b, c]).length, 1);
    assert.deepEqual(imports.cycles([a, b, sourceFile('src/c.ts', '')]), []);
  });
  test('a file that no entry reaches is found', () => {
    const files = [
      sourceFile('src/index.ts', "export { a } from './a.ts';"),
      sourceFile('src/a.ts', ''),
      sourceFile('src/b.ts', ''),
    ];
    assert.deepEqual(
      imports.deadFiles(files, ['src/index.ts']).map(({ path }) => path),
      ['src/b.ts'],
    );
  });
  test('an import of nothing is found', () => {
    const rule = (files: readonly SourceFile[]) =>
      imports.brokenImports(files, new Set(['packages/core/src/tokens/b.ts']));
    decides(rule, { bad: ["import { a } from './a.ts';"], good: ["import { b } from './b.ts';"] });
  });
  test('Node in the core is found', () => {
    decides(layers.nodeInCore, {
      bad: ["import { join } from 'node:path';", 'const x = process.pid;', "const b = Buffer.from('');"],
      good: ['const x = step.process;', 'const x = { process: 1 };', '/** process */'],
    });
    decides(layers.nodeInCore, { path: 'packages/palimpsest/src/cli/a.ts', bad: [], good: ['const x = process.pid;'] });
  });
  test('files and environment outside config and the command line are found', () => {
    decides(layers.edgesInside, {
      path: 'packages/core/src/recall/a.ts',
      bad: ["import { readFile } from 'node:fs/promises';", 'const home = process.env.HOME;'],
      good: ["import { join } from 'node:path';"],
    });
    decides(layers.edgesInside, {
      path: 'packages/palimpsest/src/config/a.ts',
      bad: [],
      good: ['const home = process.env.HOME;'],
    });
  });
  test('a package in a folder that is not its own is found', () => {
    decides(layers.strayPackages, {
      bad: ["import { parse } from 'yaml';", "import x from 'left-pad';"],
      good: ["import 'node:path';"],
    });
    decides(layers.strayPackages, {
      path: 'packages/palimpsest/src/config/a.ts',
      bad: [],
      good: ["const yaml = await import('yaml');"],
    });
  });
});

describe('sizes', () => {
  const lines = (count: number): string => 'a();\n'.repeat(count);
  const longFunctions = (files: readonly SourceFile[]) => functions.longFunctions(files);

  test('a file over 400 lines is found', () => {
    decides(functions.longFiles, { bad: [lines(401)], good: [lines(400)] });
  });
  test('a function over 70 lines is found, whatever its form', () => {
    const body = `{\n${lines(69)}}`;
    const bad = [
      `function f() ${body}`,
      `const f = (): Map<string, { a: 1 }> => ${body}`,
      `const o = { async f(a) ${body} };`,
    ];
    decides(longFunctions, {
      bad,
      good: [`function f() {\n${lines(68)}}`, `if (a) ${body}`, `describe('x', () => ${body})`],
    });
  });
  test('functions inside a function are counted with it', () => {
    const inner = (count: number): string => `function g() {\n${lines(count)}}\n`;
    decides(longFunctions, {
      bad: [
        `function f() {\n${inner(34)}${inner(33)}}`,
        `function f() {\n${inner(60)}return { a() {\n${lines(10)}} };\n}`,
      ],
      good: [`function f() {\n${inner(34)}${inner(30)}}`, `class F {\nf() {\n${lines(60)}}\n${lines(20)}}`],
    });
  });
  test('a function that returns a function is not taken for the file behind it', () => {
    decides(longFunctions, {
      bad: [],
      good: [`function f(a): (b: 1) => Map<A, B> {\n${lines(60)}}\nfunction g() {\n${lines(60)}}`],
    });
  });
  test('a fourth parameter is found, a comma inside one is not', () => {
    decides(functions.wideFunctions, {
      bad: [
        'function f(a, b, c, d) {}',
        'const f = (a, b, c, d) => a;',
        'interface A { f(a: 1, b: 2, c: 3, d: 4): void; }',
        'type F = (a: 1, b: 2, c: 3, d: 4) => void;',
      ],
      good: [
        'function f(a, b, { c, d }: { c: 1, d: 2 }) {}',
        'f(a, b, c, d);',
        'if (f(a, b, c, d)) {}',
        'const f = (a: Map<A, B>, b = [1, 2], c) => a;',
        'x ? f(a, b, c, d) : y;',
        'f(1, async (a, b, c, d) => a);',
      ],
    });
  });
});

describe('literals', () => {
  const spread = (files: readonly SourceFile[]): readonly Finding[] => literals.spreadLiterals(files);
  const underscores = (files: readonly SourceFile[]): readonly Finding[] => literals.namesOfUnderscores(files);

  test('a literal in a literal is found, what depends on something is not', () => {
    decides(spread, {
      bad: [
        'const o = { ...{ a, b: { c } }, d };',
        "const l = [...['a', 'b'], c];",
        'f(...[a, b]);',
        'const o = {\n...{ a },\n};',
      ],
      good: [
        'const o = { ...(x ? { a } : {}), ...b };',
        'const l = [...[a, b].filter(Boolean), ...(x ? [1] : []), ...(c ?? [])];',
        'const f = (...[a, b]: [number, number]) => a;',
        '// ...{ a }',
      ],
    });
  });
  test('a name of underscores is found, one that starts with one is not', () => {
    decides(underscores, {
      bad: ['const { a: __, ...rest } = b;', '(_, ___) => 1;'],
      good: ['const { a: _, ...rest } = b;', 'const { a: _a, ...rest } = b;', "f('__');", 'import.meta.__dirname2;'],
    });
  });
  test('a folder that is still to be cleaned is left', () => {
    const files = one('const o = { ...{ a } };', 'packages/core/src/tokens/a.ts');
    assert.deepEqual(literals.spreadLiterals(files, [{ what: 'packages/core/src/tokens/', reason: 'sample' }]), []);
  });
});

describe('types', () => {
  test('any is found as a type, not as a word', () => {
    decides(holes.anyTypes, {
      bad: ['let a: any;', 'f<any>();', 'let a: any[];'],
      good: ["type A = 'any';", '// any', 'expect.any(a);', 'const o = { any: 1 };'],
    });
  });
  test('a claim with ! is found, a negation is not', () => {
    decides(holes.nonNullClaims, {
      bad: ['a!.b;', 'f()!;', 'a[0]!;'],
      good: ['#!/usr/bin/env node', '!a;', 'a !== b;', 'return !a;', 'a && !b;'],
    });
  });
  test('a silenced check is found', () => {
    const [ignore, biome] = ['@ts-ignore', 'biome-ignore'];
    decides(holes.silencers, {
      bad: [`// ${ignore}\na;`, `// ${biome} lint/a/b\na;`],
      good: [`// ${biome} lint/a/b: it has a reason`, 'a;'],
    });
  });
  test('a cast without a reason is found', () => {
    decides(holes.unreasonedCasts, {
      bad: ['const a = b as C;', 'const a = { b } as unknown as C;'.replace('unknown as ', '')],
      good: [
        '// It is one.\nconst a = b as C;',
        'const a = b as C; // it is one',
        'const a = [1] as const;',
        "import { a as b } from './b.ts';",
        "import * as a from './b.ts';",
        '// It is.\nconst a = [\n1,\n2,\n3,\n4,\n] as C;',
        'type A = { [K in keyof T as B<K>]: 1 };',
      ],
    });
  });
  test('a default export is found', () => {
    decides(holes.defaultExports, {
      bad: ['export default 1;', 'export { a as default };'],
      good: ['export const a = 1;', 'switch (a) { default: b(); }'],
    });
  });
});

describe('words and places', () => {
  test('a word that is not ours is found in a name, a file and a part of a name', () => {
    decides(foreignWords, {
      bad: ['const chatList = 1;', 'function evict() {}', 'interface DigestSize {}'],
      good: ['a.chat;', "const a = 'chat';", '// chat', 'const chatter = 1;', 'const summary = 1;'],
    });
    assert.equal(foreignWords(one('', 'packages/core/src/tokens/string-utils.ts')).length, 1);
  });
  test('a word is allowed where its exception says', () => {
    const word = { word: 'chat', where: 'packages/core/src/tokens/', reason: 'sample' };
    assert.deepEqual(foreignWords(one('const chat = 1;'), [word]), []);
    assert.equal(foreignWords(one('const thread = 1;'), [word]).length, 1);
  });
  test('a name that is not kebab-case is found', () => {
    const odd = places.oddNames(['src/aFile.ts', 'src/a_b/c.ts', 'src/a-b.test.ts', 'docs/0001-x.md']);
    assert.deepEqual(
      odd.map(({ path }) => path),
      ['src/aFile.ts', 'src/a_b/c.ts'],
    );
  });
  test('a place of one machine is found', () => {
    const home = ['', 'home', 'someone', 'x'].join('/');
    const found = places.machinePaths(
      [
        { path: 'docs/a.md', text: `see ${home}\nsee /repo/x\nsee lib/app/x\nsee /app/x` },
        { path: 'test/a.test.ts', text: `${home}, /app/x\nand /srv/checkout/src` },
      ],
      ['/srv/checkout', '/app'],
    );
    assert.deepEqual(
      found.map(({ path, line }) => `${path}:${line}`),
      ['docs/a.md:1', 'docs/a.md:4', 'test/a.test.ts:2'],
    );
  });
  test('a mark of unfinished work is found in a comment only', () => {
    const mark = ['TO', 'DO'].join('');
    decides(places.unfinished, { bad: [`// ${mark}: later`], good: [`const kinds = ['${mark}'];`, '// a todo tool'] });
  });
});

describe('the public entry', () => {
  const declaring = sourceFile('src/a.ts', '/** Says what a is. */\nexport const a = 1;\nexport function b() {}\n');

  test('names are read with their renames and without their types', () => {
    const file = sourceFile('src/index.ts', "export { a, b as c } from './a.ts';\nexport type { D } from './d.ts';");
    assert.deepEqual(
      entry.publicNames(file).names.map(({ name }) => name),
      ['a', 'c', 'D'],
    );
  });
  test('a star and a declaration of its own are found', () => {
    const file = sourceFile('src/index.ts', "export * from './a.ts';\nexport const x = 1;");
    assert.equal(entry.publicNames(file).findings.length, 2);
  });
  test('a name that a file hands on is followed to its declaration', () => {
    const between = sourceFile('src/between.ts', "export { a } from './a.ts';");
    const file = sourceFile('src/index.ts', "export { a } from './between.ts';");
    assert.deepEqual(entry.undocumented(file, [between, declaring]), []);
  });
  test('a name without a doc comment, and one that is not there, are found', () => {
    const file = sourceFile('src/index.ts', "export { a, b, type Gone } from './a.ts';");
    const found = entry.undocumented(file, [declaring]);
    assert.deepEqual(
      found.map(({ path }) => path),
      ['src/a.ts', 'src/index.ts'],
    );
  });
});
