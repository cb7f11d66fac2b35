/** Lets an evaluation kit compress with the reference algorithm for trajectories, its result held to the budget. */
import { compressCaseCut, cutName, referenceWay } from '../trajectories/ways.ts';

const way = { ...referenceWay('fallback'), name: cutName };
export const name = way.name;
export const compress = (input) => compressCaseCut(way, input);
