/** A model's summary for a person and as JSON: how far it is, who wrote it for what price, and what was put right. */
import {
  type CompressionResult,
  type LeftOutLine,
  type MissingFact,
  priceOf,
  type SummaryAttempt,
  type SummaryCallReport,
  type SummaryChange,
  type SummaryCoverage,
  type SummaryProgress,
  type SummaryReport,
} from '@palimpsest/core';
import { estimatePrice, moneyLabel, type Price, promptTokensOf } from '@palimpsest/core/usage';
import { clip, type Screen, styled } from '../../terminal/screen.ts';
import { movingLine } from '../progress.ts';
import { stderrScreen, type Terminal } from '../terminal.ts';
import { counted, linesOf, oneLine, thousands, wrap } from './text.ts';

/** The paragraph of the report; empty where no model was asked. */
export function summaryReport(result: CompressionResult, screen: Screen): readonly string[] {
  const { summary, failure } = result;
  if (!summary && !failure) return [];
  const failures = failure ? [...(failure.before ?? []), failure] : (summary?.failures ?? []);
  const calls = summary?.calls ?? failure?.calls ?? [];
  const lines = summary
    ? [
        `written by ${oneLine(summary.model)}${paidText(calls)}`,
        coverageText(summary.coverage),
        verifiedText(summary, result),
        ...failures.map(({ message }) => `earlier: ${oneLine(message)}`),
      ]
    : [
        ...failures.map(({ message }) => oneLine(message)),
        `${consequence(result)}${calls.length > 0 ? ` Calls that were answered${paidText(calls)}.` : ''}`,
      ];
  const title = failure ? styled('no summary', 'yellow', screen) : styled('summary', 'bold', screen);
  return [title, ...lines.flatMap((line) => hanging(line, screen))];
}

/** What to do is part of each failure's message; here stands what it meant. */
const consequence = ({ status }: CompressionResult): string =>
  status === 'compressed'
    ? 'The handoff was written without a model, from extracted facts, and says so.'
    : 'The conversation was not changed. Fix this and try again, or compress without a model (--no-summarizer).';

function paidText(calls: readonly SummaryCallReport[]): string {
  const read = calls.reduce(
    (all, { usage, inputTokens }) => all + ((usage && promptTokensOf(usage)) ?? inputTokens),
    0,
  );
  const written = calls.reduce((all, { outputTokens }) => all + outputTokens, 0);
  const price = priceText(totalPrice(calls.map(callPrice)));
  return `: ${thousands(read)} tokens in and ${thousands(written)} out in ${counted(calls.length, 'call')}, ${price}`;
}

function coverageText({ messages, shortened, attachments, parts, window, facts }: SummaryCoverage): string {
  const all = thousands(messages.of);
  const read = messages.read === messages.of ? `all ${all}` : `${thousands(messages.read)} of ${all}`;
  const leftOut = thousands(shortened.reduce((sum, record) => sum + record.leftOut, 0));
  const kinds = Map.groupBy(attachments, ({ what }) => what);
  const limits = linesOf(
    shortened.length > 0 &&
      `${counted(shortened.length, 'record')} shortened by ${leftOut} characters (${someRefs(shortened)})`,
    [...kinds].map(([what, list]) => `${counted(list.length, attachmentNames[what])} shown only as a placeholder`),
    parts.length > 1 && `in ${counted(parts.length, 'part')}`,
    facts === 'no room' && 'without the facts of the ledger, which did not fit',
    window.assumed && `its window is not known: ${thousands(window.tokens)} tokens assumed`,
  );
  return `read ${read} messages${limits.map((limit) => `; ${limit}`).join('')}`;
}

const attachmentNames = { image: 'image', file: 'file', base64: 'base64 text' } as const;
const mostRefs = 4;

function someRefs(list: readonly { readonly ref: string }[]): string {
  const refs = [...new Set(list.map(({ ref }) => ref))];
  return `${refs.slice(0, mostRefs).join(', ')}${refs.length > mostRefs ? ', …' : ''}`;
}

/** What the summary left out: what the ledger wrote into the handoff, and what the handoff has no room for. */
function missingIn({ verification }: SummaryReport, { handoff }: CompressionResult) {
  const held = new Set(handoff?.lines.map(({ ref }) => ref));
  const { missing } = verification;
  return { added: missing.filter(({ ref }) => held.has(ref)), leftOut: missing.filter(({ ref }) => !held.has(ref)) };
}

const actions = ['removed', 'corrected', 'masked'] as const;

function verifiedText(summary: SummaryReport, result: CompressionResult): string {
  const { changes, checked } = summary.verification;
  const { added, leftOut } = missingIn(summary, result);
  const changed = actions.flatMap((what) => {
    const count = changes.filter(({ action }) => action === what).length;
    return count > 0 ? [`${counted(count, 'line')} ${what}`] : [];
  });
  const claims = Object.values(checked).reduce((sum, count) => sum + count, 0);
  const lines = changed.length > 0 ? `${changed.join(', ')} (--explain lists them)` : 'all of them hold';
  const facts = added.length > 0 ? `; ${counted(added.length, 'missing fact')} added` : '';
  const short = leftOut.length > 0 ? `; ${counted(leftOut.length, 'missing fact')} not added: no room` : '';
  return `${counted(claims, 'claim')} checked against the record: ${lines}${facts}${short}${roomText(result)}`;
}

