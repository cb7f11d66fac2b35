/** Placeholder until the words are here. */
import type { StatusClaim } from './status.ts';
export const statusClaims = (_line: string): readonly StatusClaim[] => [];
