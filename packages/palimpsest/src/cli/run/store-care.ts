/** `palimpsest doctor`: whether the store is whole, and what can be repaired. */
import { type ErrorCode, PalimpsestError } from '@palimpsest/core';
import {
  type CareFinding,
  type CareReport,
  type LostMessage,
  type RescueReport,
  rescueStore,
} from '@palimpsest/core/store';
import { glyph, type Screen, styled } from '../../terminal/screen.ts';
import type { Call } from '../commands/build.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import * as place from '../open-store.ts';
import { withProgress } from '../progress.ts';
import { counted, fill, firstOf, linesOf, megabytes, oneLine, shellWord, thousands, wrap } from '../render/text.ts';
import { writeResult } from '../terminal.ts';

type DoctorCall = Call<place.StoreFlags & { readonly repair?: boolean }>;

export async function runDoctor(call: DoctorCall): Promise<ExitCode> {
  const { flags, terminal } = call;
  const { path, notes } = await place.storePlace(flags, terminal);
  const { before, damage } = await look(call);
  if (damage && flags.repair) {
    const rescued = await rescue(path, damage.error);
    const reason = damage.error?.message ?? before?.findings.find(isLost)?.message ?? '';
    const json = (): object => ({ command: 'doctor', store: path, ok: false, reason, rescued });
    await writeResult(terminal, { json, notes, lines: () => rescueReport(rescued, { store: path, reason }) });
    return exitCodes.finding;
  }
  if (damage?.error) throw damage.error;
  const isRepairable = before?.findings.some(({ ok, repairable }) => !ok && repairable) ?? true;
  const after = flags.repair && isRepairable ? await check(call, 'repair') : before;
  if (!after) throw new Error('A store that was looked at has a report.');
  const wasWrong = new Set(before?.findings.flatMap(({ check, ok }) => (ok ? [] : [check])));
  const findings = after.findings.map((one) => ({ ...one, repaired: one.ok && wasWrong.has(one.check) }));
  await writeResult(terminal, {
    json: () => ({ command: 'doctor', ...after, store: path, findings }),
    notes,
    lines: (screen) => (terminal.quiet && after.ok ? [] : reportLines(after, findings, screen)),
  });
  return after.ok ? exitCodes.fine : exitCodes.finding;
}

/** What a look at the store found, without a change to it. */
interface Looked {
  /** Absent where only a repair can open it, as one of an older version, or nothing can. */
  readonly before?: CareReport;
  /** Set where rows themselves are gone, or where it cannot be opened at all. */
  readonly damage?: { readonly error?: PalimpsestError };
}

/** What a store can look like that lost its first page, its end, or everything but its log. */
const ofDamage: readonly ErrorCode[] = ['STORE_DAMAGED', 'STORE_FOREIGN', 'STORE_REPLACED'];

async function look(call: DoctorCall): Promise<Looked> {
  try {
    const before = await check(call, 'check');
    return before.findings.some((one) => one.check === 'integrity' && isLost(one))
      ? { before, damage: {} }
      : { before };
  } catch (error) {
    if (!PalimpsestError.isInstance(error)) throw error;
    if (ofDamage.includes(error.code)) return { damage: { error } };
    if (call.flags.repair && error.code === 'STORE_READ_ONLY') return {};
    throw error;
  }
}

const isLost = ({ ok, repairable }: CareFinding): boolean => !ok && !repairable;

const check = ({ flags, terminal }: DoctorCall, what: 'check' | 'repair'): Promise<CareReport> =>
  withProgress(terminal, 'checking', async (advance) => {
    const { store } = await place.openStoreFor(flags, terminal, { readOnly: what === 'check' });
    await using opened = store;
    return await opened.care[what](advance);
  });

