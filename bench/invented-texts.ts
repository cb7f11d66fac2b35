/** Texts as they stand in agent sessions (prose, code, JSON, listings, failures), invented from a seed. */

/** Whole numbers from 0 to below `below`, the same for the same seed (mulberry32, Tommy Ettinger, public domain). */
export type Dice = (below: number) => number;

export function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const list = (text: string): readonly string[] => text.split(' ');

const verbs = list(
  'load store merge parse read write open close drain weigh sort trim bind queue retry seal mark guess split join fetch',
);
const nouns = list(
  'permit ledger harbour cargo tide berth crane manifest anchorage pilot beacon lantern customs tariff voyage hull keel buoy dock rope signal',
);
const qualities = list('stale pending partial nightly remote local signed empty broken nested cached duplicate');
const folders = list('core web jobs store api cli sync audit billing tests shared legacy');
const extensions = list('ts ts ts py go sql json md yaml');

/** Sentences with places for a name; one language a session would be too easy for a tokenizer's caches. */
const sentences: Readonly<Record<string, readonly string[]>> = {
  english: [
    'Please look at why {a} fails when the {q} {n} is {v}ed twice in a row.',
    'I think {a} should not depend on {b}, because the {n} may be {q} by then.',
    'We decided to keep {a} and drop {b}: the {q} variant costs {d} ms on every call.',
    'The test around {a} passes now, but {b} still prints {d} warnings about a {q} {n}.',
    'Next I will move {a} next to {b} and check that every {n} keeps its {q} state.',
    'Do not touch {b} until {d} of the {q} {n} records are migrated.',
  ],
  german: [
    'Bitte prüfe, warum {a} scheitert, sobald der {n} zum {d}. Mal geöffnet wird.',
    'Wir behalten {a} und entfernen {b}, weil die alte Fassung über {d} Sekunden braucht.',
    'Danach verschiebe ich {a} neben {b} und zähle, wie viele Einträge übrig bleiben.',
  ],
  russian: [
    'Проверь, почему {a} ломается, когда приходит {d} записей подряд.',
    'Мы решили оставить {a}, а {b} убрать после выпуска {d}.',
  ],
  chinese: ['请看一下为什么 {a} 在第 {d} 次调用时会失败。', '我们决定保留 {a},去掉 {b},因为旧的写法太慢了。'],
  japanese: [
    '{a} を {d} 回呼び出すと失敗する理由を調べてください。',
    '{b} は残して、{a} のほうを先に直すことにしました。',
  ],
};
export const languages: readonly string[] = Object.keys(sentences);

/** Names that belong to one session: the same few come up again and again, new ones join as it goes on. */
export interface World {
  readonly dice: Dice;
  readonly names: string[];
  readonly paths: string[];
}

export const pick = <T>(dice: Dice, from: readonly [T, ...T[]] | readonly T[]): T => {
  const found = from[dice(from.length)];
  if (found === undefined) throw new Error('expected something to pick from, got an empty list');
  return found;
};

const capital = (word: string): string => `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`;

export function newName({ dice, names }: World): string {
  const name = `${pick(dice, verbs)}${capital(pick(dice, qualities))}${capital(pick(dice, nouns))}${dice(4) === 0 ? dice(100) : ''}`;
  names.push(name);
  return name;
}

export function newPath({ dice, paths }: World): string {
  const file = `${pick(dice, verbs)}-${pick(dice, nouns)}${dice(5) === 0 ? `-${dice(1000)}` : ''}.${pick(dice, extensions)}`;
  const path = `src/${pick(dice, folders)}/${pick(dice, nouns)}/${file}`;
  paths.push(path);
  return path;
}

/** Mostly one of the newest few, sometimes an old one, sometimes a new one. */
function recent(dice: Dice, known: readonly string[], make: () => string): string {
  const way = dice(20);
  if (known.length === 0 || way === 0) return make();
  const from = way < 14 ? Math.max(0, known.length - 12) : 0;
  return known[from + dice(known.length - from)] ?? make();
}

