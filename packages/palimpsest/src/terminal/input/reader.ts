/** Bytes of a terminal as keys: with the times that tell a lone Esc from a sequence, and a burst that was pasted from typing. */
import { StringDecoder } from 'node:string_decoder';
import type { Timers } from '@palimpsest/core/settings';
import { graphemes } from '@palimpsest/core/settings';
import { type Key, type KeyEvent, keyReader } from './keys.ts';

export type InputEvent =
  | { readonly type: 'key'; readonly key: Key }
  | { readonly type: 'text'; readonly text: string }
  /** Lines end with `\n`; there are no control characters but tabs. */
  | { readonly type: 'paste'; readonly text: string };

/** What came at once. */
export interface InputRead {
  readonly events: readonly InputEvent[];
  /** True for exactly one key press that came by itself: only such a one may answer a question. */
  readonly isSinglePress: boolean;
}

interface InputReaderOptions {
  readonly after: Timers['after'];
  readonly onRead: (read: InputRead) => void;
}

export interface InputReader {
  readonly feed: (bytes: Uint8Array | string) => void;
  readonly stop: () => void;
}

/** A terminal sends the rest of a sequence at once; over a slow line it may take this long. */
const escapeWaitMs = 30;
/** A paste whose end was lost. */
const pasteWaitMs = 1_000;
/** What follows a burst so soon belongs to it: a large paste comes in several reads. */
const burstMs = 20;
/** Nobody types so many characters between two reads. */
const burstCharacters = 12;

export function inputReader({ after, onRead }: InputReaderOptions): InputReader {
  const decoder = new StringDecoder('utf8');
  const keys = keyReader();
  const state = { knowsPastes: false, isBurst: false };
  let stopWait = (): void => {};
  let stopBurst = (): void => {};

  function handle(events: readonly KeyEvent[]): void {
    if (events.length === 0) return;
    if (events.some(({ type }) => type === 'protocol' || type === 'paste')) state.knowsPastes = true;
    const read = withBursts(
      events.filter(({ type }) => type !== 'protocol'),
      state,
    );
    if (read.isBurst) openBurst();
    if (read.events.length > 0) onRead({ events: read.events, isSinglePress: isSinglePress(read.events) });
  }

  function openBurst(): void {
    state.isBurst = true;
    stopBurst();
    stopBurst = after(burstMs, () => {
      state.isBurst = false;
    });
  }

  return {
    feed: (bytes) => {
      stopWait();
      handle(keys.read(typeof bytes === 'string' ? bytes : decoder.write(bytes)));
      if (!keys.isWaiting()) return;
      stopWait = after(keys.isPasting() ? pasteWaitMs : escapeWaitMs, () => handle(keys.flush()));
    },
    stop: () => {
      stopWait();
      stopBurst();
    },
  };
}

const isSinglePress = ([event, ...more]: readonly InputEvent[]): boolean =>
  more.length === 0 &&
  event !== undefined &&
  event.type !== 'paste' &&
  (event.type === 'key' || lengthUpTo2(event.text) === 1);

/** The number of characters, counted no further than two. */
const lengthUpTo2 = (text: string): number => graphemes(text).take(2).toArray().length;

interface Bursts {
  /** True once the terminal is known to mark what is pasted. */
  readonly knowsPastes: boolean;
  /** True shortly after a burst. */
  readonly isBurst: boolean;
}

/** Runs of text and line breaks that came at once and that nobody can have typed become pastes. */
function withBursts(events: readonly KeyEvent[], bursts: Bursts): { events: readonly InputEvent[]; isBurst: boolean } {
  const done: InputEvent[] = [];
  let isBurst = false;
  let run: KeyEvent[] = [];
  const endRun = (): void => {
    const text = run.map(textOf).join('');
    const wasPasted = isPasted(text, bursts);
    if (wasPasted) done.push({ type: 'paste', text: normalised(text) });
    else done.push(...run.map(asInput));
    if (wasPasted || text.length >= burstCharacters || (bursts.isBurst && text !== '')) isBurst = true;
    run = [];
  };
  for (const event of events) {
    if (textOf(event) !== '') run.push(event);
    else {
      endRun();
      done.push(asInput(event));
    }
  }
  endRun();
  return { events: done, isBurst };
}

/** What an event adds to a text; nothing for keys that move or change something. */
function textOf(event: KeyEvent): string {
  if (event.type === 'text') return event.text;
  if (event.type !== 'key' || event.alt || event.shift) return '';
  if (event.name === 'enter' && !event.ctrl) return '\n';
  if (event.name === 'tab' && !event.ctrl) return '\t';
  return event.name === 'j' && event.ctrl ? '\n' : '';
}

/**
 * True for text with a line break that is not the work of one key press: a terminal that does not mark pastes sends them
 * like typing. One letter and Enter may come together where a hand is fast; more only where pastes are known to be marked.
 */
function isPasted(text: string, { knowsPastes, isBurst }: Bursts): boolean {
  if (!text.includes('\n')) return false;
  if (isBurst) return true;
  const isAtEnd = text.indexOf('\n') === text.length - 1;
  return !isAtEnd || (!knowsPastes && lengthUpTo2(text.slice(0, -1)) > 1);
}

function asInput(event: KeyEvent): InputEvent {
  if (event.type === 'key') return { type: 'key', key: event };
  if (event.type === 'paste') return { type: 'paste', text: normalised(event.text) };
  return { type: 'text', text: event.type === 'text' ? event.text : '' };
}

/** Line ends of any system become `\n`; what would drive a terminal is dropped. Tabs stay: some files need them. */
const normalised = (text: string): string =>
  text.replaceAll(/\r\n?/g, '\n').replaceAll(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '');
