/**
 * Converts the rank tables of the dev dependency tiktoken into modules that load fast. Runs at `npm ci` through
 * `npm run prepare`; a table that is up to date is left alone.
 *
 * A table becomes one base64 string: a byte for the length of each token in rank order, then the tokens' bytes.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const encodings = ['o200k_base', 'cl100k_base'] as const;

/** Raise it when the layout of the modules changes, so that old ones are made again. */
const layout = 1;

const require = createRequire(import.meta.url);
const target = join(import.meta.dirname, '..', 'packages', 'core', 'src', 'tokens', 'ranks');

for (const name of encodings) await makeTable(name);

async function makeTable(name: (typeof encodings)[number]): Promise<void> {
  // Our own dev dependency, pinned in package.json: its package.json has a version.
  const { version } = JSON.parse(await readFile(join(packageFolder(), 'package.json'), 'utf8')) as { version: string };
  const stamp = `// ${name} of tiktoken ${version} (MIT), layout ${layout}; made by scripts/make-ranks.ts.\n`;
  const file = join(target, `${name}.data.js`);
  const present = await readFile(file, 'latin1').catch(() => '');
  if (present.startsWith(stamp) && present.endsWith("';\n")) return;
  // Pinned as well: every encoder of the package holds this field.
  const source = require(`tiktoken/encoders/${name}.json`) as { bpe_ranks: string };
  const packed = pack(tokensOf(source.bpe_ranks));
  await writeFile(file, `${stamp}export const ranks =\n  '${packed.toString('base64')}';\n`);
}

/** Where the package lies; its exports hide package.json, so we go by its entry point. */
function packageFolder(): string {
  try {
    return dirname(require.resolve('tiktoken'));
  } catch (cause) {
    throw new Error('The dev dependency tiktoken is not installed, so no rank tables can be made; run `npm ci`.', {
      cause,
    });
  }
}

/** The tokens in rank order. Each line is `! <first rank> <base64 token> …`. */
function tokensOf(text: string): readonly Buffer[] {
  const tokens: Buffer[] = [];
  for (const line of text.split('\n')) {
    if (!line) continue;
    const [mark, first, ...words] = line.split(' ');
    if (mark !== '!' || Number(first) !== tokens.length) {
      throw new Error(
        `Expected ranks without a gap; a line starts with "${mark} ${first}" after ${tokens.length} tokens.`,
      );
    }
    for (const word of words) tokens.push(Buffer.from(word, 'base64'));
  }
  return tokens;
}

function pack(tokens: readonly Buffer[]): Buffer {
  const distinct = new Set(tokens.map((token) => token.toString('latin1')));
  const singles = tokens.filter((token) => token.length === 1).length;
  const longest = tokens.reduce((length, token) => Math.max(length, token.length), 0);
  if (distinct.size !== tokens.length || singles !== 256 || longest > 255) {
    throw new Error(
      `Expected distinct tokens, one for each byte, none over 255 bytes; got ${distinct.size} of ${tokens.length} distinct, ${singles} of one byte, the longest of ${longest}.`,
    );
  }
  const lengths = Buffer.from(tokens.map((token) => token.length));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(tokens.length);
  return Buffer.concat([size, lengths, ...tokens]);
}
