/** What a prompt is told about the conversation as a whole: its dates, and what the user asked for last. */

import { redact } from '../../redaction/redact.ts';
import { redactedMessage } from '../../transcript/redact.ts';
import { messageText } from '../../transcript/text.ts';
import { personMessage } from '../handoff-block.ts';
import { clip } from '../ledger/names.ts';
import type { Ref } from '../ref.ts';
import { unforged } from './record-text.ts';
import type { SummaryMessage } from './serialize.ts';

/** Characters of one of the newest requests, and of all of them, that say what matters most. */
const requestChars = 260;
const allRequestChars = 700;

/** The newest `count` messages of the user, oldest first, each on one line with its ref; empty when there is none. */
export function newestRequests(messages: readonly SummaryMessage[], count: number): readonly string[] {
  const lines: string[] = [];
  let left = allRequestChars;
  for (let at = messages.length - 1; at >= 0 && lines.length < count && left > 0; at--) {
    const said = messages[at];
    const words = said && personMessage(redactedMessage(said.message));
    const text = words && clip(unforged(redact(messageText(words))), Math.min(requestChars, left));
    if (!said || !text) continue;
    left -= text.length;
    lines.push(`- ${text} (${said.ref})`);
  }
  return lines.toReversed();
}

/** More stretches than this, and their order says nothing: then only the first and the last day are told. */
const maxStretches = 24;

/** On which days the messages were written, as far as they say so: `m1-m40 are from 2026-05-01.` */
export function daysOf(messages: readonly SummaryMessage[]): string {
  const stretches: { day: string; first: Ref; last: Ref }[] = [];
  for (const { ref, message } of messages) {
    const day = /^\d{4}-\d\d-\d\d/.exec(message.time ?? '')?.[0];
    if (day === undefined) continue;
    const open = stretches.at(-1);
    if (open?.day === day) open.last = ref;
    else stretches.push({ day, first: ref, last: ref });
  }
  const days = stretches.map(({ day }) => day).sort();
  if (stretches.length > maxStretches) return `The records are from ${days[0]} to ${days.at(-1)}.`;
  const told = stretches.map(({ day, first, last }) => `${first === last ? first : `${first}-${last}`}: ${day}`);
  return told.length > 0 ? `The records are from these days: ${told.join('; ')}.` : '';
}
