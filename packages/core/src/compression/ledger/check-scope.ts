/** What part of a project a run of a check looked at, and whether that is what failed before. */

/** The part of a project that commands name; all of it where they name none. */
export interface CheckScope {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  /** Names of tests, or patterns of them. */
  readonly names: readonly string[];
  /** True for what failed last, whatever it is. */
  readonly isWhatFailed: boolean;
}

const filters = /^(?:-run|-k|-t|-g|--grep|--filter|--testNamePattern|--test-name-pattern)(?:=(.*))?$/;
const failedAgain = /^--(?:lf|last-failed|onlyFailures|only-failures|failed)$/;
const codeFile = /\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|php|cs|swift)(?:::?.*)?$/;
/** Runners whose flags mean something else. */
const makers = /^(?:g?make|just|task|rake)$/;

/** What a command names. Linear. */
export function scopeOf(words: readonly string[]): CheckScope {
  const files: string[] = [];
  const folders: string[] = [];
  const names: string[] = [];
  const [program = '', ...args] = words;
  const isCargo = program === 'cargo';
  for (const [at, word] of args.entries()) {
    const [before, after] = [args[at - 1] ?? '', args[at + 1]];
    const filter = makers.test(program) ? null : filters.exec(word);
    if (filter) names.push(filter[1] ?? after ?? '');
    else if (isCargo && word === '--test') files.push(`${after}.rs`);
    else if (word.startsWith('-') || filters.test(before) || before === '--test') continue;
    else if (codeFile.test(word)) {
      const [file = '', name] = word.split(/::?(?=\D)/, 2);
      files.push(file);
      if (name !== undefined) names.push(word.slice(word.lastIndexOf(':') + 1));
    } else if (isCargo && at === 1 && /^(?:t|test)$/.test(before)) names.push(word);
    else if (word.includes('/') && !/(?:^|\/)\.\.\.$|^\.\/?$/.test(word))
      folders.push(word.replace(/^\.\/|\/(?:\.\.\.)?$/g, ''));
  }
  return { files, folders, names, isWhatFailed: args.some((word) => failedAgain.test(word)) };
}

/** True where a run looks at named files or tests alone. */
export const isNarrow = ({ files, names }: CheckScope): boolean => files.length > 0 || names.length > 0;

/** What a run found at fault. */
export interface Faults {
  readonly files: readonly string[];
  /** Names of tests. */
  readonly tests: readonly string[];
}

/** True where a run that passed looked at everything that was at fault before. */
export function covers({ files, folders, names, isWhatFailed }: CheckScope, faults: Faults): boolean {
  if (isWhatFailed) return true;
  const isWithin = (file: string): boolean =>
    files.some((one) => endsAlike(one, file)) || folders.some((one) => file.includes(`${one}/`));
  if (names.length > 0)
    return faults.tests.length > 0 && faults.tests.every((test) => names.some((one) => matches(test, one)));
  if (files.length > 0) return faults.files.length > 0 && faults.files.every(isWithin);
  return folders.length === 0 || faults.files.every(isWithin);
}

/** Two paths of one file, one of them with fewer folders. */
const endsAlike = (one: string, other: string): boolean =>
  one === other || one.endsWith(`/${other.replace(/^\.\//, '')}`) || other.endsWith(`/${one.replace(/^\.\//, '')}`);

/** A filter is a part of a name, or parts of names with signs between them. */
const matches = (test: string, filter: string): boolean =>
  filter.split(/[\s|()^$.*'"]+|\bor\b/).some((part) => part.length > 2 && test.includes(part));

/** How runners name a test that failed. */
const failedTests =
  /^\s*--- FAIL: (\S+)|^FAILED \S+?::(\S+)|^test (\S+) \.\.\. FAILED|^\s*(?:✖|✗|✘|×|not ok \d+ -) ([^\n(]{3,120})/gm;
const mostTests = 20;

/** Names of the tests that failed; none where there may be more than are named. */
export function testsIn(output: string): readonly string[] {
  const found = [...output.matchAll(failedTests)].map((match) => (match.slice(1).find(Boolean) ?? '').trim());
  const tests = new Set(found);
  return tests.size > mostTests ? [] : [...tests];
}

/** How runners say that they found no test, and that they ran one. */
const ranNone =
  /\bno test(?:s (?:to run|ran|found)| files found)\b|\bcollected 0 items\b|\brunning 0 tests\b|^\s*0 passing\b|^(?:#|ℹ) tests 0\b/im;
const ranSome =
  /\b[1-9]\d* (?:tests? )?pass(?:ed|ing)\b|^ok\s+\S+\s+(?:[\d.]+s|\(cached\))\s*$|^\s*--- PASS|\brunning [1-9]\d* tests?\b|^(?:#|ℹ) pass [1-9]/im;

/** True for a run of tests that found none to run: it says nothing of those that failed before. */
export const ranNothing = (output: string): boolean => ranNone.test(output) && !ranSome.test(output);
