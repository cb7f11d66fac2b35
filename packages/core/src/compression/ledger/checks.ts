/** Which commands check the work (tests, builds, linters, type checkers), and how each kind of check ended last. */
import { type CheckScope, covers, type Faults, isNarrow, ranNothing, scopeOf, testsIn } from './check-scope.ts';
import { effectiveCommands } from './commands.ts';
import type { Action, CheckFact, CheckKind } from './facts.ts';
import { position } from './names.ts';

/** What a command line checks, and by which of its commands. */
export interface Checking {
  readonly kinds: readonly CheckKind[];
  readonly target: string;
  /** Its commands, each by what it checks. */
  readonly commands: readonly { readonly kind: CheckKind; readonly scope: CheckScope }[];
}

/** What a command line checks; undefined where it checks nothing. Linear; never throws. */
export function checkingIn(command: string): Checking | undefined {
  const found = effectiveCommands(command).flatMap(({ words }) => {
    const kind = kindOf(words);
    return kind === undefined ? [] : [{ kind, scope: scopeOf(words), text: words.join(' ') }];
  });
  if (found.length === 0) return undefined;
  const unique = (texts: readonly string[]): string => [...new Set(texts)].join(' && ');
  const kinds = [...new Set(found.map(({ kind }) => kind))];
  return { kinds, target: unique(found.map(({ text }) => text)), commands: found };
}

function kindOf([path = '', ...args]: readonly string[]): CheckKind | undefined {
  const program = path.slice(path.lastIndexOf('/') + 1);
  if (args.some((arg) => /^(?:--help|--version|-h|--list(?:-tests)?|--init)$/.test(arg))) return undefined;
  const words = args.filter((arg) => !arg.startsWith('-'));
  if (/^(?:python[\d.]*|py)$/.test(program)) return args[0] === '-m' ? kindOf(args.slice(1)) : undefined;
  if (program === 'node' || program === 'deno') return args.includes('--test') ? 'tests' : verbKind(program, words);
  const own = programs.get(program);
  if (own !== undefined) return own;
  if (runners.has(program)) return scriptKind(words);
  // A script of the project's own: `./gradlew test`, `scripts/lint.sh`.
  return verbKind(program, words) ?? (path.includes('/') ? nameKind(program.replace(/\.\w+$/, '')) : undefined);
}

const table = (rows: readonly (readonly [CheckKind, string])[]): ReadonlyMap<string, CheckKind> =>
  new Map(rows.flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind] as const)));

/** Programs that do nothing else. */
const programs = table([
  [
    'tests',
    'jest vitest mocha ava tap pytest py.test tox nox nose2 unittest rspec phpunit ctest gotestsum cypress behave minitest karma',
  ],
  [
    'lint',
    'eslint oxlint flake8 pylint golangci-lint shellcheck rubocop stylelint ktlint swiftlint hadolint markdownlint staticcheck revive clippy-driver standard xo',
  ],
  ['types', 'tsc tsgo vue-tsc svelte-check mypy pyright basedpyright pyre flow'],
  ['build', 'webpack rollup esbuild tsup tsdown ninja xcodebuild'],
]);

/** Programs that do several things, by their verb. */
const verbs: ReadonlyMap<string, ReadonlyMap<string, CheckKind>> = new Map(
  (
    [
      [
        'go',
        [
          ['tests', 'test'],
          ['build', 'build install'],
          ['lint', 'vet'],
        ],
      ],
      [
        'cargo',
        [
          ['tests', 'test nextest t'],
          ['build', 'build b'],
          ['lint', 'clippy'],
          ['types', 'check c'],
        ],
      ],
      [
        'dotnet swift zig flutter bazel bazelisk sbt mix lein stack cabal rake dart',
        [
          ['tests', 'test'],
          ['build', 'build compile'],
          ['lint', 'analyze'],
        ],
      ],
      [
        'gradle gradlew mvn mvnw',
        [
          ['tests', 'test verify integrationTest'],
          ['build', 'build assemble package compile install'],
          ['check', 'check'],
          ['lint', 'lint'],
        ],
      ],
      [
        'deno',
        [
          ['tests', 'test'],
          ['lint', 'lint'],
          ['types', 'check'],
        ],
      ],
      [
        'playwright ng react-scripts',
        [
          ['tests', 'test'],
          ['build', 'build'],
          ['lint', 'lint'],
        ],
      ],
      [
        'vite next nuxt astro',
        [
          ['build', 'build'],
          ['lint', 'lint'],
        ],
      ],
      ['biome ruff prettier', [['lint', 'check lint ci']]],
      ['cmake', [['build', '--build']]],
    ] as const satisfies readonly (readonly [string, readonly (readonly [CheckKind, string])[]])[]
  ).flatMap(([names, rows]) => names.split(' ').map((name) => [name, table(rows)] as const)),
);

const verbKind = (program: string, words: readonly string[]): CheckKind | undefined =>
  verbs.get(program)?.get(words[0] ?? '');

/** Programs that run what a project calls by a name of its own. */
const runners: ReadonlySet<string> = new Set(
  'npm pnpm yarn bun make gmake just mise task rake turbo nx lerna moon hatch pdm composer invoke inv rush'.split(' '),
);

