/** The person of the week at a terminal: types, answers questions, waits for what the screen shows, and goes on. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { entry } from '../../support/command-line.ts';
import { compiledFolder } from '../../support/compiled-code.ts';
import { assertGolden } from '../../support/golden.ts';
import { openTmux, type Tmux, type TmuxProgram } from '../../support/tmux.ts';
import type { Done, WeekRecord } from './judge.ts';
import { type Act, type TextName, texts } from './person.ts';
import { modelsOf, type WeekProvider } from './provider.ts';
import {
  approveCommand,
  behindEcho,
  compressCommand,
  isIdle,
  judgeScreen,
  lookCommands,
  modelCommand,
  normalised,
  pinCommand,
  questionOn,
  showsEndOf,
  signs,
  type TypedCommand,
  titleCommand,
} from './screens.ts';

/** Where the week takes place. */
export interface TerminalWeek {
  readonly provider: WeekProvider;
  /** Everything of it lies in here: the project, the store, what the program keeps for the person. */
  readonly home: string;
  readonly project: string;
  readonly columns: number;
  readonly rows: number;
  /** The program, where it is not the command itself. */
  readonly program?: readonly [string, ...string[]];
}

export const storeOfWeek = (home: string): string => join(home, 'week.db');

/** Does everything that the person does, looks at the screen at marked moments, and judges all that was ever on it. */
export async function playInTerminal(acts: readonly Act[], week: TerminalWeek): Promise<WeekRecord> {
  const { provider } = week;
  writeSettings(week);
  await using tmux = await openTmux({ ...programOf(week, []), columns: week.columns, rows: week.rows });
  const seat: Seat = { ...week, tmux, done: [], questions: 0 };
  await ready(seat);
  await golden(seat, 'start');
  for (const act of acts) {
    await play(seat, act);
    seat.done.push({ act: act.type, at: provider.fake.requests.length });
    judgeScreen(await tmux.screen(), []);
  }
  judgeScreen(await tmux.scrollback(), await tmux.brokenLines());
  await leave(seat);
  return { provider, done: seat.done };
}

interface Seat extends TerminalWeek {
  readonly tmux: Tmux;
  readonly done: Done[];
  /** Questions that were answered so far. */
  questions: number;
}

/** Where the server is stands in the settings as well: a model that is named later is looked for there. */
function writeSettings({ provider, home }: TerminalWeek): void {
  const path = join(home, '.config', 'palimpsest', 'config.yaml');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `model:\n  base_url: ${provider.fake.baseUrl('openai-chat')}\n`);
}

function programOf({ provider, home, project, program }: TerminalWeek, args: readonly string[]): TmuxProgram {
  const name = `openai-compatible/${modelsOf('openai-chat').large}`;
  const place = ['--model', name, '--base-url', provider.fake.baseUrl('openai-chat')];
  const command = program ?? ([process.execPath, entry, 'chat'] as const);
  const [first, ...rest] = command;
  return {
    command: [first, ...rest, ...place, '--project', project, '--store', storeOfWeek(home), ...args],
    cwd: project,
    env: {
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      XDG_DATA_HOME: join(home, '.local/share'),
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      NODE_COMPILE_CACHE: compiledFolder,
      TZ: 'UTC',
    },
  };
}

async function play(seat: Seat, act: Act): Promise<void> {
  const { tmux, provider } = seat;
  switch (act.type) {
    case 'say':
      await send(seat, act.says, act.how);
      return answered(seat, act.says, act.answer);
    case 'stop': {
      await send(seat, act.says);
      await held(seat);
      await tmux.type(act.draft);
      await tmux.shows(act.draft);
      await tmux.key('Escape');
      const stopped = await tmux.until('the end of the work', isIdle);
      assert.ok(stopped.includes(act.draft), `Esc has thrown the draft away:\n${stopped}`);
      await tmux.until('the end of the call on the wire', () => provider.fake.requests.at(-1)?.aborted === true);
      await tmux.key('C-u');
      await tmux.shows(signs.emptyEditor);
      return;
    }
    case 'meanwhile': {
      await send(seat, act.says);
      await held(seat);
      await typed(seat, texts[act.adds]);
      seat.done.push({ act: 'said', says: act.adds, isQueued: true, at: provider.fake.requests.length });
      await tmux.key(act.how === 'steer' ? 'Enter' : 'M-Enter');
      await tmux.shows(signs.queued);
      provider.gate.release();
      return answered(seat, act.adds, act.answer);
    }
    case 'confirm': {
      const waiting = /\be\d+\b/.exec(provider.report.answers.get(act.what) ?? '')?.[0];
      if (waiting !== undefined) await run(seat, approveCommand(waiting));
      return;
    }
    case 'pin':
      return run(seat, pinCommand);
    case 'compress':
      await run(seat, compressCommand(act.topic));
      return golden(seat, 'compressed');
    case 'title':
      return run(seat, titleCommand(act.title));
    case 'small_model':
      return run(seat, modelCommand(modelsOf('openai-chat').small));
    case 'restart':
      await leave(seat);
      return again(seat, act.by === 'title' ? ['--resume', 'Kiln week'] : ['--continue']);
    case 'kill':
      await send(seat, act.says);
      await held(seat);
      await tmux.kill('SIGKILL');
      return again(seat, ['--continue']);
    case 'look':
      await run(seat, lookCommands[act.at]);
      return golden(seat, act.at);
  }
}

