/**
 * Lines by which programs say that they failed. Every pattern looks at one line of at most 400 characters, so that
 * reading a result takes time linear in its length.
 */
import { errorNames, failedAbroad, failedSentences, failureHints, shellRefusals } from '../language/outcomes.ts';

const maxLineChars = 400;

const failedWord = `fail(?:ed|ing|ures?)?|errors?|errored|${failedAbroad}`;
/** A word that is part of a name: `0 errors.csv` counts no errors. */
const wordEnd = '(?![\\p{L}\\d_]|[.-][\\p{L}\\d])';

/** Lines that only a failed program writes: test and build summaries, crashes, refusals of a shell. */
const certain: readonly RegExp[] = [
  /^\s*(?:-{2,3}\s+)?(?:FAIL|FAILED|FAILURE|FAILURES)(?:$|[\s:!(])/,
  /\b(?:BUILD|Build|TEST|TESTS|COMPILATION|Compilation) (?:FAILED|FAILURE|failed)\b/,
  /\btest result: FAILED\b/,
  /\.{3}\s*(?:FAILED|Failed)$/,
  /^\s*(?:not ok \d+)\b/,
  /^\s*(?:npm ERR!|npm error\b|ERR_PNPM|yarn error|error Command failed\b|ELIFECYCLE| ?ELIFECYCLE\b)/,
  /^(?:g?make|ninja)(?:\[\d+\])?: \*\*\*|^ninja: build stopped/,
  /^Traceback \(most recent call last\):/,
  /^(?:panic|fatal|runtime error|Fatal Python error|FATAL EXCEPTION)\b.*[:!]/,
  /^thread '.{0,80}' (?:\(\d+\) )?panicked at/,
  /^(?:Exception in thread|Unhandled (?:exception|rejection|promise)|Uncaught\b)/i,
  /^##\[error\]/,
  /\b(?:Segmentation fault|core dumped|Out of memory: Killed|Killed: 9)\b/,
  /^\S{0,200}: (?:line \d+: )?\S{0,80}: ?(?:command )?not found$/,
  // Whatever a shell itself says, it says about a command that it could not run.
  /^-?(?:\/\S{0,40}\/)?(?:ba|z|da|k|fi)?sh: [^:]{1,200}: \S/,
  /^(?:Killed|Terminated|Aborted|Bus error|Abort trap: \d+)(?: \(core dumped\))?$/,
  /^CONFLICT \(/,
  /\bis not recognized as (?:an internal or external command|the name of a cmdlet)/,
  /^(?:command )?timed? ?out after\b|\bCommand timed out\b/i,
];

/** Lines that mostly mean failure but also occur in logs and in text about failures. */
const likely: readonly RegExp[] = [
  /^\s*❌/,
  new RegExp(
    `^[\\s│┃|]*(?:\\S{1,200}: )?(?:fatal |internal |compile |syntax |\\w{1,20} )?(?:${errorNames})(?:\\[\\w+\\]|\\(\\w+\\))?\\s?[:：]\\s*\\S`,
    'iu',
  ),
  /\bnet::ERR_[A-Z]/,
  /\(\w{0,60}(?:Error|Exception)\)$/,
  /^\s*(?:[a-z]\w*\.)*[A-Z]\w*(?:Error|Exception)(?: \[\w+\])?:(?:\s|$)/,
  /^\s*\[?(?:ERROR|FATAL|CRITICAL|SEVERE)\]?(?::|\s+\S)/,
  /^\S{1,200}:\d+:\d+:? (?:- )?(?:fatal )?error\b/i,
  /^\[[\w:.-]{1,40}\] error\b/i,
  /^\S{1,200}\(\d+,\d+\): error\b/,
  failedSentences,
  /^\s*(?:[\w./-]{1,60}: (?:\(\d+\) )?)?(?:Failed|Failure|Unable|Could not|Cannot|Can't|Invalid)\b.{0,40}\b(?:to|find|open|read|write|load|parse|resolve|connect|apply|match)\b/i,
];

/** A test that is crossed out, or a count of failures in a summary line; the count must not be zero. */
const counts: readonly RegExp[] = [
  /^\s*(?:✗|✘|✖|×)\s+\S/,
  /^[\s=\-*#ℹ✖]*(?:Tests?|Test Files|Test Suites|Suites|Specs?|Results?|Summary)?[:\s]*(?:\d+ [a-z]+[,;|.]?\s+){0,4}[1-9]\d* (?:tests? |specs? |suites? )?(?:failed|failing|failures?|errors?)\b(?! (?:handl|messag|cod|pag|log|typ|class))(?![\w.-]\w)/i,
  /^\s*Found [1-9]\d* errors?\b/,
  /^[#ℹ\s]*fail(?:ed)? [1-9]\d*$/,
  /\b(?:failures|failed|errors)\s?[=:]\s*[1-9]\d*\b/i,
  /\(([1-9]\d*) errors?, \d+ warnings?\)/,
  /^\d+ files? would be reformatted\b|\bCode style issues found\b/,
];

/** A count of failures, the number before or behind the word. */
const countOf = (count: string, words: string): RegExp =>
  new RegExp(
    `(?<![\\d.,])${count} ?(?:(?:件|个|個|개|건) ?|tests? |specs? |тест\\S* )?(?:${words})${wordEnd}|(?:${words}) ?[:：=]? ?${count}(?![.,]?\\d)`,
    'iu',
  );
const noneFailed = countOf('0', failedWord);
const someFailed = countOf('[1-9]\\d*', failedWord);
const someFailedAbroad = countOf('[1-9]\\d*', failedAbroad);

/** A summary counts what passed beside what failed; "3 Fehler behoben" counts once. */
const countsFailures = (text: string): boolean =>
  /\bpass(?:ed|ing)\b/i.test(text) ? someFailed.test(text) : /\d\D+\d/.test(text) && someFailedAbroad.test(text);

/** The closing words of test runners, checkers and builds that found nothing wrong. */
const passed: readonly RegExp[] = [
  /^[\s=\-*#ℹ✔✓]*(?:(?:Tests?|Test Files|Test Suites|Suites|Results?|Summary)?[:\s]*)?(?:\d+ [a-z]+[,;|.]?\s+){0,3}\d+ (?:tests? |specs? )?(?:passed|passing)\b/i,
  /^(?:test result: )?ok(?:\.|$|\s+\S+\s+(?:[\d.]+m?s\b|\(cached\))| \(\d+ tests?)/i,
  /^PASS(?:ED)?(?:$|\s)/,
  /\b(?:BUILD|TESTS?|Build|Compilation|Compiled) (?:SUCCE\w+|succe\w+)\b|\bAll (?:\d+ )?(?:tests|checks) (?:have )?passed\b/,
  // What git and package managers print once they are through: a commit, a branch that was pushed, what was installed.
  /^\[[\w./-]+ (?:\([\w-]+\) )?[0-9a-f]{7,40}\] \S|^\s+[0-9a-f]{7,40}\.{2,3}[0-9a-f]{7,40}\s+\S+ -> \S|^added \d+ packages?\b/,
  /^Success: no issues found\b|^No (?:errors|issues|problems) found\b|^Test Suite .{0,80} passed\b/,
];

/** How sure a line makes us that the program failed. */
export type LineEvidence = 'certain' | 'likely' | undefined;

/** What one line says about the outcome. */
export function lineEvidence(line: string): LineEvidence {
  const text = line.length > maxLineChars ? line.slice(0, maxLineChars) : line;
  if (!failureHints.test(text)) return undefined;
  if (certain.some((pattern) => pattern.test(text))) return 'certain';
  if (noneFailed.test(text) && !someFailed.test(text)) return undefined;
  if (counts.some((pattern) => pattern.test(text)) || countsFailures(text)) return 'certain';
  if (shellRefusals.test(text) || likely.some((pattern) => pattern.test(text))) return 'likely';
  return undefined;
}

/** A place in a file and what is wrong there, as compilers and checkers write it that do not say "error". */
const fault =
  /^(?:\.{0,2}\/)?[\w./@+-]{1,200}\.\w{1,8}:\d+:\d+: (?!\s*(?:warn|note|info|hint|remark|debug|required from|Warnung|avertissement|attention|advert|avvert|aviso|警告|경고|предупреждение))\S/i;

/** True for a line that names a fault at a place in a file, and not a mere warning. */
export const namesFault = (line: string): boolean => fault.test(line.slice(0, maxLineChars));

/** True for a line by which a program says that nothing failed: a summary of tests, of a check or of a build. */
export function saysPassed(line: string): boolean {
  const text = line.length > maxLineChars ? line.slice(0, maxLineChars) : line;
  if (passed.some((pattern) => pattern.test(text))) return !someFailed.test(text);
  return noneFailed.test(text) && !someFailed.test(text);
}

/** A line without the color and cursor codes of terminals, and without its end if it is very long. */
export function plainLine(line: string): string {
  const text = line.length > 2_000 ? line.slice(0, 2_000) : line;
  return text.replace(/\u001b\[[0-9;?]{0,20}[A-Za-z]/g, '').trimEnd();
}
