/** Credentials planted into invented sessions: in every kind of text that an agent writes or reads. */
import type { JsonObject } from '@palimpsest/core/engine';
import { type PlaceSample, placeSamples } from '../test/redaction/place-samples.ts';
import { type ShapeSample, secretOf, shapeSamples } from '../test/redaction/secret-samples.ts';
import { inventedSession } from './invented-session.ts';
import { type Dice, pick } from './invented-texts.ts';

/** A credential that was planted. */
export interface PlantedSecret {
  readonly secret: string;
  /** The rule it was made for. */
  readonly rule: string;
  /** The text around it, as it was planted. */
  readonly text: string;
}

export interface PlantedSession {
  readonly messages: readonly JsonObject[];
  readonly planted: readonly PlantedSecret[];
}

/** Texts that hold a secret of any shape. */
const carriers: readonly ((secret: string) => string)[] = [
  (secret) => `SERVICE_CREDENTIAL=${secret}`,
  (secret) => JSON.stringify({ service: 'mail', credential: secret, retries: 3 }, null, 2),
  (secret) => `curl -s -H "X-Service: ${secret}" https://api.example.com/v2/status`,
  (secret) => `2024-05-01T10:22:31Z WARN client rejected credential ${secret} after 3 attempts`,
  (secret) => `const client = connect({ region: 'eu', credential: '${secret}' });`,
  (secret) => `请用这个凭据 ${secret} 部署到测试环境，不要改动生产配置。`,
  (secret) => `https://api.example.com/v1/items?page=2&credential=${secret}`,
  (secret) => `Error: request failed with status 401: the credential ${secret} was rejected`,
];

/** What a webhook is known by: its secret part stands in an address. */
const inAddress = /webhook$/;
const freeShapes: readonly ShapeSample[] = shapeSamples.filter(({ rule }) => !inAddress.test(rule));

/** A session of `count` messages with secrets in its older part, where it will be compressed. */
export function plantedSession(count: number, seed: number, options: { dice: Dice; secrets: number }): PlantedSession {
  const messages = [...inventedSession(count, seed)];
  const planted: PlantedSecret[] = [];
  for (let i = 0; i < options.secrets; i++) {
    const one = newSecret(options.dice, seed * options.secrets + i);
    planted.push(one);
    plant(messages, one, options.dice);
  }
  return { messages, planted };
}

/** Every shape and every place comes up, one after the other. */
function newSecret(dice: Dice, number: number): PlantedSecret {
  const samples: readonly (ShapeSample | PlaceSample)[] = number % 3 === 0 ? placeSamples : freeShapes;
  const sample = samples[Math.floor(number / (number % 3 === 0 ? 3 : 1.5)) % samples.length] ?? pick(dice, samples);
  const secret = secretOf(sample.form, dice);
  const write = isPlace(sample) ? sample.write : pick(dice, carriers);
  return { secret, rule: sample.rule, text: write(secret) };
}

const isPlace = (sample: ShapeSample | PlaceSample): sample is PlaceSample => 'write' in sample;

/** Puts the text into a message of the middle: a request, an answer, a command or an output. */
function plant(messages: JsonObject[], { text }: PlantedSecret, dice: Dice): void {
  const from = 4;
  const to = Math.floor(messages.length * 0.8);
  for (let tries = 0; tries < 100; tries++) {
    const at = from + dice(to - from);
    const message = messages[at];
    const changed = message && withText(message, text, dice);
    if (!changed) continue;
    messages[at] = changed;
    return;
  }
  throw new Error('found no message to plant a secret into: make the session longer');
}

function withText(message: JsonObject, text: string, dice: Dice): JsonObject | undefined {
  const { content, tool_calls: calls } = message;
  if (Array.isArray(calls) && dice(2) === 0)
    return { ...message, tool_calls: calls.map((call) => withCommand(call, text)) };
  if (typeof content !== 'string') return undefined;
  // In requests and answers it is a line of its own, in outputs it stands between the others.
  const lines = content.split('\n');
  const at = message.role === 'tool' ? dice(lines.length + 1) : lines.length;
  return { ...message, content: [...lines.slice(0, at), text, ...lines.slice(at)].join('\n') };
}

function withCommand(call: unknown, text: string): JsonObject {
  // The session above made the call: a function with arguments.
  const { function: called, ...rest } = call as { function: { name: string; arguments: string } } & JsonObject;
  const input = { ...(JSON.parse(called.arguments) as JsonObject), command: text };
  return { ...rest, function: { ...called, arguments: JSON.stringify(input) } };
}
