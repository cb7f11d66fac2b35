/** The order of source classes. */
import { type MemorySource, memorySources } from '../../store/memory-store.ts';

/** The less trusted of two. */
export const lowest = (one: MemorySource, other: MemorySource): MemorySource =>
  memorySources.indexOf(one) >= memorySources.indexOf(other) ? one : other;

/** Written by somebody else: nothing of it is remembered but by the person's word. */
export const isForeign = (source: MemorySource): boolean => source === 'outside-tool' || source === 'document';
