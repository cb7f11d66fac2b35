/** What the model does for each request of Monday. */
import type { Mind, Plan, Steps } from './mind.ts';
import type { TextName } from './person.ts';
import { newMemory, oldMemory, pastedPlan } from './person.ts';
import { testCommand } from './project.ts';
import { callFor } from './tool-use.ts';

/** Numbers of a run of the tests, as its result shows them. */
const counts = (result: string): { readonly passed: number; readonly failed: number } => ({
  passed: Number(/^# pass (\d+)/m.exec(result)?.[1] ?? Number.NaN),
  failed: Number(/^# fail (\d+)/m.exec(result)?.[1] ?? Number.NaN),
});

/** Runs the tests and tells what came out; what it does not see it does not claim. */
export function* tested(mind: Mind): Steps<string> {
  const { passed, failed } = counts(yield* mind.use({ to: 'run', command: testCommand }));
  if (Number.isNaN(passed) || Number.isNaN(failed)) return 'I could not see how the tests ended.';
  return `${passed} pass, ${failed} fail.`;
}

/** Puts a text in the place of another one, unless that has been done. */
export function* changed(mind: Mind, path: string, [from, to]: readonly [string, string]): Steps<boolean> {
  const before = yield* mind.use({ to: 'read', path });
  if (isIn(before, to)) return false;
  yield* mind.use({ to: 'patch', path, old: from, new: to });
  return true;
}

/** True where a result of reading a file has these lines, with or without line numbers. */
function isIn(result: string, text: string): boolean {
  const lines = text
    .trim()
    .split('\n')
    .map((line) => line.trim());
  return lines.every((line) => result.includes(line));
}

/** A passage that is needed: from what is seen, else from the record, by the words that it stands near. */
export function* recalled(mind: Mind, pattern: RegExp, query: string): Steps<string | undefined> {
  const inContext = mind.seen.map((text) => pattern.exec(text)?.[0]).find((found) => found !== undefined);
  if (inContext !== undefined) return inContext;
  const refs = refsNear(mind, query);
  if (refs !== undefined) {
    const brought = pattern.exec(yield* mind.use({ to: 'expand', refs }))?.[0];
    if (brought !== undefined) return brought;
  }
  const found = yield* mind.use({ to: 'search', query });
  return pattern.exec(found.replaceAll(/>>>|<<</g, ''))?.[0];
}

/** The messages that a handoff names on the line that has most of the words. */
function refsNear({ seen }: Mind, query: string): string | undefined {
  const words = query.toLowerCase().split(/\s+/);
  const lines = seen.filter((text) => text.includes('<handoff')).flatMap((text) => text.split('\n'));
  const rated = lines
    .map((line) => ({ line, hits: words.filter((word) => line.toLowerCase().includes(word)).length }))
    .filter(({ line, hits }) => hits > 1 && /\bm\d+/.test(line))
    .toSorted((a, b) => b.hits - a.hits);
  return /\bm\d+(?:-m\d+)?/.exec(rated[0]?.line ?? '')?.[0];
}

const cones = `/** Temperatures of self-supporting cones at 60 °C an hour, in °C. */
const temperatures: Readonly<Record<string, number>> = {
  '010': 891,
  '06': 998,
  '04': 1060,
  '5': 1186,
  '6': 1222,
  '10': 1285,
};

/** The temperature at which a cone bends, in °C; undefined for a cone that is not in the table. */
export function coneTemperature(cone: string): number | undefined {
  return temperatures[cone];
}
`;

const conesTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coneTemperature } from '../src/cones.ts';

test('a cone with a zero in front bends before one without', () => {
  assert.ok((coneTemperature('06') ?? 0) < (coneTemperature('6') ?? 0));
});

test('a cone that is not in the table has no temperature', () => {
  assert.equal(coneTemperature('7'), undefined);
});
`;

const cooling = `/** The kiln may be opened below this temperature, in °C. */
const openingTemperature = 60;

/** How fast the kiln cools by itself, in °C an hour. */
const coolingPerHour = 90;

/** Minutes until the kiln may be opened after a firing. */
export function coolingMinutes(firing: Firing): number {
  const degrees = Math.max(0, lastTemperature(firing) - openingTemperature);
  return Math.round((degrees / coolingPerHour) * 60);
}
`;

const coolingTest = `
test('the next firing waits until the kiln has cooled, in steps of five minutes', () => {
  const [first, second] = schedule([bisque, bisque]);
  assert.equal((second?.start ?? 0) - (first?.end ?? 0), 630);
});
`;

const heatWork = `Heat work is what temperature and time do to clay and glaze together. A kiln that rises slowly does as much at a lower temperature as a fast one at a higher one.

${Array.from({ length: 12 }, (_, at) => `${at + 1}. A cone is made of the same minerals as a glaze, and so it answers to the same thing: part ${at + 1} of the shelf sees what the cone beside it sees, and bends as far.`).join('\n')}`;

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** A Markdown table of the rows that reading the plan has shown. */
function planAsTable(result: string): string {
  const rows = [...result.matchAll(/(\d{4}-\d{2}-\d{2}),(\w+),(\w+),([\w ]+),(\w+)/g)];
  const lines = rows.map(([, day = '', kind, owner, ware, cone]) => {
    const weekday = weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()];
    return `| ${day} | ${weekday} | ${kind} | ${owner} | ${ware} | ${cone} |`;
  });
  return ['| day | weekday | kind | owner | ware | cone |', '|---|---|---|---|---|---|', ...lines].join('\n');
}

type Monday = Extract<
  TextName,
  | 'lookAround'
  | 'runTests'
  | 'fixBug'
  | 'remember'
  | 'rule'
  | 'cones'
  | 'stoneware'
  | 'heatWork'
  | 'log'
  | 'paste'
  | 'table'
  | 'japanese'
  | 'cooling'
  | 'roundUp'
  | 'wordForWord'
  | 'readme'
  | 'version'
>;

export const monday: Readonly<Record<Monday, Plan>> = {
  *lookAround(mind) {
    const files = yield* mind.use({ to: 'run', command: 'ls' }, 'I look around first.');
    const readme = yield* mind.use({ to: 'read', path: 'README.md' });
    yield* mind.use({ to: 'read', path: 'src/schedule.ts' });
    const purpose = /Plans the firings of one kiln[^\n]*/.exec(readme)?.[0] ?? 'I cannot tell what it does';
    const hasData = files.includes('data') ? ' Under `data/` is a log of earlier firings.' : '';
    return {
      text: `${purpose}\n\n- **src/** has the code, in TypeScript\n- **test/** has its tests\n\n${hasData.trim()}`,
    };
  },

  *runTests(mind) {
    const result = yield* mind.use({ to: 'run', command: testCommand });
    const name = /not ok: (.*)/.exec(result)?.[1];
    const said = /-?\d+ !== -?\d+/.exec(result)?.[0];
    return { text: name ? `One test fails: "${name}". It says \`${said ?? 'nothing'}\`.` : 'I see no failing test.' };
  },

  *fixBug(mind) {
    const didChange = yield* changed(mind, 'src/ramp.ts', ['(ramp.to - from) /', 'Math.abs(ramp.to - from) /']);
    const outcome = yield* tested(mind);
    return {
      text: `${didChange ? 'A stretch that cools counted backwards; it now takes the distance.' : 'That is done already.'} ${outcome}`,
    };
  },

  *remember(mind) {
    const said = yield* mind.use({ to: 'remember', text: oldMemory });
    return { text: said.includes('"saved":true') ? 'I will remember that.' : 'I could not remember that.' };
  },

  rule() {
    return { text: 'Agreed: I change nothing under data/, and I install no package.' };
  },

  *cones(mind) {
    yield* mind.use({ to: 'write', path: 'src/cones.ts', content: cones });
    yield* mind.use({ to: 'write', path: 'test/cones.test.ts', content: conesTest });
    return { text: `\`coneTemperature\` knows the six cones. ${yield* tested(mind)}` };
  },

  *stoneware(mind) {
    const shown = yield* mind.use({ to: 'find', pattern: "'6':" });
    const degrees = /'6': (\d+)/.exec(shown)?.[1];
    return {
      text: degrees
        ? `Cone 6, which your table has at ${degrees} °C: stoneware is dense by then.`
        : 'I do not find cone 6.',
    };
  },

  heatWork(mind) {
    mind.gate.hold(12);
    return { text: heatWork, pieceDelayMs: 1 };
  },

  *log(mind) {
    const first = yield* mind.use({ to: 'read', path: 'data/log.csv' });
    const hours = /hours/.test(first) ? 6 : 1;
    const counted = yield* mind.use({ to: 'run', command: 'wc -l data/log.csv' });
    const sorted = yield* mind.use({ to: 'run', command: `sort -t, -k${hours} -rn data/log.csv | head -20` });
    const rows = Number(/(\d+) data\/log\.csv/.exec(counted)?.[1] ?? Number.NaN) - 1;
    const [, day, owner, ware, most] = /(\d{4}-\d{2}-\d{2}),\w+,(\w+),([\w ]+),\d+,([\d.]+)/.exec(sorted) ?? [];
    return { text: `The log has ${rows} firings. The longest one was of ${day}: ${owner}'s ${ware}, ${most} hours.` };
  },

  *paste(mind) {
    yield* mind.use({ to: 'write', path: 'plans/next-week.csv', content: `${pastedPlan}\n` });
    const counted = yield* mind.use({ to: 'run', command: 'wc -l plans/next-week.csv' });
    const rows = Number(/(\d+) plans/.exec(counted)?.[1] ?? Number.NaN) - 1;
    return { text: `Saved as plans/next-week.csv: ${rows} firings.` };
  },

  *table(mind) {
    const plan = yield* mind.use({ to: 'read', path: 'plans/next-week.csv' });
    mind.gate.hold(12);
    return { text: `${planAsTable(plan)}\n\nSaturday has one firing only.`, pieceDelayMs: 1 };
  },

  *japanese(mind) {
    const shown = yield* mind.use({ to: 'find', pattern: "'06':" });
    const degrees = /'06': (\d+)/.exec(shown)?.[1];
    return { text: degrees ? `素焼きは 06 番コーン、つまり約 ${degrees} °C で焼きます。` : '表に見つかりません。' };
  },

  *cooling(mind) {
    // The person has something to add while this is being said.
    mind.gate.hold(2);
    yield {
      text: 'I read schedule() first, and then add the time that the kiln needs to cool down.',
      pieceDelayMs: 1,
      toolCalls: [readOf(mind)],
    };
    return { text: `schedule() waits for the kiln now. ${yield* coolingDone(mind, false)}` };
  },

  *roundUp(mind) {
    return { text: `schedule() waits for the kiln, rounded up to five minutes. ${yield* coolingDone(mind, true)}` };
  },

  *wordForWord(mind) {
    const said = yield* recalled(mind, /-?\d+ !== -?\d+/, 'test fails says cools takes time');
    return { text: said ? `It said: \`${said}\`` : 'I do not find it any more.' };
  },

  *readme(mind) {
    mind.gate.hold(2);
    yield {
      text: 'I read the README, and add the section at its end.',
      pieceDelayMs: 1,
      toolCalls: [readOf(mind, 'README.md')],
    };
    const last = `Run the tests with \`${testCommand}\`.`;
    const section =
      "## Cones\n\n`coneTemperature('6')` gives the temperature at which a cone bends, in °C, and nothing for a cone that the table does not have.";
    yield* mind.use({ to: 'patch', path: 'README.md', old: last, new: `${last}\n\n${section}` });
    return { text: 'The README has a section "Cones" now.' };
  },

  *version(mind) {
    yield* changed(mind, 'package.json', ['"version": "0.3.0"', '"version": "0.4.0"']);
    return { text: 'The version is 0.4.0 now.' };
  },
};

const readOf = ({ request }: Mind, path = 'src/schedule.ts'): ReturnType<typeof callFor> =>
  callFor({ to: 'read', path }, request);

/** Whatever of the cooling is not there yet. */
function* coolingDone(mind: Mind, isRounded: boolean): Steps<string> {
  const path = 'src/schedule.ts';
  const before = yield* mind.use({ to: 'read', path });
  if (!before.includes('coolingMinutes')) {
    yield* mind.use({
      to: 'patch',
      path,
      old: 'import { type Firing, firingMinutes } from',
      new: 'import { type Firing, firingMinutes, lastTemperature } from',
    });
    yield* mind.use({
      to: 'patch',
      path,
      old: '/** The firings one behind',
      new: `${cooling}\n/** The firings one behind`,
    });
    yield* mind.use({ to: 'patch', path, old: '    start = end;', new: '    start = end + coolingMinutes(firing);' });
  }
  if (isRounded && !before.includes('Math.ceil')) {
    yield* mind.use({
      to: 'patch',
      path,
      old: 'Math.round((degrees / coolingPerHour) * 60)',
      new: 'Math.ceil((degrees / coolingPerHour) * 12) * 5',
    });
  }
  if (isRounded) {
    const test = yield* mind.use({ to: 'read', path: 'test/schedule.test.ts' });
    if (!test.includes('630')) {
      const end = '  assert.ok((second?.start ?? 0) >= (first?.end ?? 0));\n});';
      yield* mind.use({
        to: 'patch',
        path: 'test/schedule.test.ts',
        old: end,
        new: `${end}\n${coolingTest.trimEnd()}`,
      });
    }
  }
  return yield* tested(mind);
}

/** What Tuesday's correction puts in the place of Monday's words, and what came of it. */
export function* corrected(mind: Mind): Steps<string> {
  const said = yield* mind.use({ to: 'correct', old: oldMemory, text: newMemory });
  const waiting = /"waiting":\["(e\d+)"/.exec(said)?.[1];
  if (waiting !== undefined) return `9:30 waits for your yes, as ${waiting}.`;
  return said.includes('"success":true') ? 'My memory says 9:30 now.' : 'I could not change my memory.';
}
