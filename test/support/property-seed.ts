/**
 * Loaded before every test file of `npm test`: laws over random cases take the same cases each time, so that no run depends
 * on chance. `PROPERTY_SEED=7 npm test` takes others, `PROPERTY_SEED=random` new ones in each file; a failing law prints its
 * seed. And what is compiled is kept from one file to the next.
 */
import fc from 'fast-check';
import { keepCompiledCode } from './compiled-code.ts';

keepCompiledCode();

const wanted = process.env.PROPERTY_SEED ?? '1';
if (wanted !== 'random') {
  const seed = Number(wanted);
  if (!Number.isInteger(seed)) throw new Error(`PROPERTY_SEED: expected a whole number or "random", got "${wanted}"`);
  fc.configureGlobal({ seed });
}
