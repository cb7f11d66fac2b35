/** What is packed is read to its end, in as many frames as it has; what is cut off, up to there. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { unpack } from '../../packages/palimpsest/src/trajectory/read/unpack.ts';

const text = Buffer.from(Array.from({ length: 3_000 }, (_, at) => `line ${(at * 7_919) % 9_973}\n`).join(''));
const parts = [text.subarray(0, 10), text.subarray(10, 9_000), text.subarray(9_000, 9_000), text.subarray(9_000)];

async function unpacked(bytes: Uint8Array, size: number): Promise<{ text: string; damage: string | undefined }> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  let damage: string | undefined;
  const found: Uint8Array[] = [];
  for await (const chunk of unpack(chunks(), (reason) => {
    damage = reason;
  }))
    found.push(chunk);
  return { text: Buffer.concat(found).toString(), damage };
}

describe('J2 packed input', () => {
  for (const [name, packed] of [
    ['plain', text],
    ['gzip', Buffer.concat(parts.map((part) => gzipSync(part)))],
    ['zstd', Buffer.concat(parts.map((part) => zstdCompressSync(part)))],
  ] as const) {
    it(`${name}: all frames, in chunks of any size`, async () => {
      for (const size of [1, 5, 1_000, packed.length])
        assert.deepEqual(await unpacked(packed, size), { text: text.toString(), damage: undefined }, `${size}`);
    });
  }

  it('zstd: frames that hold no data are passed by, also the one that pzstd begins with', async () => {
    const skippable = Buffer.concat([Buffer.from([0x55, 0x2a, 0x4d, 0x18, 3, 0, 0, 0]), Buffer.from('abc')]);
    const packed = Buffer.concat([zstdCompressSync(parts[0] ?? ''), skippable, zstdCompressSync(parts[1] ?? '')]);
    const inOrder = Buffer.concat([skippable, packed]);
    for (const size of [1, 4, packed.length])
      assert.deepEqual(await unpacked(inOrder, size), {
        text: text.subarray(0, 9_000).toString(),
        damage: undefined,
      });
    for (const size of [1, 4, packed.length])
      assert.equal((await unpacked(packed, size)).text, text.subarray(0, 9_000).toString());
  });

  for (const [name, packed] of [
    ['gzip', gzipSync(text)],
    ['zstd', Buffer.concat([zstdCompressSync(text.subarray(0, 5_000)), zstdCompressSync(text.subarray(5_000))])],
  ] as const) {
    it(`${name}: what is cut off comes up to there, and is told of`, async () => {
      const { text: found, damage } = await unpacked(packed.subarray(0, packed.length - 9), 777);
      assert.ok(text.toString().startsWith(found) && found.length >= (name === 'zstd' ? 5_000 : 1_000));
      assert.match(damage ?? '', /cut off here/);
    });
  }
});
