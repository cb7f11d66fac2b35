/**
 * Lets an evaluation kit compress with the public library and a model's summary: the one that the real agent went on
 * with, read from the same transcript and handed over as if a model had just written it. So the whole way is measured:
 * the reply is checked, held against the record, corrected, and composed with what the ledger knows.
 *
 * BENCH_DATA names the folder with `transcripts/<tool>/<session>`. Conversations without such a summary fail.
 */
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { compress as compressMessages, fromOpenAiChat, tokenizerFor } from '@palimpsest/core';
import { unwrapHandoff } from '../../packages/core/src/compression/handoff-block.ts';
import { templates } from '../../packages/core/src/compression/ledger/templates.ts';
import { summaryLines } from '../../packages/core/src/compression/summary-lines.ts';
import { toolCalls } from '../../packages/core/src/transcript/text.ts';
import { readTranscriptFile } from '../files.ts';
import { shownText } from './shown-text.mjs';

export const name = 'palimpsest + model';

export async function compress({ messages, budgetTokens, session }) {
  const tokenizer = await tokenizerFor('gpt-4o');
  const own = fromOpenAiChat(messages);
  const text = inOurForm(await realSummary(own, session));
  const result = await compressMessages(own, {
    tokenizer,
    targetTokens: budgetTokens,
    system: 'cover',
    summarizer: { name: 'real/agent', write: () => Promise.resolve({ text, finish: 'stop' }) },
  });
  // A summary that was refused would measure the ledger alone under a wrong name.
  if (result.failure) throw new Error(`the real summary was not taken: ${result.failure.message}`);
  return { text: shownText(result.messages), tokensUsed: result.after.total };
}

/** The summary that replaced these messages in the transcript that they come from. */
async function realSummary(messages, session) {
  const calls = messages.flatMap((message) => toolCalls(message).map(({ callId }) => callId));
  const last = calls.at(-1);
  for (const transcript of await transcriptsOf(session)) {
    const starts = [0, ...(transcript.compressions ?? []), transcript.messages.length];
    for (let i = 1; i < starts.length - 1; i++) {
      const stretch = transcript.messages.slice(starts[i - 1], starts[i]);
      if (!stretch.some((message) => toolCalls(message).some(({ callId }) => callId === last))) continue;
      const opening = transcript.messages.slice(starts[i], starts[i] + 3);
      const summary = opening.map(unwrapHandoff).find(Boolean);
      if (summary) return summary.body;
    }
  }
  throw new Error(`no summary of these messages in ${session.id}: only --real has cases with one`);
}

const read = new Map();

/** The kit names a case by its file, the number of the conversation in it, and where it was cut. */
function transcriptsOf({ id }) {
  const folder = process.env.BENCH_DATA ?? '../shared/data';
  const path = globSync(join(folder, 'transcripts/*/*')).find(
    (one) => basename(one) === id.replace(/(?:#\d+)?(?::\d+)*$/, ''),
  );
  if (!path) throw new Error(`no transcript ${id} in ${folder}: name its folder with BENCH_DATA`);
  if (!read.has(path)) read.set(path, readTranscriptFile(path));
  return read.get(path);
}

/** Under the headings that our own prompt asks for; without what a model thinks aloud before it begins. */
function inOurForm(summary) {
  const lines = summaryLines(summary);
  const begins = lines.findIndex(({ type, heading }) => type === 'heading' && /^summary$/i.test(heading));
  const { sections } = templates.handoff;
  const homes = new Map(sections.map(({ heading }) => [heading, []]));
  for (const line of lines.slice(begins + 1)) {
    if (line.type === 'heading') continue;
    const section = isSolved(line.heading) ? undefined : sections.find(({ holds }) => holds.includes(line.about));
    homes.get(section?.heading ?? sections.at(-1).heading).push(line.text);
  }
  return [...homes].map(([heading, texts]) => `## ${heading}\n${texts.join('\n').trim() || 'None'}`).join('\n\n');
}

/** What was fixed and what was said are no open failures and no open requests. */
const isSolved = (heading) => /fix|solv|messages/i.test(heading);
