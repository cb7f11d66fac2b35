/** What `npm run bench` is told. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';

export const sectionNames = [
  'needles',
  'real',
  'planted',
  'story',
  'verification',
  'chain',
  'secrets',
  'speed',
  'start',
  'validity',
  'tokens',
  'search',
  'cjk-words',
  'store',
  'usage',
  'import',
  'conversation',
  'ai-sdk',
  'cache',
  'terminal',
  'gateway',
  'gateway-conversations',
  'gateway-bodies',
  'memory-writes',
  'memory-planting',
  'memory-scan',
  'memory-curator',
  'memory-recall',
  'trajectories',
  'trajectories-speed',
  'trajectories-kills',
] as const;

/** Several sections by one word. */
const groups: Readonly<Record<string, readonly SectionName[]>> = {
  memory: sectionNames.filter((name) => name.startsWith('memory-')),
};

export type SectionName = (typeof sectionNames)[number];

export interface BenchOptions {
  readonly sections: readonly SectionName[];
  /** Fewer cases and sizes: a look, not a result. */
  readonly quick: boolean;
  /** Replace the measured sections of docs/reference/benchmarks.md. */
  readonly write: boolean;
  /** Folder with `transcripts/<tool>/<project>__<session>`. */
  readonly data: string;
  /** Folder of the evaluation kit: `needles.mjs`, `planted.mjs`, `adapters/`. */
  readonly kit: string;
}

export const root: string = join(import.meta.dirname, '..');

export const usage: string = `npm run bench -- [SECTION ...] [options]
  sections: ${sectionNames.join(' ')}, memory, or all
  needles    what the agent went on to use, at cuts of real sessions
  real       the same where the real agent was compressed, at the size of its own summary
  planted    sentences planted into real sessions
  story      what a handoff tells: requests, what came of them, what was found out (needs npm run test:vectors once)
  verification  false lines in summaries: which are found, and what is wrongly called false
  chain      what twenty compressions in a row leave of what the first one knew
  secrets    credentials that come through, ordinary text that is masked, and the worst inputs
  speed      milliseconds, on conversations that are made up
  start      how soon the built command and each door of the library are there
  validity   what is sent is valid for strict providers
  tokens     speed and error of counts and estimates
  search     what search finds of labelled evidence, and what each ingredient is worth
  cjk-words  whether every word of one to four characters is found
  store      filling, listing, appending and searching a million messages (about ten minutes)
  usage      counting a million calls, and summing them up over a year
  import     messages a second, of real sessions of every tool
  conversation  the runtime's own time of a step
  ai-sdk     tool loops of 1,000 steps over the packages of the AI SDK (about ten minutes)
  cache      what planned rewrites save, and how much of a loop comes from the cache
  terminal   how long a key press waits while two megabytes of an answer stream in
  gateway    what the gateway adds to streams, against a plain pass-through (about five minutes)
  gateway-conversations  the same with conversations kept, and others beside a compression (about fifteen minutes)
  gateway-bodies  what becomes of 10,000 bodies of real clients that went wrong, through conversations
  memory     all of the following
  memory-writes  what becomes of a file that processes and an editor write to at once
  memory-planting  what of planted rules gets past the gate into memory
  memory-scan    attacks that the scan catches, and its false alarms on real sessions
  memory-curator what the curator takes away of 500 weeks of notes, and what of that is right
  memory-recall  how often recall into the turn holds the evidence, and what it costs of the cache
  trajectories   training conversations cut to 8K, 16K and 32K tokens: what is kept, beside the known tool (about an hour)
  trajectories-speed  megabytes a second of the command, its memory over 10 GB, one worker beside two (about half an hour)
  trajectories-kills  100,000 trajectories, broken lines, kills and a full disk: the same output as undisturbed
  --quick    fewer cases and sizes: a look, not a result
  --write    replace the measured sections of docs/reference/benchmarks.md
  --data DIR transcripts to measure on     (default ../shared/data)
  --kit DIR  the evaluation kit            (default ../shared/eval)`;

/** The options of a command line; undefined when it asks for help. Throws an error that says what to write instead. */
export function optionsOf(args: readonly string[]): BenchOptions | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      data: { type: 'string', default: join(root, '../shared/data') },
      kit: { type: 'string', default: join(root, '../shared/eval') },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const { quick, write, data, kit } = values;
  if (quick && write) throw new Error('--write takes full measurements: leave out --quick');
  return { quick, write, data, kit, sections: sectionsOf(positionals) };
}

function sectionsOf(words: readonly string[]): readonly SectionName[] {
  if (words.length === 0 || words.includes('all')) return sectionNames;
  const wanted = words.flatMap((word): readonly string[] =>
    Object.hasOwn(groups, word) ? (groups[word] ?? []) : [word],
  );
  const unknown = wanted.find((word) => !sectionNames.some((name) => name === word));
  if (unknown !== undefined) {
    const known = [...sectionNames, ...Object.keys(groups), 'all'].join(', ');
    throw new Error(`expected a section (${known}), got "${unknown}"`);
  }
  return sectionNames.filter((name) => wanted.includes(name));
}
