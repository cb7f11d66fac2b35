/** What `.gitignore` leaves out, as gitignore(5) of Git says it. Pure. */

export interface IgnoreRule {
  readonly pattern: Pick<RegExp, 'test'>;
  readonly isBack: boolean;
  readonly foldersOnly: boolean;
}

/** The rules of one file; they are for paths relative to its folder. */
export function ignoreRules(text: string): readonly IgnoreRule[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const rule = ruleOf(line);
    return rule ? [rule] : [];
  });
}

function ruleOf(line: string): IgnoreRule | undefined {
  if (line.length > 1_000 || line.startsWith('#')) return undefined;
  // Spaces at the end count only behind a backslash.
  let pattern = line.replace(/(?<!\\) +$/, '');
  const isBack = pattern.startsWith('!');
  if (isBack) pattern = pattern.slice(1);
  const foldersOnly = pattern.endsWith('/');
  if (foldersOnly) pattern = pattern.slice(0, -1);
  if (pattern === '') return undefined;
  const isBound = pattern.includes('/');
  const source = globSource(pattern.replace(/^\//, ''));
  try {
    return { pattern: new RegExp(`^${isBound ? '' : '(?:.*/)?'}${source}$`, 's'), isBack, foldersOnly };
  } catch {
    // A range that is none: Git matches nothing with it.
    return undefined;
  }
}

/** A pattern for names of files as a regular expression; `*` stays within a folder, `**` does not. */
export function globSource(glob: string): string {
  let source = '';
  for (let i = 0; i < glob.length; i++) {
    const sign = glob[i] ?? '';
    if (sign === '*') {
      let end = i;
      while (glob[end + 1] === '*') end++;
      const isDeep = end > i && (i === 0 || glob[i - 1] === '/') && (end + 1 === glob.length || glob[end + 1] === '/');
      if (isDeep && glob[end + 1] === '/') {
        source += '(?:[^/]+/)*';
        end++;
      } else source += isDeep ? '.*' : '[^/]*';
      i = end;
    } else if (sign === '?') source += '[^/]';
    else if (sign === '[') {
      const set = /^\[([!^]?)(\]?(?:[^\]\\]|\\.)*)\]/.exec(glob.slice(i));
      source += set
        ? `[${set[1] === '' ? '' : '^'}${(set[2] ?? '').replaceAll('[', '\\[').replace(/^\]/, '\\]')}]`
        : '\\[';
      i += set ? set[0].length - 1 : 0;
    } else if (sign === '\\' && i + 1 < glob.length) source += escaped(glob[++i] ?? '');
    else source += escaped(sign);
  }
  return source;
}

const escaped = (sign: string): string => sign.replace(/[.*+?^${}()|[\]\\/]/, '\\$&');

/** `{a,b}` of globs that people write, as several globs. */
export function alternatives(glob: string): readonly string[] {
  const found = /^(.*?)\{([^{}]*)\}(.*)$/s.exec(glob);
  if (!found) return [glob];
  const [, before = '', inner = '', after = ''] = found;
  return inner
    .split(',')
    .flatMap((one) => alternatives(`${before}${one}${after}`))
    .slice(0, 100);
}

/** A folder, and the rules that its own file has. */
export interface IgnoreFolder {
  /** Relative to where the search began, with `/` at the end; empty for that folder. */
  readonly base: string;
  readonly rules: readonly IgnoreRule[];
}

/** True for a path that the rules leave out: the last that says something counts, and the deepest folder last. */
export function isIgnored(path: string, isFolder: boolean, folders: readonly IgnoreFolder[]): boolean {
  let ignored = false;
  for (const { base, rules } of folders) {
    if (!path.startsWith(base)) continue;
    const within = path.slice(base.length);
    for (const { pattern, isBack, foldersOnly } of rules)
      if ((isFolder || !foldersOnly) && pattern.test(within)) ignored = !isBack;
  }
  return ignored;
}
