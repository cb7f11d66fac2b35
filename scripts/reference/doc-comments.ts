/** Reads doc comments, and those of interface members and union members from our own source, which Biome keeps in one shape. */

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

/** A doc comment taken apart. */
export interface Comment {
  /** Without its signs and tags; line breaks as they are. */
  readonly text: string;
  readonly default: string | undefined;
  /** What follows each `@throws`, on one line. */
  readonly throws: readonly string[];
  readonly params: readonly string[];
  /** The code of each `@example`, without a fence. */
  readonly examples: readonly string[];
}

/** A comment as it stands in the source, `/**` and all. */
export function commentOf(source: string): Comment {
  const lines = source
    .replace(/^\/\*\*/, '')
    .replace(/\*\/$/, '')
    .replaceAll(/^[ \t]*\*(?: |$)/gm, '');
  const [text = '', ...tags] = lines.split(/(?:^|(?<=\s))(?=@(?:default|throws|param|example)\b)/);
  const tagged = (name: string): readonly string[] =>
    tags.filter((tag) => tag.startsWith(`@${name}`)).map((tag) => tag.slice(name.length + 1).trim());
  const flat = (found: string): string => found.replaceAll(/\s+/g, ' ');
  return {
    text: text.trim(),
    default: tagged('default').map(flat)[0],
    throws: tagged('throws').map(flat),
    params: tagged('param').map(flat),
    examples: tagged('example').map((code) => code.replace(/^```ts\n/, '').replace(/\n?```$/, '')),
  };
}

const plain = (comment: string): string =>
  comment
    .replaceAll(/^\s*\*\s?/gm, ' ')
    .replace(/@default[^\n]*/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
