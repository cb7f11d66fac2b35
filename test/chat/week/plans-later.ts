/** What the model does for each request from Tuesday on. */
import type { Mind, Plan, Steps } from './mind.ts';
import type { TextName } from './person.ts';
import { changed, corrected, type monday, recalled, tested } from './plans-first.ts';

const segment = 'src/segment.ts';

const planTable = `import type { Slot } from './schedule.ts';

/** The studio opens at this minute of the day. */
const opening = 9 * 60 + 30;

/** A minute since the studio opened as a time of day. */
function timeOf(minute: number): string {
  const all = opening + minute;
  const [hour, rest] = [Math.floor(all / 60) % 24, all % 60];
  return \`\${String(hour).padStart(2, '0')}:\${String(rest).padStart(2, '0')}\`;
}

/** The slots as a Markdown table, with start and end as times of day. */
export function planTable(slots: readonly Slot[]): string {
  const rows = slots.map(({ firing, start, end }) => \`| \${firing} | \${timeOf(start)} | \${timeOf(end)} |\`);
  return ['| firing | start | end |', '|---|---|---|', ...rows].join('\\n');
}
`;

const planTableTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planTable } from '../src/plan-table.ts';

test('a slot at minute 0 starts when the studio opens', () => {
  assert.match(planTable([{ firing: 'bisque', start: 0, end: 90 }]), /\\| bisque \\| 09:30 \\| 11:00 \\|/);
});
`;

const coldTest = `
test('a firing that ends below 60 °C makes nobody wait', () => {
  const dry = { name: 'drying', ramps: [{ to: 55, perHour: 35, holdMinutes: 60 }] };
  const [first, second] = schedule([dry, bisque]);
  assert.equal(second?.start, first?.end);
});
`;

const notes = `# This week