export const someName = (world: World): string => recent(world.dice, world.names, () => newName(world));
export const somePath = (world: World): string => recent(world.dice, world.paths, () => newPath(world));

/** `count` sentences of a language. */
export function prose(world: World, language: string, count: number): string {
  const { dice } = world;
  const fill = (sentence: string): string =>
    sentence.replaceAll(/\{(\w)\}/g, (_, what: string) => {
      if (what === 'a') return someName(world);
      if (what === 'b') return somePath(world);
      if (what === 'd') return String(2 + dice(900));
      return pick(dice, what === 'q' ? qualities : what === 'n' ? nouns : verbs);
    });
  return Array.from({ length: count }, () => fill(pick(dice, sentences[language] ?? []))).join(' ');
}

export function code(world: World, lines: number): string {
  const { dice } = world;
  const line = (): string => {
    const [a, b, n] = [someName(world), someName(world), pick(dice, nouns)];
    switch (dice(8)) {
      case 0:
        return `export function ${newName(world)}(${n}: ${capital(n)}, options: Options = {}): ${capital(pick(dice, nouns))} {`;
      case 1:
        return `  const ${pick(dice, qualities)}${capital(n)} = await ${a}(${n}.id, { limit: ${dice(500)} });`;
      case 2:
        return `  if (!${n} || ${n}.${pick(dice, qualities)}Count > ${dice(64)}) throw new Error('${a}: no ${n}');`;
      case 3:
        return `  return ${b}(${n}.map((one) => one.${pick(dice, nouns)}Id));`;
      case 4:
        return `import { ${a} } from '../${somePath(world)}';`;
      case 5:
        return `  // ${prose(world, 'english', 1)}`;
      default:
        return dice(2) ? '}' : '';
    }
  };
  const from = 1 + dice(400);
  return Array.from({ length: lines }, (_, i) => `${String(from + i).padStart(5)}\t${line()}`).join('\n');
}

export function records(world: World, count: number): string {
  const { dice } = world;
  const record = (): object => ({
    id: `${dice(2 ** 31).toString(16)}-${dice(2 ** 16).toString(16)}`,
    name: someName(world),
    file: somePath(world),
    state: pick(dice, qualities),
    counts: [dice(100), dice(10_000), dice(1_000_000) / 100],
    note: dice(3) === 0 ? prose(world, pick(dice, languages), 1) : null,
  });
  return JSON.stringify(Array.from({ length: count }, record), null, dice(2) ? 2 : 0);
}

export function listing(world: World, lines: number): string {
  const { dice } = world;
  return Array.from(
    { length: lines },
    () =>
      `-rw-r--r-- 1 dev dev ${String(dice(90_000)).padStart(6)} May ${1 + dice(30)} ${10 + dice(14)}:${10 + dice(50)} ${somePath(world)}`,
  ).join('\n');
}

export function matches(world: World, lines: number): string {
  const { dice } = world;
  return Array.from(
    { length: lines },
    () => `${somePath(world)}:${1 + dice(900)}:  ${someName(world)}(${pick(dice, nouns)}, ${dice(99)});`,
  ).join('\n');
}

export function failure(world: World, frames: number): string {
  const { dice } = world;
  const at = (): string => `    at ${someName(world)} (${somePath(world)}:${1 + dice(900)}:${1 + dice(80)})`;
  const passed = Array.from(
    { length: frames * 2 },
    () => `  ✔ ${someName(world)} keeps a ${pick(dice, qualities)} ${pick(dice, nouns)} (${dice(90)}ms)`,
  );
  const reason = `TypeError: cannot read ${pick(dice, nouns)}Id of undefined in ${someName(world)}`;
  return [...passed, `  ✖ ${someName(world)}`, reason, ...Array.from({ length: frames }, at), 'exit code 1'].join('\n');
}
