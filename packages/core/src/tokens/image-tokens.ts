/** What an image costs, by the rules of the providers and by its size. */
export type ImageRuleName =
  | 'openai-tiles'
  | 'openai-tiles-4o-mini'
  | 'openai-tiles-5'
  | 'openai-tiles-o'
  | 'openai-patches'
  | 'openai-patches-mini'
  | 'claude'
  | 'claude-4.7'
  | 'gemini'
  | 'gemini-3'
  | 'flat';

/** `low` and `high` as the caller asked for; `auto` where it did not. */
export type ImageDetail = 'auto' | 'low' | 'high';

/** An image whose size or rule is not known. */
export const flatImageTokens = 1_500;

interface Tiles {
  readonly type: 'tiles';
  /** Once an image, and all of an image at low detail. */
  readonly base: number;
  readonly tile: number;
}

interface Patches {
  readonly type: 'patches';
  /** Pixels of a patch's side. */
  readonly side: number;
  readonly maxPatches: number;
  readonly maxEdge: number;
  readonly factor: number;
}

interface GeminiTiles {
  readonly type: 'geminiTiles';
}

interface Flat {
  readonly type: 'flat';
  readonly tokens: number;
}

/**
 * - `openai-…`: developers.openai.com, Images and vision, calculating costs. The large models from GPT-5.4 on take up to
 *   10,000 patches at 1.2 tokens, the small ones 1,536 at about 1.62.
 * - `claude…`: platform.claude.com, Vision: about width × height / 750, scaled down to an edge of 1,568 pixels and some
 *   1,600 tokens, from 4.7 on 2,576 pixels and 4,784 tokens. Published counts of the provider's counter are exactly one
 *   token for each started 28 × 28 pixels, which is the same but for the rounding.
 * - `gemini`: ai.google.dev, Understand and count tokens: 258 up to 384 × 384 pixels, else 258 a tile. From Gemini 3 on
 *   1,120 whatever the size (media resolution, by default high).
 */
const rules: Readonly<Record<ImageRuleName, Tiles | Patches | GeminiTiles | Flat>> = {
  'openai-tiles': { type: 'tiles', base: 85, tile: 170 },
  'openai-tiles-4o-mini': { type: 'tiles', base: 2_833, tile: 5_667 },
  'openai-tiles-5': { type: 'tiles', base: 70, tile: 140 },
  'openai-tiles-o': { type: 'tiles', base: 75, tile: 150 },
  'openai-patches': { type: 'patches', side: 32, maxPatches: 10_000, maxEdge: 6_000, factor: 1.2 },
  'openai-patches-mini': { type: 'patches', side: 32, maxPatches: 1_536, maxEdge: 6_000, factor: 1.62 },
  claude: { type: 'patches', side: 28, maxPatches: 1_568, maxEdge: 1_568, factor: 1 },
  'claude-4.7': { type: 'patches', side: 28, maxPatches: 4_784, maxEdge: 2_576, factor: 1 },
  gemini: { type: 'geminiTiles' },
  'gemini-3': { type: 'flat', tokens: 1_120 },
  flat: { type: 'flat', tokens: flatImageTokens },
};

/** The tokens of an image: by the rule, or `flatImageTokens` where the rule needs a size and none is known. */
export function imageTokens(
  size: ImageSize | undefined,
  ruleName: ImageRuleName,
  detail: ImageDetail = 'auto',
): number {
  const rule = rules[ruleName];
  if (rule.type === 'flat') return rule.tokens;
  if (rule.type === 'tiles' && detail === 'low') return rule.base;
  if (!size) return flatImageTokens;
  switch (rule.type) {
    case 'tiles':
      return rule.base + rule.tile * openaiTiles(size);
    case 'patches':
      return Math.ceil(patches(size, rule) * rule.factor);
    case 'geminiTiles':
      return 258 * geminiTiles(size);
  }
}

/** Scaled down into 2,048 × 2,048 pixels, then to a short side of 768; tiles of 512 × 512. */
function openaiTiles({ width, height }: ImageSize): number {
  const fit = Math.min(1, 2_048 / Math.max(width, height));
  const scale = fit * Math.min(1, 768 / (Math.min(width, height) * fit));
  return Math.ceil((width * scale) / 512) * Math.ceil((height * scale) / 512);
}

/** Squares of one token each. An image too large in edge or number is scaled down until it fits. */
function patches({ width, height }: ImageSize, { side, maxPatches, maxEdge }: Patches): number {
  const scale = Math.min(1, maxEdge / Math.max(width, height));
  const count = Math.ceil((width * scale) / side) * Math.ceil((height * scale) / side);
  return Math.min(count, maxPatches);
}