A stretch that cools takes its time now, and no longer less than none. The next firing waits until the kiln has cooled below 60 °C. A plan can be shown as a table that counts from 9:30.
`;

type Later = Exclude<TextName, keyof typeof monday>;

/** Replaces in a file, as often as the old text is there. */
function* swapped(mind: Mind, path: string, pairs: readonly (readonly [string, string])[]): Steps<void> {
  for (const pair of pairs) yield* changed(mind, path, pair);
}

export const later: Readonly<Record<Later, Plan>> = {
  *morning(mind) {
    const version = yield* recalled(mind, /version[^\n]{0,40}0\.4\.0/, 'version package.json set');
    const readme = mind.seen.some((text) => text.includes('Cones')) ? ' after the section "Cones" of the README' : '';
    return { text: version ? `We set the version to 0.4.0${readme}.` : 'I do not find what we did yesterday.' };
  },

  *german(mind) {
    const code = yield* mind.use({ to: 'read', path: 'src/schedule.ts' });
    const isRounded = code.includes('Math.ceil') ? ', auf fünf Minuten aufgerundet' : '';
    return {
      text: code.includes('coolingMinutes')
        ? `schedule() wartet jetzt, bis der Ofen unter 60 °C abgekühlt ist${isRounded}, und setzt erst dann den nächsten Brand an.`
        : 'Ich sehe keine Änderung.',
    };
  },

  *correct(mind) {
    return { text: yield* corrected(mind) };
  },

  *rename(mind) {
    const users = yield* mind.use({ to: 'find', pattern: 'rampMinutes' });
    yield* mind.use({ to: 'run', command: 'mv src/ramp.ts src/segment.ts' });
    yield* mind.use({ to: 'run', command: 'mv test/ramp.test.ts test/segment.test.ts' });
    yield* swapped(mind, segment, [
      ['export interface Ramp {', 'export interface Segment {'],
      [
        'export function rampMinutes(from: number, ramp: Ramp)',
        'export function segmentMinutes(from: number, segment: Segment)',
      ],
      [
        'Math.abs(ramp.to - from) / ramp.perHour) * 60) + ramp.holdMinutes',
        'Math.abs(segment.to - from) / segment.perHour) * 60) + segment.holdMinutes',
      ],
    ]);
    yield* swapped(mind, 'src/firing.ts', [
      [
        "import { type Ramp, rampMinutes } from './ramp.ts';",
        "import { type Segment, segmentMinutes } from './segment.ts';",
      ],
      ['readonly ramps: readonly Ramp[];', 'readonly ramps: readonly Segment[];'],
      ['minutes += rampMinutes(', 'minutes += segmentMinutes('],
    ]);
    yield* swapped(mind, 'test/segment.test.ts', [
      ["import { rampMinutes } from '../src/ramp.ts';", "import { segmentMinutes } from '../src/segment.ts';"],
      ['assert.equal(rampMinutes(20,', 'assert.equal(segmentMinutes(20,'],
      ['assert.equal(rampMinutes(1060,', 'assert.equal(segmentMinutes(1060,'],
    ]);
    yield* changed(mind, 'README.md', ['`src/ramp.ts`', '`src/segment.ts`']);
    const known = users.includes('firing.ts') ? 'src/firing.ts used it, too.' : '';
    return { text: `Renamed. ${known} ${yield* tested(mind)}` };
  },

  *touched(mind) {
    const found = yield* mind.use({ to: 'find', pattern: 'segmentMinutes' });
    const paths = new Set(found.match(/src\/[\w-]+\.ts/g));
    return { text: `In src/: ${[...paths].join(', ') || 'none that I find'}.` };
  },

  *suite(mind) {
    return { text: yield* tested(mind) };
  },

  *opens(mind) {
    const known = /studio opens at (\d+:\d+)/.exec(promptOf(mind))?.[1];
    const found = known ?? (yield* recalled(mind, /opens at (?:9:30|8:00)/, 'studio opens correction'))?.slice(9);
    return { text: found ? `The studio opens at ${found}.` : 'I do not know.' };
  },

  *planTable(mind) {
    mind.gate.hold(3);
    const text =
      'I write the table so that it counts from the minute at which the studio opens, and begin with the file itself.';
    yield { text, pieceDelayMs: 1, toolCalls: [] };
    return { text };
  },

  *cutOff(mind) {
    const there = yield* mind.use({ to: 'run', command: 'ls src test' }, 'I look at what is there.');
    if (!there.includes('plan-table.ts'))
      yield* mind.use({ to: 'write', path: 'src/plan-table.ts', content: planTable });
    if (!there.includes('plan-table.test.ts')) {
      yield* mind.use({ to: 'write', path: 'test/plan-table.test.ts', content: planTableTest });
    }
    return { text: `planTable is there now. ${yield* tested(mind)}` };
  },

  *countsFrom(mind) {
    const code = yield* mind.use({ to: 'read', path: 'src/plan-table.ts' });
    const [, hour, minute] = /opening = (\d+) \* 60 \+ (\d+)/.exec(code) ?? [];
    return { text: hour ? `From ${hour}:${minute}, when the studio opens.` : 'I do not find it in the file.' };
  },

  *longest(mind) {
    const found = yield* recalled(mind, /longest one was of [^\n]{10,80}? [\d.]+ hours/, 'longest firing log hours');
    return { text: found ? `The ${found}.` : 'I do not find it any more.' };
  },

  *glaze(mind) {
    const shown = yield* mind.use({ to: 'find', pattern: "'6':" });
    const degrees = Number(/'6': (\d+)/.exec(shown)?.[1] ?? Number.NaN);
    return { text: `From 20 °C to ${degrees} °C: ${Math.round(((degrees - 20) / 150) * 60) + 20} minutes.` };
  },

  *belowSixty(mind) {
    const path = 'test/schedule.test.ts';
    const code = yield* mind.use({ to: 'read', path });
    if (/below 60/.test(code)) return { text: `There is one. ${yield* tested(mind)}` };
    const end = '  assert.ok((second?.start ?? 0) >= (first?.end ?? 0));\n});';
    yield* mind.use({ to: 'patch', path, old: end, new: `${end}\n${coldTest.trimEnd()}` });
    return { text: `There was none; now there is. ${yield* tested(mind)}` };
  },

  *whichRule(mind) {
    const rule = yield* recalled(mind, /never change anything under data\/[^.\n]*/, 'rule never change data logs');
    return { text: rule ? `You said: "${rule}".` : 'I do not find that rule.' };
  },

  *room(mind) {
    const found = yield* mind.use({ to: 'find', pattern: 'roomTemperature =' });
    const [, path] = /(src\/[\w-]+\.ts)/.exec(found) ?? [];
    const degrees = /roomTemperature = (\d+)/.exec(found)?.[1];
    return { text: path ? `In ${path}, as ${degrees} °C.` : 'I do not find it.' };
  },

  *roomUsers(mind) {
    const found = yield* mind.use({ to: 'find', pattern: 'roomTemperature' });
    const others = new Set((found.match(/src\/[\w-]+\.ts/g) ?? []).filter((path) => path !== 'src/firing.ts'));
    return {
      text:
        others.size > 0
          ? `Also ${[...others].join(', ')}.`
          : 'No other file; schedule.ts asks for the last temperature instead.',
    };
  },

  *functions(mind) {
    const found = yield* mind.use({ to: 'find', pattern: 'export function' });
    const named = new Set([...found.matchAll(/export function (\w+)/g)].map(([, name]) => name));
    return { text: [...named].map((name) => `- \`${name}\``).join('\n') };
  },

  *french(mind) {
    const readme = yield* mind.use({ to: 'read', path: 'README.md' });
    return {
      text: readme.includes('Plans the firings of one kiln')
        ? "« Planifie les cuissons d'un four : la durée de chacune, et le moment où elle peut commencer. »"
        : 'Le README ne commence plus par cette phrase.',
    };
  },

  *notes(mind) {
    yield* mind.use({ to: 'write', path: 'plans/notes.md', content: notes });
    return { text: 'plans/notes.md has three sentences now.' };
  },

  *readBack(mind) {
    const text = yield* mind.use({ to: 'read', path: 'plans/notes.md' });
    return { text: /The next firing[^.]*\./.exec(text)?.[0] ?? 'I do not find it.' };
  },

  *lastRun(mind) {
    return { text: `On Friday: ${yield* tested(mind)}` };
  },

  *bisque(mind) {
    const said = yield* recalled(mind, /素焼きは [^。\n]*?(\d+) °C/, '素焼きは コーン 焼きます');
    const degrees = /(\d+) °C/.exec(said ?? '')?.[1];
    return { text: degrees ? `${degrees} °C, and I said it in Japanese.` : 'I do not find that any more.' };
  },

  thanks() {
    return { text: 'The kiln now waits until it has cooled before the next firing begins.' };
  },
};

/** The system prompt, where the memory is. */
const promptOf = ({ request }: Mind): string =>
  request.messages
    .filter(({ role }) => role === 'system')
    .flatMap(({ parts }) => parts)
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('\n');
