/**
 * Questions told with their answers, `which port? → 9000`: where the agent asked, the person's reply has to say so, or to
 * agree to what the question says.
 */
import type { ClaimLine } from './claim-line.ts';
import type { WrongClaim } from './claims.ts';
import { type Check, type Context, nothing } from './context.ts';
import { type Exchange, exchangesIn } from './exchanges.ts';
import { isForeign } from './foreign-requests.ts';
import { agrees } from './grounds.ts';
import { contentWords } from './request-words.ts';
import type { Source } from './source.ts';
import { isConsent, isRefusal } from './words/answers.ts';

const form = /^(?<question>[^→⇒]*[?？])\s*(?:→|⇒|=>|->)\s*(?<answer>[^→⇒]+)$/u;

/** Holds the answer to a question of the agent against what the person replied. */
export const checkAnswers: Check = (line, context) => {
  const { question = '', answer = '' } = (line.type === 'text' ? form.exec(line.content)?.groups : undefined) ?? {};
  if (question === '' || line.scope !== undefined || isForeign(line.content, context)) return nothing;
  if (context.isVerbatim(line)) return nothing;
  const exchange = askedIn(question, context);
  if (!exchange || isAnswered(exchange, answer, context.source)) return { claims: ['request'], wrong: [] };
  return { claims: ['request'], wrong: [wrongAnswer(line, exchange, context)] };
};

/** Half of what tells in the question has to stand in what the agent asked. */
const leastShare = 0.5;

/** The newest exchange before which the agent asked that. */
function askedIn(question: string, { source }: Context): Exchange | undefined {
  const words = contentWords(question.replace(/^[^:：?？]{1,24}[:：]\s*/u, ''));
  const { list, asked } = exchangesIn(source);
  const counts = new Map<number, number>();
  for (const word of words) {
    const places = source.passagesWith(word).filter((at) => /[?？]/.test(source.text(at)));
    for (const at of new Set(places.flatMap((place) => asked.get(place) ?? []))) {
      counts.set(at, (counts.get(at) ?? 0) + 1);
    }
  }
  const enough = [...counts].filter(([, count]) => count >= words.length * leastShare).map(([at]) => at);
  return list[Math.max(-1, ...enough)];
}

function isAnswered(exchange: Exchange, answer: string, source: Source): boolean {
  const reply = textOf(exchange, source);
  // Yes told as no, and no as yes.
  if (isConsent(answer) !== isConsent(reply) && isRefusal(answer) !== isRefusal(reply)) return false;
  const words = contentWords(answer);
  if (words.length === 0) return true;
  const asked = contentWords(exchange.before.map(source.text).join('\n'));
  const own = contentWords(reply);
  // Who names one of the things that were asked about agrees to that one.
  const isWhole = agrees(exchange, source) && !own.some((word) => asked.includes(word));
  const known = new Set([...own, ...(isWhole ? asked : [])]);
  if (words.some((word) => known.has(word))) return true;
  // The agent may have settled it later, or the person elsewhere.
  return words.some((word) => source.passagesWith(word).some((at) => at > exchange.last && isSaying(at, source)));
}

const isSaying = (at: number, source: Source): boolean => ['agent', 'person'].includes(source.speakerOf(at));

const textOf = ({ first, last }: Exchange, source: Source): string =>
  Array.from({ length: last - first + 1 }, (_, at) => source.text(first + at)).join('\n');

function wrongAnswer(line: ClaimLine, { first }: Exchange, { source }: Context): WrongClaim {
  const ref = source.refOf(first);
  return {
    ...{ type: 'request', text: line.content, line: line.number, verdict: 'contradicted', refs: [ref] },
    why: `the reply in ${ref} says something else`,
  };
}