/** Small images are one tile; others are cut into tiles of 1 / 1.5 of their short side, between 256 and 768 pixels. */
function geminiTiles({ width, height }: ImageSize): number {
  if (width <= 384 && height <= 384) return 1;
  const side = Math.min(768, Math.max(256, Math.floor(Math.min(width, height) / 1.5)));
  return Math.ceil(width / side) * Math.ceil(height / side);
}

// Reads the size of an image from the first bytes of its base64, without decoding the rest.

interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** The size of a PNG, JPEG, GIF or WebP image in pixels; undefined for other formats and for data that is cut short. */
export function imageSize(base64: string): ImageSize | undefined {
  const bytes = bytesOf(base64);
  const size = pngSize(bytes) ?? gifSize(bytes) ?? webpSize(bytes) ?? jpegSize(bytes);
  return size && size.width > 0 && size.height > 0 ? size : undefined;
}

/** Bytes by their place in the decoded data; -1 past the end. */
interface Bytes {
  readonly length: number;
  at(index: number): number;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** The value of each base64 character by its code; the two characters of base64url as well. */
const values = new Int16Array(128).fill(-1);
for (let i = 0; i < 64; i++) values[alphabet.charCodeAt(i)] = i;
values[0x2d] = 62;
values[0x5f] = 63;

/** Data with line breaks is joined first: every place is computed. */
function bytesOf(base64: string): Bytes {
  const text = /\s/.test(base64.slice(0, 200)) ? base64.replace(/\s+/g, '') : base64;
  const value = (index: number): number => values[text.charCodeAt(index)] ?? -1;
  const length = Math.floor((text.length * 3) / 4);
  return {
    length,
    at(index) {
      if (index >= length) return -1;
      const first = Math.floor(index / 3) * 4 + (index % 3);
      const high = value(first);
      const low = value(first + 1);
      if (high < 0 || low < 0) return -1;
      const shift = 2 + 2 * (index % 3);
      return ((high << shift) | (low >> (6 - shift))) & 0xff;
    },
  };
}

const big16 = (bytes: Bytes, at: number): number => (bytes.at(at) << 8) | bytes.at(at + 1);
const little16 = (bytes: Bytes, at: number): number => bytes.at(at) | (bytes.at(at + 1) << 8);
const little24 = (bytes: Bytes, at: number): number => little16(bytes, at) | (bytes.at(at + 2) << 16);

function startsWith(bytes: Bytes, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes.at(at + i) !== text.charCodeAt(i)) return false;
  return true;
}

function pngSize(bytes: Bytes): ImageSize | undefined {
  if (!startsWith(bytes, 0, '\x89PNG\r\n\x1a\n') || !startsWith(bytes, 12, 'IHDR')) return undefined;
  const side = (at: number): number => big16(bytes, at) * 0x10000 + big16(bytes, at + 2);
  return { width: side(16), height: side(20) };
}

function gifSize(bytes: Bytes): ImageSize | undefined {
  if (!startsWith(bytes, 0, 'GIF8')) return undefined;
  return { width: little16(bytes, 6), height: little16(bytes, 8) };
}

/** Three kinds of first chunk: lossy, lossless, and extended with the size of the canvas. */
function webpSize(bytes: Bytes): ImageSize | undefined {
  if (!startsWith(bytes, 0, 'RIFF') || !startsWith(bytes, 8, 'WEBP')) return undefined;
  if (startsWith(bytes, 12, 'VP8 ')) {
    return { width: little16(bytes, 26) & 0x3fff, height: little16(bytes, 28) & 0x3fff };
  }
  if (startsWith(bytes, 12, 'VP8L')) {
    const low = little16(bytes, 21);
    const high = little16(bytes, 23);
    return { width: (low & 0x3fff) + 1, height: (((low >> 14) | (high << 2)) & 0x3fff) + 1 };
  }
  if (startsWith(bytes, 12, 'VP8X')) return { width: little24(bytes, 24) + 1, height: little24(bytes, 27) + 1 };
  return undefined;
}

/** Goes from segment to segment until the frame header, skipping what is between, such as a preview or a profile. */
function jpegSize(bytes: Bytes): ImageSize | undefined {
  if (big16(bytes, 0) !== 0xffd8) return undefined;
  for (let at = 2; at + 8 < bytes.length; ) {
    if (bytes.at(at) !== 0xff) return undefined;
    const marker = bytes.at(at + 1);
    // A fill byte before a marker, or a marker without a length.
    if (marker === 0xff) at++;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else if (isFrame(marker)) return { width: big16(bytes, at + 7), height: big16(bytes, at + 5) };
    else at += 2 + Math.max(2, big16(bytes, at + 2));
  }
  return undefined;
}

/** Start of frame: C0 to CF but for the tables C4, C8 and CC. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
