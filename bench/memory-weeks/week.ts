/** One week of an invented person: what was noted, and what of it is double, overtaken, or over. */
import { english } from './english.ts';
import { german } from './german.ts';
import { japanese } from './japanese.ts';
import { type Dice, dice } from './random.ts';
import { commonValues, projects } from './values.ts';
import { type Language, personTopics, projectTopics, type Tongue, type Topic } from './wording.ts';

/** Who said it, best first. */
export const sources = ['person', 'model', 'own-tool', 'outside-tool', 'document'] as const;
export type Source = (typeof sources)[number];

export interface Note {
  readonly id: string;
  readonly at: string;
  readonly text: string;
  readonly source: Source;
  /** `person`, or `project:` and its name. */
  readonly scope: string;
}

export interface Truth {
  /** Right and current; of those in one group of `duplicates` one has to stay, of the others each. */
  readonly live: readonly string[];
  readonly duplicates: readonly (readonly string[])[];
  /** `by` may be double itself: then any note of its group does. */
  readonly contradictions: readonly { readonly retired: string; readonly by: string }[];
  readonly stale: readonly string[];
}

export interface Week {
  readonly week: number;
  readonly language: Language;
  /** When the curator looks at the notes. */
  readonly now: string;
  readonly person: string;
  readonly projects: readonly string[];
  readonly notes: readonly Note[];
  readonly truth: Truth;
}

interface Draft {
  readonly at: number;
  readonly text: string;
  readonly source: Source;
  readonly scope: string;
}

interface Place {
  readonly scope: string;
  readonly topic: Topic;
}

/** What is known while a week is written. */
interface Desk {
  readonly d: Dice;
  readonly tongue: Tongue;
  readonly who: string;
  readonly projects: readonly string[];
  readonly now: number;
  readonly drafts: Draft[];
  readonly duplicates: Draft[][];
  readonly contradictions: { retired: Draft; by: Draft }[];
  readonly stale: Set<Draft>;
  /** What is not used twice in a week: places of facts, tasks, sentences. */
  readonly places: Place[];
  readonly tasks: string[];
  readonly limited: string[];
  readonly asides: { text: string; scope: string }[];
}

const hour = 3_600_000;
const day = 24 * hour;
const tongues: Readonly<Record<Language, Tongue>> = { en: english, de: german, ja: japanese };
const people: Readonly<Record<Language, readonly string[]>> = {
  en: ['Nora', 'Tess', 'Anil', 'Hana', 'Leo', 'User'],
  de: ['Frauke', 'Malte', 'Sven', 'Tilda', 'Nutzer'],
  ja: ['遥さん', '誠さん', '直美さん', '利用者'],
};

function fill(template: string, words: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, key: string) => words[key] ?? whole);
}

/** Only tasks begin with a small word; names of hosts and branches stay as they are. */
function capital(text: string): string {
  return text.replace(/^the /, 'The ');
}

/** Different values of a topic, as many as asked. */
function values({ d, tongue }: Desk, topic: Topic, count: number): string[] {
  const listed = tongue.values[topic] ?? commonValues[topic];
  return d.shuffled(listed ?? (topic === 'home' ? tongue.cities : tongue.names)).slice(0, count);
}

/** Times in order, at least an hour apart; the first ones may be months old. */
function times({ d, now }: Desk, count: number, old: boolean): number[] {
  const slots = d.shuffled(Array.from({ length: 150 }, (_, index) => index + 2)).slice(0, count);
  const within = slots.sort((a, b) => b - a).map((slot) => now - slot * hour - d.between(0, 50) * 60_000);
  if (!old) return within;
  const gaps = within.slice(1).map(() => d.between(9, 90) * day);
  return within.map((at, index) => at - gaps.slice(index).reduce((sum, gap) => sum + gap, 0));
}

/** Times of the last day, in order. */
function recent({ d, now }: Desk, count: number): number[] {
  return Array.from({ length: count }, () => now - d.between(60, 1300) * 60_000).sort((a, b) => a - b);
}

function usual({ d }: Desk, scope: string): Source {
  const roll = d.next();
  if (scope === 'person') return roll < 0.7 ? 'person' : 'model';
  return roll < 0.45 ? 'person' : roll < 0.7 ? 'model' : 'own-tool';
}

/** `count` sources, none better than a later one. */
function rising(desk: Desk, scope: string, count: number): Source[] {
  const drawn = Array.from({ length: count }, () => usual(desk, scope));
  return drawn.sort((a, b) => sources.indexOf(b) - sources.indexOf(a));
}

