/**
 * What a person wrote in a message themselves, sentence by sentence: around what they pasted, in notes within it, and
 * wherever nothing was pasted. Told by shape alone: data, code, quotations and documents look different from somebody's
 * own lines, and a line that differs from all around it is a note.
 */
import { eastAsianLetters } from '../../language/languages.ts';
import { ownPart } from '../../transcript/origin.ts';

/** A sentence that a person wrote. */
export interface OwnSentence {
  readonly text: string;
  /** The paragraph that it stands in. */
  readonly block: number;
  /** What stands between it and the sentence before it; absent where that is more than a blank. */
  readonly joint?: '' | ' ';
  /** Where it stands: among more of the same, at the edge of something pasted, or as a note within that; the title of a document. */
  readonly place: 'among' | 'edge' | 'note' | 'title';
}

type Shape = 'blank' | 'prose' | 'note' | 'data';

interface Line {
  readonly text: string;
  readonly shape: Shape;
  /** True for a point of a list, whose sign was taken off. */
  readonly isPoint: boolean;
  /** The paragraph that it belongs to. */
  readonly block: number;
}

/** Longer texts are not looked at line by line beyond their beginning and their end. */
const edgeChars = 12_000;

/** What a message holds: sentences of its author, and documents that were pasted into it. */
export interface OwnWords {
  readonly sentences: readonly OwnSentence[];
  readonly holdsDocument: boolean;
  /** The sentences of its documents. */
  readonly documentSentences: () => readonly string[];
}

