/** Tells our own words from knowledge: what we put around recalled text and summaries is nothing to remember. */
import { fenceKinds } from '../fence/kinds.ts';

/** True for a text with one of our blocks, or with what stands at the head of one. */
export const isOwnText = (text: string): boolean =>
  fenceKinds.some(({ name, telltale }) => text.includes(telltale) || new RegExp(`</?${name}[\\s>]`, 'i').test(text));
