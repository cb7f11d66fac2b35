/** The conversation that every client has: it reads files one after the other, and says at the end what it saw. */
import type { FakeRequest, Reply, Script } from '@palimpsest/core/testing';
import { type Client, type McpSetup, toolNames } from './client.ts';

export interface ScenarioOptions {
  /** How many files are read, one in each step. @default 2, which makes three calls of the model */
  readonly toolSteps?: number;
  /** Characters of each file. @default 200 */
  readonly resultChars?: number;
  /** What the model can take, in estimated tokens; above that it answers as its provider does. @default no limit */
  readonly contextLength?: number;
}

export interface Scenario {
  readonly prompt: string;
  /** By their names. */
  readonly files: Readonly<Record<string, string>>;
  /** What stands in each file and nowhere else. */
  readonly marks: readonly string[];
  readonly finalText: string;
  readonly toolSteps: number;
  readonly contextLength: number | undefined;
}

/** The same for the same options, so that two runs can be compared. */
export function makeScenario({ toolSteps = 2, resultChars = 200, contextLength }: ScenarioOptions = {}): Scenario {
  const marks = Array.from({ length: toolSteps }, (_, at) => `marker ${at + 1} of the reading room`);
  const files = marks.map((mark, at) => [`page-${at + 1}.txt`, fileText(mark, resultChars)] as const);
  return {
    prompt: 'Read the pages of this folder one after the other, and say what they hold.',
    files: Object.fromEntries(files),
    marks,
    finalText: `All ${toolSteps} pages are read: the oven timer drifts by two seconds.`,
    toolSteps,
    contextLength,
  };
}

function fileText(mark: string, chars: number): string {
  const line = 'The timer of the oven was read again, and it was late by two seconds.\n';
  return `${mark}\n${line.repeat(Math.ceil(chars / line.length))}`;
}

/** What was said before, for the MCP server to find, and what is looked for. */
export const earlier = { text: 'The kettle of the reading room stands on shelf seven.', query: 'kettle' } as const;

const searchId = 'call_of_the_server';

interface ScriptParts {
  readonly client: Client;
  readonly folder: string;
  /** Set where a tool of the MCP server is called at the end. */
  readonly mcp?: McpSetup | undefined;
}

/** Answers by how far the conversation of the request is, so that a retry or a side call changes nothing. */
export function scriptOf(scenario: Scenario, { client, folder, mcp }: ScriptParts): Script {
  return (request): Reply => {
    // Titles, checks of the topic and choices of a model: asked beside the conversation, without tools.
    if (toolNames(request).length === 0) return { text: '{"title":"Reading pages"}' };
    const done = doneSteps(request);
    if (done >= scenario.toolSteps) {
      if (mcp === undefined || JSON.stringify(request.body).includes(searchId)) return { text: scenario.finalText };
      const call = { ...mcp.tool('session_search'), id: searchId, input: { query: earlier.query } };
      return { reasoning: 'Somebody may have said it.', text: 'I look for it.', toolCalls: [call] };
    }
    const path = `${folder}/page-${done + 1}.txt`;
    // Where thinking is on, Anthropic wants it in front of a call.
    const reasoning = 'The next page comes next.';
    return { reasoning, text: `I read page ${done + 1}.`, toolCalls: [client.readFile(request, path)] };
  };
}

/** By the newest page that the request holds: older ones may have left the context, and come back in a summary. */
function doneSteps({ body }: Pick<FakeRequest, 'body'>): number {
  const seen = JSON.stringify(body).matchAll(/marker (\d+) of the reading room/g);
  return Math.max(0, ...Array.from(seen, ([, number]) => Number(number)));
}
