/** Which words of a person's message are theirs, and which they only handed over. */
import { keepingWords, letterHeads, letterOpenings } from '../../language/keeping.ts';

/** A message taken apart. */
export interface OwnWords {
  readonly own: string;
  /** What they pasted or quoted. */
  readonly pasted: string;
}

/** Names of elements into which people put what others wrote. */
const foreignElement =
  /<(doc\w*|file\w*|page\w*|content\w*|e?mail\w*|message\w*|attach\w*|source\w*|quot\w*|past\w*|result\w*|output\w*|log\w*|data|context|article|text|ticket|transcript|example|input)\b[^>]{0,300}>[\s\S]*?(?:<\/\1>|$)/gi;
const fenced = /^[^\S\n]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^[^\S\n]*\1[^\n]*$|$(?![\s\S]))/gm;
/** A long stretch between quotation marks is a paste; a short one is how people name what they mean. */
const longQuote = /"[^"]{200,}"|“[^“”]{200,}”|„[^„“”]{200,}[“”]|«[^«»]{200,}»|「[^「」]{120,}」|『[^『』]{120,}』/gu;
const quotedLine = /^\s*(?:>|&gt;|\|>)/;
const recordLine =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d|[[\]{}]+[,;]?\s*$|[[{]\s*"|<[a-z!/][^>]*>\s*$|"[\w-]+"\s*:|(?:user|human|assistant|agent|bot|ai|system|tool)\s*[:：]\s)/i;

/** What somebody wrote to be kept is seldom longer. */
const mostKept = 400;
/** A longer message of many lines mostly hands something over. */
const mostOwn = 1_500;
const mostOwnLines = 8;
/** Nobody types a longer line. */
const mostLine = 2_000;
/** What stands behind a question and is longer is what the question is about. */
const leastHandedOver = 120;

/** Tells a person's own words from what they paste: by marks of quotation, heads of letters, and where a message turns into a document. */
export function ownWords(text: string): OwnWords {
  const pasted: string[] = [];
  const take = (found: string): string => {
    pasted.push(found);
    return '\n';
  };
  const loose = text.replace(fenced, take).replace(foreignElement, take).replace(longQuote, take);
  const lines = beforeLetter(loose.split('\n'), take).filter((line) => {
    const isForeign = line.length > mostLine || quotedLine.test(line) || recordLine.test(line);
    if (isForeign) pasted.push(line);
    return !isForeign;
  });
  const own = beforeDocument(lines.join('\n').trim(), take);
  return { own, pasted: pasted.join('\n') };
}

type Take = (found: string) => string;

/** The lines before a letter: two lines of its head, or the line over one that is answered. */
function beforeLetter(lines: readonly string[], take: Take): readonly string[] {
  const at = lines.findIndex(
    (line, i) => letterOpenings.test(line) || (letterHeads.test(line) && letterHeads.test(lines[i + 1] ?? '')),
  );
  if (at === -1) return lines;
  take(lines.slice(at).join('\n'));
  return lines.slice(0, at);
}

/** What stands before a document that is handed over. */
function beforeDocument(text: string, take: Take): string {
  const [opening = '', ...rest] = text.split(/\n+/);
  const behind = rest.join('\n');
  if (behind.trim() === '') return text;
  if (/[:：]\s*$/.test(opening) && !(keepingWords.test(opening) && behind.length <= mostKept)) {
    take(behind);
    return opening;
  }
  if (/[?？]\s*$/.test(opening) && behind.length >= leastHandedOver) {
    take(behind);
    return opening;
  }
  if (text.length <= mostOwn || rest.length < mostOwnLines) return text;
  take(behind);
  return opening;
}
