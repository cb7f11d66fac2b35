/** Turns texts into vectors for an evaluation kit, with the model on this machine; each text once. */
import { loadMiniLm } from '../../packages/core/src/recall/vectors/minilm/mini-lm.ts';
import { vectorPackages } from '../../scripts/vectors.ts';

const model = await loadMiniLm({ load: await vectorPackages() });
const known = new Map();

export async function embed(texts) {
  const fresh = [...new Set(texts)].filter((text) => !known.has(text));
  for (const [at, vector] of (await model.embed(fresh)).entries()) known.set(fresh[at], vector);
  return texts.map((text) => known.get(text));
}
