/** Models that say what a test tells them to, and the small sessions that they are shown. */
import { templates } from '../../../packages/core/src/compression/ledger/templates.ts';
import type { SummaryMessage } from '../../../packages/core/src/compression/summarize/serialize.ts';
import type {
  Summarizer,
  SummaryCall,
  SummaryReply,
} from '../../../packages/core/src/compression/summarize/summarizer.ts';
import type { SummaryInput } from '../../../packages/core/src/compression/summarize/write-summary.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import { assistant, calls, result, user } from '../../support/conversations.ts';

export interface Scripted extends Summarizer {
  readonly calls: SummaryCall[];
  /** Calls that are not answered yet, now and at most. */
  readonly running: { now: number; most: number };
}

type Script = (call: SummaryCall, number: number) => Partial<SummaryReply> | Promise<Partial<SummaryReply>>;

/** A model that answers every call by the script; the first call has the number 0. */
export function scripted(script: Script, { name = 'fake/one', contextLength }: Partial<Summarizer> = {}): Scripted {
  const made: SummaryCall[] = [];
  const running = { now: 0, most: 0 };
  return {
    name,
    ...(contextLength === undefined ? {} : { contextLength }),
    calls: made,
    running,
    async write(call) {
      running.most = Math.max(running.most, ++running.now);
      try {
        return { text: '', finish: 'stop', ...(await script(call, made.push(call) - 1)) };
      } finally {
        running.now--;
      }
    },
  };
}

/** A summary under the headings that a prompt asks for. */
export const summaryFor = ({ prompt }: SummaryCall, said = 'Something was done (m1).'): string =>
  headingsOf(prompt)
    .map((heading) => `## ${heading}\n${said}`)
    .join('\n\n');

/** The headings that a prompt asks for. */
export const headingsOf = (prompt: string): readonly string[] =>
  [...prompt.slice(prompt.lastIndexOf('The headings, and what belongs')).matchAll(/^## (.+)$/gm)].map(
    ([, heading = '']) => heading,
  );

export const rough = (text: string): number => Math.ceil(text.length / 4);

export const numbered = (messages: readonly Message[]): readonly SummaryMessage[] =>
  messages.map((message, at) => ({ ref: `m${at + 1}`, message }));

/** An input with what a test does not care about. */
export const inputFor = (
  messages: readonly Message[],
  summarizer: Summarizer,
  { fallback, ...rest }: Partial<SummaryInput> & { readonly fallback?: Summarizer } = {},
): SummaryInput => ({
  messages: numbered(messages),
  template: templates.handoff,
  budgetTokens: 400,
  focusMessages: 3,
  count: rough,
  // The same object, by which what is learnt of a model is kept.
  summarizer: fallback === undefined ? summarizer : Object.assign(summarizer, { fallback }),
  ...rest,
});

/** Two requests, one failed run and one that worked. */
export const smallSession: readonly Message[] = [
  user('Please rename the option `--depth` to `--levels`. Do not touch the tests.'),
  calls({ a: 'bash' }, { command: 'grep -rn -- "--depth" src' }),
  result('a', 'src/options.ts:14:  depth: number;\nsrc/cli.ts:41:  .option("--depth <n>")'),
  calls({ b: 'bash' }, { command: 'npm test' }),
  result('b', 'Error: 2 tests failed\n\nExit code: 1', true),
  assistant('Two tests still use the old name.'),
  user('Never mind the rename, undo it. What does `--levels` do in version 2.4.1?'),
  assistant('It limits how deep folders are read.'),
];
