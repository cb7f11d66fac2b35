/** What a verification found, for a person: each line with its wrong words marked, why, and the messages that decide it. */
import {
  type ClaimType,
  type Message,
  type MissingFact,
  redact,
  type Verification,
  type WrongClaim,
} from '@palimpsest/core';
import { outcomeOf } from '@palimpsest/core/engine';
import { messageText, readableText, redactedMessage, toolResults } from '@palimpsest/core/formats';
import { indexesOf } from '@palimpsest/core/search';
import { clip, glyph, type Screen, type Style, styled, widthOf } from '../../terminal/screen.ts';
import { visible } from '../../terminal/visible.ts';
import { type CallsById, callsById, kindOf, kindTitles, previewOf } from '../message-kinds.ts';
import { type HeldSummary, linesAbove } from '../verify-summaries.ts';
import { counted, linesOf, oneLine, thousands, wrap } from './text.ts';

interface VerificationOptions {
  readonly screen: Screen;
  /** What was read as the transcript, such as a file name. */
  readonly title: string;
}

/** One section a summary; of several, a closing line counts those that hold. */
export function verificationReport(held: readonly HeldSummary[], options: VerificationOptions): readonly string[] {
  const sections = held.flatMap((one, at) => [...(at > 0 ? [''] : []), ...section(one, options)]);
  if (held.length < 2) return sections;
  const holding = held.filter(({ verification }) => verification.holds).length;
  return [...sections, '', `${thousands(holding)} of ${thousands(held.length)} summaries hold`];
}

function section(held: HeldSummary, { screen, title }: VerificationOptions): readonly string[] {
  const { summary, verification, messages, ref } = held;
  const name = ref === undefined ? oneLine(summary.title) : `the summary in ${ref} of ${oneLine(title)}`;
  const against = ref === undefined ? ` of ${oneLine(title)}` : ' before it';
  const calls = callsById(messages);
  return [
    ...headline(name, verification, screen),
    ...wrap(`checked against the ${counted(messages.length, 'message')}${against}`, screen.columns).map((line) =>
      styled(line, 'dim', screen),
    ),
    ...wrongLines(held, { screen, calls }),
    ...missingLines(verification.missing, screen),
    '',
    ...wrap(countsText(verification), screen.columns - 2).map((line) => `  ${styled(line, 'dim', screen)}`),
  ];
}

/** On one line where that fits. */
function headline(name: string, verification: Verification, screen: Screen): readonly string[] {
  const text = verdictText(verification);
  const verdict = wrap(text, screen.columns - 2).map((line) => styled(line, verdictStyle(verification), screen));
  const fits = widthOf(`${name}: ${text}`) <= screen.columns;
  const title = `${styled(name, 'bold', screen)}:`;
  return fits ? [`${title} ${verdict[0] ?? ''}`] : [title, ...verdict.map((line) => `  ${line}`)];
}

const verdictStyle = ({ holds, wrong }: Verification): Style => (holds ? 'green' : wrong.length > 0 ? 'red' : 'yellow');

function verdictText({ holds, wrong, missing }: Verification): string {
  if (holds) return 'it holds';
  const many = `${thousands(missing.length)} rules or requests are missing`;
  return linesOf(
    wrong.length > 0 && `${counted(wrong.length, 'claim')} ${wrong.length === 1 ? 'does' : 'do'} not hold`,
    missing.length > 0 && (missing.length === 1 ? '1 rule or request is missing' : many),
  ).join(', ');
}

interface Shown {
  readonly screen: Screen;
  readonly calls: CallsById;
}

function wrongLines(held: HeldSummary, shown: Shown): readonly string[] {
  const { summary, verification } = held;
  const above = linesAbove(summary);
  const lines = redact(summary.body).split('\n');
  const byLine = Map.groupBy(verification.wrong, ({ line }) => line);
  return [...byLine]
    .sort(([a], [b]) => a - b)
    .flatMap(([number, claims]) => {
      const text = visible((lines[number - above - 1] ?? '').replaceAll('\t', ' ')).trimEnd();
      const reasons = claims.flatMap((claim) => claimLines(claim, held, shown));
      return ['', ...markedLine({ number, text, claims }, shown.screen), ...reasons];
    });
}

