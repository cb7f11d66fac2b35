/** True facts as the ledger knows them: requests, actions and their outcomes, files, effects, the plan, decisions. */
import type { Action } from '../../packages/core/src/compression/ledger/facts.ts';
import type { Fact, FactType } from './lines.ts';
import type { SessionRecord } from './record.ts';

/** Facts of a record that its ledger states, in no order. */
export function ledgerFacts(record: SessionRecord): readonly Fact[] {
  return [...askFacts(record), ...runFacts(record.facts.actions), ...fileFacts(record), ...workFacts(record)];
}

const longestQuote = 220;
const longestCommand = 110;

function askFacts({ facts }: SessionRecord): readonly Fact[] {
  return facts.asks.flatMap(({ ref, text, type }) => {
    const quote = quotable(text);
    if (quote === undefined) return [];
    return [factOf(type === 'constraint' ? 'constraint' : 'request', { ref, fields: { quote } })];
  });
}

/** The words of a request as a summary would quote them: its first line, whole, up to the end of a sentence. */
export function quotable(text: string): string | undefined {
  const line =
    text
      .split('\n')
      .find((one) => one.trim() !== '')
      ?.trim() ?? '';
  const sentence = line.length <= longestQuote ? line : /^.{20,200}?[.!?。！？](?=\s|$)/su.exec(line)?.[0];
  const isText = sentence !== undefined && sentence.length >= 4 && /[\p{L}]/u.test(sentence);
  // Titles of pasted files and openings of lists are no words that a summary would quote.
  return isText && !/["“”「」『』`<>|]|^#|[:：]$/.test(sentence) ? sentence : undefined;
}

const readsAsCommand = (target: string): boolean =>
  target.length >= 4 &&
  target.length <= longestCommand &&
  /^(?!http)[a-z./~$_]/i.test(target) &&
  !/[\n`"“”…]/.test(target);

function runFacts(actions: readonly Action[]): readonly Fact[] {
  const runs = actions.filter(({ type, target }) => type === 'run' && readsAsCommand(target));
  const byTarget = Map.groupBy(runs, ({ target }) => target);
  return runs.flatMap((run) => {
    const { ref, ok, target: command, exitCode, firstErrorLine } = run;
    if (ok === undefined) return [];
    const same = byTarget.get(command) ?? [];
    // Where runs of the same command ended differently, the sentence has to say which one it means.
    const which = same.every((other) => other.ok === ok) ? {} : { needsRef: true as const };
    const facts = [factOf('run', { ref, isGood: ok, fields: { command }, ...which })];
    if (exitCode !== undefined && same.every((other) => other.exitCode === exitCode))
      facts.push(factOf('exit', { ref, fields: { command, exit: String(exitCode) } }));
    if (!ok) facts.push(factOf('outlook', { ref, fields: { command } }));
    const text = ok ? undefined : plainLine(firstErrorLine);
    if (text !== undefined) facts.push(factOf('failure', { ref, isGood: false, fields: { command, text }, ...which }));
    return facts;
  });
}

/** An error line that can stand between quotation marks; what tools print as decoration cannot. */
function plainLine(line: string | undefined): string | undefined {
  const text = line?.trim() ?? '';
  return text.length < 12 || text.length > 160 || /[`"“”…]/.test(text) || /(.)\1{5}/.test(text) ? undefined : text;
}

function fileFacts({ facts, messages }: SessionRecord): readonly Fact[] {
  return facts.files.flatMap(({ path, state, ref }, at) => {
    if (!/\.\w{1,6}$/.test(path) || /[\s`"*]/.test(path)) return [];
    const failed = facts.actions.some((action) => action.ok === false && action.target === path);
    if (failed) return [];
    // Models write most paths from the root of the repository.
    const short = messages.length % 2 === at % 2 ? tailOf(path) : path;
    const isAmbiguous = facts.files.some((other) => other.path !== path && other.path.endsWith(`/${short}`));
    return [factOf(state, { ref, fields: { path: isAmbiguous ? path : short } })];
  });
}

const tailOf = (path: string): string => path.split('/').slice(-3).join('/').replace(/^\//, '');

function workFacts({ facts }: SessionRecord): readonly Fact[] {
  const { errors, sideEffects, plan, decisions } = facts;
  const fixed = errors.flatMap(({ ref, target, line, fixed: by }) => {
    const text = plainLine(line);
    if (by === undefined || text === undefined || !readsAsCommand(target)) return [];
    return [factOf('fixed', { ref, fields: { command: target, text } })];
  });
  const effects = sideEffects.flatMap(({ ref, target, ok }) => {
    const tries = sideEffects.filter((other) => other.target === target);
    if (ok !== true || !readsAsCommand(target) || tries.some((other) => other.ok === false)) return [];
    return [factOf('effect', { ref, fields: { command: target } })];
  });
  const planned = (plan?.entries ?? []).flatMap(({ text, state }) => {
    if (state === 'active' || text.length < 6 || text.length > 120 || /[\n"“”`]/.test(text)) return [];
    return [factOf('plan', { ref: plan?.ref ?? 'm1', isGood: state === 'done', fields: { text } })];
  });
  const settled = decisions.flatMap(({ ref, by, text }) => {
    if (by !== 'agent' || text.length > longestQuote || /[\n"“”]/.test(text)) return [];
    return [factOf('decision', { ref, fields: { text } })];
  });
  return [...fixed, ...effects, ...planned, ...settled];
}

type Given = Pick<Fact, 'ref' | 'fields'> & Partial<Pick<Fact, 'isGood' | 'needsRef'>>;

export const factOf = (type: FactType, given: Given): Fact => ({ type, isGood: true, ...given });
