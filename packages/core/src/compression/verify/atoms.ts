/**
 * The strings of a summary line that must stand in the conversation as they are: paths, identifiers, versions, numbers,
 * ids, addresses. What reads like ordinary words (`and/or`, `well-known`) is none.
 */
import { scanTokens, seen } from '../ledger/terms.ts';
import type { ClaimType } from './claims.ts';
import { numberOf } from './words-of.ts';

export type AtomType = Extract<ClaimType, 'path' | 'identifier' | 'version' | 'number' | 'id' | 'url'>;

export interface Atom {
  readonly type: AtomType;
  /** As written, without punctuation around it. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** In a code span or a line of code. */
  readonly inCode: boolean;
  /** Cut behind its last character: the beginning of a name. */
  readonly isCut: boolean;
}

/** Stretches of code in a line: what stands between backticks. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Every atom of a line in order. Linear. */
export function atomsIn(written: string, isCode = false): readonly Atom[] {
  // What stands for a credential is no name.
  const line = written.replace(placeholder, (found) => ' '.repeat(found.length));
  const atoms: Atom[] = [];
  // A line of code is full of words that are anybody's; in prose, what stands between backticks names something.
  const code = isCode ? [] : codeSpans(line);
  const inCode = (at: number): boolean => code.some(({ start, end }) => at >= start && at < end);
  const add = (type: AtomType, start: number, text: string): void => {
    const end = start + text.length;
    const isCut = line[end] === '…' || line.startsWith('...', end);
    // A number that was cut may be any other one.
    if (!isCut || type !== 'number') atoms.push({ type, text, start, end, inCode: inCode(start), isCut });
  };
  let from = 0;
  for (const match of line.matchAll(addresses)) {
    namesIn(line, { from, to: match.index }, { inCode, add });
    from = match.index + match[0].length;
    const cut = match[0].search(/…|\.{3}/);
    const url = (cut < 0 ? match[0] : match[0].slice(0, cut)).replace(/[.,;:!?*)]+$/, '');
    add('url', match.index, url);
  }
  namesIn(line, { from, to: line.length }, { inCode, add });
  return atoms;
}

