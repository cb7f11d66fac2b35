/** What a person sees while a model writes: who reads how much for what price, and that work goes on. Never the text. */
import type { SummaryProgress } from '@palimpsest/core';
import { movingLine } from '../progress.ts';
import { styled } from '../render/screen.ts';
import { expectedPrice, priceText } from '../render/summary-report.ts';
import { counted, oneLine, thousands } from '../render/text.ts';
import { stderrScreen, type Terminal } from '../terminal.ts';

export interface ProgressView {
  readonly hear: (event: SummaryProgress) => void;
  /** Removes what moves; once nothing more will come. */
  readonly end: () => void;
}

interface ProgressOptions {
  /** Tokens that a summary may have, for the expected price. */
  readonly outputTokens: number;
  /** Where a model is, where that is not its provider's own address. */
  readonly addresses: ReadonlyMap<string, string>;
}

interface Running {
  readonly model: string;
  readonly since: number;
  readonly of: number;
  begun: number;
  merging: boolean;
  characters: number;
}

/**
 * Plain lines on stderr say what begins, unless `--quiet` or `--json`; on a terminal a line below is rewritten in
 * place. What the model writes is not shown: it is neither checked nor free of credentials yet.
 */
export function summaryProgress(terminal: Terminal, { outputTokens, addresses }: ProgressOptions): ProgressView {
  const line = movingLine(terminal);
  const warning = styled('warning:', 'yellow', stderrScreen(terminal));
  let running: Running | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  const text = (): string => (running ? lineOf(running, terminal.now()) : '');
  const draw = (): void => (running ? line.draw(text()) : undefined);
  const say = (words: string): void => {
    line.erase();
    if (!terminal.quiet && !terminal.json) terminal.stderr.write(`${words}\n`);
  };
  const end = (): void => {
    line.erase();
    running = undefined;
  };
  return {
    hear(event) {
      if (event.type === 'calling') {
        const { model, of } = event;
        if (running?.model !== model) {
          say(planLine(event, { outputTokens, address: addresses.get(model) }));
          running = { model, since: terminal.now(), of, begun: 0, merging: false, characters: 0 };
        }
        if (event.purpose === 'merge') running.merging = true;
        else running.begun++;
        if (terminal.stderr.isTTY) timer ??= setInterval(draw, 1_000).unref();
        draw();
      } else if (event.type === 'text') {
        if (running) running.characters += event.text.length;
        if (running) line.show(text);
      } else if (event.type === 'failed') {
        // The last failure is told by the report, with what became of the conversation.
        const { error, next } = event;
        if (next !== undefined) say(`${warning} ${oneLine(error.message)} Asking ${askedNext(error.model, next)}.`);
        end();
      }
    },
    end: () => {
      clearInterval(timer);
      end();
    },
  };
}

const askedNext = (model: string, next: string): string =>
  next === model ? 'it again, in smaller parts' : oneLine(next);

/** `openai/gpt-5-mini writes the summary: about 41,000 tokens in 1 call, ~$0.01`. */
function planLine(
  { model, of, inputTokens }: Extract<SummaryProgress, { type: 'calling' }>,
  { outputTokens, address }: { readonly outputTokens: number; readonly address: string | undefined },
): string {
  const name = address === undefined ? oneLine(model) : `${oneLine(model)} at ${oneLine(address)}`;
  const calls = of === 1 ? '1 call' : `${of} parts and ${counted(1, 'call')} or more to merge them`;
  const price = priceText(expectedPrice({ model, parts: of, inputTokens, outputTokens }));
  return `${name} writes the summary: about ${thousands(inputTokens * of)} tokens in ${calls}, ${price}`;
}

function lineOf({ model, since, of, begun, merging, characters }: Running, now: number): string {
  const seconds = `${Math.floor((now - since) / 1_000)} s`;
  const doing = merging ? 'merges the parts' : of > 1 ? `part ${begun} of ${of}` : characters > 0 ? 'writes' : 'reads';
  const written = characters > 0 ? `, ${thousands(characters)} characters` : '';
  return `${oneLine(model)} ${doing}${written}, ${seconds}`;
}
