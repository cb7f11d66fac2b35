/** What a person sees while a model writes: who reads how much for what price, and that work goes on. Never the text. */
import type { SummaryProgress } from '@palimpsest/core';
import { styled } from '../render/screen.ts';
import { counted, oneLine, thousands } from '../render/text.ts';
import { clip } from '../render/width.ts';
import { type GlobalFlags, stderrScreen, type Terminal } from '../terminal.ts';
import { expectedPrice, priceText } from './summary-cost.ts';

/** Shows a summary in the making. */
export interface ProgressView {
  readonly hear: (event: SummaryProgress) => void;
  /** Removes what moves; once nothing more will come. */
  end(): void;
}

export interface ProgressOptions {
  readonly flags: GlobalFlags & { readonly json?: boolean };
  /** Tokens that a summary may have, for the expected price. */
  readonly outputTokens: number;
  /** Where a model is, where that is not its provider's own address. */
  readonly addresses: ReadonlyMap<string, string>;
}

const everyMs = 1_000;
const drawnEveryMs = 100;
const eraseLine = '\r\u001b[2K';

/** What is told at the moment. */
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
export function summaryProgress(terminal: Terminal, { flags, outputTokens, addresses }: ProgressOptions): ProgressView {
  const { stderr } = terminal;
  const screen = stderrScreen(terminal, flags);
  const moves = (stderr.isTTY ?? false) && !flags.quiet;
  const speaks = !flags.quiet && !flags.json;
  const warning = styled('warning:', 'yellow', screen);
  let running: Running | undefined;
  let next = 0;
  let timer: ReturnType<typeof setInterval> | undefined;

  const erase = (): void => void (moves && running && stderr.write(eraseLine));
  const draw = (): void => {
    if (!moves || !running) return;
    next = terminal.now() + drawnEveryMs;
    stderr.write(`${eraseLine}${clip(lineOf(running, terminal.now()), screen.columns - 1)}`);
  };
  const say = (line: string): void => {
    erase();
    if (speaks) stderr.write(`${line}\n`);
  };
  return {
    hear(event) {
      switch (event.type) {
        case 'calling':
          if (running?.model !== event.model) {
            say(planLine(event, { outputTokens, address: addresses.get(event.model) }));
            running = {
              model: event.model,
              since: terminal.now(),
              of: event.of,
              begun: 0,
              merging: false,
              characters: 0,
            };
          }
          if (event.purpose === 'merge') running.merging = true;
          else running.begun++;
          if (moves) timer ??= setInterval(draw, everyMs).unref();
          draw();
          break;
        case 'text':
          if (running) running.characters += event.text.length;
          if (terminal.now() >= next) draw();
          break;
        case 'failed':
          // The last failure is told by the report, with what became of the conversation.
          if (event.next !== undefined)
            say(`${warning} ${oneLine(event.error.message)} Asking ${askedNext(event.error.model, event.next)}.`);
          erase();
          running = undefined;
          break;
      }
    },
    end() {
      erase();
      clearInterval(timer);
      running = undefined;
    },
  };
}

const askedNext = (model: string, next: string): string =>
  next === model ? 'it again, in smaller parts' : oneLine(next);

type Calling = Extract<SummaryProgress, { type: 'calling' }>;

/** `openai/gpt-5-mini writes the summary: reads about 41,000 tokens in 1 call, ~$0.01`. */
function planLine(
  { model, of, inputTokens }: Calling,
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
