/** The tables of the chains. */
import { mean, percent } from '../figures.ts';
import { type FactType, factTypes } from './first-facts.ts';
import { type ChainResult, type ChainType, chainTypes, type PassCount } from './run.ts';

const names: Readonly<Record<ChainType, string>> = {
  verified: 'model, verified and completed by the ledger',
  unverified: 'model alone, as it writes',
  ledger: 'ledger alone',
};

/** Share of first facts, in percent, that a chain is to keep to its end. */
const goal = 95;

/** The passes that tables show. */
const shownPasses = (passes: number): readonly number[] =>
  [1, 5, 10, 20].filter((pass) => pass < passes).concat(passes);

/** Facts of several sessions counted together. */
interface Tally {
  readonly facts: number;
  readonly alive: number;
}

function tallyOf(passes: readonly PassCount[], type?: FactType): Tally {
  const facts = passes.flatMap((pass) => pass.facts.filter(({ fact }) => type === undefined || fact.type === type));
  return { facts: facts.length, alive: facts.filter(({ alive }) => alive).length };
}

/** Every session counts the same, however much was said in it. */
const shareKept = (passes: readonly PassCount[]): number | undefined =>
  mean(passes.map((pass) => tallyOf([pass])).map(({ facts, alive }) => (facts === 0 ? undefined : alive / facts)));

const shareOf = ({ facts, alive }: Tally): string => (facts === 0 ? '-' : percent(alive / facts));

export function reportOf(results: readonly ChainResult[], passes: number): string {
  return [keptTable(results, passes), typeTable(results, passes), verdictOf(results, passes)].join('\n\n');
}

const passOf = (results: readonly ChainResult[], type: ChainType, pass: number): readonly PassCount[] =>
  results.filter((one) => one.type === type).flatMap((one) => one.passes[pass - 1] ?? []);

function keptTable(results: readonly ChainResult[], passes: number): string {
  const shown = shownPasses(passes);
  const rows = chainTypes.map((type) => {
    const last = passOf(results, type, passes);
    const planted = sum(last.map((pass) => pass.planted));
    const lies = sum(last.map(({ aliveLies }) => aliveLies.length));
    return [
      names[type],
      ...shown.map((pass) => percent(shareKept(passOf(results, type, pass)))),
      type === 'ledger' ? '-' : `${lies} of ${planted}`,
    ];
  });
  const headings = [
    'still true and present, %',
    ...shown.map((pass) => `pass ${pass}`),
    'false statements alive at the end',
  ];
  return table(headings, rows);
}

function typeTable(results: readonly ChainResult[], passes: number): string {
  const rows = factTypes.map((type) => {
    const tallies = chainTypes.map((chain) => tallyOf(passOf(results, chain, passes), type));
    return [type, String(tallies[0]?.facts ?? 0), ...tallies.map(shareOf)];
  });
  return table([`after pass ${passes}`, 'facts', ...chainTypes], rows);
}

function verdictOf(results: readonly ChainResult[], passes: number): string {
  const share = percent(shareKept(passOf(results, 'verified', passes)));
  const reached = Number(share) >= goal ? 'reached' : 'MISSED';
  return `At least ${goal} % of what the first pass knew is to be true and present after ${passes}: ${share} %, ${reached}.`;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

const table = (headings: readonly string[], rows: readonly (readonly string[])[]): string =>
  [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** False lines that stand in a chain's last context. */
export const liveLies = ({ session, type, passes }: ChainResult): readonly string[] =>
  (passes.at(-1)?.aliveLies ?? []).map(
    ({ name, words, before }) =>
      `${session} ${type} ${name}: ${words}${before ? ` (was: ${before.trim().slice(0, 160)})` : ''}`,
  );

/** What a chain has lost, and since which pass: a line each, for a person who looks for the reason. */
export function lostLines({ session, type, passes }: ChainResult): readonly string[] {
  const last = passes.at(-1);
  return (last?.facts ?? []).flatMap(({ fact, alive }) => {
    if (alive) return [];
    const isLost = (pass: PassCount): boolean => pass.facts.some((one) => one.fact === fact && !one.alive);
    const held = passes.findLast((pass) => !isLost(pass))?.pass ?? 0;
    return [
      `${session} ${type} ${fact.type} ${fact.ref} held to pass ${held}: ${fact.text.replace(/\s+/g, ' ').slice(0, 140)}`,
    ];
  });
}
