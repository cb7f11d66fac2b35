/** `palimpsest doctor`: whether the store is whole, and what can be repaired. */
import { type ErrorCode, PalimpsestError } from '@palimpsest/core';
import {
  type CareFinding,
  type CareReport,
  type LostMessage,
  type RescueReport,
  rescueStore,
} from '@palimpsest/core/store';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { freeName, openStoreFor, type StoreFlags, type StorePlace, storePlace } from '../open-store.ts';
import { progressCount } from '../progress.ts';
import { glyph, type Screen, styled } from '../render/screen.ts';
import { counted, fill, oneLine, shellWord, thousands, wrap } from '../render/text.ts';
import { type Terminal, writeResult } from '../terminal.ts';

interface DoctorFlags extends StoreFlags {
  readonly repair?: boolean;
}

export async function runDoctor(flags: DoctorFlags, terminal: Terminal): Promise<ExitCode> {
  const { path, notes } = await storePlace(flags, terminal);
  const looked = await look(flags, terminal);
  if (flags.repair && looked.type === 'damaged') return rescue(looked, { path, notes }, { flags, terminal });
  if (looked.type === 'damaged' && looked.error) throw looked.error;
  const { before } = looked;
  const isRepairable = before?.findings.some(({ ok, repairable }) => !ok && repairable) ?? true;
  const after = flags.repair && isRepairable ? await repaired(flags, terminal) : before;
  if (!after) throw new Error('A store that was looked at has a report.');
  const findings = after.findings.map((finding) => ({ ...finding, repaired: isRepaired(finding, before) }));
  const json = (): object => ({ command: 'doctor', ...after, store: path, findings });
  const isQuiet = flags.quiet && after.ok;
  const lines = (screen: Screen): readonly string[] => (isQuiet ? [] : reportLines(after, findings, screen));
  await writeResult({ json, notes, lines }, flags, terminal);
  return after.ok ? exitCodes.fine : exitCodes.finding;
}

/** What a look at the store found, without a change to it. */
type Looked =
  /** Without a report where only a repair can open it, as one of an older version. */
  | { readonly type: 'looked'; readonly before?: CareReport }
  /** Rows themselves are gone, or it cannot be opened at all. */
  | { readonly type: 'damaged'; readonly before?: CareReport; readonly error?: PalimpsestError };

/** What a store can look like that lost its first page, its end, or everything but its log. */
const ofDamage: readonly ErrorCode[] = ['STORE_DAMAGED', 'STORE_FOREIGN', 'STORE_REPLACED'];

async function look(flags: DoctorFlags, terminal: Terminal): Promise<Looked> {
  try {
    const before = await withProgress(flags, terminal, async (onProgress) => {
      const { store } = await openStoreFor(flags, terminal, { readOnly: true });
      await using opened = store;
      return await opened.care.check(onProgress);
    });
    const isGone = before.findings.some(({ check, ok, repairable }) => check === 'integrity' && !ok && !repairable);
    return { type: isGone ? 'damaged' : 'looked', before };
  } catch (error) {
    if (!PalimpsestError.isInstance(error)) throw error;
    if (ofDamage.includes(error.code)) return { type: 'damaged', error };
    if (flags.repair && error.code === 'STORE_READ_ONLY') return { type: 'looked' };
    throw error;
  }
}

function repaired(flags: DoctorFlags, terminal: Terminal): Promise<CareReport> {
  return withProgress(flags, terminal, async (onProgress) => {
    const { store } = await openStoreFor(flags, terminal);
    await using opened = store;
    return await opened.care.repair(onProgress);
  });
}

async function withProgress<T>(
  flags: DoctorFlags,
  terminal: Terminal,
  work: (onProgress: (done: number, all: number) => void) => Promise<T>,
): Promise<T> {
  const progress = progressCount(terminal, 'checking', flags);
  try {
    return await work(progress.advance);
  } finally {
    progress.end();
  }
}

/** What lost rows is left as it is: everything that can be read goes into a copy. */
async function rescue(
  { before, error }: Extract<Looked, { type: 'damaged' }>,
  { path, notes }: StorePlace,
  { flags, terminal }: { readonly flags: DoctorFlags; readonly terminal: Terminal },
): Promise<ExitCode> {
  const reason = error?.message ?? before?.findings.find(({ ok, repairable }) => !ok && !repairable)?.message ?? '';
  const report = await rescueStore(path, await freeName(`${path}.rescued`)).catch((failure: unknown) => {
    const isNothing = PalimpsestError.isInstance(failure) && failure.code === 'STORE_DAMAGED';
    throw isNothing && error ? error : failure;
  });
  const json = (): object => ({ command: 'doctor', store: path, ok: false, reason, rescued: report });
  await writeResult({ json, notes, lines: () => rescueReport(report, { store: path, reason }) }, flags, terminal);
  return exitCodes.finding;
}