/** Lines that hold and that the handoff has no room for. */
function roomText({ handoff }: CompressionResult): string {
  const count = handoff?.leftOut?.filter(({ why }) => why === 'no room').length ?? 0;
  return count > 0 ? `; no room for ${counted(count, 'line')} of it` : '';
}

const hanging = (text: string, { columns }: Screen): readonly string[] =>
  wrap(text, columns - 4).map((line, at) => (at === 0 ? `  ${line}` : `    ${line}`));

/** Every change with its messages, and what the model did not see in full; for `--explain`. */
export function summaryExplanation(result: CompressionResult, screen: Screen): readonly string[] {
  const { summary } = result;
  if (!summary) return [];
  const { added, leftOut } = missingIn(summary, result);
  const changes = actions.flatMap((what) => summary.verification.changes.filter(({ action }) => action === what));
  const lines = [
    ...changes.sort((a, b) => a.line - b.line).flatMap((change) => changeLines(change, screen)),
    ...added.map((fact) => missingLine('added', fact, screen)),
    ...leftOut.map((fact) => missingLine('no room', fact, screen)),
    ...(result.handoff?.leftOut ?? []).map((line) => leftOutLine(line, screen)),
    ...unseenLines(summary, screen),
  ];
  return lines.length === 0 ? [] : [styled('changes to the summary', 'bold', screen), ...lines];
}

const width = 10;

function changeLines({ action, line, before, after, why, refs }: SummaryChange, screen: Screen): readonly string[] {
  const room = screen.columns - width - 2;
  const place = `line ${line}: `;
  const indent = ' '.repeat(width + 2);
  const reason = `${oneLine(why)}${refs.length > 0 ? ` (${refs.join(', ')})` : ''}`;
  return linesOf(
    `  ${styled(action.padEnd(width), 'yellow', screen)}${place}${clip(oneLine(before), room - place.length)}`,
    action === 'corrected' && `${indent}now: ${clip(oneLine(after), room - 5)}`,
    wrap(reason, room).map((row) => indent + styled(row, 'dim', screen)),
  );
}

function missingLine(action: string, { type, text, ref }: MissingFact, screen: Screen): string {
  const rest = clip(oneLine(text), screen.columns - width - type.length - ref.length - 8);
  return `  ${styled(action.padEnd(width), 'yellow', screen)}${type}: ${rest} (${ref})`;
}

function leftOutLine({ line, text, why }: LeftOutLine, screen: Screen): string {
  const label = why === 'no room' ? why : 'told';
  const place = `line ${line}: `;
  const rest = clip(oneLine(text), screen.columns - width - 2 - place.length);
  return `  ${styled(label.padEnd(width), 'dim', screen)}${place}${rest}`;
}

function unseenLines({ coverage }: SummaryReport, screen: Screen): readonly string[] {
  const rows = [
    ...coverage.shortened.map(
      ({ ref, label, leftOut, characters }) =>
        `${ref} ${oneLine(label)}: ${thousands(leftOut)} of ${thousands(characters)} characters left out`,
    ),
    ...coverage.attachments.map(({ ref, what }) => `${ref}: ${attachmentNames[what]}, shown only as a placeholder`),
    ...coverage.skipped.filter(({ why }) => why !== 'earlier summary').map(({ ref, why }) => `${ref}: ${why}`),
  ];
  const label = styled('not seen'.padEnd(width), 'dim', screen);
  return rows.map((row) => `  ${label}${clip(row, screen.columns - width - 2)}`);
}

// What a summary costs: expected before it is written, and as reported afterwards.

/** The price of one call: by what the provider reported, else by what we counted. */
const callPrice = ({ model, usage, inputTokens, outputTokens }: SummaryCallReport): Price =>
  usage?.inputTokens === undefined || usage.outputTokens === undefined
    ? estimatePrice(model, { inputTokens, outputTokens })
    : priceOf(model, usage);

/** The price of several together: unknown as soon as that of one is. */
function totalPrice(prices: readonly Price[]): Price {
  if (prices.some(({ status }) => status === 'unknown') || prices.length === 0) return { status: 'unknown' };
  const paid = prices.filter(({ status }) => status === 'estimated');
  if (paid.length === 0) return { status: 'included' };
  return { status: 'estimated', amount: paid.reduce((sum, { amount = 0 }) => sum + amount, 0) };
}