function note(desk: Desk, draft: Draft): Draft {
  const project = draft.scope.startsWith('project:') && desk.d.chance(0.25) ? `${draft.scope.slice(8)}: ` : '';
  const written = { ...draft, text: project + capital(draft.text) };
  desk.drafts.push(written);
  return written;
}

function phrase(desk: Desk, template: string, words: Readonly<Record<string, string>>): string {
  return fill(template, { who: desk.who, ...words });
}

/** A fact, in as many words as asked; all of them stay true. */
function stated(desk: Desk, place: Place, count: number): void {
  const [v = ''] = values(desk, place.topic, 1);
  const said = desk.d.shuffled(desk.tongue.topics[place.topic].says).slice(0, count);
  const at = times(desk, count, desk.d.chance(0.3));
  const group = said.map((template, index) => {
    const outside = index > 0 && desk.d.chance(0.15);
    const source = outside ? desk.d.pick(['outside-tool', 'document'] as const) : usual(desk, place.scope);
    return note(desk, { at: at[index] ?? desk.now, text: phrase(desk, template, { v }), source, scope: place.scope });
  });
  if (group.length > 1) desk.duplicates.push(group);
}

/** A fact that changed once or twice; the last value holds, and may be said again. */
function changed(desk: Desk, place: Place, again: boolean): void {
  const { d } = desk;
  const { says, turns } = desk.tongue.topics[place.topic];
  const chain = values(desk, place.topic, d.chance(0.25) ? 3 : 2);
  const at = times(desk, chain.length + 1, d.chance(0.5));
  const from = rising(desk, place.scope, chain.length);
  const told = chain.map((v, index) => {
    const turn = index > 0 && d.chance(0.65);
    const text = phrase(desk, d.pick(turn ? turns : says), { v, old: chain[index - 1] ?? v });
    return { at: at[index] ?? desk.now, text, source: from[index] ?? 'person', scope: place.scope };
  });
  const notes = told.map((draft) => note(desk, draft));
  const last = notes.at(-1);
  if (last === undefined) return;
  for (const retired of notes.slice(0, -1)) desk.contradictions.push({ retired, by: last });
  if (!again) return;
  const v = chain.at(-1) ?? '';
  const other = says
    .map((template) => phrase(desk, template, { v }))
    .filter((text) => !last.text.includes(capital(text)));
  const scope = place.scope;
  const repeat = note(desk, { at: at.at(-1) ?? desk.now, text: d.pick(other), source: usual(desk, scope), scope });
  desk.duplicates.push([last, repeat]);
}

/** What the person said, and somebody outside who says otherwise, before or after. */
function disputed(desk: Desk, place: Place): void {
  const { d, tongue } = desk;
  const [own = '', other = ''] = values(desk, place.topic, 2);
  const says = tongue.topics[place.topic].says;
  const [first = desk.now, second = desk.now] = times(desk, 2, d.chance(0.3));
  const late = d.chance(0.7);
  const scope = place.scope;
  const text = phrase(desk, d.pick(says), { v: own });
  const by = note(desk, { at: late ? first : second, text, source: 'person', scope });
  const bare = phrase(desk, d.pick(says), { v: other });
  const claim = d.chance(0.6) ? fill(d.pick(tongue.claims), { s: bare }) : bare;
  const source = d.pick(['outside-tool', 'document'] as const);
  const retired = note(desk, { at: late ? second : first, text: claim, source, scope });
  desk.contradictions.push({ retired, by });
}

/** Work under way; where it was finished, what told of it before is stale. */
function worked(desk: Desk, finished: boolean): void {
  const { d } = desk;
  const task = desk.tasks.pop();
  if (task === undefined) return;
  const { going, done } = desk.tongue.working;
  const scope = `project:${d.pick(desk.projects)}`;
  const before = d.shuffled(going).slice(0, d.chance(0.25) ? 2 : 1);
  const at = finished ? times(desk, before.length + 1, false) : recent(desk, before.length);
  const source = (): Source => d.pick(['person', 'model', 'model', 'own-tool'] as const);
  const states = before.map((template, index) =>
    note(desk, { at: at[index] ?? desk.now, text: fill(template, { task }), source: source(), scope }),
  );
  if (finished) {
    note(desk, { at: at.at(-1) ?? desk.now, text: fill(d.pick(done), { task }), source: source(), scope });
    for (const state of states) desk.stale.add(state);
  } else if (states.length > 1) desk.duplicates.push(states);
}

