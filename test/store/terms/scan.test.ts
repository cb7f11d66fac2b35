/** What of a text becomes a term. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { interestIn, type ScannedTerms, scanTerms } from '../../../packages/core/src/store/terms/scan.ts';
import { stem } from '../../../packages/core/src/store/terms/word-terms.ts';

const termsOf = (text: string): readonly string[] => scanTerms(text).terms;

describe('terms of a text', () => {
  test('Q1 words are known by their stems', () => {
    assert.deepEqual(termsOf('Deploys, deployed; DEPLOYING'), ['deploi', 'deploi', 'deploi']);
    assert.deepEqual(termsOf('went children bought'), [stem('go'), stem('child'), stem('buy')]);
  });

  test('Q1 accents, width and case make no difference', () => {
    assert.deepEqual(termsOf('Café ＣＡＦＥ CAFE'), [stem('cafe'), stem('cafe'), stem('cafe')]);
    assert.deepEqual(termsOf('ﾊﾟｿｺﾝ'), termsOf('パソコン'));
    assert.deepEqual(termsOf('가나'.normalize('NFD').normalize()), termsOf('가나'));
  });

  test('Q1 a path is known whole, by its last segment, and by its words', () => {
    assert.deepEqual(
      new Set(termsOf('see src/store/ids.ts.')),
      new Set(['see', 'src', 'store', 'id', 'ts', 'src/store/ids.ts', 'ids.ts']),
    );
  });

  test('Q1 an identifier is known whole and by its pieces', () => {
    assert.deepEqual(new Set(termsOf('parseHttpHeader')), new Set(['pars', 'http', 'header', 'parsehttphead']));
    assert.deepEqual(new Set(termsOf('max_tool_calls')), new Set(['max', 'tool', 'call', 'max_tool_calls']));
    assert.deepEqual(termsOf('sha256'), ['sha256']);
  });

  test('Q1 each character and each pair of a script without spaces is a term', () => {
    assert.deepEqual(termsOf('数据库 𠮷野'), ['数', '数据', '据', '据库', '库', '𠮷', '𠮷野', '野']);
    assert.deepEqual(termsOf('서울'), ['서', '서울', '울']);
    assert.deepEqual(termsOf('使うAPI'), ['使', '使う', 'う', 'api']);
  });

  test('Q1 no term holds what divides terms in the index', () => {
    assert.deepEqual(termsOf('NOT⑽'), ['not10']);
    const property = fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const odd = termsOf(text.normalize()).filter((term) => !/^[\w\-./\\:@#+~&=?%$\u0080-\u{10ffff}]+$/u.test(term));
      assert.deepEqual(odd, []);
    });
    fc.assert(property, { numRuns: 2_000 });
    const every = Array.from({ length: 0x3000 }, (_, i) => `a${String.fromCharCode(i)}b`).join(' ');
    assert.ok(termsOf(every.normalize()).every((term) => !/[\s!"'()*,;<>[\]^`{|}]/.test(term)));
  });

  test('Q1 encoded bytes are no words', () => {
    assert.deepEqual(termsOf('a'.repeat(65)), []);
    assert.deepEqual(termsOf(`${'a'.repeat(64)}`), [stem('a'.repeat(64))]);
  });

  test('every term tells a place inside the text, in order of their ends', () => {
    const property = fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const { terms, kinds, starts, ends } = scanTerms(text);
      assert.ok(terms.length === kinds.length && terms.length === starts.length && terms.length === ends.length);
      for (const [i, start] of starts.entries()) {
        assert.ok(start >= 0 && start < (ends[i] ?? 0) && (ends[i] ?? 0) <= text.length);
      }
      assert.ok(terms.every((term) => term !== '' && !/\s/.test(term)));
    });
    fc.assert(property, { numRuns: 2_000 });
  });

  test('takes time in proportion to the text', () => {
    for (const unit of ['a', 'aB', 'a/', 'ｱ', '中', 'a.b ', '"\\', '🎉']) {
      const { terms } = scanTerms(unit.repeat(Math.floor(200_000 / unit.length)));
      assert.ok(terms.length <= 400_000, unit);
    }
  });

  test('Q1 a look for some terms finds them exactly where reading everything does', () => {
    const piece = fc.constantFrom(
      'went',
      'Child',
      'children',
      'parseHTTPHeader2',
      'max_tool_calls',
      'src/store/ids.ts',
      "it's",
      'naïve',
      'ＣＡＦＥ',
      '数据库',
      '𠮷野',
      'ﾊﾟｿｺﾝ',
      '서울',
      '使うAPI',
      '🎉',
      'ﬁne',
      'Straße',
      'İstanbul',
      'a',
      '-',
      '/',
      '.',
      ' ',
      '\n',
    );
    const texts = fc
      .array(fc.oneof({ weight: 4, arbitrary: piece }, fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 24 })
      .map((pieces) => pieces.join('').normalize());
    const property = fc.property(texts, texts, fc.array(fc.nat(), { maxLength: 4 }), (text, other, picks) => {
      const all = scanTerms(text);
      const known = [...all.terms, ...scanTerms(other).terms];
      const wanted = new Set(picks.flatMap((pick) => known[pick % Math.max(1, known.length)] ?? []));
      const looked = scanTerms(text, interestIn(wanted));
      assert.deepEqual(placesOf(looked, wanted), placesOf(all, wanted));
      assert.equal(looked.words, all.words);
    });
    fc.assert(property, { numRuns: 2_000 });
  });
});

/** Each wanted term with its kind and its place. */
const placesOf = (scan: ScannedTerms, wanted: ReadonlySet<string>): readonly string[] =>
  scan.terms.flatMap((term, i) =>
    wanted.has(term) ? `${term} ${scan.kinds[i]} ${scan.starts[i]}-${scan.ends[i]} ${scan.ordinals[i]}` : [],
  );