const placeholder = /\[REDACTED[^\]\n]{0,80}\]/g;
const addresses = /\b[a-z][a-z0-9+.-]{1,12}:\/\/[^\s"'<>()[\]{}`\\|\u3000-\ud7af\uff00-\uffef]+/gi;

/** What stands between backticks, marks left out. */
export function codeSpans(line: string): readonly Span[] {
  const spans: Span[] = [];
  for (let at = line.indexOf('`'); at >= 0; ) {
    let width = 1;
    while (line[at + width] === '`') width++;
    const close = line.indexOf('`'.repeat(width), at + width);
    if (close < 0) break;
    spans.push({ start: at + width, end: close });
    at = line.indexOf('`', close + width);
  }
  return spans;
}

interface Sink {
  readonly inCode: (at: number) => boolean;
  readonly add: (type: AtomType, start: number, text: string) => void;
}

function namesIn(line: string, { from, to }: { from: number; to: number }, sink: Sink): void {
  scanTokens(line, { from, to }, (start, end, bits) => {
    if (bits & seen.cjk) {
      // Names inside of Han, kana and hangul are looked at on their own.
      for (const run of line.slice(start, end).matchAll(/[\x21-\x7e]+/g)) {
        const at = start + run.index;
        scanTokens(line, { from: at, to: at + run[0].length }, (s, e, b) => nameAtom(line, { s, e, b }, sink));
      }
    } else nameAtom(line, { s: start, e: end, b: bits }, sink);
  });
}

interface Token {
  readonly s: number;
  readonly e: number;
  readonly b: number;
}

const edges = /^[.,;:+#@$-]+(?!-?[\w])|[.,;:/+#@$~-]+$/g;

function nameAtom(line: string, { s, e, b }: Token, sink: Sink): void {
  const raw = line.slice(s, e);
  const name = raw.replace(edges, '');
  if (name === '' || isPattern(line, s, e)) return;
  const start = s + Math.max(0, raw.indexOf(name));
  // `path:12:3`: the path and its numbers apart; `key:value` likewise.
  if (b & seen.colon && name.includes(':')) {
    let at = start;
    for (const piece of name.split(':')) {
      single(piece, at, sink);
      at += piece.length + 1;
    }
    return;
  }
  single(name, start, sink);
}

/** Globs, placeholders and alternatives name no one thing. */
function isPattern(line: string, start: number, end: number): boolean {
  const [before, after] = [line[start - 1], line[end]];
  // Only the end of a name.
  if (before === '…' || line.slice(start - 3, start) === '...') return true;
  const placed =
    (before === '<' && line.slice(end, end + 24).includes('>')) || (before === '{' && (after === '}' || after === ','));
  // `*.go`, `src/*`; but `**name**` is emphasis.
  const globbed =
    (before === '*' && '._-/'.includes(line[start] ?? ' ')) || (after === '*' && '._-/'.includes(line[end - 1] ?? ' '));
  return placed || globbed || after === '{' || after === '<';
}

const version = /^v?\d+\.\d+(?:\.\d+)+(?:[-+.][\w.]+)?$|^v\d+(?:\.\d+)*$/i;
const number = /^\d[\d,]*(?:\.\d+)?$/;
const measured = /^(\d[\d,]*(?:\.\d+)?)(?:%|[a-z]{1,3})$/i;
/** `6-step`, `two-2`: words with a number, not a name. */
const counted = /^\d+-[a-z]+(?:-[a-z]+)*$/i;
const ordinal = /^\d+(?:st|nd|rd|th)$/i;
const issue = /^#\d+$/;
const dateLike = /^\d{4}-\d{2}-\d{2}/;
const hexId = /^(?=.*\d)[0-9a-f]{7,64}$/i;
const uuid = /^[0-9a-f]{8}-[0-9a-f-]{20,}$/i;
const ticket = /^[A-Z]{2,10}-\d{1,6}$/;
const refLike = /^m\d{1,6}(?:-m\d{1,6})?$/;
const flag = /^--?[a-z][\w-]*$/i;
const letterAndDigit = /^(?=.*\d)(?=.*[a-z])[a-z\d]{5,}$/i;
const compound = /[a-z][A-Z]|[A-Za-z\d]_[A-Za-z\d]|^\$[A-Za-z_]/;
const fileEnd =
  /\.(?:[cm]?[jt]sx?|json[lc5]?|md|mdx|go|py|rs|rb|java|kt|c|h|cc|cpp|hpp|cs|php|sh|bash|zsh|ya?ml|toml|ini|cfg|conf|env|lock|sql|db|html?|css|s[ac]ss|vue|svelte|txt|log|csv|tsv|xml|svg|png|jpe?g|gif|pdf|zip|gz|tar|proto|graphql|mod|sum|ipynb|swift|dart|ex|exs|lua|r|tf|gradle|diff|patch)$/i;
/** Names of products that are written like files, and abbreviations. */
const words =
  /^(?:(?:node|next|nuxt|vue|react|express|three|d3|discord|chart|p5|ember|backbone|moment|socket|deno)\.js|e\.g|i\.e|a\.k\.a|etc|vs|ph\.d|utf-?8|sha-?(?:1|256|512)|md5|base(?:32|58|62|64)|oauth2?|http2?|ipv[46]|i18n|l10n|a11y|k8s|es\d{1,4}|e2e|x86|x64|arm64|amd64|mp[34]|[hp]\d{3,4}|css3|html5|web3|s3|ec2|p\d|q\d)$/i;

function single(name: string, start: number, sink: Sink): void {
  const inCode = sink.inCode(start);
  if (name.length === 0 || words.test(name) || refLike.test(name) || ordinal.test(name)) return;
  if (version.test(name)) sink.add('version', start, name);
  else if (number.test(name)) sink.add('number', start, name);
  else if (issue.test(name)) sink.add('id', start, name);
  else if (dateLike.test(name)) sink.add('id', start, name);
  else if (measured.test(name)) sink.add('number', start, measured.exec(name)?.[1] ?? name);
  else if (name.includes('/')) pathAtom(name, start, { inCode, sink });
  else if (uuid.test(name) || ticket.test(name) || hexId.test(name)) sink.add('id', start, name);
  else if (counted.test(name)) sink.add('number', start, name.slice(0, name.indexOf('-')));
  else if (flag.test(name) && (name.startsWith('--') || inCode)) sink.add('identifier', start, name);
  else if (name.includes('.')) dottedAtom(name, start, { inCode, sink });
  else if (compound.test(name)) sink.add('identifier', start, name);
  else if (letterAndDigit.test(name)) sink.add('id', start, name);
  else if (inCode || (/\d/.test(name) && name.includes('-') && !counted.test(name))) wordAtom(name, start, sink);
}

interface Place {
  readonly inCode: boolean;
  readonly sink: Sink;
}

function pathAtom(name: string, start: number, { inCode, sink }: Place): void {
  const path = name.replace(/\/+$/, '');
  const segments = path.split('/').filter(Boolean);
  // `and/or`, `input/output`, `1/3`, `PASS/FAIL`: words, unless something shows that it is a path.
  const isPath =
    /[._~@-]|[a-z][A-Z]|\d/.test(path) || path.startsWith('/') || name.endsWith('/') || segments.length > 2;
  // The end of `s/a/b/g`, or a lone drive.
  if (segments.length === 0 || path.length < 3) return;
  if (segments.length > 2 && segments.every((segment) => /^\d+$/.test(segment))) sink.add('id', start, path);
  else if (segments.every((segment) => number.test(segment))) {
    let at = start + name.indexOf(segments[0] ?? '');
    for (const segment of segments) {
      sink.add('number', at, segment);
      at += segment.length + 1;
    }
  } else if (inCode || isPath) sink.add('path', start, path);
}

function dottedAtom(name: string, start: number, { inCode, sink }: Place): void {
  if (fileEnd.test(name)) sink.add('path', start, name);
  else if (inCode || compound.test(name) || /^\.[a-z]/.test(name)) sink.add('identifier', start, name);
  else if (/\d/.test(name)) sink.add('id', start, name);
}

/** A word in a code span: it names something, so it has to occur. */
function wordAtom(name: string, start: number, sink: Sink): void {
  if (/\p{L}{2}/u.test(name) && !/^(?:true|false|null|undefined|none|nil|yes|no|and|or|the|not)$/i.test(name)) {
    sink.add('identifier', start, name);
  }
}

/** The value of a number as it is compared. */
export const numberIn = ({ text }: Atom): string => numberOf(text.replace(/%$/, ''));
