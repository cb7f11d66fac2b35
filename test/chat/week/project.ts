/**
 * The project that the week is about: a small library that plans the firings of a pottery kiln, with a bug, tests, and the log of
 * a year. Its files are real, and so are its tests; what became of them is read from the files and from a run of their own.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash, randomInt } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { pastedPlan } from './person.ts';

/** How the tests of the project are run, by the model and by us. */
export const testCommand = 'node --test --test-reporter=./report.ts';

const readme = `# kiln

Plans the firings of one kiln: how long each takes, and when it may start.

- \`src/ramp.ts\`: one stretch of a firing
- \`src/firing.ts\`: a firing as a list of stretches
- \`src/schedule.ts\`: firings one behind the other
- \`data/log.csv\`: what the kiln has done so far

Run the tests with \`${testCommand}\`.
`;

const agents = `# Notes for agents

- Plain TypeScript that Node runs as it is: import files with their ending, and types with \`import type\`.
- Every function has a sentence above it that says what it gives back.
- Temperatures are in °C, durations in whole minutes.
`;

const ramp = `/** One stretch of a firing: heat or cool to a temperature at a rate, then hold it. */
export interface Ramp {
  /** In °C. */
  readonly to: number;
  /** °C an hour, always above 0: which way it goes is told by the temperature before. */
  readonly perHour: number;
  readonly holdMinutes: number;
}

/** Minutes that a stretch takes from a temperature on, with its hold. */
export function rampMinutes(from: number, ramp: Ramp): number {
  return Math.round(((ramp.to - from) / ramp.perHour) * 60) + ramp.holdMinutes;
}
`;

const firing = `import { type Ramp, rampMinutes } from './ramp.ts';

/** What goes through the kiln at once. */
export interface Firing {
  readonly name: string;
  readonly ramps: readonly Ramp[];
}

/** The temperature of the room, where a firing begins. */
export const roomTemperature = 20;

/** Minutes that a firing takes from the room's temperature on. */
export function firingMinutes({ ramps }: Firing): number {
  let temperature = roomTemperature;
  let minutes = 0;
  for (const ramp of ramps) {
    minutes += rampMinutes(temperature, ramp);
    temperature = ramp.to;
  }
  return minutes;
}

/** The temperature that a firing ends at. */
export function lastTemperature({ ramps }: Firing): number {
  return ramps.at(-1)?.to ?? roomTemperature;
}
`;

const schedule = `import { type Firing, firingMinutes } from './firing.ts';

/** A firing with its place in time: minutes since the studio opened. */
export interface Slot {
  readonly firing: string;
  readonly start: number;
  readonly end: number;
}

/** The firings one behind the other, in the order given. */
export function schedule(firings: readonly Firing[]): readonly Slot[] {
  const slots: Slot[] = [];
  let start = 0;
  for (const firing of firings) {
    const end = start + firingMinutes(firing);
    slots.push({ firing: firing.name, start, end });
    start = end;
  }
  return slots;
}
`;

const rampTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rampMinutes } from '../src/ramp.ts';

test('a stretch that heats takes its time and its hold', () => {
  assert.equal(rampMinutes(20, { to: 600, perHour: 100, holdMinutes: 15 }), 363);
});

test('a stretch that cools takes time too', () => {
  assert.equal(rampMinutes(1060, { to: 760, perHour: 150, holdMinutes: 30 }), 150);
});
`;

const scheduleTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schedule } from '../src/schedule.ts';

const bisque = { name: 'bisque', ramps: [{ to: 998, perHour: 120, holdMinutes: 10 }] };

test('a firing starts where the one before has ended', () => {
  const [first, second] = schedule([bisque, bisque]);
  assert.equal(first?.start, 0);
  assert.ok((second?.start ?? 0) >= (first?.end ?? 0));
});
`;

/** Says how tests ended, and not how long they took: what a run prints is the same every time. */
const report = `import type { TestEvent } from 'node:test/reporters';

/** One line a test, and the numbers at the end. */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const counts = { pass: 0, fail: 0 };
  for await (const { type, data } of events) {
    if (type === 'test:pass' && data.name.endsWith('.ts') === false) {
      counts.pass++;
      yield \`ok: \${data.name}\\n\`;
    }
    if (type === 'test:fail') {
      counts.fail++;
      const { cause } = data.details.error;
      yield \`not ok: \${data.name}\\n  \${cause instanceof Error ? cause.message : String(cause)}\\n\`;
    }
  }
  yield \`# pass \${counts.pass}\\n# fail \${counts.fail}\\n\`;
}
`;

