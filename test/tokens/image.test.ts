import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { flatImageTokens, imageSize, imageTokens } from '../../packages/core/src/tokens/image-tokens.ts';

const base64 = (...parts: readonly (readonly number[] | string)[]): string =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  ).toString('base64');

const big16 = (n: number): number[] => [n >> 8, n & 255];
const little16 = (n: number): number[] => [n & 255, n >> 8];
const little24 = (n: number): number[] => [n & 255, (n >> 8) & 255, n >> 16];

const png = (width: number, height: number): string =>
  base64('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0], big16(width), [0, 0], big16(height), [8, 6, 0, 0, 0]);
const gif = (width: number, height: number): string => base64('GIF89a', little16(width), little16(height), [0, 0, 0]);
const lossy = (width: number, height: number): string =>
  base64(
    'RIFF',
    [0, 0, 0, 0],
    'WEBPVP8 ',
    [0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a],
    little16(width),
    little16(height),
    [0],
  );
const lossless = (width: number, height: number): string => {
  const bits = (width - 1) | ((height - 1) << 14);
  return base64(
    'RIFF',
    [0, 0, 0, 0],
    'WEBPVP8L',
    [0, 0, 0, 0, 0x2f],
    [bits, bits >> 8, bits >> 16, bits >> 24].map((b) => b & 255),
  );
};
const extended = (width: number, height: number): string =>
  base64('RIFF', [0, 0, 0, 0], 'WEBPVP8X', [10, 0, 0, 0, 0, 0, 0, 0], little24(width - 1), little24(height - 1), [0]);
/** With an application segment, fill bytes and a table before the frame header. */
const jpeg = (width: number, height: number): string =>
  base64(
    [0xff, 0xd8, 0xff, 0xe1, 0x40, 0x02],
    Array<number>(0x4000).fill(0xff),
    [0xff, 0xff, 0xdb, 0, 3, 7, 0xff, 0xc4, 0, 2],
    [0xff, 0xc2, 0, 17, 8, ...big16(height), ...big16(width), 3, 1, 0x22, 0],
  );

describe('the size of an image', () => {
  const side = fc.integer({ min: 1, max: 0x3fff });

  test('is read from the header of every usual format', () => {
    fc.assert(
      fc.property(side, side, (width, height) => {
        for (const make of [png, gif, lossy, lossless, extended, jpeg]) {
          assert.deepEqual(imageSize(make(width, height)), { width, height }, make.name);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('is read from base64 with line breaks and from base64url', () => {
    const lines = png(640, 480).replace(/.{20}/g, '$&\r\n');
    assert.deepEqual(imageSize(lines), { width: 640, height: 480 });
    const url = jpeg(640, 480).replaceAll('+', '-').replaceAll('/', '_');
    assert.deepEqual(imageSize(url), { width: 640, height: 480 });
  });

  test('is not known for other data, for data cut short, or for a size of 0', () => {
    for (const data of ['', 'AAAA', 'not base64!', png(640, 480).slice(0, 20), jpeg(9, 9).slice(0, 40), gif(0, 5)]) {
      assert.equal(imageSize(data), undefined, data);
    }
  });

  test('never throws', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.base64String()), (data) => void imageSize(data)));
    fc.assert(fc.property(fc.nat({ max: 60 }), (end) => void imageSize(extended(5, 5).slice(0, end))));
  });
});

describe('the tokens of an image', () => {
  const cost = (width: number, height: number, rule: Parameters<typeof imageTokens>[1]): number =>
    imageTokens({ width, height }, rule);

  test('follow the tiles of OpenAI', () => {
    // The two examples of the provider's page.
    assert.equal(cost(1024, 1024, 'openai-tiles'), 765);
    assert.equal(cost(2048, 4096, 'openai-tiles'), 1105);
    assert.equal(imageTokens({ width: 4096, height: 8192 }, 'openai-tiles', 'low'), 85);
    assert.equal(imageTokens(undefined, 'openai-tiles', 'low'), 85);
  });

  test('follow the patches of the later models of OpenAI', () => {
    assert.equal(cost(1024, 1024, 'openai-patches'), 1229);
    assert.equal(cost(1920, 1080, 'openai-patches'), 2448);
    assert.ok(cost(9000, 9000, 'openai-patches') <= 12_000);
    assert.equal(cost(4000, 4000, 'openai-patches-mini'), Math.ceil(1536 * 1.62));
  });

  test('follow the area and the caps of Claude', () => {
    assert.ok(Math.abs(cost(1000, 1000, 'claude') - 1_000_000 / 750) < 40);
    assert.equal(cost(1024, 1024, 'claude'), 1369);
    assert.equal(cost(4000, 3000, 'claude'), 1568);
    assert.equal(cost(1920, 1080, 'claude-4.7'), 2691);
    assert.equal(cost(4000, 4000, 'claude-4.7'), 4784);
  });

  test('follow the tiles of Gemini, and its flat price from version 3', () => {
    assert.equal(cost(384, 384, 'gemini'), 258);
    assert.equal(cost(960, 540, 'gemini'), 258 * 6);
    assert.equal(cost(4000, 3000, 'gemini-3'), 1120);
  });

  test('are a flat number where the size is not known', () => {
    assert.equal(imageTokens(undefined, 'claude'), flatImageTokens);
    assert.equal(imageTokens({ width: 9, height: 9 }, 'flat'), flatImageTokens);
  });
});
