/**
 * Lets an evaluation kit compress with the public library. It gets OpenAI chat messages and a budget, and gives back the
 * text of everything that a model would see afterwards.
 *
 * With BENCH_NAMES=FILE in the environment it also appends, for each result, one line of JSON: how many of its tokens are
 * bare names.
 */
import { appendFileSync } from 'node:fs';
import { compress as compressMessages, fromOpenAiChat, tokenizerFor } from '@palimpsest/core';
import { shownText } from './shown-text.mjs';

export const name = 'palimpsest';

export async function compress({ messages, budgetTokens, session }) {
  const tokenizer = await tokenizerFor('gpt-4o');
  const result = await compressMessages(fromOpenAiChat(messages), {
    tokenizer,
    targetTokens: budgetTokens,
    system: 'cover',
  });
  // A result that is not compressed holds the list as it came in.
  const text = shownText(result.messages);
  noteNames({ result, text, tokenizer, session, budgetTokens });
  return { text, tokensUsed: result.after.total };
}

function noteNames({ result, text, tokenizer, session, budgetTokens }) {
  const file = process.env.BENCH_NAMES;
  if (!file) return;
  const names = (result.handoff?.text ?? '').split('\n').filter((line) => line.startsWith(' + '));
  const row = {
    ...{ session: session.id, budget: budgetTokens, status: result.status },
    nameTokens: names.length === 0 ? 0 : tokenizer.count(names.join('\n')),
    tokens: tokenizer.count(text),
  };
  appendFileSync(file, `${JSON.stringify(row)}\n`);
}
