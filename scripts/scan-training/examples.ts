/** The examples that the scan learns from: attacks, ordinary entries, and ordinary talk, all written for it. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { featuresOf } from '../../packages/core/src/memory/scan/features.ts';
import { foldText } from '../../packages/core/src/memory/scan/fold.ts';
import { readStretches } from '../../packages/core/src/memory/scan/stretches.ts';
import type { Example } from './train.ts';

const folder = join(import.meta.dirname, '../../test/fixtures/memory');

/** A set and how often each of its lines counts. */
export interface ExampleSet {
  readonly name: string;
  readonly isAttack: boolean;
  readonly times: number;
}

const attacks = [...'abcdefijko', 'known'].map((name) => ({ name: `attacks-${name}`, isAttack: true, times: 1 }));
/** They look like attacks, so they teach more than talk does. */
const ordinary = [...'aglmn'].map((name) => ({ name: `ordinary-${name}`, isAttack: false, times: 2 }));
const talk = [...'pqrstu'].map((name) => ({ name: `talk-${name}`, isAttack: false, times: 1 }));

/** Not among them: attacks-v, ordinary-b and ordinary-h, by which the result is judged. */
export const trainingSets: readonly ExampleSet[] = [...attacks, ...ordinary, ...talk];

/** Another one for other examples. */
export function digestOfSets(): string {
  const hash = createHash('sha256');
  for (const { name, times } of trainingSets) hash.update(`${name} ${times}\n${textsOf(name).join('\n')}\n`);
  return hash.digest('hex').slice(0, 16);
}

export const textsOf = (name: string): readonly string[] =>
  readFileSync(join(folder, `${name}.jsonl`), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line): string => JSON.parse(line).text);

/** What the scan would weigh of a text; not every sentence of an attack is one. */
export const examplesOf = (text: string, isAttack: boolean): readonly Example[] =>
  readStretches(foldText(text).text, isAttack ? ['whole'] : ['whole', 'sentences']).map(({ reading }) => ({
    features: featuresOf(reading),
    isAttack,
  }));

export const readSets = (sets: readonly ExampleSet[]): readonly Example[] =>
  sets.flatMap(({ name, isAttack, times }) => {
    const examples = textsOf(name).flatMap((text) => examplesOf(text, isAttack));
    return Array.from({ length: times }, () => examples).flat();
  });
