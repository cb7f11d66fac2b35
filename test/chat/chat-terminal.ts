/** `palimpsest chat` in a real terminal, over a provider that says what a test wants it to say: a home and a project of its own. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { messageText } from '@palimpsest/core/formats';
import { type FakeProvider, type FakeRequest, type Reply, startFakeProvider } from '@palimpsest/core/testing';
import { entry, quietEnv } from '../support/command-line.ts';
import { openTmux, type Tmux, type TmuxProgram } from '../support/tmux.ts';

const size = { columns: 80, rows: 24 } as const;

/** A conversation at a terminal. */
export interface ChatTerminal {
  readonly tmux: Tmux;
  readonly fake: FakeProvider;
  /** A folder with nothing in it. */
  readonly project: string;
  readonly home: string;
  /** Types a text, and waits until the editor has it and a hand would be ready for the next key. */
  typed(text: string): Promise<void>;
  /** Types a text and sends it. */
  say(text: string): Promise<void>;
  /** Waits until the screen shows a text and nothing goes on any more. */
  rests(shown: string | RegExp): Promise<string>;
  /** Waits until so many requests have come, and the program shows that one is under way. */
  works(requests: number): Promise<void>;
  /** Waits for a question that listens. */
  asked(): Promise<string>;
  /** Waits until the newest call has ended on the wire before its answer was complete. */
  stopped(): Promise<void>;
  /** Leaves with Ctrl-D. */
  leave(): Promise<void>;
  /** The program once more, when the one before has ended. */
  again(...args: readonly string[]): Promise<void>;
}

/** Starts the command in an empty project; everything ends with the test. */
export async function openChatTerminal(t: TestContext): Promise<ChatTerminal> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-complaint-')));
  t.after(() => rmSync(home, { recursive: true, force: true, maxRetries: 3 }));
  const project = join(home, 'kiln');
  mkdirSync(project);
  const fake = await startFakeProvider();
  t.after(() => fake.close());
  const program = programAt(fake, { home, project });
  const tmux = await openTmux({ ...program([]), ...size });
  t.after(() => tmux.close());
  await tmux.until('the editor', isIdle);
  return { tmux, fake, project, home, ...person(tmux, fake), again: (...args) => again(tmux, program(args)) };
}

function programAt(
  fake: FakeProvider,
  { home, project }: { readonly home: string; readonly project: string },
): (args: readonly string[]) => TmuxProgram {
  const place = ['--base-url', fake.baseUrl('openai-chat'), '--context-length', '32000'];
  return (args) => ({
    command: [process.execPath, entry, 'chat', '--model', 'openai-compatible/gpt-kiln', ...place, ...args],
    cwd: project,
    env: {
      ...quietEnv,
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      XDG_DATA_HOME: join(home, '.local/share'),
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      TZ: 'UTC',
    },
  });
}

async function again(tmux: Tmux, program: TmuxProgram): Promise<void> {
  await tmux.run(program);
  await tmux.until('the editor', isIdle);
}

/** What comes with the text would belong to it, as in a paste that nobody marks: a hand needs longer for the next key. */
const handMs = 60;

type Person = Pick<ChatTerminal, 'typed' | 'say' | 'rests' | 'works' | 'asked' | 'stopped' | 'leave'>;

function person(tmux: Tmux, fake: FakeProvider): Person {
  const typed = async (text: string): Promise<void> => {
    await tmux.type(text);
    await tmux.until('what was typed', (screen) => showsEndOf(screen, text));
    await delay(handMs);
  };
  const shows = (screen: string, wanted: string | RegExp): boolean =>
    typeof wanted === 'string' ? unbroken(screen).includes(wanted) : wanted.test(unbroken(screen));
  return {
    typed,
    async say(text) {
      await typed(text);
      await tmux.key('Enter');
    },
    rests: (wanted) => tmux.until(`${wanted} and rest`, (screen) => isIdle(screen) && shows(screen, wanted)),
    async works(requests) {
      await tmux.until(`request ${requests}`, () => fake.requests.length >= requests);
      await tmux.shows(activity);
    },
    asked: () => tmux.until('a question that listens', isListening),
    async stopped() {
      await tmux.until('the end of the call on the wire', () => fake.requests.at(-1)?.aborted === true);
      await tmux.until('the end of the work', isIdle);
    },
    async leave() {
      await tmux.shows(emptyEditor);
      await tmux.key('C-d');
      assert.equal(await tmux.ended(), 0);
    },
  };
}

/** The text of a screen in one line: as if no line had been broken. */
export const unbroken = (screen: string): string => screen.replace(/\s+/g, ' ');

/** What the person has said, as a request brings it. */
export const saidIn = (request: FakeRequest | undefined): readonly string[] =>
  (request?.messages ?? []).filter(({ role }) => role === 'user').map(messageText);

/** A model that wants to run a command. */
export const runs = (command: string): Reply => ({ toolCalls: [{ name: 'terminal', input: { command } }] });

// What the screen says by its signs. When the screen changes, this does.

/** The line of the editor, where it is empty. */
export const emptyEditor: RegExp = /^[❯>]$/m;

/** The sign beside what goes on. */
const activity = /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] /m;

/** The choices of a question stand one a line, a letter before each; one of them is marked once the question listens. */
const choice = /^([❯>] | {2})[a-z] {2}\S/gm;

const hasQuestion = (screen: string): boolean => /^(?:[❯>] | {2})y {2}\S/m.test(screen);

const isListening = (screen: string): boolean =>
  hasQuestion(screen) && [...screen.matchAll(choice)].some(([, mark]) => mark?.trim() !== '');

/** True where nothing goes on, nothing is asked, and a person may type. */
const isIdle = (screen: string): boolean =>
  /^[❯>](?: |$)/m.test(screen) && !activity.test(screen) && !hasQuestion(screen);

/** Letters and digits alone: what is left of a text however it is wrapped. */
const bare = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');

/** Between the two lines around the editor. */
const editorOf = (screen: string): string => screen.split(/^─{20,}$/m).at(-2) ?? '';

const showsEndOf = (screen: string, text: string): boolean => bare(editorOf(screen)).endsWith(bare(text).slice(-24));
