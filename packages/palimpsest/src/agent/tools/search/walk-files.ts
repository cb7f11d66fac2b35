/** The search itself: through folders in the order of names, without what Git ignores. Runs in a worker. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isSecretName } from '../../approval/special-names.ts';
import { alternatives, globSource, type IgnoreFolder, ignoreRules, isIgnored } from './ignore-rules.ts';

/** What is searched for: data that can be handed to a worker. */
export interface SearchOrder {
  /** The real path of a file or folder. */
  readonly root: string;
  /** The folder whose `.gitignore` and those below count; undefined for a search outside of the project. */
  readonly project: string | undefined;
  /** A regular expression, or a text; undefined to find names only. */
  readonly pattern: string | undefined;
  readonly isLiteral: boolean;
  readonly ignoresCase: boolean;
  /** Which names of files. */
  readonly glob: string | undefined;
  /** Lines before and behind each match. */
  readonly context: number;
  /** Most matches. */
  readonly limit: number;
}

export type SearchEvent =
  /** A file with lines that match, or a name. `path` is relative to the root, and empty for the root itself. */
  | { readonly type: 'file'; readonly path: string; readonly lines: readonly FoundLine[] }
  | { readonly type: 'end'; readonly isCut: boolean; readonly skipped: Skipped }
  | { readonly type: 'bad-pattern'; readonly reason: string };

export interface FoundLine {
  readonly line: number;
  readonly text: string;
  /** False for a line of the context. */
  readonly isMatch: boolean;
}

/** What was not looked into. */
export interface Skipped {
  readonly secret: number;
  readonly large: number;
}

const mostBytes = 4 * 1024 * 1024;
const shownChars = 240;
const leftOut: ReadonlySet<string> = new Set(['.git', 'node_modules', '.hg', '.svn']);

/** Hands what it finds to `tell`, the end last. */
export function searchFiles(order: SearchOrder, tell: (event: SearchEvent) => void): void {
  let pattern: RegExp | undefined;
  try {
    pattern = order.pattern === undefined ? undefined : patternOf(order.pattern, order);
  } catch (error) {
    tell({ type: 'bad-pattern', reason: error instanceof Error ? error.message : String(error) });
    return;
  }
  const names = order.glob === undefined ? undefined : namesPattern(order.glob);
  const skipped = { secret: 0, large: 0 };
  let left = order.limit;
  for (const { path, full } of files(order)) {
    if (names && !names.test(path)) continue;
    if (pattern && isSecretName(full) && full !== order.root) {
      skipped.secret++;
      continue;
    }
    const lines = pattern ? linesIn(full, pattern, { order, left, skipped }) : [];
    if (pattern && lines.length === 0) continue;
    tell({ type: 'file', path: full === order.root ? '' : path, lines });
    left -= pattern ? lines.filter(({ isMatch }) => isMatch).length : 1;
    if (left <= 0) break;
  }
  tell({ type: 'end', isCut: left <= 0, skipped });
}

function patternOf(text: string, { isLiteral, ignoresCase }: SearchOrder): RegExp {
  const source = isLiteral ? text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&') : text;
  const flags = ignoresCase ? 'i' : '';
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    // Such as `\-`, which the stricter form does not know.
    return new RegExp(source, flags);
  }
}

/** A glob without a folder is for names anywhere. */
function namesPattern(glob: string): RegExp {
  const sources = alternatives(glob.replace(/^\.?\//, '')).map(
    (one) => `${one.includes('/') ? '' : '(?:.*/)?'}${globSource(one)}`,
  );
  return new RegExp(`^(?:${sources.join('|')})$`, 's');
}

interface WalkedFile {
  /** Relative to the root of the search, with `/`. */
  readonly path: string;
  readonly full: string;
}

/** Files in the order of their names; links are not followed. */
function* files({ root, project }: SearchOrder): Iterable<WalkedFile> {
  if (statSync(root, { throwIfNoEntry: false })?.isFile()) {
    yield { path: root.split(/[/\\]/).at(-1) ?? root, full: root };
    return;
  }
  // The rules of the folders above count too, as far as the project goes.
  const above = project === undefined ? [] : rulesAbove(root, project);
  yield* below({ folder: root, path: '', above });
}

interface Folder {
  readonly folder: string;
  readonly path: string;
  readonly above: readonly IgnoreFolder[];
}

function* below({ folder, path, above }: Folder): Iterable<WalkedFile> {
  const own = rulesIn(folder);
  const rules = own.length > 0 ? [...above, { base: path, rules: own }] : above;
  for (const entry of entriesOf(folder)) {
    const within = `${path}${entry.name}`;
    const isFolder = entry.isDirectory();
    if (leftOut.has(entry.name) || isIgnored(within, isFolder, rules)) continue;
    const full = join(folder, entry.name);
    if (isFolder) yield* below({ folder: full, path: `${within}/`, above: rules });
    else if (entry.isFile()) yield { path: within, full };
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    // A folder that may not be read holds nothing that could be found.
    return [];
  }
}

const rulesIn = (folder: string) => ignoreRules(readSmall(join(folder, '.gitignore')) ?? '');

/** Rules of folders above are for paths from there: the way down to the root stands before their paths. */
function rulesAbove(root: string, project: string): readonly IgnoreFolder[] {
  const found: IgnoreFolder[] = [];
  let way = '';
  for (let at = root; at !== project && at !== dirname(at); at = dirname(at)) {
    way = `${at.split(/[/\\]/).at(-1)}/${way}`;
    const prefix = way;
    const rules = rulesIn(dirname(at)).map((rule) => ({
      ...rule,
      pattern: { test: (path: string) => rule.pattern.test(`${prefix}${path}`) },
    }));
    if (rules.length > 0) found.unshift({ base: '', rules });
  }
  return found;
}

function readSmall(path: string): string | undefined {
  try {
    return statSync(path).size > 256 * 1024 ? undefined : readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

interface InFile {
  readonly order: SearchOrder;
  readonly left: number;
  readonly skipped: { secret: number; large: number };
}

function linesIn(path: string, pattern: RegExp, { order, left, skipped }: InFile): readonly FoundLine[] {
  let bytes: Buffer;
  try {
    if (statSync(path).size > mostBytes) {
      skipped.large++;
      return [];
    }
    bytes = readFileSync(path);
  } catch {
    return [];
  }
  if (bytes.subarray(0, 8_000).includes(0)) return [];
  const lines = bytes.toString('utf8').split(/\r?\n/);
  const matches: number[] = [];
  for (const [i, line] of lines.entries()) {
    if (pattern.test(line)) matches.push(i);
    if (matches.length >= left) break;
  }
  const wanted = new Set(
    matches.flatMap((i) => Array.from({ length: order.context * 2 + 1 }, (_, k) => i - order.context + k)),
  );
  const isMatch = new Set(matches);
  return [...wanted]
    .filter((i) => i >= 0 && i < lines.length)
    .sort((a, b) => a - b)
    .map((i) => ({ line: i + 1, text: shownLine(lines[i] ?? '', pattern), isMatch: isMatch.has(i) }));
}

/** Of a long line what stands around the match. */
function shownLine(line: string, pattern: RegExp): string {
  if (line.length <= shownChars) return line;
  const at = pattern.exec(line)?.index ?? 0;
  const start = Math.max(0, at - shownChars / 3);
  const text = line.slice(start, start + shownChars).toWellFormed();
  return `${start > 0 ? '…' : ''}${text}${start + shownChars < line.length ? '…' : ''}`;
}
