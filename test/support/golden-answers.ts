/** What a stranger must find in a golden handoff, as words of the conversation: `test/fixtures/golden/answers.json`. */
import { readFileSync } from 'node:fs';

/** By conversation, by question: the answers, each as the words that must all be there. */
export type Answers = Readonly<Record<string, Readonly<Record<string, readonly (readonly string[])[]>>>>;

export function goldenAnswers(): Answers {
  const file = new URL('../fixtures/golden/answers.json', import.meta.url);
  // The file is ours, and the test that reads it fails on any other shape.
  return JSON.parse(readFileSync(file, 'utf8')) as Answers;
}

/** By conversation: words of what was settled before it ended, which no list of open things may hold. */
export function settledThings(): Readonly<Record<string, readonly string[]>> {
  const file = new URL('../fixtures/golden/settled.json', import.meta.url);
  // The file is ours.
  return JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, readonly string[]>>;
}

/** The answers of a conversation that a text does not tell, each as `question: words`, and how many there are in all. */
export function untold(
  text: string,
  answers: Answers[string],
): { readonly missing: readonly string[]; readonly of: number } {
  const said = flat(text);
  const all = Object.entries(answers).flatMap(([question, list]) => list.map((words) => ({ question, words })));
  const missing = all.filter(({ words }) => !words.every((word) => said.includes(flat(word))));
  return { missing: missing.map(({ question, words }) => `${question}: ${words.join(' + ')}`), of: all.length };
}

const flat = (text: string): string => text.replace(/\*\*/g, '').replace(/\s+/g, ' ');