const wares = ['mugs', 'plates', 'bowls', 'tiles', 'vases', 'test rings', 'teapots'];
const owners = ['Ada', 'Bruno', 'Chiyo', 'Dilek', 'Edda'];

/** Hours of the firing that took longest. */
export const longestHours = 31.5;
export const longestRow = '2026-05-17,glaze,Edda,vases,1222,31.5';

/** A year and a half of firings, one a row. */
export const logRows: readonly string[] = Array.from({ length: 270 }, (_, at) => {
  const day = new Date(Date.UTC(2025, 5, 1) + at * 2 * 86_400_000).toISOString().slice(0, 10);
  if (at === 175) return longestRow;
  const isBisque = at % 3 !== 2;
  const hours = (isBisque ? 11 : 14) + ((at * 7) % 10) / 2;
  return `${day},${isBisque ? 'bisque' : 'glaze'},${owners[at % 5]},${wares[at % 7]},${isBisque ? 998 : 1222},${hours}`;
});

const log = `date,kind,owner,ware,celsius,hours\n${logRows.join('\n')}\n`;

const manifest = { name: 'kiln', version: '0.3.0', private: true, type: 'module', scripts: { test: testCommand } };

const files: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
  'README.md': readme,
  'AGENTS.md': agents,
  'report.ts': report,
  'src/ramp.ts': ramp,
  'src/firing.ts': firing,
  'src/schedule.ts': schedule,
  'test/ramp.test.ts': rampTest,
  'test/schedule.test.ts': scheduleTest,
  'data/log.csv': log,
};

/** Paths stand on the screens that are kept, and lines are broken by their length: it is the same wherever files for a while lie. */
const homeLength = 40;

/**
 * A new folder for a week, gone after the test. Its name ends in six digits, which are as many tokens whatever they are: what a
 * request weighs must not depend on chance.
 */
export function weekFolder(t: TestContext): string {
  const base = realpathSync(tmpdir());
  const digits = Math.max(6, homeLength - join(base, 'palimpsest-week-').length);
  const folder = join(base, `palimpsest-week-${String(randomInt(100_000, 1_000_000)).padStart(digits, '0')}`);
  mkdirSync(folder);
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** Writes the project as it is on Monday morning, under git where git is there. */
export function makeProject(folder: string): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  spawnSync('git', ['init', '--quiet'], { cwd: folder, env: { PATH: process.env.PATH, HOME: folder } });
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What the files say at the end of the week. Throws for what is not as the person wanted it. */
export function judgeProject(folder: string): void {
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  const source = readdirSync(join(folder, 'src')).map((name) => read(`src/${name}`));
  assert.equal(hashOf(read('data/log.csv')), hashOf(log), 'the log of the kiln was changed');
  assert.doesNotMatch(source.join('\n'), /\bRamp\b|\brampMinutes\b/, 'an old name is left');
  assert.match(read('src/segment.ts'), /Math\.abs/);
  assert.match(read('src/schedule.ts'), /coolingMinutes/);
  assert.match(read('src/cones.ts'), /'04': 1060/);
  assert.match(read('src/plan-table.ts'), /export function planTable/);
  assert.match(read('README.md'), /^## Cones$/m);
  assert.equal(read('plans/next-week.csv'), `${pastedPlan}\n`);
  assert.deepEqual(JSON.parse(read('package.json')).version, '0.4.0');
  const { failed, passed } = runTests(folder);
  assert.deepEqual({ failed, hasTests: passed >= 8 }, { failed: 0, hasTests: true });
}

/** Runs the tests of the project as a person would. */
export function runTests(folder: string): { readonly passed: number; readonly failed: number } {
  const [program = '', ...args] = testCommand.split(' ');
  const { stdout } = spawnSync(program, args, { cwd: folder, encoding: 'utf8', env: { PATH: process.env.PATH } });
  const count = (what: string): number => Number(new RegExp(`^# ${what} (\\d+)$`, 'm').exec(stdout)?.[1] ?? -1);
  return { passed: count('pass'), failed: count('fail') };
}
