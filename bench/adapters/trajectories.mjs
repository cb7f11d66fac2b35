/** Lets an evaluation kit compress with our own trajectories, through the public door `@palimpsest/core/trajectories`. */
import { compressCase, ownWay } from '../trajectories/ways.ts';

const way = await ownWay();
export const name = way.name;
export const compress = (input) => compressCase(way, input);
