/** What a verification found, for a person: each line with its wrong words marked, why, and the messages that decide it. */
import {
  type ClaimType,
  type Message,
  type MissingFact,
  redact,
  type Verification,
  type WrongClaim,
} from '@palimpsest/core';
import { indexesOf } from '@palimpsest/core/search';
import { type CallsById, callsById } from '../message-kinds.ts';
import type { HeldSummary } from '../verify/hold.ts';
import { linesAbove } from '../verify/summary.ts';
import { quoteFrom } from './deciding-quote.ts';
import { indent, markedLine, styleOf } from './marked-line.ts';
import { glyph, type Screen, type Style, styled } from './screen.ts';
import { counted, oneLine, thousands, visible, wrap } from './text.ts';
import { clip, widthOf } from './width.ts';

export interface VerificationOptions {
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
  const claims = `${counted(wrong.length, 'claim')} ${wrong.length === 1 ? 'does' : 'do'} not hold`;
  const facts =
    missing.length === 1
      ? '1 rule or request is missing'
      : `${thousands(missing.length)} rules or requests are missing`;
  const said = [...(wrong.length > 0 ? [claims] : []), ...(missing.length > 0 ? [facts] : [])];
  return said.join(', ');
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
      return [
        '',
        ...markedLine({ number, text, claims }, shown.screen),
        ...claims.flatMap((claim) => claimLines(claim, held, shown)),
      ];
    });
}

const mostQuotes = 2;

function claimLines(claim: WrongClaim, { messages }: HeldSummary, { screen, calls }: Shown): readonly string[] {
  const { type, verdict, why, refs, correction } = claim;
  const room = screen.columns - indent.length;
  const verdictWord = styled(verdict, styleOf(verdict), screen);
  const correct = correction === undefined || why.includes(correction) ? '' : `; correct: ${oneLine(correction)}`;
  const [first = '', ...rest] = wrap(`${verdict} ${typeNames[type]}: ${oneLine(why)}${correct}`, room);
  const quotes = refs.slice(0, mostQuotes).flatMap((ref) => quoteLine(ref, { claim, messages, calls, screen }));
  const more = refs.length > mostQuotes ? [`${indent}also ${refs.slice(mostQuotes, mostQuotes + 6).join(', ')}`] : [];
  return [indent + first.replace(verdict, verdictWord), ...rest.map((line) => indent + line), ...quotes, ...more];
}

interface Quoting {
  readonly claim: WrongClaim;
  readonly messages: readonly Message[];
  readonly calls: CallsById;
  readonly screen: Screen;
}

/** `m42  node --test: "not ok 1"`. */
function quoteLine(ref: string, { claim, messages, calls, screen }: Quoting): readonly string[] {
  const message = messages[indexesOf(ref, messages.length)[0] ?? -1];
  if (!message) return [];
  const room = screen.columns - indent.length - ref.length - 2;
  const quote = quoteFrom(message, { calls, claim, room });
  return [`${indent}${styled(ref, 'cyan', screen)}  ${styled(quote, 'dim', screen)}`];
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
  // The keys of the record are the types of claims.
  const named = counts.map(
    ([type, count]) =>
      `${thousands(count)} ${count === 1 ? typeNames[type as ClaimType] : pluralOf(type as ClaimType)}`,
  );
  const unsupported = wrong.filter(({ verdict }) => verdict === 'unsupported').length;
  const list = named.length > 0 ? `: ${named.join(', ')}` : '';
  const contradicted = wrong.length - unsupported;
  return `${counted(all, 'claim')} checked${list}; ${thousands(contradicted)} contradicted, ${thousands(unsupported)} unsupported, ${thousands(missing.length)} missing`;
}