/** Reads a message. Linear in the length of the text, up to a bound. */
export function ownWords(message: string): OwnWords {
  const lines = linesOf(ownPart(message));
  const pasted = pastedIn(lines);
  const { documents } = pasted;
  return {
    sentences: sentencesIn(lines, pasted),
    holdsDocument: documents.size > 0,
    documentSentences: () =>
      lines
        .filter(({ shape, block, text }) => shape === 'prose' && documents.has(block) && !/^#{1,6}\s/.test(text))
        .flatMap(({ text }) => sentencesOf(text)),
  };
}

/** The sentences of a message that its author wrote. */
export const ownSentences = (message: string): readonly OwnSentence[] => ownWords(message).sentences;

/** What holds the text of a message, such as a request. */
interface Holder {
  readonly text: string;
}

/** The same of what holds the text of a message, read once for it: every handoff asks again. */
export function sentencesBy(holder: Holder): readonly OwnSentence[] {
  const own = sentencesRead.get(holder) ?? ownSentences(holder.text);
  keepSentences(holder, own);
  return own;
}

/** Remembers what was read of a text; undefined where nothing was. */
export function keepSentences(holder: Holder, own: readonly OwnSentence[] | undefined): void {
  if (own) sentencesRead.set(holder, own);
}

/** What was read of the text of a holder, if anything was. */
export const sentencesKept = (holder: Holder): readonly OwnSentence[] | undefined => sentencesRead.get(holder);

const sentencesRead = new WeakMap<Holder, readonly OwnSentence[]>();

function sentencesIn(lines: readonly Line[], pasted: Pasted): readonly OwnSentence[] {
  const found: OwnSentence[] = [];
  let follows = false;
  for (const { text: said, shape, block, isPoint } of lines) {
    const isTitle = shape === 'prose' && block === pasted.title;
    if (isTitle && !found.some(({ place }) => place === 'title')) found.push({ text: said, place: 'title', block });
    const isOwn = shape !== 'data' && !pasted.documents.has(block);
    if (isOwn && shape !== 'blank') {
      const place = shape === 'note' ? 'note' : pasted.isBeside(block) ? 'edge' : 'among';
      let from = 0;
      for (const [at, sentence] of sentencesOf(said).entries()) {
        const start = said.indexOf(sentence, from);
        const joint = at === 0 ? ' ' : start === from ? '' : ' ';
        found.push({ text: sentence, place, block, ...(at > 0 || (follows && !isPoint) ? { joint } : {}) });
        from = start + sentence.length;
      }
    }
    follows = isOwn && (shape === 'blank' ? follows : true);
  }
  return found;
}

/** Where a sentence ends and another one begins. */
const sentenceBreak = /(?<=[\p{L}\p{N}`)\]"'’][.!?]["'’)\]]*)\s+(?=\S)|(?<=[。！？][」』）)]?)(?=[^」』）)])/u;

/** Fewer characters say nothing of their own. */
const leastSentence = 2;

function sentencesOf(line: string): readonly string[] {
  const sentences: string[] = [];
  for (const piece of line.split(sentenceBreak)) {
    const text = piece.trim();
    if (text.length >= leastSentence) sentences.push(text);
  }
  return sentences;
}

// Lines and their shapes.

function linesOf(text: string): readonly Line[] {
  const whole = text.length <= 2 * edgeChars ? text : `${text.slice(0, edgeChars)}\n${text.slice(-edgeChars)}`;
  const raw = whole.split('\n');
  const shapes = shapesOf(raw);
  let block = 0;
  return raw.map((line, at): Line => {
    const shape = shapes[at] ?? 'blank';
    const before = shapes[at - 1];
    if (before !== undefined && before !== shape && (shape === 'blank' || shape === 'data' || before === 'data'))
      block++;
    const isPoint = point.test(line);
    return { text: line.replace(point, '').trim(), shape, block, isPoint };
  });
}

const point = /^\s*(?:[-*•・]|\d{1,3}[.)])\s+/u;

function shapesOf(raw: readonly string[]): readonly Shape[] {
  let inCode = false;
  const shapes = raw.map((line): Shape => {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) inCode = !inCode;
    if (line.trim() === '') return 'blank';
    return inCode || isFence || isData(line) ? 'data' : notes.test(line) ? 'note' : 'prose';
  });
  for (const [from, to] of sameOpenings(raw)) shapes.fill('data', from, to);
  // A few words among code, without the end of a sentence, are code too.
  for (const [at, line] of raw.entries()) {
    const isBetween = shapes[at] === 'prose' && shapes[at - 1] === 'data' && shapes[at + 1] === 'data';
    if (isBetween && fewWords.test(line)) shapes[at] = 'data';
  }
  return comments(raw, shapes);
}

/** A note opens with a sign that points at what stands beside it, or is a line of its own in brackets. */
const notes = /^\s*(?:(?:\/\/|#|--|;|%)\s*)?(?:←|<-{1,2}|\^{1,3}|※|[[(（【].{10,}[\])）】]\s*$)/u;

const openings =
  /^\s*(?:>|\||@@|diff --git|index [\da-f]{6}|[+-]{1,3}\s{2}|\[?\d{4}-\d\d-\d\d|\[?\d{1,2}:\d\d|\[\d+\/\d+\]|\d{1,6}\t|\d+ ?[→|]|<\/?[a-z][\w-]*[^<>]*>|"[\w.-]+":|[\w.-]+:\s*$|\$ )/iu;
const codeEnds =
  /[{};]\s*$|^\s*(?:import|const|let|return|def|class|for|if|while|else|export|function)\b.*[:{;)]\s*$|^[\w.[\]" ]+ [+-]?= .*\S$|\w\([^)]*\)[;:]?\s*$/u;
const fewWords = /^\s*[\w.-]+(?: [\w.-]+){0,2}$/;
const settings = /^\s+[\w.-]+:\s*\S{1,40}$/u;

/** A line of data, code or a quotation: by its opening, its end, its columns, or because it has few letters. */
function isData(line: string): boolean {
  if (openings.test(line) || settings.test(line)) return true;
  if (codeEnds.test(line) && !eastAsianLetters.test(line)) return true;
  const separators = line.match(/[,;\t|](?=\S)/g)?.length ?? 0;
  const blanks = line.match(/\S\s/g)?.length ?? 0;
  if (separators >= 2 && separators >= blanks) return true;
  if ((line.trim().match(/\S(?: {2,}|\t)\S/g)?.length ?? 0) >= 2) return true;
  const signs = line.replace(/\s/g, '');
  return signs.length >= 8 && lettersIn(signs) / signs.length < 0.66;
}

/** How many letters a text has: those of ASCII, which mostly are all, without a list of them. */
function lettersIn(text: string): number {
  let letters = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 128) return text.match(/\p{L}/gu)?.length ?? 0;
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) letters++;
  }
  return letters;
}

/** Three lines in a row with the same kind of opening (`PAUL. …`, `Int.: …`, `npm …`, `问：…`) are a record of something. */
function sameOpenings(raw: readonly string[]): readonly (readonly [number, number])[] {
  const runs: (readonly [number, number])[] = [];
  let from = 0;
  for (let at = 0; at <= raw.length; at++) {
    if (at < raw.length && speakers.test(raw[at] ?? '')) continue;
    if (at - from >= 3) runs.push([from, at]);
    from = at + 1;
  }
  return runs;
}

const speakers =
  /^\s*(?:[\p{Lu}\p{N}][\p{L}\p{N}]{0,11}[.:]{1,2}\s|[\p{Script=Han}\p{Script=Hangul}\u3041-\u30ff]{1,5}[:：]|npm |[-*•]\s[\p{L}\d]+(?:[-_][\p{L}\d]+)*\s?[:：]\s|\p{Lu}{3,12}\b)/u;

/** A comment is a note where the code around it has hardly another one. */
function comments(raw: readonly string[], shapes: Shape[]): readonly Shape[] {
  const inCode = shapes.filter((shape) => shape === 'data').length >= 4;
  const found = raw.flatMap((line, at) => (/^\s*(?:#|\/\/|--|;)\s*\p{L}/u.test(line) && inCode ? [at] : []));
  if (found.length > 2) return shapes;
  for (const at of found) shapes[at] = 'note';
  return shapes;
}

// What was pasted.

interface Pasted {
  /** Paragraphs of a document. */
  readonly documents: ReadonlySet<number>;
  /** The paragraph that a document opens with. */
  readonly title: number | undefined;
  /** True for a paragraph right beside something pasted. */
  readonly isBeside: (block: number) => boolean;
}

const edgeLines = 2;
const edgeMost = 400;
/** A paragraph this much longer than the one at the edge was not written with it. */
const muchLonger = 3;

function pastedIn(lines: readonly Line[]): Pasted {
  const paragraphs = Map.groupBy(lines, ({ block }) => block);
  const written = [...paragraphs].filter(([, own]) => own.some(isWritten));
  const hasData = lines.filter(({ shape }) => shape === 'data').length >= 2;
  // A heading opens a document, and what stands right below one belongs to it.
  const isUnder = written.length > 1 && isHeading(written.at(-2)?.[1].findLast(isWritten)?.text ?? '');
  const edges = [written.at(0), isUnder ? undefined : written.at(-1)].flatMap((one) =>
    one && isShort(one[1]) && !isHeading(one[1].find(isWritten)?.text ?? '') ? [one[0]] : [],
  );
  const rest = written.filter(([block]) => !edges.includes(block));
  const isDocument = rest.length > 0 && headingsIn(lines) >= 2;
  const documents = new Set(isDocument ? rest.map(([block]) => block) : []);
  const longest = Math.max(0, ...rest.map(([, own]) => charsOf(own)), ...(hasData ? [edgeMost] : []));
  const isBeside = (block: number): boolean => {
    const own = paragraphs.get(block);
    if (!own || !edges.includes(block)) return false;
    return isDocument || hasData || longest > muchLonger * charsOf(own);
  };
  return { documents, title: [...documents][0], isBeside };
}

const charsOf = (lines: readonly Line[]): number => lines.reduce((sum, { text }) => sum + text.length, 0);
const isShort = (lines: readonly Line[]): boolean =>
  lines.filter(({ shape }) => shape !== 'blank').length <= edgeLines && charsOf(lines) <= edgeMost;

const isWritten = ({ shape }: Line): boolean => shape !== 'blank' && shape !== 'data';

/** Headings and elements, which a message between people has not. */
const headingsIn = (lines: readonly Line[]): number => lines.filter(({ text }) => isHeading(text)).length;
const isHeading = (text: string): boolean => /^(?:#{1,6}\s|<\/?[a-z][\w-]*>$)/i.test(text);
