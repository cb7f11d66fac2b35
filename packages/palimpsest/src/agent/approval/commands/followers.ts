/** What may stand behind the words of a rule: a rule for `npm test` is none for `npm test -- --import ./other.js`. */
import type { Project } from '../project.ts';
import type { ShellWord } from '../shell/read-command.ts';

/** Options that neither run nor load nor write anything, whatever the program is. */
const harmless: ReadonlySet<string> = new Set(
  (
    '-- -v -q -s -x --verbose --quiet --silent --coverage --bail --run --color --no-color --watch=false --no-watch --ci --release --locked ' +
    '--offline --all-features --workspace --workspaces --if-present --all-targets --lib --tests --noEmit --no-emit --pretty --stat --short ' +
    '--all --only --exitfirst --lf --last-failed --no-header --tb=short --tb=long --tb=no -short -race -v=true --dry-run --passWithNoTests'
  ).split(' '),
);

/** Options that are followed by any text. */
const withText: ReadonlySet<string> = new Set(
  '-k -t --grep --filter --testNamePattern --test-name-pattern -run -w'.split(' '),
);

/** The same for single commands; `git commit` takes any text as its message. */
const own: Readonly<Record<string, { readonly harmless?: string; readonly withText?: string }>> = {
  'git commit': { harmless: '-a --all --amend --no-edit --allow-empty --signoff -s', withText: '-m -am --message' },
  'git add': { harmless: '-A -u --all --update -n -N --intent-to-add' },
};

interface Rule {
  /** The words of the rule. */
  readonly words: readonly string[];
  readonly folder: string;
  readonly project: Project;
}

/** True for plain words, paths that stay in the project and are no secrets, and harmless options. */
export function isPlainFollower(words: readonly ShellWord[], rule: Rule): boolean {
  const known = own[rule.words.join(' ')];
  const flags = new Set(known?.harmless?.split(' '));
  const texts = new Set(known?.withText?.split(' '));
  for (let i = 0; i < words.length; i++) {
    const text = words[i]?.text ?? '';
    if (texts.has(text)) i++;
    // A program that takes no text there takes the next word for itself.
    else if (withText.has(text)) {
      if (!/^(?![-~/])(?!.*\.\.).+$/s.test(words[++i]?.text ?? '')) return false;
    } else if (text.startsWith('-')) {
      if (!flags.has(text) && !harmless.has(text) && !/^-[jnU]?\d{1,4}$/.test(text)) return false;
    } else if (!isPlainWord(text, rule)) return false;
  }
  return true;
}

function isPlainWord(text: string, { folder, project }: Rule): boolean {
  if (!/^[\p{L}\p{N}_@%+.,:/*?[\]#^-]+$/u.test(text) || /\w:\/\//.test(text) || /^(?:data|file|ext):/i.test(text))
    return false;
  // What follows a link upwards leads elsewhere than it reads.
  if (/[^./]\/(?:.*\/)?\.\.(?:\/|$)/.test(text)) return false;
  const place = project.look(text, folder);
  return place.isInside && !place.isSecret;
}
