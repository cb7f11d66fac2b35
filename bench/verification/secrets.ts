/** Credentials that are made up while the program runs, so that none stands in a file. */
import type { Dice } from '../invented-texts.ts';

const lower = 'abcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';
const mixed = `${lower}${lower.toUpperCase()}${digits}`;

const drawn = (dice: Dice, from: string, length: number): string =>
  Array.from({ length }, () => from[dice(from.length)]).join('');

const shapes: readonly ((dice: Dice) => string)[] = [
  (dice) => `gh${'p'}_${drawn(dice, mixed, 36)}`,
  (dice) => `sk-${'proj'}-${drawn(dice, mixed, 48)}`,
  (dice) => `sk-${'ant'}-api03-${drawn(dice, `${mixed}-_`, 93)}AA`,
  (dice) => `AK${'IA'}${drawn(dice, `${lower.toUpperCase()}234567`, 16)}`,
  (dice) => `AI${'za'}${drawn(dice, `${mixed}-_`, 35)}`,
  (dice) => `xox${'b'}-${drawn(dice, digits, 12)}-${drawn(dice, digits, 12)}-${drawn(dice, mixed, 24)}`,
  (dice) => `sk_${'live'}_${drawn(dice, mixed, 24)}`,
  (dice) => `npm${'_'}${drawn(dice, mixed, 36)}`,
  (dice) => `gl${'pat'}-${drawn(dice, mixed, 20)}`,
  (dice) => `hf${'_'}${drawn(dice, mixed, 34)}`,
  (dice) => `eyJ${drawn(dice, mixed, 30)}.eyJ${drawn(dice, mixed, 60)}.${drawn(dice, `${mixed}-_`, 43)}`,
  (dice) => `postgres${'://'}app:${drawn(dice, mixed, 18)}@db.internal:5432/main`,
  (dice) => `SG${'.'}${drawn(dice, mixed, 22)}.${drawn(dice, mixed, 43)}`,
  (dice) => `dop${'_v1_'}${drawn(dice, 'abcdef0123456789', 64)}`,
];

/** A fresh credential of some vendor's shape. */
export const inventedSecret = (dice: Dice): string => shapes[dice(shapes.length)]?.(dice) ?? '';
