/** Which words of a person's message are theirs, and which they only handed over. */
import { keepingWords, letterHeads, letterOpenings, letterWithin } from '../../language/keeping.ts';

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
/** The same within a line. */
const fencedWithin = /`{3}[\s\S]*?(?:`{3}|$(?![\s\S]))/g;
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
  const loose = [fenced, foreignElement, fencedWithin, longQuote].reduce((left, one) => left.replace(one, take), text);
  const lines = beforeLetter(beforeInnerLetter(loose, take).split('\n'), take)
    .map((line) => beforePage(line, take))
    .filter((line) => {
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

function beforeInnerLetter(text: string, take: Take): string {
  const at = letterWithin.exec(text)?.index;
  if (at === undefined) return text;
  take(text.slice(at));
  return text.slice(0, at);
}

/** Words of one's own and a colon, right before what is handed over. */
const opensPaste = /^[^\n]{1,120}?[:：](?!\/\/|\d)\s*/u;
/** What pages have and people do not type: each kind is one sign. */
const pageSigns: readonly RegExp[] = [
  /https?:\/\/|www\./i,
  /<\/?[a-z][^>\n]{0,200}>|&[a-z]{2,8};/i,
  /\]\(|(?:^|\s)#{1,6}\s|\*\*/,
  /\s[|•›»·→]\s/,
  /[©®™]|(?:19|20)\d\d-\d\d-\d\d[T ]\d\d:/,
];
const wideSigns = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
/** Of a page that is pasted behind a colon; what is longer is one without a sign. */
const leastPage = { twoSigns: 200, oneSign: mostKept, noSign: 800 } as const;

/** What stands before a page that is pasted into the same line; a short text behind a colon is what its writer chose. */
function beforePage(line: string, take: Take): string {
  const opening = opensPaste.exec(line)?.[0];
  if (opening === undefined) return line;
  const behind = line.slice(opening.length);
  const signs = pageSigns.filter((sign) => sign.test(behind)).length;
  const least = signs > 1 ? leastPage.twoSigns : signs === 1 ? leastPage.oneSign : leastPage.noSign;
  // A sign of a script without letters says as much as two letters.
  const length = behind.length + (behind.match(wideSigns)?.length ?? 0);
  if (length < least) return line;
  take(behind);
  return opening;
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
