/** `npm run bench`: runs the measures that are asked for, one after another, and prints their tables. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { machine } from './figures.ts';
import { missingForKit, runNode } from './kit.ts';
import { needlesSection, realSection } from './needles.ts';
import { type BenchOptions, optionsOf, root, type SectionName, usage } from './options.ts';
import { type Section, sectionText, writeSections } from './page.ts';
import { plantedSection } from './planted.ts';
import { missingForStory, storySection } from './story.ts';
import { missingCommand } from './trajectories/command.ts';
import { trajectoriesSection } from './trajectories/section.ts';
import { sessionFiles } from './verification/sessions.ts';

type Measured = Section | { readonly skipped: string };

type Measure = (options: BenchOptions, name: SectionName) => Promise<Measured>;

type MemorySection = Extract<SectionName, `memory-${string}`>;

const measureMemory: Readonly<Record<MemorySection, (options: BenchOptions) => Promise<Measured>>> = {
  'memory-writes': ({ quick }) =>
    program('memory-writes', {
      title: 'Memory: writes of processes and an editor at once',
      args: quick ? ['--writes', '100'] : [],
      isMarkdown: true,
    }),
  'memory-planting': () => program('memory-planting', { title: 'Memory: planted rules', args: [], isMarkdown: true }),
  'memory-scan': ({ data }) =>
    program('memory-scan', { title: 'Memory: the scan', args: ['--data', data], isMarkdown: true }),
  'memory-curator': ({ quick }) =>
    program('memory-curator', {
      title: 'Memory: the curator',
      args: quick ? ['--weeks', '50'] : [],
      isMarkdown: true,
    }),
  'memory-recall': ({ data, kit, quick }) =>
    program('memory-recall', {
      title: 'Memory: recall into the turn',
      args: ['--data', data, '--kit', kit, ...(quick ? ['--only-loop'] : [])],
      isMarkdown: true,
    }),
};

type TrajectorySection = Extract<SectionName, `trajectories${string}`>;

const measureTrajectories: Readonly<Record<TrajectorySection, Measure>> = {
  trajectories: (options) => {
    const skipped = missingForStory(options);
    return skipped === undefined ? trajectoriesSection(options) : Promise.resolve({ skipped });
  },
  'trajectories-speed': withTrajectories({
    title: 'Trajectories: speed and memory',
    path: 'trajectories/speed.ts',
    quickArgs: ['--megabytes', '50', '--gigabytes', '0'],
  }),
  'trajectories-kills': withTrajectories({
    title: 'Trajectories: kills, broken lines and a full disk',
    path: 'trajectories/kills.ts',
    quickArgs: ['--records', '5000'],
  }),
};

const measure: Readonly<Record<SectionName, Measure>> = {
  needles: withKit(needlesSection),
  real: withKit(realSection),
  planted: withKit(plantedSection),
  story: (options) => {
    const skipped = missingForStory(options);
    return skipped === undefined ? storySection(options) : Promise.resolve({ skipped });
  },
  verification: ({ data, quick }) =>
    sessionFiles(data).length === 0
      ? Promise.resolve({ skipped: 'there are no transcripts: name a folder that has some with --data DIR' })
      : program('verification', {
          title: 'Verification',
          args: ['--data', data, ...(quick ? ['--quick'] : [])],
          isMarkdown: true,
        }),
  chain: ({ data, quick }) =>
    program('chain', {
      title: 'Compressed twenty times',
      args: ['--data', data, ...(quick ? ['--quick'] : [])],
      isMarkdown: true,
    }),
  secrets: () => program('secrets', { title: 'Credentials', args: [], isMarkdown: true }),
  // Programs of their own: what they measure must not share a process with anything.
  speed: ({ quick }) => program('speed', { title: 'Speed', args: quick ? ['--quick'] : [], isMarkdown: true }),
  start: ({ quick }) => program('start', { title: 'Start', args: quick ? ['--runs', '3'] : [], isMarkdown: true }),
  validity: ({ quick }) =>
    program('validity', { title: 'Validity', args: quick ? ['--count', '500'] : [], isMarkdown: false }),
  tokens: () => program('tokens', { title: 'Counting tokens', args: [], isMarkdown: false }),
  search: ({ data, kit, quick }) =>
    program('search', {
      title: 'What search finds',
      args: ['--data', data, '--kit', kit, ...(quick ? ['--quick'] : [])],
      isMarkdown: true,
    }),
  'cjk-words': ({ data, kit }) =>
    program('cjk-words', {
      title: 'Words of one to four characters',
      args: ['--data', data, '--kit', kit],
      isMarkdown: true,
    }),
  store: ({ quick }) =>
    program('store', {
      title: 'A store of a million messages',
      args: [quick ? '--quick' : '--large'],
      isMarkdown: true,
    }),
  usage: ({ quick }) =>
    program('usage', { title: 'Counting a million calls', args: quick ? ['--quick'] : [], isMarkdown: true }),
  import: ({ data }) => program('import', { title: 'Import', args: ['--data', data], isMarkdown: true }),
  conversation: () => program('conversation', { title: 'Own time of a step', args: [], isMarkdown: false }),
  'ai-sdk': ({ quick }) =>
    program('ai-sdk', { title: 'Tool loops on the AI SDK', args: quick ? ['--steps', '100'] : [], isMarkdown: false }),
  cache: ({ data, quick }) =>
    program('cache', {
      title: 'Prompt cache',
      args: ['--data', data, ...(quick ? ['--windows', '200k'] : [])],
      isMarkdown: true,
    }),
  terminal: ({ quick }) =>
    program('terminal', { title: 'Keys at the terminal', args: quick ? ['--quick'] : [], isMarkdown: true }),
  gateway: ({ quick }) =>
    program('gateway', {
      title: 'The gateway',
      path: 'gateway/overhead.ts',
      args: quick ? ['--quick'] : [],
      isMarkdown: true,
    }),
  'gateway-conversations': ({ quick }) =>
    program('gateway-conversations', {
      title: 'The gateway, with conversations',
      path: 'gateway/overhead.ts',
      args: ['--conversations', ...(quick ? ['--quick'] : [])],
      isMarkdown: true,
    }),
  'gateway-bodies': ({ quick }) =>
    program('gateway-bodies', {
      title: 'The gateway: bodies that went wrong',
      path: 'gateway/wrong-bodies.ts',
      args: quick ? ['--quick'] : [],
      isMarkdown: true,
    }),
  ...measureMemory,
  ...measureTrajectories,
};

function withKit(run: (options: BenchOptions) => Promise<Section>): (options: BenchOptions) => Promise<Measured> {
  return async (options) => {
    const missing = missingForKit(options);
    return missing === undefined ? run(options) : { skipped: missing };
  };
}

interface TrajectoryProgram {
  readonly title: string;
  readonly path: 'trajectories/speed.ts' | 'trajectories/kills.ts';
  readonly quickArgs: readonly string[];
}

function withTrajectories({ quickArgs, ...rest }: TrajectoryProgram): Measure {
  return ({ quick }, name) => {
    const skipped = missingCommand();
    if (skipped !== undefined) return Promise.resolve({ skipped });
    return program(name, { ...rest, args: quick ? quickArgs : [], isMarkdown: true });
  };
}

interface Program {
  readonly title: string;
  /** Below `bench/`. @default the name of the section */
  readonly path?: string;
  readonly args: readonly string[];
  readonly isMarkdown: boolean;
}

async function program(name: SectionName, { title, path: file, args, isMarkdown }: Program): Promise<Measured> {
  const path = join(root, 'bench', file ?? `${name}.ts`);
  if (!existsSync(path)) return { skipped: `${path} is not there` };
  const ended = await runNode([path, ...args]);
  const printed = ended.printed.trim();
  // What it found is worth showing all the more.
  if (ended.code !== 0) process.exitCode = ended.code;
  return { name, title, paragraphs: [isMarkdown ? printed : `\`\`\`text\n${printed}\n\`\`\``] };
}

async function main(): Promise<void> {
  const options = optionsOf(process.argv.slice(2));
  if (!options) {
    console.log(usage);
    return;
  }
  const texts = new Map<SectionName, string>();
  for (const name of options.sections) {
    console.error(`measuring ${name} …`);
    const measured = await measure[name](options, name);
    if ('skipped' in measured) {
      console.error(`${name}: skipped, ${measured.skipped}`);
      continue;
    }
    const text = sectionText(measured, machine());
    console.log(`${text}\n`);
    texts.set(name, text);
    // At once, so that a later failure loses nothing.
    if (options.write) writeSections(new Map([[name, text]]));
  }
  if (texts.size === 0) process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(`bench: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 2;
});
