/** Placeholder until the words are here. */
export interface Attribution { readonly by: 'user'; readonly verb: string; readonly start: number; readonly end: number; readonly rest: string }
export const attributionIn = (_line: string): Attribution | undefined => undefined;
export const aboutUserSection = (_heading: string): { readonly kind: 'messages' | 'request' | 'constraint' } | undefined => undefined;
