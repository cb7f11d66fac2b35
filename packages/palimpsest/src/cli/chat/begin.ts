/** The prompt comes first: the console is opened with as little as it needs, and the rest is loaded while a person may type. */
import { join } from 'node:path';
import { dataFolder } from '../../config/folders.ts';
import type { Complete } from '../../terminal/completion.ts';
import type { ConsoleEvent } from '../../terminal/console.ts';
import { openConsole } from '../../terminal/open-console.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { keepYoungSpaceSmall, letYoungSpaceGrow, loadInPieces } from './load-in-pieces.ts';
import type { ChatFlags } from './open-chat.ts';
import { openTypedTexts } from './typed-texts.ts';

/** Holds a conversation at the terminal. Throws what opening it throws, with the terminal as it was. */
export async function runInteractive(flags: ChatFlags, terminal: Terminal): Promise<ExitCode> {
  const { tty, env } = terminal;
  if (!tty) return exitCodes.internal;
  const waiting: ConsoleEvent[] = [];
  let hear = (event: ConsoleEvent): void => void waiting.push(event);
  let complete: Complete = async () => undefined;
  const typed = await openTypedTexts(typedPath(terminal), terminal.cwd);
  const texts = [...typed.entries];
  const console = openConsole({
    ...tty,
    env,
    onEvent: (event) => hear(event),
    ...(terminal.color === false ? { look: { colour: false } } : {}),
    entries: {
      texts: () => texts,
      add(text) {
        texts.push(text);
        void typed.add(text);
      },
    },
    complete: (question) => complete(question),
  });
  try {
    console.activity('starting');
    keepYoungSpaceSmall();
    await loadInPieces();
    const { converse } = await import('./interactive.ts');
    const opened = {
      console,
      listen(onEvent: (event: ConsoleEvent) => void) {
        letYoungSpaceGrow();
        hear = onEvent;
        for (const event of waiting) onEvent(event);
      },
      completeWith(wanted: Complete) {
        complete = wanted;
      },
    };
    return await converse(opened, flags, terminal);
  } finally {
    console.close();
  }
}

function typedPath({ env, platform }: Terminal): string | undefined {
  const folder = dataFolder(env, platform);
  return folder === undefined ? undefined : join(folder, 'chat-typed.jsonl');
}
