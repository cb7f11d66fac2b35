/**
 * A program at a real terminal, for tests: what is sent to it is an order of its own, and every event is a line of a file.
 *
 *   node test/support/terminal/program.ts LOG
 */
import { appendFileSync } from 'node:fs';
import type { ConsoleEvent } from '../../../packages/palimpsest/src/terminal/console.ts';
import { openConsole } from '../../../packages/palimpsest/src/terminal/open-console.ts';

const [, , log = ''] = process.argv;
const note = (what: unknown): void => appendFileSync(log, `${JSON.stringify(what)}\n`);

const answer = `# Plan

Here is **what I found** in \`src/server.ts\`: the timeout is read before the settings are, so it is always the default.

| file | lines |
|---|---:|
| src/server.ts | 120 |
| 設定ファイル.md | 8 |

\`\`\`ts
const timeout = settings.timeout ?? 30_000;
\`\`\`

1. 日本語の長い文章をここに書いて、行の折り返しがどうなるかを確認します。「引用」もあります。中文的句子也要在八十列里正确地换行，不会超出屏幕。
2. Done 👩‍👩‍👧‍👦 ✅
`;

const orders: Readonly<Record<string, () => void>> = {
  stream: () => {
    for (const letter of answer) console.write(letter);
    console.endText();
  },
  work: () => {
    console.activity('working …');
    console.queue(['then this']);
  },
  ask: () => {
    const choices = [
      { key: 'y', label: 'Yes' },
      { key: 'n', label: 'No' },
    ];
    void console.ask({ title: 'Run rm -rf build?', choices }).then(note);
  },
  crash: () => {
    setTimeout(() => {
      throw new Error('the program fails');
    });
  },
};

function heard(event: ConsoleEvent): void {
  note(event);
  if (event.type === 'exit') {
    console.close();
    return;
  }
  if (event.type === 'interrupt') console.activity(undefined);
  if (event.type === 'send') {
    console.print([[{ text: `> ${event.text}`, style: 'dim' }]]);
    orders[event.text]?.();
  }
}

const console = openConsole({
  input: process.stdin,
  output: process.stdout,
  env: process.env,
  host: process,
  onEvent: heard,
});
console.status([{ text: 'palimpsest' }, { text: 'a model', side: 'right' }]);
note({ type: 'ready', pid: process.pid });
