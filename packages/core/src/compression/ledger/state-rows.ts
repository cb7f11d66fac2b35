/** Rows of a handoff that tell how things stand: work under way, what waits for the user, failures, checks. */
import { lineBelow, quotedBelow, speakerRow, wordsOfRow } from '../handoff-rows.ts';
import type { Ref } from '../result.ts';
import { leadsIn } from './cues.ts';
import type { CheckFact, ErrorFact, LedgerFacts } from './facts.ts';
import { sentenceBreak } from './lines.ts';
import { clip, flat, type OutlineLine, position, toolName, withinRow } from './names.ts';
import { type Edit, isCommit, isShowing, type OpenMatters } from './open-matters.ts';

const lineChars = 160;
const targetChars = 60;

/** What was printed, below a row. */
const below = (line: string): string => (line ? `:${quotedBelow(clip(line, lineChars))}` : '');

/** The last two segments of a path: the folder tells files of one name apart. */
export const shortPath = (path: string): string =>
  withinRow(flat(path.split(/[\\/]/).filter(Boolean).slice(-2).join('/')));

/** A path as the agent has to write it. */
export const wholePath = (path: string): string => withinRow(flat(path));

/** Paths as a handoff of so much room (`roomIn`) shows them: whole where that costs little of it. */
export const pathsFor = (room: number): ((path: string) => string) => (room >= roomForPaths ? wholePath : shortPath);
const roomForPaths = 0.5;

/** Failures that nothing settled; of the same ones the newest. */
export function failureRows({ failures }: OpenMatters): readonly OutlineLine[] {
  const newest = new Map(failures.map((error) => [`${error.tool} ${error.line}`, error]));
  return [...newest.values()].map((error) => ({ content: 'blocked', ref: error.ref, text: failureRow(error) }));
}

/** What failed, and what was printed of it. */
export const failureRow = ({ ref, tool, target, line }: ErrorFact): string =>
  `${ref} ${toolName(tool)} ${withinRow(target, targetChars)} failed${below(line)}`;

const questionChars = 480;

/** What the user was asked last. */
export function waitingRows({ waiting }: OpenMatters): readonly OutlineLine[] {
  if (!waiting) return [];
  const { ref, text } = waiting;
  const lines = clipLines(text, questionChars).map((line) =>
    lineBelow({ ref, speaker: 'assistant', text: line }, 'noted'),
  );
  return [{ content: 'waiting', ref, text: [`${ref} waits for the user's answer:`, ...lines].join('\n') }];
}

const leftChars = 200;

/** Where so much of a sentence stands, the rest was cut. */
const toldChars = 60;

/** Points of an announced plan are many, and only what comes next has to be told whole. */
const announcedChars = 120;
const mostAnnounced = 4;

/** What is to come of a plan that was announced, then what the agent said is not done yet; each where no other row tells it. */
export function outstandingRows(
  { outstanding, announced }: LedgerFacts,
  told: readonly string[],
): readonly OutlineLine[] {
  const isUntold = ({ text }: { readonly text: string }): boolean =>
    !told.some((row) => row.includes(text.slice(0, toldChars)));
  const rows = (said: LedgerFacts['outstanding'], chars: number): readonly OutlineLine[] =>
    said.map(({ ref, text }) => ({
      content: 'remaining',
      ref,
      text: speakerRow(ref, 'assistant', clip(text, chars)),
    }));
  // The most wanted message first.
  const left = [...Map.groupBy(outstanding.filter(isUntold), ({ ref }) => ref).values()].toReversed().flat();
  return [...rows(announced.filter(isUntold).slice(0, mostAnnounced), announcedChars), ...rows(left, leftChars)];
}

/** Lines up to so many characters together, the first at least in part. */
function clipLines(text: string, most: number): readonly string[] {
  let left = most;
  return text.split('\n').flatMap((line, at) => {
    if (at > 0 && line.length > left) return [];
    const shown = clip(line.replaceAll('**', ''), left);
    left -= shown.length;
    return [shown];
  });
}

/** So many messages tell what the assistant is at, and so many files at most what it has begun. */
const mostSaid = 2;
const mostFiles = 5;
/** Of files of which no more is known than that they were changed, those before the last ones are done. */
const mostBare = 2;

/**
 * Work under way, most wanted first: what the assistant said last, checks that fail, what was changed that nothing has
 * checked, what the assistant said before.
 */
export function progressRows({ words, edits, failures }: OpenMatters, facts: LedgerFacts): readonly OutlineLine[] {
  const [last, ...before] = words
    .slice(-mostSaid)
    .toReversed()
    .map(({ ref, text }) => underWay(ref, speakerRow(ref, 'assistant', lastSentences(text))));
  // The same words again tell nothing new.
  const earlier = before.filter(({ text }) => !wordsOfRow(last?.text ?? '').includes(wordsOfRow(text)));
  const failing = facts.checks.filter((check) => isUnderWay(check, facts));
  return [
    ...(last ? [last] : []),
    ...lastStep({ words, edits, failures }, facts),
    ...failing.toReversed().map((check) => underWay(check.ref, checkRow(check, facts))),
    ...edits
      .slice(-mostFiles)
      .toReversed()
      .filter((edit, at) => at < mostBare || notesOf(edit, facts).length > 0)
      .map((edit) => underWay(edit.last, editRow(edit, facts))),
    ...(saysLittle(words) && !edits.some((edit) => position(edit.last) > position(last?.ref ?? 'm0')) ? earlier : []),
  ];
}

