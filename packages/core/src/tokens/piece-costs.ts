/**
 * What o200k_base charges for a piece, by kind and length: means over some 3 million pieces of agent transcripts, code,
 * chats and JSON. Only the means are kept here.
 */
import { kinds } from './unit-class.ts';

/** By length; index 0 is not used. */
export const pieceCosts = {
  /** A word after a blank. */
  blank: [0, 1, 1, 1, 1.01, 1.02, 1.03, 1.04, 1.09, 1.1, 1.11, 1.1, 1.12, 1.17, 1.2, 1.42, 1.9],
  /** A word after a lone sign, with that sign. */
  sign: [0, 1.01, 1.2, 1.45, 1.38, 1.47, 1.68, 1.57, 1.87, 1.95, 1.93, 2.05, 2.4, 3, 2.6, 3.4, 3.6],
  /** A word after anything else: inside an identifier, after a digit or a line break. */
  none: [0, 1, 1.05, 1.18, 1.1, 1.19, 1.18, 1.17, 1.19, 1.5, 1.3, 1.25, 1.8, 1.7, 1.8, 3, 4.5],
  /** Capitals only. */
  capitals: [0, 1, 1.03, 1.47, 1.43, 1.9, 1.87, 2.3, 2.7, 3.1, 3.1, 3.3, 4, 4.2, 4.5, 5.5, 6],
  /** A run of signs. */
  signs: [0, 1, 1.01, 1.08, 1.6, 1.7, 2.05, 2.95, 3.2, 3.7, 3.7, 4.2, 5],
} as const;

/** What a run of a script costs: so much a run and so much a unit. */
export const scriptCosts: Readonly<Record<number, { readonly piece: number; readonly unit: number }>> = {
  [kinds.han]: { piece: 0.2, unit: 0.76 },
  [kinds.kana]: { piece: 0.2, unit: 0.65 },
  [kinds.hangul]: { piece: 0.35, unit: 0.57 },
  [kinds.greek]: { piece: 0.5, unit: 0.3 },
  [kinds.cyrillic]: { piece: 0.45, unit: 0.19 },
  [kinds.hebrew]: { piece: 0.5, unit: 0.3 },
  [kinds.arabic]: { piece: 0.5, unit: 0.3 },
  [kinds.indic]: { piece: 0.3, unit: 0.3 },
  [kinds.thai]: { piece: 0.3, unit: 0.42 },
  [kinds.otherLetter]: { piece: 0.5, unit: 0.9 },
};