/** True until a day; over, or not yet. */
function dated(desk: Desk, over: boolean): void {
  const { d, tongue } = desk;
  const template = desk.limited.pop();
  if (template === undefined) return;
  const end = new Date(desk.now + (over ? -d.between(2, 5) : d.between(4, 40)) * day);
  const [name = '', name2 = ''] = d.shuffled(tongue.names);
  const text = fill(template, { date: tongue.date(end), name, name2 });
  const at = over
    ? end.getTime() - d.between(2, 20) * day - d.between(0, 300) * 60_000
    : (times(desk, 1, false)[0] ?? 0);
  const scope = `project:${d.pick(desk.projects)}`;
  const written = note(desk, { at, text, source: d.pick(['person', 'model'] as const), scope });
  if (over) desk.stale.add(written);
}

/** Looks like other facts, and stays. */
function aside(desk: Desk): boolean {
  const { d, tongue } = desk;
  const next = desk.asides.pop();
  if (next === undefined) return false;
  const words = {
    name: d.pick(tongue.names),
    city: d.pick(tongue.cities),
    food: d.pick(tongue.foods),
    number: String(d.between(11, 99) * 13),
  };
  const [at = desk.now] = times(desk, 1, false);
  note(desk, { at, text: phrase(desk, next.text, words), source: usual(desk, next.scope), scope: next.scope });
  return true;
}

function opened(d: Dice, language: Language, now: number): Desk {
  const tongue = tongues[language];
  const own = d.shuffled(projects).slice(0, 2);
  const common = d.shuffled(projectTopics).slice(0, 8);
  const places: Place[] = [
    ...personTopics.map((topic) => ({ scope: 'person', topic })),
    ...own.flatMap((project) => common.map((topic) => ({ scope: `project:${project}`, topic }))),
  ];
  const asides = [
    ...tongue.asidePerson.map((text) => ({ text, scope: 'person' })),
    ...tongue.asideProject.map((text) => ({ text, scope: `project:${d.pick(own)}` })),
  ];
  return {
    d,
    tongue,
    who: d.pick(people[language]),
    projects: own,
    now,
    drafts: [],
    duplicates: [],
    contradictions: [],
    stale: new Set(),
    places: d.shuffled(places),
    tasks: d.shuffled(tongue.working.tasks),
    limited: d.shuffled(tongue.limited),
    asides: d.shuffled(asides),
  };
}

function act(desk: Desk): void {
  const { d } = desk;
  const roll = d.next();
  if (roll < 0.16) worked(desk, d.chance(0.65));
  else if (roll < 0.25) dated(desk, d.chance(0.6));
  else if (roll < 0.4) aside(desk);
  else noted(desk, roll);
}

/** A fact of a place where none was noted yet. */
function noted(desk: Desk, roll: number): void {
  const { d } = desk;
  const where = desk.places.pop();
  if (where === undefined) aside(desk);
  else if (roll < 0.58) stated(desk, where, 1);
  else if (roll < 0.74) stated(desk, where, d.chance(0.25) ? 3 : 2);
  else if (roll < 0.9) changed(desk, where, d.chance(0.3));
  else disputed(desk, where);
}

/** The notes in the order of time, and the truth by their ids. */
function numbered(desk: Desk, week: number): { notes: Note[]; truth: Truth } {
  const ordered = desk.drafts.toSorted((a, b) => a.at - b.at);
  const ids = new Map(ordered.map((draft, index) => [draft, `w${week}-n${String(index + 1).padStart(2, '0')}`]));
  const id = (draft: Draft): string => ids.get(draft) ?? '';
  const gone = new Set([...desk.contradictions.map(({ retired }) => retired), ...desk.stale]);
  return {
    notes: ordered.map((draft) => {
      const { at, text, source, scope } = draft;
      return { id: id(draft), at: new Date(at).toISOString(), text, source, scope };
    }),
    truth: {
      live: ordered.filter((draft) => !gone.has(draft)).map(id),
      duplicates: desk.duplicates.map((group) => group.map(id).sort()),
      contradictions: desk.contradictions.map(({ retired, by }) => ({ retired: id(retired), by: id(by) })),
      stale: ordered.filter((draft) => desk.stale.has(draft)).map(id),
    },
  };
}

/** Week number `week` of a seed: the same for ever, whatever other weeks are made. */
export function makeWeek(seed: number, week: number): Week {
  const d = dice(seed * 100_003 + week * 7919);
  const roll = d.next();
  const language: Language = roll < 0.5 ? 'en' : roll < 0.75 ? 'de' : 'ja';
  const now = Date.UTC(2026, 0, 4, 20) + (week % 150) * 7 * day;
  const desk = opened(d, language, now);
  const size = d.between(10, 30);
  while (desk.drafts.length < size - 3) act(desk);
  while (desk.drafts.length < size && aside(desk));
  const { notes, truth } = numbered(desk, week);
  return { week, language, now: new Date(now).toISOString(), person: desk.who, projects: desk.projects, notes, truth };
}
