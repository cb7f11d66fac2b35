/** Agent sessions of any length as OpenAI chat messages, invented from a seed: about 250 tokens a message. */
import type { JsonObject } from '@palimpsest/core/engine';
import {
  code,
  type Dice,
  diceOf,
  failure,
  languages,
  listing,
  matches,
  newPath,
  pick,
  prose,
  records,
  someName,
  somePath,
  type World,
} from './invented-texts.ts';

/** The first `count` messages of the session of a seed; may end with a call whose result is not there yet. */
export function inventedSession(count: number, seed: number): readonly JsonObject[] {
  const dice = diceOf(seed);
  const world: Session = { dice, names: [], paths: [], uses: [] };
  for (let i = 0; i < 8; i++) newPath(world);
  const messages: JsonObject[] = [{ role: 'system', content: prose(world, 'english', 20) }];
  while (messages.length < count) turn(world, messages);
  return messages.slice(0, count);
}

function turn(world: Session, messages: JsonObject[]): void {
  const { dice } = world;
  const language = dice(3) === 0 ? pick(dice, languages) : 'english';
  const pasted = dice(4) === 0 ? `\n\n${failure(world, 4)}` : '';
  messages.push({ role: 'user', content: `${prose(world, language, 1 + dice(5))}${pasted}` });
  for (let steps = 2 + dice(9); steps > 0; steps--) step(world, messages, language);
  messages.push({ role: 'assistant', content: prose(world, language, 4 + dice(8)) });
}

function step(world: Session, messages: JsonObject[], language: string): void {
  const { dice } = world;
  const uses = Array.from({ length: dice(5) === 0 ? 2 : 1 }, () => nextUse(world));
  const calls = uses.map(({ name, input }, i) => ({
    id: `call_${messages.length}_${i}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  const content = dice(3) === 0 ? null : prose(world, language, 1 + dice(3));
  messages.push({ role: 'assistant', content, tool_calls: calls });
  for (const [i, { output }] of uses.entries()) {
    messages.push({ role: 'tool', tool_call_id: `call_${messages.length - 1 - i}_${i}`, content: output });
  }
}

/** Agents read and run the same again: every fifth call repeats one of the last twenty. */
function nextUse({ dice, ...rest }: Session): ToolUse {
  const { uses } = rest;
  const earlier = dice(5) === 0 ? uses[Math.max(0, uses.length - 1 - dice(20))] : undefined;
  const use = earlier ?? pick(dice, tools)({ dice, ...rest });
  uses.push(use);
  return use;
}

interface Session extends World {
  readonly uses: ToolUse[];
}

interface ToolUse {
  readonly name: string;
  readonly input: JsonObject;
  readonly output: string;
}

/** Sizes are skewed, as outputs are: many short, some long. */
const size = (dice: Dice, most: number): number => 1 + Math.floor((dice(most) * (1 + dice(most))) / most);

const tools: readonly ((world: World) => ToolUse)[] = [
  (world) => ({ name: 'read_file', input: { path: somePath(world) }, output: code(world, size(world.dice, 115)) }),
  (world) => ({
    name: 'edit_file',
    input: { path: somePath(world), old: code(world, size(world.dice, 26)), new: code(world, size(world.dice, 32)) },
    output: `edited ${somePath(world)}`,
  }),
  (world) => ({
    name: 'run',
    input: { command: `npm test -- ${somePath(world)}` },
    output: failure(world, size(world.dice, 22)),
  }),
  (world) => ({
    name: 'run',
    input: { command: `ls -l src/${someName(world)}` },
    output: listing(world, size(world.dice, 48)),
  }),
  (world) => ({ name: 'search', input: { query: someName(world) }, output: matches(world, size(world.dice, 64)) }),
  (world) => ({
    name: 'query',
    input: { name: someName(world), limit: 50 },
    output: records(world, size(world.dice, 22)),
  }),
];
