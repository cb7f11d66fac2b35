/** The console where there is no terminal: text goes out as it is, without any escape; each line that comes in is a message. */
import { StringDecoder } from 'node:string_decoder';
import type { Console, ConsoleOptions } from './console.ts';
import type { Answer, Question } from './dialog.ts';
import { styledText } from './spans.ts';
import { screenLook } from './view.ts';
import { visible } from './visible.ts';

export function plainConsole(options: ConsoleOptions): Console {
  const { input, output, onEvent } = options;
  const state = { isWorking: false, isInLine: false, isOver: false };
  /** The question that the next line answers. */
  let open: ((line: string | undefined) => void) | undefined;

  const say = (text: string): void => {
    if (text === '' || state.isOver) return;
    output.write(text);
    state.isInLine = !text.endsWith('\n');
  };
  const endLine = (): void => (state.isInLine ? say('\n') : undefined);
  const sayLines = (lines: readonly string[]): void => {
    endLine();
    for (const line of lines) say(`${line}\n`);
  };

  const lines = lineReader((line) => {
    if (open) open(line);
    else if (line.trim() !== '') onEvent({ type: state.isWorking ? 'steer' : 'send', text: line });
  });
  const onEnd = (): void => {
    lines.end();
    open?.(undefined);
    onEvent({ type: 'exit' });
  };
  input.on('data', lines.feed);
  input.on('end', onEnd);
  input.resume();

  async function ask(question: Question): Promise<Answer> {
    // A message that was piped in must not answer: only a person does.
    if (state.isOver || open || input.isTTY !== true || question.signal?.aborted) return { type: 'cancelled' };
    sayLines([...linesOfQuestion(question)]);
    const line = await new Promise<string | undefined>((resolve) => {
      open = resolve;
      question.signal?.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    open = undefined;
    const chosen = question.choices.find(({ key }) => key.toLowerCase() === line?.trim().toLowerCase());
    return chosen ? { type: 'chosen', key: chosen.key, comment: '' } : { type: 'cancelled' };
  }

  return {
    write: (markdown) => say(visible(markdown)),
    endText: endLine,
    print: (given) =>
      sayLines((typeof given === 'string' ? given.split('\n') : given).map((line) => styledText(line).text)),
    status: () => {},
    activity: (text) => {
      state.isWorking = text !== undefined;
    },
    queue: () => {},
    draft: () => '',
    setDraft: () => {},
    ask,
    screen: screenLook({ ...options, look: { ...options.look, colour: false } }),
    close: () => {
      endLine();
      state.isOver = true;
      input.off('data', lines.feed);
      input.off('end', onEnd);
      input.pause();
      open?.(undefined);
    },
  };
}

const linesOfQuestion = ({ title, lines = [], preview = [], choices }: Question): readonly string[] => [
  ...[title, ...lines, ...preview].map((line) => styledText(line).text),
  choices.map(({ key, label }) => `${key}: ${label}`).join(', '),
];

interface LineReader {
  readonly feed: (bytes: Uint8Array | string) => void;
  /** The last line may have no end. */
  readonly end: () => void;
}

function lineReader(onLine: (line: string) => void): LineReader {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return {
    feed: (bytes) => {
      const lines = (rest + (typeof bytes === 'string' ? bytes : decoder.write(bytes))).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line.replace(/\r$/, ''));
    },
    end: () => {
      if (rest !== '') onLine(rest);
      rest = '';
    },
  };
}
