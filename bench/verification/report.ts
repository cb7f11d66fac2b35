/** The tables of the measure. */

import { claimTypes } from '../../packages/core/src/compression/verify/claims.ts';
import { table } from '../../scripts/reference/markdown.ts';
import { type Goal, goalHeadings, goalRow, mean, median, percent } from '../figures.ts';
import { droppedTypes } from './dropped.ts';
import { baseKinds, languages } from './lines.ts';
import { mutationClasses } from './mutations.ts';
import type { Results } from './run.ts';
import type { Verdict } from './score.ts';

/** What was measured, as Markdown. */
export function reportOf(results: Results): string {
  const { seed, bases, verdicts } = results;
  const counts = baseKinds.map((kind) => `${bases.filter(({ base }) => base.kind === kind).length} ${kind}`).join(', ');
  return [
    `Seed ${seed}. ${results.files} files, ${bases.length} summaries (${counts}), ${verdicts.length} false lines.`,
    table(goalHeadings, goalsOf(results).map(goalRow)),
    'Detected by class and language of the reworded summaries, in % (number of false lines); *hard*: the false words occur elsewhere in the record, or the line was written by no template:',
    detectionTable(verdicts),
    'Detected by class and kind of summary, in %, and what became of the false line in the corrected text:',
    kindTable(verdicts),
    'True lines called wrong:',
    alarmTable(results),
    'Claims of the summaries that real models wrote, and how many the verifier finds no source for in the messages before them:',
    realTable(results),
    missingText(results),
    timeText(results),
  ].join('\n\n');
}

/** Mean over the classes, so that the frequent ones do not hide the rare. */
export function meanDetection(verdicts: readonly Verdict[]): number | undefined {
  return mean(mutationClasses.map((name) => shareOf(verdicts.filter(({ mutation }) => mutation.class === name))));
}

const shareOf = (verdicts: readonly Verdict[]): number | undefined =>
  verdicts.length === 0 ? undefined : verdicts.filter(({ isDetected }) => isDetected).length / verdicts.length;

const cell = (verdicts: readonly Verdict[]): string =>
  verdicts.length === 0 ? '-' : `${percent(shareOf(verdicts))} (${verdicts.length})`;

function goalsOf({ verdicts, bases }: Results): readonly Goal[] {
  const plain = verdicts.filter(({ mutation }) => !mutation.isHard);
  const own = plain.filter(({ kind }) => kind === 'reworded');
  const inPercent = (share: number | undefined): number | undefined => (share === undefined ? undefined : 100 * share);
  const faithful = bases.filter(({ base }) => base.kind !== 'real').flatMap(linesOf);
  const alarms = faithful.filter(({ isChecked }) => isChecked);
  const falseShare = alarms.filter(({ isAlarm }) => isAlarm).length / alarms.length;
  return [
    { what: 'detected, mean over classes, all kinds', least: 90, aim: 97, figure: inPercent(meanDetection(plain)) },
    { what: 'detected, reworded alone', least: 90, aim: 97, figure: inPercent(meanDetection(own)) },
    ...languages.map((language) => ({
      what: `detected, reworded in ${language}`,
      least: 90,
      aim: 97,
      figure: inPercent(meanDetection(own.filter((one) => one.language === language))),
    })),
    {
      what: 'faithful lines with a name or figure that are let stand',
      least: 97,
      aim: 99,
      figure: 100 * (1 - falseShare),
    },
  ];
}

function detectionTable(verdicts: readonly Verdict[]): string {
  const reworded = verdicts.filter(({ kind }) => kind === 'reworded');
  const rows = mutationClasses.map((name) => {
    const own = reworded.filter(({ mutation }) => mutation.class === name);
    const plain = own.filter(({ mutation }) => !mutation.isHard);
    const byLanguage = languages.map((language) => cell(plain.filter((one) => one.language === language)));
    return [name, ...byLanguage, cell(plain), cell(own.filter(({ mutation }) => mutation.isHard))];
  });
  return table(['class', ...languages, 'all', 'hard'], rows);
}

