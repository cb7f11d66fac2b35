/** What is asked of a record to know that a changed word is false of it. Written without a look at the verifier. */

import type { Message } from '@palimpsest/core';
import { personMessage, unwrapHandoff } from '../../packages/core/src/compression/handoff-block.ts';
import type { LedgerFacts } from '../../packages/core/src/compression/ledger/facts.ts';
import { ledgerOf } from '../../packages/core/src/compression/ledger/ledger.ts';
import { estimateTextTokens } from '../../packages/core/src/tokens/estimate.ts';
import { messageText, readableText } from '../../packages/core/src/transcript/text.ts';

/** A conversation, or its beginning, with what was read out of it once. */
export interface SessionRecord {
  readonly name: string;
  readonly messages: readonly Message[];
  readonly texts: readonly string[];
  /** All readable text, in lower case. */
  readonly all: string;
  /** What persons wrote, or may have, in lower case. */
  readonly said: string;
  readonly facts: LedgerFacts;
  /** The body of a ledger's handoff of that size. */
  handoff(budgetTokens: number): string;
  /** True when the text stands in the record, whatever its case, and not inside of a longer word. */
  has(text: string): boolean;
}

const asksPeople =
  /\buser (?:has )?(?:answered|said|chose|responded|selected)|user doesn't want|AskUser|ask_user|request_user_input/i;

export function recordOf(name: string, messages: readonly Message[]): SessionRecord {
  const ledger = ledgerOf(messages, { count: estimateTextTokens });
  const texts = messages.map(readableText);
  const all = texts.join('\n').toLowerCase();
  const said = messages.flatMap((message, at) => {
    const own = personMessage(message);
    if (own) return [messageText(own)];
    // Answers to questions and remarks on refused calls come as results; earlier summaries quote what is gone.
    const text = texts[at] ?? '';
    return unwrapHandoff(message) || asksPeople.test(text) ? [text] : [];
  });
  return {
    name,
    messages,
    texts,
    all,
    said: said.join('\n').toLowerCase(),
    facts: ledger.facts(),
    handoff: (budgetTokens) => ledger.handoff({ budgetTokens }).body,
    has: (text) => standsIn(all, text.toLowerCase()),
  };
}

const wordCharacter = /[\p{L}\p{N}_]/u;

/** True when `word` stands in `text` with an end of a word on both of its sides; signs and Han need none. */
export function standsIn(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1 && word !== ''; at = text.indexOf(word, at + 1)) {
    if (!joins(text[at - 1], word[0]) && !joins(text[at + word.length], word.at(-1))) return true;
  }
  return false;
}

const joins = (outside: string | undefined, inside: string | undefined): boolean =>
  outside !== undefined &&
  inside !== undefined &&
  wordCharacter.test(outside) &&
  wordCharacter.test(inside) &&
  outside.charCodeAt(0) < 0x2e80 &&
  inside.charCodeAt(0) < 0x2e80;