interface DoctorFinding extends CareFinding {
  /** True for what was wrong and is right now. */
  readonly repaired: boolean;
}

const isRepaired = ({ check, ok }: CareFinding, before: CareReport | undefined): boolean =>
  ok && (before?.findings.some((finding) => finding.check === check && !finding.ok) ?? false);

const canRescue =
  'copy everything that can be read (palimpsest doctor --repair), or restore a backup (palimpsest restore FILE)';

const nameWidth = 14;
const beyondRepair =
  'this cannot be rebuilt: restore a backup (palimpsest restore FILE), or save what can be read (palimpsest sessions export)';

function reportLines(
  { where, bytes, version, messages, sessions, ok }: CareReport,
  findings: readonly DoctorFinding[],
  screen: Screen,
): readonly string[] {
  const size = `${(bytes / 1e6).toFixed(1)} MB, schema ${version}`;
  const canRepair = findings.some((finding) => !finding.ok && finding.repairable);
  const isDamaged = findings.some(
    ({ check, ok: isFine, repairable }) => check === 'integrity' && !isFine && !repairable,
  );
  const advice = isDamaged ? canRescue : canRepair ? 'to rebuild it, run: palimpsest doctor --repair' : beyondRepair;
  return [
    `${oneLine(where)}: ${counted(messages, 'message')} in ${counted(sessions, 'session')}, ${size}`,
    ...findings.flatMap((finding) => findingLines(finding, screen)),
    ...(ok ? [] : [advice]),
  ];
}

function findingLines(finding: DoctorFinding, screen: Screen): readonly string[] {
  const { check, ok, message, repaired } = finding;
  const mark = ok ? glyph(screen, '✓', '+') : glyph(screen, '✗', 'x');
  const text = oneLine(repaired ? `Repaired. ${message}` : message);
  const [first = '', ...rest] = wrap(text, Math.max(20, screen.columns - nameWidth - 4));
  const style = ok ? (repaired ? 'yellow' : 'green') : 'red';
  return [
    `  ${styled(mark, style, screen)} ${fill(check, nameWidth)}${first}`,
    ...rest.map((line) => ' '.repeat(nameWidth + 4) + line),
  ];
}

// What a person reads after what was left of a damaged store was taken into a copy.

/** Longer lists are no help; `--json` has them whole. */
const mostListed = 20;

function rescueReport(
  report: RescueReport,
  { store, reason }: { readonly store: string; readonly reason: string },
): readonly string[] {
  const { path, messages, sessions, outputs, calls } = report;
  const what = [
    counted(messages, 'message'),
    counted(sessions, 'session'),
    counted(outputs, 'saved output'),
    counted(calls, 'counted call'),
  ];
  return [
    oneLine(reason),
    `${oneLine(store)} was not changed; everything that can be read was copied to ${oneLine(path)}: ${what.join(', ')}`,
    ...missingLines(report),
    `palimpsest restore ${shellWord(path)} --force replaces the store with the copy, and keeps the damaged store under another name`,
  ];
}

function missingLines({ lost }: RescueReport): readonly string[] {
  const { pages, rows, messages, sessions, outputs, calls, places } = lost;
  const counts: readonly (readonly [number, string])[] = [
    [messages.length, 'message'],
    [sessions.length, 'session'],
    [outputs.length, 'saved output'],
    [calls, 'counted call'],
    [places, 'place in views'],
  ];
  const missing = counts.flatMap(([count, name]) => (count > 0 ? [many(count, name)] : []));
  if (pages + rows === 0 && missing.length === 0) return ['no message is missing'];
  const where = [many(pages, 'page of the file'), ...(rows > 0 ? [many(rows, 'row')] : [])].join(' and ');
  const what = missing.length > 0 ? missing.join(', ') : 'no messages';
  return [
    `${where} could not be read; missing, as far as the rest shows: ${what}`,
    ...listed(messages.map(messageLine)),
    ...listed(sessions.map((id) => `session ${id}: its title and other metadata`)),
    ...listed(outputs.map((id) => `saved output ${id}`)),
  ];
}

const many = (count: number, name: string): string =>
  `${thousands(count)} ${count === 1 ? name : name.replace(/^\w+(?= of| in|$)|\w+$/, (word) => `${word}s`)}`;

const messageLine = ({ id, sessionId, position }: LostMessage): string => {
  const place = position === undefined ? '' : `, place ${position + 1}`;
  return `message ${id ?? 'with an unknown id'}${sessionId === undefined ? '' : ` of session ${sessionId}${place}`}`;
};

const listed = (lines: readonly string[]): readonly string[] => [
  ...lines.slice(0, mostListed).map((line) => `  ${oneLine(line)}`),
  ...(lines.length > mostListed ? [`  … and ${lines.length - mostListed} more: --json lists all`] : []),
];
