/**
 * A model that works through depots in a loop of tools, and asks itself again and again for something that a tool told it long
 * ago. What it does not see any more it looks up with the tools it has.
 */

import type { FakeRequest, Reply } from '@palimpsest/core/testing';
import { jsonSchema, type Tool } from 'ai';
import { readableText } from '../../packages/core/src/transcript/text.ts';

/** How long the work takes, and how often the model looks back. */
export interface Plan {
  /** Calls of the model. */
  readonly steps: number;
  /** Every so many depots it needs the code of one this many depots ago. */
  readonly askEvery: number;
  readonly askBack: number;
  /** Every so many depots have a list that is far too large for the window. */
  readonly hugeEvery: number;
}

/** What became of one question. */
export interface Question {
  readonly depot: number;
  found: 'in_context' | 'session_search' | 'search_output' | 'nowhere';
}

/** A few signs that occur nowhere else. */
export const codeOf = (depot: number): string => `K${((depot * 7_919 + 104_729) % 1_000_003).toString(36)}Q${depot}`;

const shelves = (depot: number, lines: number): string =>
  Array.from({ length: lines }, (_, i) => `shelf ${i} of ${depot} holds ${(depot * 31 + i * 17) % 997} crates`).join(
    '\n',
  );

/** What the tool gives back for a depot. */
function listOf(depot: number, { hugeEvery }: Plan): string {
  const half = depot % hugeEvery === 0 ? 700 : 26;
  return `${shelves(depot, half)}\nThe access code of depot-${depot} is ${codeOf(depot)}.\n${shelves(depot + 50_000, half)}`;
}

/** The tool that the work is done with. */
export function workTools(plan: Plan): { readonly visit: Tool<{ readonly depot: number }, string> } {
  return {
    visit: {
      description: 'Visits a depot and lists what is in it.',
      inputSchema: jsonSchema<{ readonly depot: number }>({
        type: 'object',
        properties: { depot: { type: 'integer' } },
        required: ['depot'],
      }),
      execute: ({ depot }) => listOf(depot, plan),
    },
  };
}

/** The model; `questions` is filled while it works. */
export function worker(plan: Plan, questions: Question[]): (request: FakeRequest) => Reply {
  let [visited, step, tries] = [0, 0, 0];
  let open: Question | undefined;
  const work = (): Reply => {
    if (step >= plan.steps) return { text: 'All depots are done.' };
    visited++;
    const toolCalls = [{ name: 'visit', input: { depot: visited } }];
    if (visited % 3 === 0) return { reasoning: `After ${visited - 1} comes ${visited}.`, toolCalls };
    return { text: `Now depot-${visited}.`, toolCalls };
  };
  const ask = (depot: number, texts: readonly string[]): void => {
    const isSeen = texts.some((text) => text.includes(codeOf(depot)));
    const question: Question = { depot, found: isSeen ? 'in_context' : 'nowhere' };
    questions.push(question);
    if (!isSeen) [open, tries] = [question, 0];
  };
  return ({ messages }) => {
    step++;
    const texts = messages.map(readableText);
    const depot = visited - plan.askBack;
    if (!open && depot > 0 && visited % plan.askEvery === 0 && questions.at(-1)?.depot !== depot) ask(depot, texts);
    if (!open) return work();
    const answer = texts.at(-1) ?? '';
    if (tries > 0 && answer.includes(codeOf(open.depot))) {
      open.found = answer.startsWith('{') ? 'session_search' : 'search_output';
      open = undefined;
      return work();
    }
    const next = lookUp(open.depot, tries++, answer);
    if (!next) open = undefined;
    return next ?? work();
  };
}

/** The first, second, … thing that the model tries. */
function lookUp(depot: number, tried: number, answer: string): Reply | undefined {
  const text = `What was the code of depot-${depot}?`;
  const [, found = ''] = /"message_id":"([^"]+)","speaker":"tool"/.exec(answer) ?? [];
  const calls = [
    { name: 'session_search', input: { query: `access code depot-${depot}` } },
    { name: 'session_search', input: { message_id: found } },
    { name: 'search_output', input: { query: `code of depot-${depot} is` } },
  ];
  const call = calls[tried];
  return call && { text, toolCalls: [call] };
}
