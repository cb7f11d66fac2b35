/** What an image costs, by the rules of the providers. */
import type { ImageSize } from './image-size.ts';

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
