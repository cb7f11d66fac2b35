/** Families of models that share a tokenizer, and how their counts relate to o200k_base. */

export const families = [
  'openai',
  'claude',
  'claude-4.7',
  'gemini',
  'qwen',
  'deepseek',
  'llama',
  'mistral',
  'unknown',
] as const;

export type Family = (typeof families)[number];

/** By kind of text, the factor from an estimate for o200k_base to the family. */
export interface FamilyFactors {
  readonly words: number;
  readonly digits: number;
  readonly symbols: number;
  readonly cjk: number;
  readonly scripts: number;
}

const claude: FamilyFactors = { words: 1.15, digits: 1.08, symbols: 1.1, cjk: 1.31, scripts: 1.3 };

/**
 * - `openai`: o200k_base itself. `openai` models are counted, not estimated, wherever the rank tables are at hand.
 * - `claude`, Claude up to 4.6: +12 % on English, +31 % on Chinese, +8 % on code and +3 % on JSON by a public
 *   reconstruction of its vocabulary; +12 % on prose, code and tool output as agents mix them by the usage reported in
 *   some 1,500 steps of sessions with 4.5 and 4.6, which the factors for words and signs follow. Other scripts are assumed.
 * - `claude-4.7`, Claude 4.7 and later: "approximately 30 percent more tokens" than the models before
 *   (platform.claude.com, Token counting), on every kind alike, which is assumed.
 * - The others are assumed: `gemini`, `qwen` and `mistral` (Tekken) cut numbers into single digits; `qwen` and
 *   `deepseek` know Chinese well, `llama` less; English differs from o200k_base by a few per cent.
 * - `unknown` is on the safe side of all of them but the newest Claude.
 */
export const familyFactors: Readonly<Record<Family, FamilyFactors>> = {
  openai: { words: 1, digits: 1, symbols: 1, cjk: 1, scripts: 1 },
  claude,
  'claude-4.7': {
    words: claude.words * 1.3,
    digits: claude.digits * 1.3,
    symbols: claude.symbols * 1.3,
    cjk: claude.cjk * 1.3,
    scripts: claude.scripts * 1.3,
  },
  gemini: { words: 1.02, digits: 2.5, symbols: 1, cjk: 0.95, scripts: 1.05 },
  qwen: { words: 1.04, digits: 2.5, symbols: 1.02, cjk: 0.9, scripts: 1.3 },
  deepseek: { words: 1.05, digits: 1.1, symbols: 1.05, cjk: 0.9, scripts: 1.3 },
  llama: { words: 1.03, digits: 1, symbols: 1.02, cjk: 1.2, scripts: 1.25 },
  mistral: { words: 1.05, digits: 2.5, symbols: 1.05, cjk: 1.15, scripts: 1.15 },
  unknown: { words: 1.12, digits: 1.3, symbols: 1.06, cjk: 1.31, scripts: 1.3 },
};

/**
 * Tokens around a tool call and its result together, beyond their text. Claude's are the median of the same steps, less
 * the marks of the two messages; those of OpenAI and the others are assumed.
 */
export const familyCallTokens: Readonly<Record<Family, number>> = {
  openai: 12,
  claude: 72,
  'claude-4.7': 94,
  gemini: 20,
  qwen: 30,
  deepseek: 30,
  llama: 30,
  mistral: 20,
  unknown: 40,
};
