/** Placeholder until the words are here. */
export const isPlan = (_line: string, _heading?: string): boolean => false;
