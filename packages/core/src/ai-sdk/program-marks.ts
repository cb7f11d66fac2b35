/** The prompt-cache breakpoints that a program has set itself. */
import type { CacheTtl } from '../context/prompt-cache/breakpoints.ts';
import type { CallOptions, Prompt } from './interface.ts';

/** What may carry them. */
export interface MarkedCall {
  readonly prompt: Prompt;
  readonly tools: NonNullable<CallOptions['tools']>;
  /** Of the whole call. */
  readonly providerOptions: CallOptions['providerOptions'];
}

/** One of them. */
export interface ProgramMark {
  /** Index of its message; -1 for a tool, which stands before them. */
  readonly at: number;
  readonly ttl: CacheTtl;
}

/**
 * All of them. One that is asked for with the call is set by Anthropic itself on the last part there is, and counts as one of the
 * four (coder/mux#3112): it is one of the last message.
 */
export function programMarks({ prompt, tools, providerOptions }: MarkedCall): readonly ProgramMark[] {
  const marks: ProgramMark[] = [];
  for (const tool of tools) addMarks(marks, -1, tool);
  for (const [at, message] of prompt.entries()) addMarks(marks, at, message);
  addMarks(marks, prompt.length - 1, { providerOptions });
  return marks;
}

interface Optioned {
  readonly providerOptions?: Readonly<Record<string, unknown>> | undefined;
  readonly content?: unknown;
}

function addMarks(marks: ProgramMark[], at: number, thing: unknown): void {
  if (typeof thing !== 'object' || thing === null) return;
  const { providerOptions = {}, content }: Optioned = thing;
  if (Array.isArray(content)) for (const part of content) addMarks(marks, at, part);
  const control = Object.values(providerOptions).map(controlIn).find(Boolean);
  if (control) marks.push({ at, ttl: Reflect.get(control, 'ttl') === '1h' ? '1h' : '5m' });
}

/** What the options of one provider say. */
function controlIn(options: unknown): object | undefined {
  if (typeof options !== 'object' || options === null) return undefined;
  const control: unknown = Reflect.get(options, 'cacheControl') ?? Reflect.get(options, 'cache_control');
  return typeof control === 'object' && control !== null ? control : undefined;
}
