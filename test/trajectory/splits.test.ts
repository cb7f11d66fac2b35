/** Files are cut into the same batches, wherever one begins to read and however the bytes come. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { splitLines } from '../../packages/palimpsest/src/trajectory/read/split-lines.ts';
import { splitList } from '../../packages/palimpsest/src/trajectory/read/split-list.ts';
import type { ReadPoint, Split, SplitLimits } from '../../packages/palimpsest/src/trajectory/read/splits.ts';

const start: ReadPoint = { offset: 0, records: 0 };
const limits: SplitLimits = { batchBytes: 64, maxRecordBytes: 200 };

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Pieces of one record as one. */
async function cut(splits: AsyncIterable<Split>): Promise<readonly object[]> {
  const found: object[] = [];
  let large = '';
  for await (const split of splits) {
    if (split.type === 'batch') {
      const { bytes, ends, first, count, end } = split;
      found.push({ text: Buffer.from(bytes).toString(), ends: ends && [...ends], first, count, end });
      continue;
    }
    if (split.isFirst) large = '';
    large += Buffer.from(split.bytes).toString();
    if (split.isLast) found.push({ large, number: split.number, size: split.size, end: split.end });
  }
  return found;
}

const line = (at: number): string => `line ${at} ${'x'.repeat((at * 13) % 50)}`;
const lines = [
  ...Array.from({ length: 12 }, (_, at) => line(at)),
  'y'.repeat(500),
  ...['', line(13), 'z'.repeat(201), 'end'],
];
const text = Buffer.from(lines.join('\n'));
const elements = [
  ...Array.from({ length: 9 }, (_, at) => `{"a":"${'],"\\\\{'.slice(0, at % 3)}${at}","b":[{},[]]}`),
  '7',
];
const list = Buffer.from(`\uFEFF [\n ${elements.join(' ,\n ')} ,{"long":"${'w'.repeat(400)}"}, "end"\n]\n`);

describe('J2 a file is cut', () => {
  it('into whole lines, and a line that is too large apart', async () => {
    const found = await cut(splitLines(inChunks(text, 1_000), start, limits));
    const whole = found.map((one) => Reflect.get(one, 'text') ?? Reflect.get(one, 'large')).join('');
    assert.equal(whole, text.toString());
    const large = found.filter((one) => 'large' in one);
    assert.deepEqual(large, [
      { large: `${'y'.repeat(500)}\n`, number: 13, size: 501, end: Reflect.get(large[0] ?? {}, 'end') },
      { large: `${'z'.repeat(201)}\n`, number: 16, size: 202, end: Reflect.get(large[1] ?? {}, 'end') },
    ]);
    assert.equal(Reflect.get(found.at(-1) ?? {}, 'first'), 17);
  });

  it('into the elements of a list', async () => {
    const found = await cut(splitList(inChunks(list, 1_000), start, limits));
    const seen = found.flatMap((one) => {
      if ('large' in one) return [JSON.parse(String(one.large))];
      const [all, ends] = [String(Reflect.get(one, 'text')), Reflect.get(one, 'ends')];
      assert.ok(Array.isArray(ends));
      return ends.map((end: number, at: number) => JSON.parse(all.slice(at === 0 ? 0 : ends[at - 1] + 1, end)));
    });
    assert.deepEqual(seen, JSON.parse(list.toString().replace(/^\uFEFF/, '')));
  });

  for (const [name, bytes, split] of [
    ['lines', text, splitLines],
    ['a list', list, splitList],
  ] as const) {
    it(`${name}: the same in chunks of any size`, async () => {
      const whole = await cut(split(inChunks(bytes, 10_000), start, limits));
      for (const size of [1, 2, 3, 7, 63, 64, 65, 200]) {
        assert.deepEqual(await cut(split(inChunks(bytes, size), start, limits)), whole, `chunks of ${size}`);
      }
    });

    it(`${name}: the same from the end of any batch on`, async () => {
      const whole = await cut(split(inChunks(bytes, 50), start, limits));
      let records = 0;
      for (const [at, one] of whole.entries()) {
        records += Number(Reflect.get(one, 'count') ?? 1);
        const offset = Number(Reflect.get(one, 'end'));
        const rest = split(inChunks(bytes.subarray(offset), 50), { offset, records }, limits);
        assert.deepEqual(await cut(rest), whole.slice(at + 1));
      }
    });
  }

  it('a list that is cut off, or followed by something, ends with a record that cannot be read', async () => {
    const [cutOff] = await cut(splitList(inChunks(Buffer.from('[{"a":1},{"b"'), 5), start, limits));
    assert.deepEqual(Reflect.get(cutOff ?? {}, 'count'), 2);
    const [followed] = await cut(splitList(inChunks(Buffer.from('[{"a":1}] x'), 5), start, limits));
    assert.deepEqual(Reflect.get(followed ?? {}, 'count'), 2);
  });

  it('an empty file, and an empty list, give no record', async () => {
    assert.deepEqual(await cut(splitLines(inChunks(Buffer.alloc(0), 5), start, limits)), []);
    const found = await cut(splitList(inChunks(Buffer.from(' [ ] \n'), 5), start, limits));
    assert.equal(
      found.reduce((sum, one) => sum + Number(Reflect.get(one, 'count')), 0),
      0,
    );
  });
});
