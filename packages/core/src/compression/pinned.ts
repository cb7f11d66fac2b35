/**
 * Messages that a person has pinned (A7): what of them is pinned, which of them a compression takes out of the context, and
 * the section of the handoff in which those stand word for word. It is written from the record alone, each time anew: no model
 * writes in it, and no earlier one is copied.
 */
import { redact } from '../redaction/redact.ts';
import type { Message } from '../transcript/message.ts';
import { ownPart, saidBy } from '../transcript/origin.ts';
import { personMessage, withoutHandoff } from './handoff-block.ts';
import { pinnedRow } from './handoff-rows.ts';
import type { Ref } from './ref.ts';
import { summaryLines } from './summary-lines.ts';

/** The words of a message that can be pinned. */
export interface PinnableWords {
  readonly speaker: 'person' | 'assistant';
  /** Without credentials, and without what programs wrote beside them. */
  readonly text: string;
}

/**
 * What of a message a person can pin: their own words, or those of the assistant. Undefined for what tools, programs and
 * summaries say, and where nothing is said.
 */
export function pinnableWords(message: Message): PinnableWords | undefined {
  const said = wordsIn(message);
  const text = redact(said?.texts.join('\n') ?? '').trim();
  return said && text !== '' ? { speaker: said.speaker, text } : undefined;
}

/** True where a pin shows less than the message said, because a credential is masked. */
export function hidesCredential(message: Message): boolean {
  const text = wordsIn(message)?.texts.join('\n') ?? '';
  return redact(text) !== text;
}

interface SaidWords {
  readonly speaker: PinnableWords['speaker'];
  readonly texts: readonly string[];
}

function wordsIn(message: Message): SaidWords | undefined {
  if (message.role === 'assistant') return { speaker: 'assistant', texts: textsOf(message) };
  const said = withoutHandoff(message);
  const person = said && personMessage(said);
  return person && { speaker: 'person', texts: textsOf(saidBy(person, ['user'])).map(ownPart) };
}

const textsOf = ({ parts }: Message): readonly string[] =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));

/** A pinned message that stands in the handoff. */
export interface PinnedWords extends PinnableWords {
  readonly ref: Ref;
}

const heading = '## Pinned by the user';
const about = 'word for word; what it says holds until the user says otherwise, whatever the notes below say';

/** The section, at the beginning of a handoff; empty for no pins. */
export function pinnedSection(pins: readonly PinnedWords[]): string {
  if (pins.length === 0) return '';
  const rows = pins.map(({ ref, speaker, text }) => pinnedRow(ref, speaker, text));
  return `${[`${heading} (${about})`, ...rows].join('\n')}\n\n`;
}

/** The body of a handoff without that section: a model that goes on from it has nothing to rewrite. */
export function withoutPinned(body: string): string {
  if (!body.startsWith(heading)) return body;
  const lines = body.split('\n');
  const end = lines.findIndex(
    (line, at) => at > 0 && !line.startsWith(' |') && !/^### m\d{1,6} \w+, pinned:$/.test(line),
  );
  return end < 0 ? '' : lines.slice(end).join('\n').trimStart();
}

/** A model's summary in which no heading passes for that section. */
export function withoutPinnedHeadings(summary: string): string {
  if (!/pinned/i.test(summary)) return summary;
  return summaryLines(summary)
    .map(({ type, content, text }) => (type === 'heading' && /^pinned\b/i.test(content) ? `- ${content}` : text))
    .join('\n');
}
