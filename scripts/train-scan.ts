/**
 * Learns the weights of the scan from the examples in `test/fixtures/memory` and writes them beside it.
 *
 *   node scripts/train-scan.ts
 *
 * The same examples and the same code give the same file. Sets that are held back are not read.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOfSets, readSets, trainingSets } from './scan-training/examples.ts';
import { train } from './scan-training/train.ts';

/** Fewer than eight in a thousand of the ordinary sentences that `bench/memory-scan.ts` reads are over it. */
const threshold = 0.05;

const { weights, bias } = train(readSets(trainingSets));
const most = weights.reduce((size, weight) => Math.max(size, Math.abs(weight)), 0);
const scale = most / 127;
const packed = Buffer.from(Int8Array.from(weights, (weight) => Math.round(weight / scale)).buffer).toString('base64');
const file = join(import.meta.dirname, '../packages/core/src/memory/scan/planted-weights.data.ts');
writeFileSync(
  file,
  `/** Learned by \`node scripts/train-scan.ts\` from ${trainingSets.length} sets of examples: ${digestOfSets()}. */
export const bias: number = ${bias};
/** What one unit of a weight is worth. */
export const scale: number = ${scale};
/** The least sum at which a text is taken for planted. */
export const threshold: number = ${threshold};
/** A byte with a sign for each weight, in base64. */
export const packedWeights: string =
  '${packed}';
`,
);
console.log(`${file}: ${packed.length} characters`);