const mostQuotes = 2;

function claimLines(claim: WrongClaim, { messages }: HeldSummary, { screen, calls }: Shown): readonly string[] {
  const { type, verdict, why, refs, correction } = claim;
  const room = screen.columns - indent.length;
  const correct = correction === undefined || why.includes(correction) ? '' : `; correct: ${oneLine(correction)}`;
  const [first = '', ...rest] = wrap(`${verdict} ${typeNames[type]}: ${oneLine(why)}${correct}`, room);
  /** `m42  node --test: "not ok 1"`. */
  const quotes = refs.slice(0, mostQuotes).map((ref) => {
    const message = messages[indexesOf(ref, messages.length)[0] ?? -1];
    const quote = message && quoteFrom(message, { calls, claim, room: room - ref.length - 2 });
    return quote !== undefined && `${indent}${styled(ref, 'cyan', screen)}  ${styled(quote, 'dim', screen)}`;
  });
  return linesOf(
    indent + first.replace(verdict, styled(verdict, styleOf(verdict), screen)),
    rest.map((line) => indent + line),
    ...quotes,
    refs.length > mostQuotes && `${indent}also ${refs.slice(mostQuotes, mostQuotes + 6).join(', ')}`,
  );
}

/** The noun of a type, for one. */
const typeNames: Readonly<Record<ClaimType, string>> = {
  quote: 'quotation',
  request: 'request of the user',
  path: 'path',
  identifier: 'identifier',
  version: 'version',
  number: 'number',
  id: 'id',
  url: 'URL',
  status: 'status',
  instruction: 'instruction',
  secret: 'credential',
};

const pluralOf = (type: ClaimType): string => {
  const name = typeNames[type];
  if (type === 'request') return 'requests of the user';
  return /s$/.test(name) ? `${name}es` : `${name}s`;
};

function missingLines(missing: readonly MissingFact[], screen: Screen): readonly string[] {
  if (missing.length === 0) return [];
  const rows = missing.map(({ type, text, ref }) => {
    const label = (type === 'constraint' ? 'rule' : type).padEnd(9);
    const room = screen.columns - 2 - label.length - ref.length - 3;
    // The line of the ledger names its message already.
    const words = oneLine(text).replace(new RegExp(`^${ref} (?:user: )?`), '');
    return `  ${styled(label, 'yellow', screen)}${clip(words, room, glyph(screen, '…', '~'))}  ${styled(ref, 'cyan', screen)}`;
  });
  return ['', styled('missing', 'bold', screen), ...rows];
}

function countsText({ checked, wrong, missing }: Verification): string {
  const counts = Object.entries(checked).toSorted(([, a], [, b]) => b - a);
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  const named = counts.map(([key, count]) => {
    // The keys of the record are the types of claims.
    const type = key as ClaimType;
    return `${thousands(count)} ${count === 1 ? typeNames[type] : pluralOf(type)}`;
  });
  const unsupported = wrong.filter(({ verdict }) => verdict === 'unsupported').length;
  const list = named.length > 0 ? `: ${named.join(', ')}` : '';
  const contradicted = wrong.length - unsupported;
  return `${counted(all, 'claim')} checked${list}; ${thousands(contradicted)} contradicted, ${thousands(unsupported)} unsupported, ${thousands(missing.length)} missing`;
}

// A short quotation from the message that decides a claim: the line of it that says most about the claim.

interface QuoteOptions {
  readonly calls: CallsById;
  readonly claim: WrongClaim;
  readonly room: number;
}

/** More of a message than this is not looked at. */
const mostChars = 200_000;

