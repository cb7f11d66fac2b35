/** Lets an evaluation kit compress with the reference algorithm for trajectories; see bench/trajectories/reference.ts. */
import { compressCase, referenceWay } from '../trajectories/ways.ts';

const way = referenceWay('fallback');
export const name = way.name;
export const compress = (input) => compressCase(way, input);
