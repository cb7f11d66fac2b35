/** The law of a verified text: it says nothing that neither the summary says, sentence by sentence, nor the record. */

import { type Message, redact } from '@palimpsest/core';
import { Tracker } from '../../../packages/core/src/compression/ledger/tracker.ts';
import { createRecordRows } from '../../../packages/core/src/compression/verify/record-rows.ts';

/** Lines of a verified text that are neither; each was edited into something that nobody said. */
export function wordsOutside(text: string, summary: string, messages: readonly Message[]): readonly string[] {
  const own = new Set(redact(summary).split('\n').flatMap(removals));
  const record = wordsOfRecord(messages);
  return text.split('\n').filter((line) => {
    if (line.trim() === '' || line.startsWith('#') || own.has(line.trim())) return false;
    const said = line.replace(/^\s*(?:[-*] )?/, '');
    return !record.has(said) && !isUsersSentence(said, messages);
  });
}

const ends = /(?<=[.!?])\s+|(?<=[。！？])|(?<=;)\s+/u;

/** The line, and all that is left of it when whole sentences are taken out. */
function removals(line: string): readonly string[] {
  const mark = /^\s*(?:[-*] )?/.exec(line)?.[0] ?? '';
  const sentences = line.slice(mark.length).split(ends).slice(0, 8);
  const glue = /[。！？]/.test(line) ? '' : ' ';
  const left = Array.from({ length: 2 ** sentences.length }, (_, chosen) =>
    sentences.filter((_sentence, at) => chosen & (1 << at)).join(glue),
  );
  return [line.trim(), ...left.flatMap((rest) => [(mark + rest).trim(), (mark + rest).trim().replace(/;$/, '')])];
}

/** `m3 user: …`, or the same without its number: a sentence of a message of the user, from its first letter to its last. */
function isUsersSentence(line: string, messages: readonly Message[]): boolean {
  const [, number, sentence = line] = /^m(\d+) user: (.+)$/.exec(line) ?? [];
  if (number === undefined) return messages.some((message) => hasSentence(message, sentence));
  return hasSentence(messages[Number(number) - 1], sentence);
}

function hasSentence(message: Message | undefined, sentence: string): boolean {
  if (message?.role !== 'user') return false;
  const text = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const at = text.indexOf(sentence);
  const opens = /(?:^|[.!?。！？;；\n])\s*$/u.test(text.slice(0, Math.max(0, at)));
  const ends = /[.!?。！？;；]$/u.test(sentence) || /^(?:$|[.!?。！？;；\n])/u.test(text.slice(at + sentence.length));
  return at >= 0 && opens && ends;
}

function wordsOfRecord(messages: readonly Message[]): ReadonlySet<string> {
  const tracker = new Tracker();
  for (const [at, message] of messages.entries()) tracker.add(message, `m${at + 1}`);
  const facts = tracker.facts();
  const { outline, step } = createRecordRows(facts);
  return new Set([
    ...outline.flatMap(({ text }) => text.split('\n').map((row) => row.replace(/^#+ /, '').trim())),
    ...facts.actions.flatMap(({ ref }) => step(ref) ?? []),
  ]);
}
