import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  codeIn,
  codeMark,
  masked,
  quoteMark,
  quotesIn,
} from '../../../../packages/core/src/compression/verify/words/quotes.ts';

const texts = (line: string): readonly string[] => quotesIn(line).map(({ text }) => text);

describe('quotesIn', () => {
  test('S9: quotations in every usual kind of mark are found', () => {
    const table: readonly (readonly [string, readonly string[]])[] = [
      ['He said "go on" and left', ['go on']],
      ['She wrote “go on” twice: “again”', ['go on', 'again']],
      ['„Weiter so“, stand im Bericht', ['Weiter so']],
      ['„Weiter so” geht auch', ['Weiter so']],
      ['Le texte dit « continue » ici', [' continue ']],
      ['彼は「続けて」と言った', ['続けて']],
      ['『題名』と「本文」', ['題名', '本文']],
      ['他说“继续”', ['继续']],
      ['그는 "계속해"라고 말했다', ['계속해']],
      ["It printed 'no such table' once", ['no such table']],
      ['It printed ‘no such table’ once', ['no such table']],
      ["The label 'don't ask' stays", ["don't ask"]],
      ['(“one”) [“two”]', ['one', 'two']],
      ['"keep the … old one"', ['keep the … old one']],
      ['"a": "b c"', ['a', 'b c']],
      ['「外の『中』の話」', ['外の『中』の話']],
      ['“outer “inner” rest”', ['outer “inner” rest']],
      ['"say “yes” or no"', ['say “yes” or no']],
      ['"run `npm test` first"', ['run `npm test` first']],
      ['"with an escaped \\" mark"', ['with an escaped \\" mark']],
      ['User: "the first words of a long message', ['the first words of a long message']],
      ['用户说：“这是一段没有结束的话', ['这是一段没有结束的话']],
      ['"one" and "two" and "three"', ['one', 'two', 'three']],
      ['**"in bold"**', ['in bold']],
    ];
    for (const [line, expected] of table) assert.deepEqual(texts(line), expected, line);
  });

  test('apostrophes, inches, titles and marks in code are no quotations', () => {
    const lines = [
      "don't and can't",
      "the users' list and the admins' list",
      "it's the team's job",
      "rock 'n' roll",
      "the '90s and the '80s",
      "'tis fine",
      'a 24" screen',
      'a 5" by 7" print',
      '《标题》',
      '`"code"` only',
      "`'a'` and `“b”`",
      "the key 'x' is pressed",
      '""',
      "''",
      'the mark " alone',
      "l'utilisateur d'abord",
      'users’ and admins’',
      'don’t',
      '',
      'plain words',
    ];
    assert.deepEqual(
      lines.filter((line) => quotesIn(line).length > 0),
      [],
    );
  });

  test('a quotation carries its place and its marks', () => {
    assert.deepEqual(quotesIn('so “yes”!'), [{ text: 'yes', start: 3, end: 8, open: '“', close: '”' }]);
    assert.equal(quotesIn('so “yes and no')[0]?.close, '');
  });

  test('quotations stand in order, apart, and hold what the line holds', () => {
    const part = fc.constantFrom('"', "'", '“', '”', '„', '「', '」', '`', 'a', ' ', 'don’t', '\\', '文', '‘', '’');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const line = parts.join('');
        let from = 0;
        for (const { text, start, end, open, close } of quotesIn(line)) {
          assert.ok(start >= from);
          assert.ok(line.slice(start, end).startsWith(open + text));
          assert.ok(line.slice(start, end).endsWith(close));
          from = end;
        }
      }),
    );
  });
});

describe('codeIn', () => {
  test('finds spans by runs of backticks of one length', () => {
    assert.deepEqual(
      codeIn('run `npm test` and ``a ` b`` but ` not').map(({ text }) => text),
      ['npm test', 'a ` b'],
    );
    assert.deepEqual(codeIn('no code'), []);
    assert.deepEqual(codeIn('an open ` tick'), []);
  });
});

describe('masked', () => {
  test('keeps the length, and blanks code and quotations out', () => {
    assert.equal(masked('a `b` "c"'), `a ${codeMark.repeat(3)} ${quoteMark.repeat(3)}`);
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('`', '"', "'", 'a', ' ', '“', '”', '文') }), (line) => {
        assert.equal(masked(line).length, line.length);
      }),
    );
  });
});
