/** Misses and false alarms with what stands around them, for whoever improves the verifier. */
import { mutationClasses } from './mutations.ts';
import type { Results } from './run.ts';

/** What `--show` takes: a class of false lines, or one of the other lists. */
export const shownLists: readonly string[] = [...mutationClasses, 'alarms', 'real', 'missing', 'left', 'wordings'];

const widest = 260;
const short = (text: string): string => (text.length <= widest ? text : `${text.slice(0, widest)}…`);

/** The lines to print for a list. */
export function shown(list: string, results: Results): readonly string[] {
  switch (list) {
    case 'alarms':
    case 'real':
      return alarmsOf(results, list === 'real');
    case 'missing':
      return results.dropped
        .filter(({ isMissed, isFalselyMissed }) => !isMissed || isFalselyMissed)
        .map(
          (one) =>
            `${one.isMissed ? 'FALSELY REPORTED' : 'NOT REPORTED'} ${one.type} [${one.base}]\n  ${short(one.quote)}`,
        );
    case 'wordings':
      return missesByWording(results);
    case 'left':
      return results.verdicts
        .filter(({ isDetected, correction }) => isDetected && correction === 'left')
        .map(({ mutation, base }) => `DETECTED BUT LEFT ${mutation.class} [${base}]\n  ${short(mutation.after)}`);
    default:
      return missesOf(list, results);
  }
}

function missesOf(list: string, { verdicts }: Results): readonly string[] {
  const missed = verdicts.filter(({ mutation, isDetected }) => mutation.class === list && !isDetected);
  return missed.map(({ mutation, base }) => {
    const before = mutation.before === undefined ? [] : [`  was: ${short(mutation.before)}`];
    const what = `  ${mutation.was === undefined || mutation.was === mutation.before ? '' : `${short(mutation.was)} → `}${short(mutation.now)}`;
    return [
      `MISSED${mutation.isHard ? ' (hard)' : ''} [${base}]`,
      ...before,
      `  now: ${short(mutation.after)}`,
      what,
    ].join('\n');
  });
}

/** The templates whose false lines are missed, those that are missed most often first. */
function missesByWording({ verdicts }: Results): readonly string[] {
  const plain = verdicts.filter(({ mutation }) => mutation.wording !== undefined && !mutation.isHard);
  const groups = Map.groupBy(
    plain,
    ({ mutation, language }) => `${mutation.class} | ${language} | ${mutation.wording}`,
  );
  const counted = [...groups].map(([name, own]) => ({
    name,
    of: own.length,
    missed: own.filter(({ isDetected }) => !isDetected).length,
  }));
  return counted
    .filter(({ missed }) => missed > 0)
    .sort((a, b) => b.missed - a.missed)
    .map(({ name, missed, of }) => `${missed} of ${of} | ${name}`);
}

function alarmsOf({ bases }: Results, isReal: boolean): readonly string[] {
  return bases
    .filter(({ base }) => (base.kind === 'real') === isReal)
    .flatMap(({ base, verification }) =>
      verification.wrong.map((claim) => {
        const { type, text, line, verdict, why, refs, correction } = claim;
        const fact = base.lines[line - 1]?.facts.map((one) => `${one.type} ${one.ref}`).join(', ');
        const near = refs.length === 0 ? '' : ` ${refs.slice(0, 4).join(' ')}`;
        return [
          `ALARM ${type} ${verdict} [${base.name} line ${line}${fact ? `, ${fact}` : ''}]`,
          `  line: ${short(base.lines[line - 1]?.text ?? '')}`,
          `  claim: ${short(text)} — ${short(why)}${near}${correction === undefined ? '' : ` → ${short(correction)}`}`,
        ].join('\n');
      }),
    );
}