/** The first of the words that names a check: `npm run test:unit`, `pnpm --filter web lint`, `make check`. */
function scriptKind(words: readonly string[]): CheckKind | undefined {
  if (
    /^(?:i|install|add|ci|remove|publish|exec|dlx|create|init|info|view|ls|list|config|up|update)$/.test(words[0] ?? '')
  )
    return undefined;
  return words.slice(0, 4).flatMap((word) => nameKind(word) ?? [])[0];
}

/** Parts of names of scripts. */
const parts = table([
  ['tests', 'test tests spec specs e2e unit integration coverage'],
  ['lint', 'lint linting eslint biome vet'],
  ['types', 'types typecheck tsc typings mypy'],
  ['build', 'build compile bundle'],
  ['check', 'check checks verify validate ci'],
]);

function nameKind(name: string): CheckKind | undefined {
  if (name.includes('/')) return undefined;
  if (/type-?check|check-?types/.test(name)) return 'types';
  return name.split(/[:_.-]/).flatMap((part) => parts.get(part) ?? [])[0];
}

/** A run, and what it found at fault. */
type Run = Omit<CheckFact, 'kinds'> & { readonly faults: Faults };

/** The runs of one kind of check. */
interface Runs {
  readonly newest?: Run;
  /** One that failed, and whose faults no later run that passed looked at. */
  readonly failed?: Run;
}

/** How each kind of check ended last. */
export class Checks {
  readonly #runs = new Map<CheckKind, Runs>();

  /** Takes in a run whose outcome is known; one that does not tell makes what was known before doubtful. */
  add(checking: Checking, { ref, tool, ok, firstErrorLine = '' }: Action, output: string): void {
    const { target, commands } = checking;
    // What ran no test tells nothing of those that failed.
    const isEmpty = ok === true && ranNothing(output.slice(0, mostOutput));
    const kinds = isEmpty ? checking.kinds.filter((kind) => kind !== 'tests') : checking.kinds;
    // Compilers look at types first: what builds has passed them.
    const also: readonly CheckKind[] =
      ok && kinds.includes('build') && this.#runs.get('types')?.newest?.ok === false ? ['types'] : [];
    const files = ok === false ? faultyFiles(output) : [];
    const faults = ok === false ? faultsIn(output, files) : { files: [], tests: [] };
    for (const kind of [...kinds, ...also]) {
      const scopes = commands.filter((command) => command.kind === kind).map(({ scope }) => scope);
      const isFew = scopes.length > 0 && scopes.every(isNarrow);
      const run = { ref, tool, target, isNarrow: isFew, line: firstErrorLine, files, faults };
      const { failed } = this.#runs.get(kind) ?? {};
      this.#runs.delete(kind);
      const isOpen =
        failed && failed.target !== target && (ok ? !scopes.some((scope) => covers(scope, failed.faults)) : isFew);
      const left = isOpen && !also.includes(kind) ? { failed } : {};
      if (ok === undefined) this.#runs.set(kind, left);
      else this.#runs.set(kind, { newest: { ...run, ok }, ...(ok ? left : { failed: { ...run, ok }, ...left }) });
    }
  }

  /** The newest run of each kind; before it, where it passed, one that failed elsewhere. */
  facts(): readonly CheckFact[] {
    const all = [...this.#runs].flatMap(([kind, { newest, failed }]) => {
      const left = failed !== undefined && newest?.ok !== false ? [{ kind, run: failed }] : [];
      return [...left, ...(newest ? [{ kind, run: newest }] : [])];
    });
    const runs = Map.groupBy(all, ({ run: { ref, target } }) => `${ref} ${target}`);
    const facts = [...runs.values()].flatMap((group): CheckFact[] => {
      const run = group[0]?.run;
      if (run === undefined) return [];
      const { faults: _, ...fact } = run;
      return [{ ...fact, isNarrow: group.every((one) => one.run.isNarrow), kinds: group.map(({ kind }) => kind) }];
    });
    return facts.sort((a, b) => position(a.ref) - position(b.ref));
  }
}

const mostFiles = 6;
const mostOutput = 20_000;
/** A place in a file, as compilers, linters and test runners write it. */
const places = /(?:^|[\s("'❯])((?:\.{0,2}\/)?[\w@.+-]+(?:\/[\w@.+-]+)*\.[a-z]\w{0,5})(?::\d+|\(\d+,\d+\))/gm;
/** A file whose tests failed. */
const failedFiles = /^\s*(?:FAIL(?:ED)?|✗|✘|×|❌|❯)\s+((?:[\w@.+-]+\/)*[\w@.+-]+\.[a-z]\w{0,5})\b/gm;

/** What a run found at fault: tests by the files that hold them, where it names those. */
function faultsIn(output: string, files: readonly string[]): Faults {
  const text = output.slice(0, mostOutput);
  const named = [...new Set([...text.matchAll(failedFiles)].map(([, path = '']) => path))];
  const known = named.length > 0 ? named : files;
  // Of more there may be some that are not named.
  return { files: known.length < mostFiles ? known : [], tests: testsIn(text) };
}

/** The files in which a run found faults, those named first. */
function faultyFiles(output: string): readonly string[] {
  const text = output.slice(0, mostOutput);
  const named = [...text.matchAll(failedFiles), ...text.matchAll(places)].map(([, path = '']) => path);
  return [...new Set(named.filter((path) => !path.includes('node_modules')))].slice(0, mostFiles);
}
