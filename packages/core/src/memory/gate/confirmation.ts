/** Where a person confirmed an entry: by saying it themselves, or by a yes to a question that shows it. */
import { dismissingWords, exceptingWords, furtherYes, keepingWords } from '../../language/keeping.ts';
import { noWords, yesWords } from '../../language/requests.ts';
import { type Hearing, isOtherwise, isQuestion, keysIn, ownSentences } from './lineage.ts';
import { sentencesIn } from './marks.ts';
import type { Said } from './said.ts';

/** The marks of an entry that a person confirmed, and the message in which they did. */
export interface Confirmation {
  readonly keys: ReadonlySet<string>;
  readonly message: number;
  /** What they said, or agreed to. */
  readonly text: string;
}

/** A message of the person that says by itself all of `wanted`. */
export function saidByPerson(
  entry: string,
  wanted: ReadonlySet<string>,
  heard: readonly Hearing[],
): Confirmation | undefined {
  if (wanted.size === 0) return undefined;
  for (const one of heard.toReversed()) {
    if (one.said.speaker !== 'person') continue;
    const own = ownSentences(one, entry);
    const keys = new Set(own.flatMap((sentence) => [...sentence.keys]));
    if ([...wanted].every((key) => keys.has(key)))
      return { keys, message: one.said.message, text: own.map(({ text }) => text).join('\n') };
  }
  return undefined;
}

/** A plain yes is short. */
const mostYes = 80;
const mostShown = 600;

/** What the person agreed to have remembered: the newest question that shows one text, with a plain yes to it. */
export function agreedByPerson(
  entry: string,
  wanted: ReadonlySet<string>,
  said: readonly Said[],
): readonly Confirmation[] {
  return said.flatMap((one, at) => {
    if (one.speaker !== 'person' || !isPlainYes(one.text)) return [];
    const before = said.slice(0, at).findLast(({ message }) => message < one.message);
    if (before?.speaker !== 'assistant' || said.some((other) => other !== one && other.message === one.message))
      return [];
    const shown = shownIn(before.text);
    if (shown === undefined || isOtherwise(shown, entry)) return [];
    return [{ keys: keysIn(shown, wanted), message: one.message, text: shown }];
  });
}

/** Yes, and nothing that says more, less or something else. */
export function isPlainYes(text: string): boolean {
  const answer = text.trim();
  if (answer.length > mostYes || /\d/.test(answer) || isQuestion(answer)) return false;
  if (noWords.test(answer) || dismissingWords.test(answer)) return false;
  return (yesWords.test(answer) || furtherYes.test(answer)) && !exceptingWords.test(answer);
}

const quoted =
  /"([^"\n]+)"|“([^”\n]+)”|„([^“”\n]+)[“”]|«([^»\n]+)»|「([^」\n]+)」|『([^』\n]+)』|‘([^’\n]+)’|`([^`\n]+)`/gu;

/** The one text that a question to remember shows: in quotation marks, behind a colon, or the question itself. */
export function shownIn(text: string): string | undefined {
  const texts: string[] = [];
  // What is shown may be of several sentences: its place is kept by a sign that nobody writes.
  const outer = text
    .replaceAll(place, '')
    .trim()
    .replaceAll(quoted, (...found: (string | undefined)[]) => {
      texts.push(found.slice(1, 9).find((one) => one !== undefined) ?? '');
      return place;
    });
  const sentences = sentencesIn(outer);
  const asked = askedIn(sentences);
  if (asked === undefined || asked.length > mostShown) return undefined;
  const places = asked.split(place).length - 1;
  if (places > 1) return undefined;
  if (places === 1) return texts[outer.slice(0, outer.lastIndexOf(place)).split(place).length - 1];
  const behind = /[:：]\s*(?!\/)(\S[\s\S]*)$/u.exec(asked)?.[1] ?? asked;
  return behind.replace(/[?？]\s*$/, '');
}

const place = '\uFFFC';

/** The question at the end, or one whose text stands in the line behind it. */
function askedIn(sentences: readonly string[]): string | undefined {
  const [question, last = ''] = sentences.length > 1 ? sentences.slice(-2) : [undefined, sentences[0]];
  if (isQuestion(last) && keepingWords.test(last)) return last;
  if (question === undefined || !keepingWords.test(question) || !/[:：?？]\s*$/.test(question)) return undefined;
  return isQuestion(question) || isQuestion(last) ? `${question.replace(/[?？:：]\s*$/, ':')} ${last}` : undefined;
}
