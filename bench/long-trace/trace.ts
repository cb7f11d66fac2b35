/** A working day of hundreds of short requests as OpenAI chat messages, about 500K tokens, invented from a seed. */
import type { JsonObject } from '@palimpsest/core/engine';
import {
  code,
  type Dice,
  diceOf,
  failure,
  listing,
  matches,
  newPath,
  prose,
  records,
  someName,
  somePath,
  type World,
} from '../invented-texts.ts';
import { type Fact, facts } from './facts.ts';
import { type Asked, nod, questionRequest, questions, workRequest } from './requests.ts';

/** One request with all that came of it. */
export interface Turn {
  readonly kind: 'fact' | 'work' | 'question' | 'nod';
  /** What the person sent, and the words by which it is found; a nod has none. */
  readonly asked: Asked;
  readonly messages: readonly JsonObject[];
}

export interface LongTrace {
  readonly system: JsonObject;
  readonly turns: readonly Turn[];
}

export interface TraceSizes {
  /** Requests that are work and say nothing else. */
  readonly work: number;
  readonly nods: number;
  /** Of the questions and of the facts, the share that is taken. */
  readonly share: number;
  /** How large outputs are: 1 gives about 1,200 tokens a request. */
  readonly outputs: number;
}

/** About 500K tokens. */
export const longTrace: TraceSizes = { work: 170, nods: 49, share: 1, outputs: 1 };

/** The trace of a seed. */
export function inventedTrace(seed: number, sizes: TraceSizes = longTrace): LongTrace {
  const world: World = { dice: diceOf(seed), names: [], paths: [] };
  for (let i = 0; i < 8; i++) newPath(world);
  const some = <T>(all: readonly T[]): readonly T[] => all.filter((_, at) => at % Math.round(1 / sizes.share) === 0);
  const kinds: readonly (readonly [Turn['kind'], Asked | undefined])[] = [
    ...some(facts).map((fact) => ['fact', factAsked(fact)] as const),
    ...some(questions).map((message) => ['question', questionRequest(message)] as const),
    ...Array.from({ length: sizes.work }, () => ['work', undefined] as const),
    ...Array.from({ length: sizes.nods }, () => ['nod', undefined] as const),
  ];
  const turns = shuffled(world.dice, kinds).map(([kind, given], at): Turn => {
    const asked = given ?? (kind === 'work' ? workRequest(world) : { message: nod(world), words: '' });
    return { kind, asked, messages: turnMessages(world, { kind, asked, at, outputs: sizes.outputs }) };
  });
  checkWords(turns);
  const system = { role: 'system', content: 'You are a helpful assistant with tools in the repository of the person.' };
  return { system, turns };
}

function shuffled<T>(dice: Dice, all: readonly T[]): readonly T[] {
  const rest = [...all];
  return all.flatMap(() => rest.splice(dice(rest.length), 1));
}

/** Characters before a value that show whose words they are: an answer may repeat the value alone. */
const before = 10;

function factAsked([message, value]: Fact): Asked {
  const at = message.indexOf(value);
  const said =
    message
      .slice(Math.max(0, at - before), at)
      .split(/[.?!。?]/u)
      .at(-1) ?? '';
  return { message, value, words: `${said}${value}`.trim() };
}

/** Words that stand elsewhere too would be found though their request is gone. */
function checkWords(turns: readonly Turn[]): void {
  const texts = turns.flatMap(({ messages }, turn) => messages.map((one) => ({ turn, text: JSON.stringify(one) })));
  for (const [at, { kind, asked }] of turns.entries()) {
    if (kind !== 'fact') continue;
    const other = texts.find(({ turn, text }) => turn !== at && text.includes(asked.words));
    if (other) throw new Error(`"${asked.words}" stands in turn ${other.turn} too, not only in ${at}`);
  }
}

// What an assistant does about a request.

interface Ask {
  readonly kind: Turn['kind'];
  readonly asked: Asked;
  readonly at: number;
  readonly outputs: number;
}

function turnMessages(world: World, { kind, asked, at, outputs }: Ask): readonly JsonObject[] {
  const { dice } = world;
  const messages: JsonObject[] = [{ role: 'user', content: asked.message }];
  const language = languageOf(asked.message);
  // What is worked on stands in what the first call is handed.
  let about = kind === 'work' ? asked.words : undefined;
  const isWork = kind === 'work' || (kind === 'fact' && dice(3) > 0) || (kind === 'nod' && dice(2) === 0);
  for (let step = isWork ? 1 + dice(5) : 0; step > 0; step--) {
    const id = `call_${at}_${step}`;
    const [name, input, output] = use(world, { outputs, about });
    about = undefined;
    const call = { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
    const content = dice(3) === 0 ? prose(world, language, 1) : null;
    messages.push({ role: 'assistant', content, tool_calls: [call] });
    messages.push({ role: 'tool', tool_call_id: id, content: output });
  }
  const said = prose(world, language, kind === 'nod' ? 1 : 2 + dice(6));
  messages.push({ role: 'assistant', content: `${opening(world, { kind, asked })}${said}` });
  return messages;
}

/** An answer takes up the words of its question, and now and then what it was told. */
function opening({ dice }: World, { kind, asked }: Pick<Ask, 'kind' | 'asked'>): string {
  const words = asked.message.match(/\p{L}{5,}/gu) ?? [];
  if (kind === 'question') return `(${words.toReversed().join(', ')}) `;
  return kind === 'fact' && dice(3) === 0 ? `(${words.toReversed().join(', ')}: ${asked.value ?? ''}) ` : '';
}

function languageOf(text: string): string {
  if (/[぀-ヿ]/.test(text)) return 'japanese';
  if (/[一-鿿]/.test(text)) return 'chinese';
  return /[äöüß]|\b(?:ist|und|der|die|was|wie)\b/i.test(text) ? 'german' : 'english';
}

interface Use {
  readonly outputs: number;
  /** What the call is about; a path or a name that is known already where nothing is said. */
  readonly about: string | undefined;
}

function use(world: World, { outputs, about }: Use): readonly [string, JsonObject, string] {
  const { dice } = world;
  const size = (most: number): number => 1 + Math.floor(dice(most) * outputs);
  const isPath = about?.includes('/') ?? false;
  const path = isPath && about ? about : somePath(world);
  const subject = about ?? someName(world);
  switch (about === undefined || isPath ? dice(7) : 4 + dice(3)) {
    case 0:
    case 1:
      return ['read_file', { path }, code(world, size(80))];
    case 2:
      return ['edit_file', { path, old: code(world, 1 + dice(5)), new: code(world, 1 + dice(8)) }, `edited ${path}`];
    case 3:
      return ['run', { command: `npm test -- ${path}` }, failure(world, size(16))];
    case 4:
      return ['run', { command: `grep -rn ${subject} src` }, listing(world, size(30))];
    case 5:
      return ['search', { query: subject }, matches(world, size(40))];
    default:
      return ['query', { name: subject, limit: 50 }, records(world, size(14))];
  }
}
