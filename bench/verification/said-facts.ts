/** True facts about what people said outside of their own messages, and about what their requests were about. */
import { resultText, toolResults } from '../../packages/core/src/transcript/text.ts';
import { atomsIn } from './atoms.ts';
import { factOf, quotable } from './ledger-facts.ts';
import type { Fact } from './lines.ts';
import type { SessionRecord } from './record.ts';

/** Answers to questions of the agent and remarks on calls that were refused come as results of tools. */
export function saidFacts(record: SessionRecord): readonly Fact[] {
  return [...record.messages.flatMap((_, at) => answersAt(record, at)), ...topicFacts(record)];
}

const answered = /"="([^"]{3,160})"/g;
const remarked = /(?:the user said:\n|^User (?:responded|answered|said): )([^\n]{4,200})/;
const introduction = /^User has answered your questions?:/;

function answersAt({ messages }: SessionRecord, at: number): readonly Fact[] {
  const message = messages[at];
  const texts = message ? toolResults(message).map(resultText) : [];
  return texts.flatMap((text) => {
    const ref = `m${at + 1}`;
    const answers = introduction.test(text) ? [...text.matchAll(answered)].map(([, answer = '']) => answer) : [];
    const remark = remarked.exec(text)?.[1];
    return [...answers, ...(remark === undefined ? [] : [remark])].flatMap((said) => {
      const quote = quotable(said);
      // What the host says in the user's place is the host's.
      if (quote === undefined || quote.startsWith('The user')) return [];
      return [factOf('answer', { ref, fields: { quote } })];
    });
  });
}

/** A request told by a name in it, without its words. */
function topicFacts({ facts }: SessionRecord): readonly Fact[] {
  return facts.asks.flatMap(({ ref, text }) => {
    const names = atomsIn(text.slice(0, 1500)).filter(({ type }) => type !== 'number' && type !== 'version');
    return names.slice(0, 2).map((name) => factOf('topic', { ref, fields: { topic: name.text } }));
  });
}
