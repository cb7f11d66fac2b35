/**
 * The tool `compress` (T8): a model asks for a compression at a good moment. It is made before the next request, for the call is
 * still under way when it asks. What it asks for is a wish: it says what the summary should dwell on, and cannot take out what
 * every compression keeps. Refusals are answers.
 */

import { oneLine } from '../compression/handoff-rows.ts';
import { policyRules } from '../compression/policy/reduce.ts';
import type { EngineTool } from '../context/engine.ts';
import { scanMemory } from '../memory/scan/scan-memory.ts';
import { noun } from '../output/text.ts';
import { redact } from '../redaction/redact.ts';
import { isJsonObject, parseJson } from '../shared/json.ts';
import type { SessionId } from '../store/ids.ts';
import { askedNow, stepFor } from './compress-now.ts';
import { useWindow } from './engine.ts';
import { passesOf, promptsFor, type Runtime, type Step, turnOf } from './live.ts';
import { saveState } from './save-state.ts';
import { sizeOf } from './size.ts';
import { initialState } from './state.ts';
import { inTurn } from './turns.ts';

/** The tool as one conversation has it. */
export interface CompressTool {
  /** What a model is told of it. */
  readonly definition: EngineTool;
  /** The answer to a call, whatever the model sent. @throws the signal's reason, ID_UNKNOWN, and what the store throws */
  run(given: unknown, signal?: AbortSignal): Promise<string>;
}

/** What a model is told of it. */
export const compressDefinition: EngineTool = {
  name: 'compress',
  description:
    'Asks for older messages of this conversation to be replaced by a summary before your next step. Use it when a piece of ' +
    'work is done and the next one does not need its details, not because the context is long: that is taken care of. The ' +
    'newest request, rules and pinned messages always stay, and expand brings every message back.',
  parameters: {
    type: 'object',
    properties: {
      focus: { type: 'string', description: 'What the summary should tell in full detail: the work that comes next.' },
      keep: { type: 'string', description: 'Names, values and results that the next work needs.' },
    },
    additionalProperties: false,
  },
};

/** See `ConversationRuntime.compressTool`. */
export const compressToolFor = (runtime: Runtime, sessionId: SessionId): CompressTool => ({
  definition: compressDefinition,
  async run(given, signal) {
    const wish = wishIn(given);
    if ('refusal' in wish) return wish.refusal;
    const asked = await askedNow(runtime, { sessionId, ...(signal ? { signal } : {}) });
    return inTurn(runtime, asked, async (turn) => {
      const step = await stepFor(turn);
      useWindow(step, step.basis.contextLength);
      const refusal = refusalFor(step);
      if (refusal !== undefined) return refusal;
      const { live } = step;
      const wishes = { turn: turnOf(live), count: wishesOf(step) + 1 };
      live.state = { ...live.state, wish: wish.topic, wishes };
      await saveState(step);
      return accepted;
    });
  },
});

const accepted =
  'The conversation is compressed before your next step. Go on: the newest request, rules and pinned messages stay, and expand ' +
  'brings back what left.';

const topicChars = 500;

type Wish = { readonly topic: string } | { readonly refusal: string };

/** What the model asks for, in one line: its own words, which nobody has to follow. */
function wishIn(given: unknown): Wish {
  const value = typeof given === 'string' ? (parseJson(given) ?? { focus: given }) : given;
  const { focus, keep } = isJsonObject(value) ? value : { focus: '', keep: '' };
  const said = [focus, keep].flatMap((one) => (typeof one === 'string' && one.trim() !== '' ? [one.trim()] : []));
  const topic = redact(oneLine(said.join('; ')).replaceAll(/\s+/g, ' '))
    .slice(0, topicChars)
    .toWellFormed();
  // What a page has put into its mouth must not steer who writes the summary.
  const [threat] = scanMemory(topic);
  if (threat)
    return {
      refusal: `Not compressed: focus and keep must name a topic, and hold ${threat.what}. Name the work in a few words.`,
    };
  return { topic };
}

/** Below this share of the threshold a compression takes more from the model than it gives. */
const leastShare = 0.25;
/** So much of the threshold has to be new since the last one. */
const newShare = 0.1;

/** Why not; undefined where nothing is against it. */
function refusalFor(step: Step): string | undefined {
  const { runtime, live, asked } = step;
  const { attempts } = policyRules;
  if (!runtime.settings.config.enabled)
    return 'Not compressed: compression is turned off here. The person can ask for one.';
  if (passesOf(live) >= attempts) return 'Not compressed: this turn has used up its compressions. Go on without.';
  if (wishesOf(step) >= attempts)
    return `Not compressed: you have asked ${attempts} times in this turn. Go on without.`;
  const messages = live.view.length;
  const { listed } = promptsFor(live, asked.prompts);
  if (!live.engine.hasContentToCompress([...listed, ...live.view.map(({ message }) => message)]))
    return `Nothing to compress: the conversation has ${noun(messages, 'message')}, which all stay.`;
  const { tokens } = sizeOf(step);
  const { thresholdTokens } = live.engine;
  if (tokens < thresholdTokens * leastShare)
    return `Not compressed: ${messages} messages with about ${number(tokens)} tokens are few. By itself that happens at ${number(thresholdTokens)}.`;
  const since = tokens - live.state.leftTokens;
  if (live.state.leftTokens > 0 && since < thresholdTokens * newShare)
    return `Not compressed: it was compressed before, and only about ${number(Math.max(0, since))} tokens were said since. Go on without.`;
  return undefined;
}

/** How often the model has asked in this turn. */
function wishesOf({ live }: Pick<Step, 'live'>): number {
  const { wishes } = live.state;
  return wishes.turn === turnOf(live) ? wishes.count : initialState.wishes.count;
}

const number = (value: number): string => value.toLocaleString('en-US');
