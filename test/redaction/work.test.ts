import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { redact } from '../../packages/core/src/redaction/redact.ts';
import { rules } from '../../packages/core/src/redaction/rules.ts';
import { type Telling, toldByAny } from '../../packages/core/src/redaction/said-around.ts';
import { createKeywordScan } from '../../packages/core/src/redaction/search.ts';
import { questions } from '../support/growth.ts';
import { hostileStarts, hostileTexts } from './hostile-texts.ts';

/** An eighth of a text, and all of it: work by the square would be 64 times as much. */
function requireInProportion(texts: typeof hostileTexts, length: number): void {
  const short = new Map(texts(length / 8));
  for (const [name, text] of texts(length)) {
    const [one, eight] = [questions(() => redact(short.get(name) ?? '')), questions(() => redact(text))];
    // One pass more where the end of a text happens to look cut off.
    assert.ok(eight <= 18 * one + 300, `${name}: ${one} questions for an eighth of it, ${eight} for all`);
    assert.ok(eight <= 4 * text.length, `${name}: ${eight} questions for ${text.length} characters`);
  }
}

test('S6: the work grows with the text, whatever it is made of', () => {
  requireInProportion(hostileTexts, 8_000);
  requireInProportion(hostileStarts, 32_000);
});

test('S6: what stands around a noun is cut out once, however many tellings look at it', () => {
  const text = `${'so we have set it to the old one, and then '.repeat(20)}password ${'is not what it was '.repeat(20)}`;
  const start = text.indexOf('password');
  const never: Telling = { lead: /never said/, behind: /^ never said/, isValue: () => true };
  let cuts = 0;
  const { slice } = String.prototype;
  String.prototype.slice = function counted(from?: number, to?: number): string {
    cuts++;
    return slice.call(this, from, to);
  };
  try {
    toldByAny(Array<Telling>(50).fill(never), text, { start, end: start + 8 });
  } finally {
    String.prototype.slice = slice;
  }
  assert.ok(cuts <= 3, `${cuts} cuts`);
});

test('S6: no rule repeats without a bound within a repeat', () => {
  const nested = /\([^()]*[*+]\)[*+]|\([^()]*\{\d+,\}\)[*+{]/;
  for (const { id, find } of rules) {
    if (typeof find === 'function') continue;
    assert.ok(find.sticky, id);
    assert.doesNotMatch(find.source, nested, id);
  }
});

test('S6: the scan reports every keyword where it stands, and no other place', () => {
  const keywords = [
    { text: 'abc', anyCase: false },
    { text: 'abcde', anyCase: true },
    { text: 'cde', anyCase: true },
    { text: '密码', anyCase: true },
  ];
  const hits: string[] = [];
  createKeywordScan(keywords)('xabcdeABCDE 密码abcd', (keyword, start, end) => hits.push(`${keyword}:${start}-${end}`));
  assert.deepEqual(hits, ['0:1-4', '1:1-6', '2:3-6', '1:6-11', '2:8-11', '0:14-17', '3:12-14']);
});

test('S6: no look ahead of the scan hides a keyword, whatever stands around it', () => {
  const unit = fc.constantFrom('a', 'b', 'B', '_', 'é', 'É', '密');
  const keyword = fc.record({ text: fc.string({ unit, minLength: 3, maxLength: 5 }), anyCase: fc.boolean() });
  const short = fc.record({ text: fc.constantFrom('密', '密码'), anyCase: fc.boolean() });
  const keywords = fc.array(fc.oneof(keyword, short), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(
      keywords,
      fc.array(fc.oneof(unit, fc.constantFrom('码', '\u{1f511}')), { maxLength: 12 }),
      (found, units) => {
        const known = new Map(found.map(({ text, anyCase }) => [anyCase ? text.toLowerCase() : text, anyCase]));
        const all = [...known].map(([text, anyCase]) => ({ text, anyCase }));
        const text = [...units, ...all.map((one) => one.text), ...units].join('');
        const hits: string[] = [];
        createKeywordScan(all)(text, (number, start, end) => hits.push(`${number}:${start}-${end}`));
        const expected = all.flatMap((one, number) => {
          const [within, sought] = one.anyCase ? [text.toLowerCase(), one.text.toLowerCase()] : [text, one.text];
          return [...within.matchAll(new RegExp(`(?=${sought})`, 'g'))].map(
            ({ index }) => `${number}:${index}-${index + sought.length}`,
          );
        });
        // Short keywords are looked for one behind the other.
        const isLong = (hit: string): boolean => (all[Number(hit.split(':')[0])]?.text.length ?? 0) >= 3;
        assert.deepEqual(hits.filter(isLong).toSorted(), expected.filter(isLong).toSorted());
        assert.equal(
          hits.some((hit) => !isLong(hit)),
          expected.some((hit) => !isLong(hit)),
        );
      },
    ),
  );
});

test('S6: the keywords of all rules take less than a megabyte', () => {
  const keywords = rules.flatMap(({ by, keywords: texts }) => texts.map((text) => ({ text, anyCase: by === 'place' })));
  const before = process.memoryUsage().arrayBuffers;
  const scan = createKeywordScan(keywords);
  assert.ok(process.memoryUsage().arrayBuffers - before < 1e6);
  // It is still there.
  scan('', () => undefined);
});

test('S6: in a dense row of nouns only what stands right behind one is looked at', () => {
  for (const piece of ['password: ', 'the password is ', 'Passwort, ']) {
    const text = piece.repeat(400);
    const asked = questions(() => redact(text));
    assert.ok(asked <= 1.35 * text.length, `${piece}: ${asked} questions for ${text.length} characters`);
  }
  const row = Array.from({ length: 12 }, (_, at) => `password "pelican${at}!"`).join(', ');
  assert.doesNotMatch(redact(row), /pelican/);
});
