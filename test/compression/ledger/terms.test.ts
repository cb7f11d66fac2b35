import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  classify,
  everyBit,
  scanTokens,
  seen,
  type TermKind,
  termKinds,
  termsOf,
} from '../../../packages/core/src/compression/ledger/terms.ts';

function terms(text: string): readonly [string, TermKind][] {
  const found: [string, TermKind][] = [];
  termsOf(text, (term, kind) => found.push([term, kind]));
  return found;
}
const ofKind = (kind: TermKind, text: string): string[] =>
  terms(text).flatMap(([term, k]) => (k === kind ? [term] : []));

test('S8: paths come without the side of a diff and without line and column', () => {
  assert.deepEqual(ofKind('path', 'diff --git a/src/app.ts b/src/app.ts'), ['src/app.ts', 'src/app.ts']);
  assert.deepEqual(ofKind('path', 'at ./lib/run.js:12:7, then lib/x/y.go:9: bad'), ['./lib/run.js', 'lib/x/y.go']);
  assert.deepEqual(ofKind('path', '/etc/app/conf.d/main.yaml and ~/notes/todo.md'), [
    '/etc/app/conf.d/main.yaml',
    '~/notes/todo.md',
  ]);
  assert.deepEqual(ofKind('file', 'see src/app/main_loop.ts'), ['main_loop.ts']);
  assert.deepEqual(ofKind('path', 'and/or, 1/2, a/b'), ['and/or']);
});

test('S8: addresses end before quotes, brackets, trailing signs and prose in other scripts', () => {
  for (const [text, url] of [
    ['see https://example.org/a/b?c=1&d=2.', 'https://example.org/a/b?c=1&d=2'],
    ['(https://example.org/a), then', 'https://example.org/a'],
    ['is it https://example.org/a?', 'https://example.org/a'],
    ['**https://example.org/a**', 'https://example.org/a'],
    ['参见https://example.org/docs的说明。', 'https://example.org/docs'],
    ['https://example.org/docs、次に', 'https://example.org/docs'],
    ['https://example.org/docs를 보세요', 'https://example.org/docs'],
    ['<a href="https://example.org/x">', 'https://example.org/x'],
    ['ssh://git@host.example:22/repo.git', 'ssh://git@host.example:22/repo.git'],
  ] as const) {
    assert.deepEqual(ofKind('url', text), [url], text);
  }
  assert.deepEqual(ofKind('url', '://nothing ://'), []);
});

test('S8: names embedded in CJK text are found', () => {
  assert.deepEqual(ofKind('identifier', '调用parseHeader函数，再看max_retry_count的值'), [
    'parseHeader',
    'max_retry_count',
  ]);
  assert.deepEqual(ofKind('file', '設定はconfig.yamlにあります'), ['config.yaml']);
  assert.deepEqual(ofKind('id', '커밋9f3a21c를 확인'), ['9f3a21c']);
});

test('S8: ids, numbers and names are told apart', () => {
  assert.deepEqual(ofKind('id', 'commit 9f3a21c fixes #412, ABC-77 (2b1f0c9e-0000-4a4a-8888-1234567890ab)'), [
    '9f3a21c',
    '#412',
    'ABC-77',
    '2b1f0c9e-0000-4a4a-8888-1234567890ab',
  ]);
  assert.deepEqual(ofKind('number', 'took 12,345 ms, 3.14 and 8080 but not 12'), ['12,345', '3.14', '8080']);
  assert.deepEqual(ofKind('dotted', 'set server.http.idleTimeout'), ['server.http.idleTimeout']);
  assert.deepEqual(ofKind('hyphenated', 'use dry-run with x-request-id'), ['dry-run', 'x-request-id']);
  assert.deepEqual(ofKind('identifier', 'HTTP getUser MAX_SIZE plain Words'), ['HTTP', 'getUser', 'MAX_SIZE']);
});

test('S8: words are counted, two CJK characters as one', () => {
  assert.equal(
    termsOf('these are five plain longer words', () => {}),
    5,
  );
  assert.equal(
    termsOf('修复了四个错误', () => {}),
    4,
  );
  assert.equal(
    termsOf('', () => {}),
    0,
  );
});

const anyText = (): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.constantFrom(
          'https://',
          'a/src/b.ts:1:2',
          '://',
          '修复',
          'fooBar',
          '#12',
          '12,345',
          '@a/b',
          '::',
          '.',
          '🙂',
          '\ud83d',
          'x-y',
          '。',
        ),
      ),
    )
    .map((pieces) => pieces.join(''));

test('S8: every term is a piece of the line, of a known kind and not too long, whatever the line is', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      const words = termsOf(text, (term, kind) => {
        assert.ok(text.includes(term) && term.length >= 3 && term.length <= 400);
        assert.ok(termKinds.includes(kind));
      });
      assert.ok(words >= 0 && words <= text.length);
    }),
  );
});

test('invariant 9: the same line gives the same terms, however often it is read', () => {
  fc.assert(fc.property(anyText(), (text) => assert.deepEqual(terms(text), terms(text))));
});

test('S8: a comma belongs to a number only between its digits, whatever stands before', () => {
  assert.deepEqual(ofKind('number', 'of 12 ,3456'), ['3456']);
  assert.deepEqual(ofKind('number', 'of 12\n,3456 and 12,345'), ['3456', '12,345']);
});

test('S8: what the signs of a token rule out is not in it: asked of every expression, it is of the same kind', () => {
  const asked = (text: string, bitsOf: (bits: number) => number): readonly unknown[] => {
    const found: unknown[] = [];
    scanTokens(text, { from: 0, to: text.length }, (start, end, bits) => {
      found.push(classify(text.slice(start, end), bitsOf(bits), (term, kind) => found.push([term, kind])));
    });
    return found;
  };
  // Which of two ways a token is taken apart in is told by its slash and its colon, and is no gate.
  const parts = seen.slash | seen.colon;
  const open = (bits: number): number => (everyBit & ~parts) | (bits & parts);
  const same = (text: string): void =>
    assert.deepEqual(
      asked(text, (bits) => bits),
      asked(text, open),
      text,
    );
  for (const text of [
    'commit 9f3a21c, ABC-77 (2b1f0c9e-0000-4a4a-8888-1234567890ab) #412 ~user @name a/src/b.ts:1:2 b/x/y.go:9:',
    'FOO_BAR HTTP2 MAX3 tcp4 v1.2.3 12,345 3.14 .... a:..:b aß-1 É-é Ünïcode2 x1y2z3 10ms ABCD. ABCD: wörter. 12345',
    'ＡＢＣ１２ ｶﾅ1 пример-1 пример2. مثال٣ ٠١٢٣. é́́. 日本-1 한국2 ªbc1 µm12 Ⅻab1 ①ab',
  ])
    same(text);
  for (let code = 0; code <= 0xffff; code++) {
    const one = String.fromCharCode(code);
    same(`ab${one}1c ${one}bcd${one}. 12${one}ef AB${one}CD-1 ${one}${one}${one}${one}${one}1`);
  }
  fc.assert(fc.property(anyText(), same));
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...'aZ09.:/#@~_-+,$é字') }), same));
});

test('invariant 10: the number of terms is bounded by the length of the line', () => {
  for (const text of [
    'https://'.repeat(2000),
    'a://'.repeat(4000),
    'x/y'.repeat(4000),
    'a.b'.repeat(4000),
    ':'.repeat(9000),
  ]) {
    let found = 0;
    termsOf(text, () => found++);
    assert.ok(found <= text.length);
  }
});
