/** Placeholder until the words are here. */
export const instructionIn = (_line: string): { readonly start: number; readonly end: number; readonly why: string } | undefined => undefined;