/** `bash node --test: "# fail 1"`; what the message is about, and its line nearest to the claim. */
function quoteFrom(original: Message, { calls, claim, room }: QuoteOptions): string {
  const message = redactedMessage(original);
  const text = messageText(message).trim() || readableText(message);
  const about = `${claim.correction ?? ''} ${claim.text} ${claim.why}`;
  const failure = claim.type === 'status' ? failureIn(message, calls) : undefined;
  const line = oneLine(failure ?? nearestLine(text.slice(0, mostChars), wordsIn(about)));
  const who =
    toolResults(message).length > 0
      ? clip(previewOf(message, calls), Math.floor(room / 2))
      : kindTitles[kindOf(message)];
  const left = room - who.length - 4;
  return left < 8 || line === '' ? clip(who, room) : `${who}: "${clip(line, left)}"`;
}

/** What a person would look at first in the result of a call that failed. */
function failureIn(message: Message, calls: CallsById): string | undefined {
  const [result] = toolResults(message);
  return result && outcomeOf(calls.get(result.callId), result).firstErrorLine;
}

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(
    (text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_./-]*[\p{L}\p{N}]|[\p{L}\p{N}]/gu) ?? []).filter(
      (word) => word.length > 1 || /\p{N}|\p{Lo}/u.test(word),
    ),
  );
}

function nearestLine(text: string, wanted: ReadonlySet<string>): string {
  let best = '';
  let most = -1;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    let shared = 0;
    for (const word of wordsIn(line)) if (wanted.has(word)) shared += 1 + Math.min(word.length, 12) / 12;
    if (shared <= most) continue;
    most = shared;
    best = line;
  }
  return best;
}

// A line of a summary with the words in it that are wrong: coloured, or with carets below where there are no colours.

/** What stands below the line begins where its text does. */
const indent: string = ' '.repeat(11);

interface Marked {
  readonly number: number;
  readonly text: string;
  readonly claims: readonly WrongClaim[];
}

/** As much of the line as fits, around its first wrong word. */
function markedLine({ number, text, claims }: Marked, screen: Screen): readonly string[] {
  const spans = spansOf(text, claims);
  const room = screen.columns - indent.length;
  const from = widthOf(text) <= room ? 0 : Math.max(0, (spans[0]?.start ?? 0) - Math.floor(room / 3));
  const lead = from === 0 ? '' : glyph(screen, '…', '~');
  const part = lead + clip(text.slice(from), room - lead.length, glyph(screen, '…', '~'));
  const shift = lead.length - from;
  const inside = spans
    .map(({ start, end, style }) => ({ start: start + shift, end: Math.min(end + shift, part.length), style }))
    .filter(({ start, end }) => start >= 0 && start < end);
  const label = `line ${number}`.padEnd(indent.length - 1);
  const line = `${styled(label, 'bold', screen)} ${coloured(part, inside, screen)}`.trimEnd();
  return screen.colour || inside.length === 0 ? [line] : [line, indent + caretsUnder(part, inside)];
}

interface WordSpan {
  readonly start: number;
  readonly end: number;
  readonly style: Style;
}

/** Where the wrong words stand, in order and without overlaps. */
function spansOf(text: string, claims: readonly WrongClaim[]): readonly WordSpan[] {
  const found = claims
    .flatMap(({ text: words, verdict }) => {
      const start = words === '' ? -1 : text.indexOf(words);
      return start < 0 ? [] : [{ start, end: start + words.length, style: styleOf(verdict) }];
    })
    .sort((a, b) => a.start - b.start || b.end - a.end);
  return found.filter((span, at) => at === 0 || span.start >= Math.max(...found.slice(0, at).map(({ end }) => end)));
}

/** How a verdict is coloured. */
const styleOf = (verdict: WrongClaim['verdict']): Style => (verdict === 'contradicted' ? 'red' : 'yellow');

function coloured(text: string, spans: readonly WordSpan[], screen: Screen): string {
  let shown = '';
  let done = 0;
  for (const { start, end, style } of spans) {
    shown += text.slice(done, start) + styled(text.slice(start, end), style, screen);
    done = end;
  }
  return shown + text.slice(done);
}

function caretsUnder(text: string, spans: readonly WordSpan[]): string {
  let row = '';
  for (const { start, end } of spans) {
    row += ' '.repeat(Math.max(0, widthOf(text.slice(0, start)) - row.length));
    row += '^'.repeat(Math.max(1, widthOf(text.slice(start, end))));
  }
  return row;
}