/** A model's first call, as far as it tells of the whole work: of `parts` that are read one by one, 1 where everything fits. */
interface ExpectedWork {
  readonly model: string;
  readonly parts: number;
  /** Tokens that one part reads, and that a summary may have. */
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** What the whole work will cost: the parts, and one call that merges them. */
function expectedPrice({ model, parts, inputTokens, outputTokens }: ExpectedWork): Price {
  const part = estimatePrice(model, { inputTokens, outputTokens });
  if (parts === 1) return part;
  const merge = estimatePrice(model, { inputTokens: parts * outputTokens, outputTokens });
  return totalPrice([...Array.from({ length: parts }, () => part), merge]);
}

/** A price in a sentence: `~$0.42`, `price unknown`, `no charge`. */
function priceText(price: Price): string {
  if (price.status === 'unknown') return 'price unknown';
  return price.status === 'included' ? 'no charge' : moneyLabel(price);
}

interface Paid {
  readonly calls: readonly (SummaryCallReport & { readonly price: Price })[];
  readonly price: Price;
}

/** The part of the JSON document about the model. */
export interface ModelDocument {
  readonly summary: (Omit<SummaryReport, 'calls'> & Paid) | null;
  readonly failure: (Omit<SummaryAttempt, 'calls'> & Paid) | null;
}

export const modelDocument = ({ summary, failure }: CompressionResult): ModelDocument => ({
  summary: summary ? { ...summary, ...paid(summary.calls) } : null,
  failure: failure ? { ...failure, ...paid(failure.calls ?? []) } : null,
});

function paid(calls: readonly SummaryCallReport[]): Paid {
  const priced = calls.map((call) => ({ ...call, price: callPrice(call) }));
  return { calls: priced, price: totalPrice(priced.map(({ price }) => price)) };
}

// What a person sees while a model writes: who reads how much for what price, and that work goes on. Never the text.

interface ProgressView {
  readonly hear: (event: SummaryProgress) => void;
  /** Removes what moves; once nothing more will come. */
  readonly end: () => void;
}

interface ProgressOptions {
  /** Tokens that a summary may have, for the expected price. */
  readonly outputTokens: number;
  /** Where a model is, where that is not its provider's own address. */
  readonly addresses: ReadonlyMap<string, string>;
}

interface Running {
  readonly model: string;
  readonly since: number;
  readonly of: number;
  begun: number;
  merging: boolean;
  characters: number;
}

/**
 * Plain lines on stderr say what begins, unless `--quiet` or `--json`; on a terminal a line below is rewritten in
 * place. What the model writes is not shown: it is neither checked nor free of credentials yet.
 */
export function summaryProgress(terminal: Terminal, { outputTokens, addresses }: ProgressOptions): ProgressView {
  const line = movingLine(terminal);
  const warning = styled('warning:', 'yellow', stderrScreen(terminal));
  let running: Running | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  const text = (): string => (running ? lineOf(running, terminal.now()) : '');
  const draw = (): void => (running ? line.draw(text()) : undefined);
  const say = (words: string): void => {
    line.erase();
    if (!terminal.quiet && !terminal.json) terminal.stderr.write(`${words}\n`);
  };
  const end = (): void => {
    line.erase();
    running = undefined;
  };
  return {
    hear(event) {
      if (event.type === 'calling') {
        const { model, of } = event;
        if (running?.model !== model) {
          say(planLine(event, { outputTokens, address: addresses.get(model) }));
          running = { model, since: terminal.now(), of, begun: 0, merging: false, characters: 0 };
        }
        if (event.purpose === 'merge') running.merging = true;
        else running.begun++;
        if (terminal.stderr.isTTY) timer ??= setInterval(draw, 1_000).unref();
        draw();
      } else if (event.type === 'text') {
        if (running) running.characters += event.text.length;
        if (running) line.show(text);
      } else if (event.type === 'failed') {
        // The last failure is told by the report, with what became of the conversation.
        const { error, next } = event;
        if (next !== undefined) say(`${warning} ${oneLine(error.message)} Asking ${askedNext(error.model, next)}.`);
        end();
      }
    },
    end: () => {
      clearInterval(timer);
      end();
    },
  };
}

const askedNext = (model: string, next: string): string =>
  next === model ? 'it again, in smaller parts' : oneLine(next);

/** `openai/gpt-5-mini writes the summary: about 41,000 tokens in 1 call, ~$0.01`. */
function planLine(
  { model, of, inputTokens }: Extract<SummaryProgress, { type: 'calling' }>,
  { outputTokens, address }: { readonly outputTokens: number; readonly address: string | undefined },
): string {
  const name = address === undefined ? oneLine(model) : `${oneLine(model)} at ${oneLine(address)}`;
  const calls = of === 1 ? '1 call' : `${of} parts and ${counted(1, 'call')} or more to merge them`;
  const price = priceText(expectedPrice({ model, parts: of, inputTokens, outputTokens }));
  return `${name} writes the summary: about ${thousands(inputTokens * of)} tokens in ${calls}, ${price}`;
}

function lineOf({ model, since, of, begun, merging, characters }: Running, now: number): string {
  const seconds = `${Math.floor((now - since) / 1_000)} s`;
  const doing = merging ? 'merges the parts' : of > 1 ? `part ${begun} of ${of}` : characters > 0 ? 'writes' : 'reads';
  const written = characters > 0 ? `, ${thousands(characters)} characters` : '';
  return `${oneLine(model)} ${doing}${written}, ${seconds}`;
}
