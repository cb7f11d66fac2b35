/** The port to models that turn texts into vectors. Its adapters: `minilm/` on this machine, and any model of the AI SDK. */

/** Turns texts into vectors whose scalar product is larger the closer the texts are in meaning. */
export interface Embedder {
  /** Names the model: vectors that different names made are never compared. */
  readonly name: string;
  /**
   * Scripts of the languages that it knows, as Unicode calls them, such as `Latin`. Texts in others take no part.
   * @default all
   */
  readonly scripts?: readonly string[];
  /**
   * The cosine of two texts that have nothing to do with each other: some models give 0.7 to any two texts.
   * @default 0
   */
  readonly unrelated?: number;
  /** A vector for each text, in their order, of the same size and of length 1. */
  embed(texts: readonly string[], options?: { readonly signal?: AbortSignal }): Promise<readonly Float32Array[]>;
}

const shareOfLetters = 0.7;

/** True when a text has letters, and most of them are of a script that the model knows. */
export function knowsScriptOf({ scripts }: Pick<Embedder, 'scripts'>, text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters === 0 || !scripts) return letters > 0;
  const known = scripts.map((script) => `\\p{Script=${script}}`).join('');
  const of = text.match(new RegExp(`[${known}]`, 'gu'))?.length ?? 0;
  return of >= shareOfLetters * letters;
}