function kindTable(verdicts: readonly Verdict[]): string {
  const rows = mutationClasses.flatMap((name) => {
    const own = verdicts.filter(({ mutation }) => mutation.class === name);
    const plain = own.filter(({ mutation }) => !mutation.isHard);
    const ofKind = (kind: string, isHard: boolean): string =>
      cell(own.filter((one) => one.kind === kind && one.mutation.isHard === isHard));
    const became = (['restored', 'gone', 'left'] as const).map((correction) =>
      percent(plain.filter((one) => one.correction === correction).length / plain.length),
    );
    const toThePoint = plain.filter(({ isToThePoint }) => isToThePoint).length / plain.length;
    const kinds = [...baseKinds.map((kind) => ofKind(kind, false)), ofKind('handoff', true), ofKind('real', true)];
    return [[name, ...kinds, percent(toThePoint), ...became]];
  });
  const hard = ['handoff, hard', 'real, hard'];
  return table(['class', ...baseKinds, ...hard, 'to the point', 'restored', 'gone', 'left'], rows);
}

/** The lines of a faithful summary that state something. */
export function linesOf({
  base,
  alarms,
}: Results['bases'][number]): readonly { isChecked: boolean; isAlarm: boolean }[] {
  return base.lines.flatMap((line, at) =>
    line.isHeading ? [] : [{ isChecked: line.atoms.length > 0 || line.facts.length > 0, isAlarm: alarms.has(at) }],
  );
}

function alarmTable({ bases, collateral }: Results): string {
  const groups = Map.groupBy(bases, ({ base }) => (base.kind === 'reworded' ? `reworded ${base.language}` : base.kind));
  const rows = [...groups].map(([name, own]) => {
    const lines = own.flatMap(linesOf);
    const checked = lines.filter(({ isChecked }) => isChecked);
    const alarms = (of: readonly { isAlarm: boolean }[]): number => of.filter(({ isAlarm }) => isAlarm).length;
    const lost = own.reduce((sum, one) => sum + one.lost.length, 0);
    return [
      name,
      `${percent(alarms(checked) / checked.length)} of ${checked.length}`,
      `${percent(alarms(lines) / lines.length)} of ${lines.length}`,
      `${lost} (${percent(lost / lines.length)})`,
    ];
  });
  const note = `In the copies with false lines, ${collateral} true lines more were called wrong than in the copies without.`;
  return `${table(['summaries', '% of lines with a name or figure', '% of all lines', 'changed or removed'], rows)}\n\n${note}`;
}

function realTable({ bases }: Results): string {
  const real = bases.filter(({ base }) => base.kind === 'real').map(({ verification }) => verification);
  const rows = claimTypes.flatMap((type) => {
    const checked = real.reduce((sum, one) => sum + (one.checked[type] ?? 0), 0);
    const wrong = real.reduce((sum, one) => sum + one.wrong.filter((claim) => claim.type === type).length, 0);
    return checked + wrong === 0 ? [] : [[type, String(checked), String(wrong), percent(wrong / checked)]];
  });
  return table(['claim', 'looked at', 'without a source', '%'], rows);
}

function missingText({ dropped }: Results): string {
  const rows = droppedTypes.map((type) => {
    const own = dropped.filter((one) => one.type === type);
    const missed = own.filter(({ isMissed }) => isMissed).length / own.length;
    const wrongly = own.filter(({ isFalselyMissed }) => isFalselyMissed).length / own.length;
    return [type, String(own.length), percent(missed), percent(wrongly)];
  });
  return table(['dropped', 'times', 'reported, %', 'reported although it stands there, %'], rows);
}

function timeText({ bases, copyMs }: Results): string {
  const times = [...bases.map(({ ms }) => ms), ...copyMs].toSorted((a, b) => a - b);
  const bytes = bases.reduce((sum, { megabytes }) => sum + megabytes, 0);
  const perMegabyte = bases.reduce((sum, { ms }) => sum + ms, 0) / bytes;
  const worst = times.at(-1) ?? 0;
  return `Time for a summary: median ${median(times).toFixed(0)} ms, worst ${worst.toFixed(0)} ms; ${perMegabyte.toFixed(0)} ms for a megabyte of record.`;
}
