/** `palimpsest doctor`: whether the store is whole, and what can be repaired. */
import type { CareFinding, CareReport } from '../../store/store-care.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { openStoreFor, type StoreFlags } from '../open-store.ts';
import { progressCount } from '../progress.ts';
import { glyph, type Screen, styled } from '../render/screen.ts';
import { counted, fill, oneLine, wrap } from '../render/text.ts';
import { stdoutScreen, type Terminal, writeJson, writeNotes, writeReport } from '../terminal.ts';

export interface DoctorFlags extends StoreFlags {
  readonly repair?: boolean;
  readonly json?: boolean;
}

export async function runDoctor(flags: DoctorFlags, terminal: Terminal): Promise<ExitCode> {
  const repairs = flags.repair ?? false;
  const opened = await openStoreFor(flags, terminal, { mustExist: true, readOnly: !repairs });
  await using store = opened.store;
  const progress = progressCount(terminal, 'checking', flags);
  const before = await store.care.check(progress.advance);
  const wasRepaired = repairs && before.findings.some(({ ok, repairable }) => !ok && repairable);
  const after = wasRepaired ? await store.care.repair(progress.advance) : before;
  progress.end();
  const findings = after.findings.map((finding) => ({ ...finding, repaired: isRepaired(finding, before) }));
  if (flags.json) {
    await writeJson(terminal.stdout, {
      command: 'doctor',
      ...after,
      store: opened.path,
      findings,
      notes: opened.notes,
    });
  } else {
    await writeNotes(terminal, opened.notes, flags);
    const isQuiet = flags.quiet && after.ok;
    if (!isQuiet) await writeReport(terminal, reportLines(after, findings, stdoutScreen(terminal, flags)), flags);
  }
  return after.ok ? exitCodes.fine : exitCodes.finding;
}

interface DoctorFinding extends CareFinding {
  /** True for what was wrong and is right now. */
  readonly repaired: boolean;
}

const isRepaired = ({ check, ok }: CareFinding, before: CareReport): boolean =>
  ok && before.findings.some((finding) => finding.check === check && !finding.ok);

const nameWidth = 14;
const beyondRepair =
  'the rest cannot be rebuilt: restore a backup (palimpsest restore FILE), or save what can be read (palimpsest sessions export)';

function reportLines(
  { where, bytes, version, messages, sessions, ok }: CareReport,
  findings: readonly DoctorFinding[],
  screen: Screen,
): readonly string[] {
  const size = `${(bytes / 1e6).toFixed(1)} MB, schema ${version}`;
  const canRepair = findings.some((finding) => !finding.ok && finding.repairable);
  return [
    `${oneLine(where)}: ${counted(messages, 'message')} in ${counted(sessions, 'session')}, ${size}`,
    ...findings.flatMap((finding) => findingLines(finding, screen)),
    ...(ok ? [] : [canRepair ? 'palimpsest doctor --repair rebuilds what can be rebuilt' : beyondRepair]),
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