/** What lost rows is left as it is: everything that can be read goes into a copy. */
async function rescue(path: string, error: PalimpsestError | undefined): Promise<RescueReport> {
  try {
    return await rescueStore(path, await place.freeName(`${path}.rescued`));
  } catch (failure) {
    const isNothing = PalimpsestError.isInstance(failure) && failure.code === 'STORE_DAMAGED';
    throw isNothing && error ? error : failure;
  }
}

interface DoctorFinding extends CareFinding {
  /** True for what was wrong and is right now. */
  readonly repaired: boolean;
}

const canRescue =
  'copy everything that can be read (palimpsest doctor --repair), or restore a backup (palimpsest restore FILE)';
const beyondRepair =
  'this cannot be rebuilt: restore a backup (palimpsest restore FILE), or save what can be read (palimpsest sessions export)';

function reportLines(
  { where, bytes, version, messages, sessions, ok }: CareReport,
  findings: readonly DoctorFinding[],
  screen: Screen,
): readonly string[] {
  const size = `${megabytes(bytes)}, schema ${version}`;
  const canRepair = findings.some((finding) => !finding.ok && finding.repairable);
  const isDamaged = findings.some((finding) => finding.check === 'integrity' && isLost(finding));
  const advice = isDamaged ? canRescue : canRepair ? 'to rebuild it, run: palimpsest doctor --repair' : beyondRepair;
  return linesOf(
    `${oneLine(where)}: ${counted(messages, 'message')} in ${counted(sessions, 'session')}, ${size}`,
    findings.flatMap((finding) => findingLines(finding, screen)),
    !ok && advice,
  );
}

const nameWidth = 14;

function findingLines({ check, ok, message, repaired }: DoctorFinding, screen: Screen): readonly string[] {
  const mark = ok ? glyph(screen, '✓', '+') : glyph(screen, '✗', 'x');
  const text = oneLine(repaired ? `Repaired. ${message}` : message);
  const [first = '', ...rest] = wrap(text, Math.max(20, screen.columns - nameWidth - 4));
  const style = ok ? (repaired ? 'yellow' : 'green') : 'red';
  const head = `  ${styled(mark, style, screen)} ${fill(check, nameWidth)}${first}`;
  return [head, ...rest.map((line) => ' '.repeat(nameWidth + 4) + line)];
}

// What a person reads after what was left of a damaged store was taken into a copy.

function rescueReport(
  report: RescueReport,
  { store, reason }: { readonly store: string; readonly reason: string },
): readonly string[] {
  const { path, messages, sessions, outputs, calls, memories } = report;
  const what = [
    counted(messages, 'message'),
    counted(sessions, 'session'),
    counted(outputs, 'saved output'),
    counted(calls, 'counted call'),
    counted(memories, 'remembered text'),
  ];
  return [
    oneLine(reason),
    `${oneLine(store)} was not changed; everything that can be read was copied to ${oneLine(path)}: ${what.join(', ')}`,
    ...missingLines(report),
    `palimpsest restore ${shellWord(path)} --force replaces the store with the copy, and keeps the damaged store under another name`,
  ];
}

function missingLines({ lost }: RescueReport): readonly string[] {
  const { pages, rows, messages, sessions, outputs, calls, places, memories, memoryActs } = lost;
  const counts: readonly (readonly [number, string])[] = [
    [messages.length, 'message'],
    [sessions.length, 'session'],
    [outputs.length, 'saved output'],
    [calls, 'counted call'],
    [places, 'place in views'],
    [memories, 'remembered text'],
    [memoryActs, 'act of the memory'],
  ];
  const missing = counts.flatMap(([count, name]) => (count > 0 ? [many(count, name)] : []));
  if (pages + rows === 0 && missing.length === 0) return ['no message is missing'];
  const where = linesOf(many(pages, 'page of the file'), rows > 0 && many(rows, 'row')).join(' and ');
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

/** Longer lists are no help. */
const listed = (lines: readonly string[]): readonly string[] =>
  firstOf(
    lines.map((line) => `  ${oneLine(line)}`),
    20,
    (rest) => `  … and ${rest} more: --json lists all`,
  );
