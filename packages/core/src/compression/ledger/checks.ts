/** Which commands check the work (tests, builds, linters, type checkers), and how each kind of check ended last. */
import { effectiveCommands } from './commands.ts';
import type { Action, CheckFact, CheckKind } from './facts.ts';

/** What a command line checks, and by which of its commands. */
export interface Checking {
  readonly kinds: readonly CheckKind[];
  readonly target: string;
}

/** What a command line checks; undefined where it checks nothing. Linear; never throws. */
export function checkingIn(command: string): Checking | undefined {
  const found = effectiveCommands(command).flatMap(({ words }) => {
    const kind = kindOf(words);
    return kind === undefined ? [] : [{ kind, text: words.join(' ') }];
  });
  if (found.length === 0) return undefined;
  const unique = (texts: readonly string[]): string => [...new Set(texts)].join(' && ');
  return { kinds: [...new Set(found.map(({ kind }) => kind))], target: unique(found.map(({ text }) => text)) };
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

/** How each kind of check ended last. */
export class Checks {
  readonly #newest = new Map<CheckKind, Omit<CheckFact, 'kinds'>>();

  /** Takes in a run whose outcome is known; one that does not tell makes what was known before doubtful. */
  add({ kinds, target }: Checking, { ref, tool, ok, firstErrorLine = '' }: Action, output: string): void {
    // Compilers look at types first: what builds has passed them.
    const also: readonly CheckKind[] =
      ok && kinds.includes('build') && this.#newest.get('types')?.ok === false ? ['types'] : [];
    const files = ok === false ? faultyFiles(output) : [];
    const run = { ref, tool, target, isNarrow: narrowing.test(target), line: firstErrorLine, files };
    for (const kind of [...kinds, ...also]) {
      this.#newest.delete(kind);
      if (ok !== undefined) this.#newest.set(kind, { ...run, ok });
    }
  }

  facts(): readonly CheckFact[] {
    const runs = Map.groupBy(this.#newest, ([, { ref, target }]) => `${ref} ${target}`);
    return [...runs.values()].flatMap((group) => {
      const run = group[0]?.[1];
      return run === undefined ? [] : [{ ...run, kinds: group.map(([kind]) => kind) }];
    });
  }
}

/** Files, patterns, and options that choose single tests. */
const narrowing =
  /\s(?:-run|-k|-t|-g|--grep|--filter|--testNamePattern|--test-name-pattern)[\s=]|[\w*]\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|php|cs|swift)(?=[\s:'"]|$)/;

const mostFiles = 6;
const mostOutput = 20_000;
/** A place in a file, as compilers, linters and test runners write it. */
const places = /(?:^|[\s("'❯])((?:\.{0,2}\/)?[\w@.+-]+(?:\/[\w@.+-]+)*\.[a-z]\w{0,5})(?::\d+|\(\d+,\d+\))/gm;
/** A file whose tests failed. */
const failedFiles = /^\s*(?:FAIL(?:ED)?|✗|✘|×|❌|❯)\s+((?:[\w@.+-]+\/)*[\w@.+-]+\.[a-z]\w{0,5})\b/gm;

/** The files in which a run found faults, those named first. */
function faultyFiles(output: string): readonly string[] {
  const text = output.slice(0, mostOutput);
  const named = [...text.matchAll(failedFiles), ...text.matchAll(places)].map(([, path = '']) => path);
  return [...new Set(named.filter((path) => !path.includes('node_modules')))].slice(0, mostFiles);
}