/** The last call that did something, where the agent has not said what it was for and no other row tells it. */
function lastStep(
  { words, edits, failures }: Pick<OpenMatters, 'words' | 'edits' | 'failures'>,
  facts: LedgerFacts,
): readonly OutlineLine[] {
  const action = facts.actions.at(-1);
  const isDoing = action?.type === 'run' && !isShowing.test(action.target);
  const newest = words.at(-1);
  if (!action || !isDoing || newest === undefined || position(action.ref) <= position(newest.ref)) return [];
  const told = [...failures, ...facts.checks, ...facts.sideEffects].map(({ ref }) => ref);
  if (told.includes(action.ref) || edits.some(({ last }) => last === action.ref)) return [];
  const row = `${action.ref} ${toolName(action.tool)} ${withinRow(action.target, targetChars)}: the last step`;
  return [underWay(action.ref, row)];
}

/** Longer words say what the agent is at: those before them are done. */
const littleChars = 50;
const saysLittle = (words: OpenMatters['words']): boolean => (words.at(-1)?.text.length ?? 0) < littleChars;

const underWay = (ref: Ref, text: string): OutlineLine => ({ content: 'progress', ref, text });

const saidChars = 260;

/** Stands for code and tables. */
const leftOut = '\u0000';

/** The last sentences of a text that fit together. */
function lastSentences(text: string): string {
  const prose = text
    .replace(/```[\s\S]*?(?:```|$)|^\s*\|.*$/gm, leftOut)
    .replace(/^#+ /gm, ' ')
    .replaceAll('**', '');
  const all = prose.split('\n').flatMap((line) => line.split(sentenceBreak));
  const said = all.map((sentence) => (sentence === leftOut ? sentence : flat(sentence))).filter(Boolean);
  // What leads to code or a table tells nothing without it.
  const sentences = said.filter((one, at) => one !== leftOut && !(said[at + 1] === leftOut && leadsIn(one)));
  let shown = '';
  for (const sentence of sentences.toReversed()) {
    const more = shown === '' ? sentence : /[。！？]$/.test(sentence) ? sentence + shown : `${sentence} ${shown}`;
    if (more.length > saidChars) break;
    shown = more;
  }
  return shown || clip(sentences.at(-1) ?? '', saidChars);
}

const isText = /\.(?:mdx?|rst|txt|adoc|org)$/i;

/** `m28-m32 changed cli/ferry.go, no check since: AnchorDepth findMooring` */
function editRow(edit: Edit, facts: LedgerFacts): string {
  const { path, first, last, state, names } = edit;
  const brought = names.length > 0 ? `: ${withinRow(names.join(' '))}` : '';
  const span = first === last ? last : `${first}-${last}`;
  return [`${span} ${state} ${shortPath(path)}`, ...notesOf(edit, facts)].join(', ') + brought;
}

/** What is known to be missing of a change. */
const notesOf = ({ path, last }: Edit, { checks, sideEffects }: LedgerFacts): readonly string[] => [
  ...(checks.length > 0 && !isText.test(path) ? ['no check since'] : []),
  // Only where the agent commits its work.
  ...(isLeftUncommitted(last, sideEffects) ? ['not committed'] : []),
];

function isLeftUncommitted(since: string, effects: LedgerFacts['sideEffects']): boolean {
  const commits = effects.filter(({ target, ok }) => ok !== false && isCommit.test(target));
  const last = commits.at(-1);
  return last !== undefined && Number(last.ref.slice(1)) < Number(since.slice(1));
}

/** How each kind of check ended last, but for what is under way. */
export const checkRows = (facts: LedgerFacts): readonly OutlineLine[] =>
  facts.checks
    .filter((check) => !isUnderWay(check, facts))
    .map((check) => ({ content: 'checks', ref: check.ref, text: checkRow(check, facts) }));

/** So many turns may end without anybody coming back to it. */
const mostRounds = 1;

/** A check that fails is under way until a newer run passes, or turns have ended since; one of a few files for its turn. */
function isUnderWay({ ok, ref, isNarrow }: CheckFact, { asks }: LedgerFacts): boolean {
  const ends = asks.filter(({ answer }) => answer?.text && position(answer.ref) > position(ref));
  return !ok && ends.length <= (isNarrow ? 0 : mostRounds);
}

function checkRow({ ref, tool, target, ok, line, files }: CheckFact, facts: LedgerFacts): string {
  const run = `${ref} ${toolName(tool)} ${withinRow(target, targetChars)}`;
  const isOld = facts.files.some(({ state, ref: last }) => state !== 'read' && position(last) > position(ref));
  if (ok) return `${run}: passed${isOld ? ', files changed since' : ''}`;
  const where = files.length > 0 ? ` in ${withinRow(flat(files.map(shortPath).join(', ')))}` : '';
  return `${run} failed${where}${below(line)}`;
}
