/**
 * The file that the header of a step names: in short, `m12 read konto.ts:`, or with its path, `m12 read src/konto.ts:`, where a line
 * below would say nothing but that. Read back, such a header is the short one with that line.
 */

/** A path of letters and signs that end no word: it can pass for nothing else in a header. */
const isPath = /^[\w./~@-]*\/[\w.@-]+$/;

/** Enough of a target to tell steps apart; its whole text is a line like any other. */
const targetChars = 24;

/** What a header shows of a target, with the blank before it: of a path its last part. */
export function shortTarget(target: string): string {
  const text = isPath.test(target) ? target.slice(target.lastIndexOf('/') + 1) : target;
  if (text.length <= targetChars) return text && ` ${text}`;
  const space = text.lastIndexOf(' ', targetChars);
  return ` ${text.slice(0, space > targetChars / 3 ? space : targetChars)}…`;
}

/** Message and tools, the file, and whether it failed. */
const fileHeader = /^(m\d{1,6} [^\s,]+(?:, [^\s,]+)*) (\S+)((?: failed(?: \(exit -?\d+\))?)?:)$/;

/** The header with the path of its file in place of the short name; undefined where the path is another one's, or none. */
export function headerWithPath(header: string, path: string): string | undefined {
  if (!isPath.test(path)) return undefined;
  const [, opening, name, end] = fileHeader.exec(header) ?? [];
  return name !== undefined && shortTarget(path) === ` ${name}` ? `${opening} ${path}${end}` : undefined;
}

/** Such a header, taken apart again; undefined for any other row. */
export function splitHeader(row: string): { readonly header: string; readonly path: string } | undefined {
  const [, opening, path = '', end] = fileHeader.exec(row) ?? [];
  return isPath.test(path) ? { header: `${opening}${shortTarget(path)}${end}`, path } : undefined;
}
