/** The library's reference: every exported name is on its door's page, as it is declared. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declarationsOf } from '../../scripts/reference/declarations.ts';
import { doors, libraryPages } from '../../scripts/reference/library-pages.ts';
import { publicNames } from '../architecture/public-names.ts';
import { sourceFile } from '../architecture/source-file.ts';

/** What a door says of a source that exports `names`. */
function declared(source: string, names: string): ReturnType<typeof declarationsOf> {
  const door = sourceFile('src/door.ts', `export { ${names} } from './a.ts';\n`);
  return declarationsOf(door, new Map([['src/a.ts', sourceFile('src/a.ts', source)]]));
}

const signatureOf = (source: string, name: string): string | undefined => declared(source, name)[0]?.signature;

test('every exported name of every door is on the page of the door', () => {
  const all = doors();
  const pages = libraryPages(all);
  assert.deepEqual(all.map(({ source }) => source).sort(), Object.keys(publicNames).sort());
  for (const { source, file } of all) {
    const { values = [], types = [] } = publicNames[source] ?? {};
    const text = pages.get(file) ?? '';
    const missing = [...values, ...types].filter((name) => !text.includes(`\`${name}\``));
    assert.deepEqual(missing, [], file);
  }
});

test('no signature of the reference is empty or holds a body', () => {
  for (const { declarations } of doors())
    for (const { name, signature, kind } of declarations) {
      assert.ok(signature.includes(name), `${name}: ${signature}`);
      if (kind === 'function') assert.doesNotMatch(signature, /=>\s*$|;\n| \{$/, name);
    }
});

test('a function is shown up to its body, with a name for a parameter that is taken apart', () => {
  const source =
    'export async function a<T>({ b, c }: { b: T; c: 1 }, d = 2): Promise<{ e: T }> {\n  return { e: b };\n}\n';
  assert.equal(signatureOf(source, 'a'), 'function a<T>(options: { b: T; c: 1 }, d = 2): Promise<{ e: T }>');
  assert.equal(signatureOf('export const a = (b: string): B => b;\n', 'a'), 'function a(b: string): B');
  assert.equal(signatureOf('export const a: B<C> = { d: 1 };\n', 'a'), 'const a: B<C>');
  assert.equal(signatureOf("export const a = ['b'] as const;\n", 'a'), "const a = ['b'] as const;");
});

test('of overloads the signatures are shown, not the one that the body has', () => {
  const source =
    'export function a(b: 1): 1;\nexport function a(b: 2): 2;\nexport function a(b: number): number {\n  return b;\n}\n';
  assert.equal(signatureOf(source, 'a'), 'function a(b: 1): 1\nfunction a(b: 2): 2');
});

test('members have their types, comments and defaults', () => {
  const source =
    '/** A thing. */\nexport interface A extends B {\n  /** What it is. @default 1 */\n  readonly c?: number;\n  d(e: string): void;\n}\n';
  const [found] = declared(source, 'type A');
  assert.equal(found?.signature, 'interface A extends B');
  assert.deepEqual(
    found?.members.map(({ name, type, comment }) => [name, type, comment.text, comment.default]),
    [
      ['c?', 'number', 'What it is.', '1'],
      ['d()', '(e: string): void', '', undefined],
    ],
  );
});

test('an interface has the members of those that it extends', () => {
  const source = 'export interface B {\n  c: 1;\n}\nexport interface A extends B {\n  d: 2;\n}\n';
  assert.deepEqual(
    declared(source, 'type A')[0]?.members.map(({ name }) => name),
    ['d', 'c'],
  );
});

test('of a class what is private is not shown', () => {
  const source =
    'export class A {\n  readonly #b: number = 1;\n  private c = 2;\n  d = 0;\n  constructor() {\n    this.d = 1;\n  }\n  /** The e. */\n  get e(): string {\n    return "";\n  }\n  async f(g: 1): Promise<void> {}\n}\n';
  assert.deepEqual(
    declared(source, 'A')[0]?.members.map(({ name, type }) => [name, type]),
    [
      ['d', 'number'],
      ['e', 'string'],
      ['f()', '(g: 1): Promise<void>'],
    ],
  );
});

test('a name that is handed on is shown as it is declared', () => {
  const door = sourceFile('src/door.ts', "export { a as b } from './a.ts';\n");
  const files = [
    sourceFile('src/a.ts', "export { c as a } from './c.ts';\n"),
    sourceFile(
      'src/c.ts',
      '/** See.\n * @throws BAD_OPTION always\n * @example\n * c();\n */\nexport function c(): void {}\n',
    ),
  ];
  const [found] = declarationsOf(door, new Map(files.map((file) => [file.path, file])));
  assert.equal(found?.name, 'b');
  assert.deepEqual(found?.comment.throws, ['BAD_OPTION always']);
  assert.deepEqual(found?.comment.examples, ['c();']);
});
