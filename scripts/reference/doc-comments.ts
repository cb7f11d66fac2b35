/** Reads the doc comments of interface members and union members from our own source, which Biome keeps in one shape. */

export interface Member {
  readonly name: string;
  /** As written. */
  readonly type: string;
  /** The comment without its signs, as one line, without `@default`. */
  readonly doc: string;
}

/** The members of every interface of a source text, by the interface's name. */
export function interfacesOf(source: string): ReadonlyMap<string, readonly Member[]> {
  const interfaces = new Map<string, readonly Member[]>();
  for (const [, name = '', body = ''] of source.matchAll(/^export interface (\w+)[^{]*\{\n([\s\S]*?)^\}/gm)) {
    const members = body.matchAll(/(?:^ {2}\/\*\*([\s\S]*?)\*\/\n)?^ {2}readonly (\w+)\??: ([^;{]+)[;{]/gm);
    interfaces.set(
      name,
      [...members].map(([, doc = '', member = '', type = '']) => ({
        name: member,
        type: type.trim(),
        doc: plain(doc),
      })),
    );
  }
  return interfaces;
}

/** The words of a union of texts and what the comment above each says. */
export function unionOf(source: string, name: string): readonly { word: string; doc: string }[] {
  const body = new RegExp(`^export type ${name} =\\n([\\s\\S]*?);$`, 'm').exec(source)?.[1] ?? '';
  const members = body.matchAll(/(?:\/\*\*([\s\S]*?)\*\/\s*)?\| '([^']+)'/g);
  return [...members].map(([, doc = '', word = '']) => ({ word, doc: plain(doc) }));
}

const plain = (comment: string): string =>
  comment
    .replaceAll(/^\s*\*\s?/gm, ' ')
    .replace(/@default[^\n]*/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
