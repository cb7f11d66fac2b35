/** What the public entry exports, and whether each name is explained where it is declared. */
import { posix } from 'node:path';
import type { Token } from './lexer.ts';
import type { Finding, SourceFile } from './source-file.ts';

export interface PublicName {
  readonly name: string;
  /** The file that the entry takes it from, and its name there. */
  readonly from: string;
  readonly original: string;
}

/** The names that `export { a, type B as C } from '…'` lists; a star would hide what is public, so it is a finding. */
export function publicNames(entry: SourceFile): { names: readonly PublicName[]; findings: readonly Finding[] } {
  const names: PublicName[] = [];
  const findings: Finding[] = [];
  const { code } = entry;
  for (const [i, token] of code.entries()) {
    if (token.text !== 'export') continue;
    const open = code[i + 1]?.text === 'type' && code[i + 2]?.text === '{' ? i + 2 : i + 1;
    const close = code.findIndex((other, at) => at > open && other.text === '}');
    const source = code[close + 2];
    if (code[open]?.text !== '{' || code[close + 1]?.text !== 'from' || source?.type !== 'string') {
      findings.push({
        path: entry.path,
        line: token.line,
        message: 'must export by `export { names } from "./file.ts"`',
      });
      continue;
    }
    const from = posix.join(posix.dirname(entry.path), source.text.slice(1, -1));
    for (const words of split(code.slice(open + 1, close))) {
      const [original, , renamed] = words;
      if (original) names.push({ name: renamed ?? original, from, original });
    }
  }
  return { names, findings };
}

/** Public names whose declaration has no doc comment. */
export function undocumented(entry: SourceFile, files: readonly SourceFile[]): readonly Finding[] {
  return publicNames(entry).names.flatMap(({ name, from, original }) => {
    const { file, declared } = declarationIn(files, from, original);
    if (!file || !declared)
      return [{ path: entry.path, line: 1, message: `exports ${name}, which ${from} does not declare` }];
    if (declared.documented) return [];
    return [{ path: file.path, line: declared.line, message: `declares the public ${original} without a doc comment` }];
  });
}

interface Declaration {
  readonly line: number;
  readonly documented: boolean;
}

/** Where a name is declared, through the files that only hand it on. */
function declarationIn(
  files: readonly SourceFile[],
  from: string,
  name: string,
): { file?: SourceFile; declared?: Declaration } {
  const file = files.find(({ path }) => path === from);
  if (!file) return {};
  const declared = declarationOf(file, name);
  if (declared) return { file, declared };
  const handedOn = publicNames(file).names.find((exported) => exported.name === name);
  return handedOn ? declarationIn(files, handedOn.from, handedOn.original) : {};
}

const declaring: ReadonlySet<string> = new Set(['const', 'let', 'function', 'class', 'interface', 'type', 'enum']);

/** The word that declares what stands at `index`: `function` also where a `*` stands between. */
function declarator(tokens: readonly Token[], index: number): string {
  const before = tokens[index - 1]?.text ?? '';
  return before === '*' ? (tokens[index - 2]?.text ?? '') : before;
}

function declarationOf(file: SourceFile, name: string): Declaration | undefined {
  const { tokens } = file;
  for (const [i, token] of tokens.entries()) {
    if (token.text !== name || token.type !== 'word' || !declaring.has(declarator(tokens, i))) continue;
    const start = tokens.slice(0, i).findLastIndex(({ text }) => text === 'export');
    if (start < i - 4) continue;
    return { line: token.line, documented: tokens[start - 1]?.text.startsWith('/**') ?? false };
  }
  return undefined;
}

/** The words of each member of a clause, without `type`. */
function split(clause: readonly Token[]): readonly (readonly string[])[] {
  const members: string[][] = [[]];
  for (const { text, type } of clause) {
    if (text === ',') members.push([]);
    else if (type === 'word' && !(text === 'type' && members.at(-1)?.length === 0)) members.at(-1)?.push(text);
  }
  return members.filter((member) => member.length > 0);
}