/** The program has started and can be typed into. */
async function ready({ tmux }: Seat): Promise<void> {
  await tmux.until('the editor', (screen) => signs.opening.test(screen) && isIdle(screen));
}

/** What comes with the text would belong to it, as in a paste that nobody marks: a hand needs longer for the next key. */
const handMs = 60;

/** Types a text, and waits until the editor has it. */
async function typed({ tmux }: Seat, text: string): Promise<void> {
  await tmux.type(text);
  await tmux.until('what was typed', (screen) => showsEndOf(screen, text));
  await delay(handMs);
}

async function send(seat: Seat, says: TextName, how?: 'paste'): Promise<void> {
  const { tmux, provider, done } = seat;
  const text = texts[says];
  if (how === 'paste') {
    await tmux.paste(text);
    await tmux.shows(signs.pasted);
    assert.ok(isIdle(await tmux.screen()), 'a paste has sent itself');
  } else {
    await typed(seat, text);
  }
  done.push({ act: 'said', says, at: provider.fake.requests.length });
  await tmux.key('Enter');
}

/** Works through the questions until the answer is there whole, and nothing goes on any more. */
async function answered(seat: Seat, says: TextName, expected: RegExp): Promise<void> {
  const { tmux, provider } = seat;
  const { answers } = provider.report;
  const turn = { isOver: false };
  const table = says === 'table' ? heldTable(seat, turn) : Promise.resolve();
  // What is wrong with the table is told when the turn is over.
  table.catch(() => provider.gate.release());
  await tmux.until(
    `the answer to "${says}"`,
    async (screen) => {
      await answerQuestion(seat, screen);
      const answer = answers.get(says);
      return answer !== undefined && isIdle(screen) && showsEndOf(screen, answer);
    },
    { timeoutMs: 60_000 },
  );
  turn.isOver = true;
  await table;
  assert.match(answers.get(says) ?? '', expected, says);
}

/** The table is looked at while half of it has come. */
async function heldTable(seat: Seat, turn: { readonly isOver: boolean }): Promise<void> {
  await seat.provider.gate.held();
  assert.ok(!turn.isOver);
  await seat.tmux.shows(signs.heldTable);
  await golden(seat, 'table-streaming');
  seat.provider.gate.release();
}

/** The first question is looked at; every one gets its yes once it listens. */
async function answerQuestion(seat: Seat, screen: string): Promise<void> {
  const question = questionOn(screen);
  if (!question?.isReady) return;
  if (seat.questions === 0) await golden(seat, 'question');
  seat.questions++;
  await seat.tmux.key(question.yes);
  // The same question is not answered twice: it is gone, or another one that has to become ready first.
  await seat.tmux.until('the question to go', (now) => questionOn(now)?.isReady !== true || now !== screen);
}

/** An answer is held in the middle; until then there may be questions. */
async function held(seat: Seat): Promise<void> {
  let isHeld = false;
  const waiting = seat.provider.gate.held().then(() => {
    isHeld = true;
  });
  await seat.tmux.until('a held answer', async (screen) => {
    await answerQuestion(seat, screen);
    return isHeld;
  });
  await waiting;
  await seat.tmux.shows(signs.activity);
}

async function run(seat: Seat, { line, shows }: TypedCommand): Promise<void> {
  const { tmux } = seat;
  await typed(seat, line);
  await tmux.key('Enter');
  // What it prints may be longer than the screen.
  await tmux.until(
    `what ${line} shows`,
    async (screen) =>
      signs.emptyEditor.test(screen) && isIdle(screen) && shows.test(behindEcho(await tmux.scrollback(), line)),
  );
}

/** Ctrl-D at an empty line. */
async function leave({ tmux }: Seat): Promise<void> {
  await tmux.shows(signs.emptyEditor);
  await tmux.key('C-d');
  assert.equal(await tmux.ended(), 0);
}

async function again(seat: Seat, args: readonly string[]): Promise<void> {
  await seat.tmux.run(programOf(seat, args));
  await ready(seat);
}

/** Kept as it is once it does not change any more. */
async function golden({ tmux, home, columns }: Seat, name: string): Promise<void> {
  const look = (screen: string): string => normalised(screen, { home, now: Date.now() });
  let before = '';
  const settled = await tmux.until('a screen that stays as it is', (screen) => {
    const isSame = before === look(screen);
    before = look(screen);
    return isSame;
  });
  assertGolden(`chat/week/golden/${columns}/${name}.txt`, `${look(settled)}\n`);
}
