/**
 * Deletes from node_modules what no program here reads, 175 MB: the headers that come with Node (nothing is compiled), source
 * maps and sources of packages that bring built files as well, and encodings that nobody counts with. Runs at `npm ci`
 * through `npm run prepare`; all of it belongs to dev dependencies.
 */
import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const packages = join(import.meta.dirname, '..', 'node_modules');

/** By package, patterns of what to delete in it. */
const unread: Readonly<Record<string, readonly string[]>> = {
  'node/node_modules/node-*': ['include', 'share', 'CHANGELOG.md'],
  // The WebAssembly module has all encodings in it; `make-ranks.ts` reads the two as JSON.
  tiktoken: ['encoders/*.{js,cjs}', 'encoders/{gpt2,p50k_base,p50k_edit,r50k_base}.json'],
  'gpt-tokenizer': ['{data,src,*/model}', '*/bpeRanks/{cl100k,p50k,r50k}_base.*', '**/*.map'],
  openai: ['**/*.map', 'src'],
  '@anthropic-ai/sdk': ['**/*.map', 'src'],
  '@modelcontextprotocol/*': ['**/*.map', '**/*.cjs', '**/*.d.cts'],
  luxon: ['src', 'build/{amd,cjs-browser,global}', '**/*.map'],
  'pg-boss': ['**/*.map'],
  '@opentelemetry/*': ['**/*.map', 'build/esnext'],
  supermemory: ['**/*.map', 'src'],
  '@vectorize-io/hindsight-client': ['**/*.map', 'src', 'generated'],
  '@honcho-ai/sdk/node_modules/zod': ['**/*.map', 'src'],
  '{ai,zod,@ai-sdk/*,@openrouter/ai-sdk-provider}': ['**/*.map', 'src', 'docs'],
};

for (const [name, patterns] of Object.entries(unread)) {
  for (const pattern of patterns) {
    for (const path of globSync(`${name}/${pattern}`, { cwd: packages })) {
      rmSync(join(packages, path), { recursive: true, force: true });
    }
  }
}
