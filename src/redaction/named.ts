/**
 * Secrets behind a name: `DB_PASSWORD=…`, `apiKey: "…"`, `"client_secret": "…"`, `--token …`, `<password>…</password>`,
 * `密码是…`. The name tells how sure we are, the setting what may stand there, the value whether it is one.
 */

import { isBasicPair } from './looks.ts';
import { coreWords, eastAsianWords, strengthOf } from './names.ts';
import type { Finding, Hit, Rule, Span } from './rule.ts';
import { isSecretValue, type Setting, type Strength } from './values.ts';

const longestName = 64;
const longestValue = 1_000;

/** What stands between a name and its value. */
const separator = new RegExp(
  [
    // "name": value, name = value, $name['x'] => value, var name string = value, name: str = "value"
    '(\\\\{0,4}["\'`]?\\]?)(?: string)?[ \\t]{0,12}(?:(:=|=>|={1,3}|[:：＝])[ \\t]{0,12}(?:(?:str|string|String)(?: \\| \\w+)? = )?)',
    // key="name" value="…", {"name": "NAME", "value": "…"}, - name: NAME⏎  value: …
    '(\\\\{0,4}["\']?,?\\s{1,40}\\\\{0,4}["\']?[Vv]alue\\\\{0,4}["\']?\\s{0,3}[:=]\\s{0,3}|\\\\{0,4}["\'],\\\\{0,4}["\'][Vv]alue\\\\{0,4}["\']:)',
    // getenv("NAME", "…"), set('name', '…')
    '(\\\\{0,4}["\'`],[ ]{0,2}(?=\\\\{0,4}["\'`]))',
    '(>)',
    '((?: is|是|为|為|は|が|는|은|이|가)[:：]?[ ]{0,2})',
  ].join('|'),
  'y',
);

/** The blank behind a flag. */
const blank = /[ ]{1,3}(?=[^-\s])/y;

const opening = /[frbuFRBU@$]{0,2}(\\{0,4})("""|'''|["'`])/y;
/** A default behind what reads the environment: `process.env.KEY || "…"`. */
const fallback = /[\w.$?]{1,60}(?:\[["']\w{1,60}["']\])?[ ](?:\|\||\?\?|or)[ ](?=["'`])/y;
const bare = /(?:[^\s"'`\\]|\\(?![nrtu"'`\\\s])){1,400}/y;
const shortBare = /(?:[^\s\x7f-\uffff"'`\\,;&<>(){}[\]|]|\\(?![nrtu"'`\\\s])){1,400}/y;

interface Named {
  readonly text: string;
  readonly nameStart: number;
  readonly name: string;
  readonly strength: Strength;
  readonly joint: Joint;
  readonly valueAt: number;
}

function findNamed(hit: Hit, strengthIn: (name: string) => Strength | undefined): Finding | undefined {
  const { text } = hit;
  const nameEnd = endOfName(hit);
  separator.lastIndex = nameEnd;
  const match = separator.exec(text);
  const nameStart = startOfName(hit);
  const joint = match ? jointOf(match) : { type: 'flag' as const, sign: undefined, isQuoted: false };
  if (!isPossible(text, nameStart, joint)) return undefined;
  blank.lastIndex = nameEnd;
  if (!match && !blank.test(text)) return undefined;
  const valueAt = match ? separator.lastIndex : blank.lastIndex;
  const name = text.slice(nameStart, nameEnd);
  const strength = strengthIn(name);
  return strength && secretValue({ text, nameStart, name, strength, joint, valueAt });
}

/** Which of the ways to part name and value it is. */
interface Joint {
  readonly type: 'sign' | 'attribute' | 'list' | 'tag' | 'prose' | 'flag';
  readonly sign: string | undefined;
  /** The name stands in quotes. */
  readonly isQuoted: boolean;
}

function jointOf(match: RegExpExecArray): Joint {
  const kind = jointKinds.find((_, at) => match[at + 2] !== undefined) ?? 'prose';
  return { type: kind, sign: match[2], isQuoted: Boolean(match[1]) };
}

/** In the order of the groups of the separator, behind the one for quotes. */
const jointKinds = ['sign', 'attribute', 'list', 'tag', 'prose'] as const;

const isNameUnit = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95 || code === 45;

function endOfName({ text, end }: Hit): number {
  let at = end;
  while (at < end + 24 && isNameUnit(text.charCodeAt(at))) at++;
  return at;
}

const spaced =
  /(?:^|[^A-Za-z])((?:api|access|secret|private|auth|bearer|refresh|client|service|signing|encryption) )$/i;

function startOfName({ text, start }: Hit): number {
  let at = start;
  while (at > start - longestName && (isNameUnit(text.charCodeAt(at - 1)) || text[at - 1] === '.')) at--;
  // "\n" in front of a name belongs to the text around it.
  if (text[at - 1] === '\\' && /[nrt]/.test(text[at] ?? '') && at < start) at++;
  if (at < start || text[at - 1] !== ' ') return at;
  return at - (spaced.exec(text.slice(Math.max(0, at - 16), at))?.[1]?.length ?? 0);
}

/** A tag needs its opening, a flag its dashes. */
function isPossible(text: string, nameStart: number, { type }: Joint): boolean {
  if (type === 'tag') return text[nameStart - 1] === '<';
  if (type === 'flag') return text[nameStart] === '-' || text[nameStart - 1] === '-';
  return true;
}

function secretValue(named: Named): Finding | undefined {
  const { text, joint, strength } = named;
  fallback.lastIndex = named.valueAt;
  const at = fallback.test(text) ? fallback.lastIndex : named.valueAt;
  opening.lastIndex = at;
  const quote = opening.exec(text);
  const span = quote ? quoted(text, opening.lastIndex, `${quote[1]}${quote[2]}`) : unquoted(named);
  if (!span) return undefined;
  const value = text.slice(span.start, span.end);
  if (joint.type === 'tag' && !text.startsWith('</', span.end)) return undefined;
  // "pass", "score": … is two fields, not a name and its value.
  if (joint.type === 'list' && /^\\{0,4}["'`]\s{0,3}:/.test(text.slice(span.end, span.end + 9))) return undefined;
  const setting = quote ? quotedSetting(named) : plainSetting(named);
  if (/^pass$/i.test(named.name) && isCountOfTests(named, value, setting)) return { ...span, refused: true };
  if (strength === 'weak' && isBasicPair(value)) return span;
  return isSecretValue(value, strength, setting) ? span : { ...span, refused: true };
}

/** `PASS: TestName`, `"pass": 12`: what test runners print. */
const isCountOfTests = ({ name }: Named, value: string, setting: Setting): boolean =>
  setting === 'plain' || /^\d+$/.test(value) || (setting === 'line' && name !== 'pass');

/** Up to the closing quote of the same kind, on the same line. */
function quoted(text: string, start: number, delimiter: string): Span | undefined {
  const rest = text.slice(start, start + longestValue);
  let at = rest.indexOf(delimiter);
  // Inside plain quotes a backslash takes the next character with it.
  while (at > 0 && !delimiter.startsWith('\\') && /(?<!\\)(?:\\\\){0,8}\\$/.test(rest.slice(Math.max(0, at - 20), at)))
    at = rest.indexOf(delimiter, at + 1);
  return at <= 0 || rest.slice(0, at).includes('\n') ? undefined : { start, end: start + at };
}

function unquoted(named: Named): Span | undefined {
  const { text, valueAt: start } = named;
  const setting = plainSetting(named);
  const isWhole = setting === 'env' && isLineStart(named);
  const pattern = isWhole ? bare : shortBare;
  pattern.lastIndex = start;
  if (!pattern.test(text)) return undefined;
  const closing = isWhole ? /[;,]/ : setting === 'prose' ? /[.,;:!?]/ : /[.,;:]/;
  let end = pattern.lastIndex;
  while (end > start && closing.test(text[end - 1] ?? '')) end--;
  // What goes on with a bracket is a call or an access.
  return !isWhole && /[([{]/.test(text[end] ?? '') ? undefined : { start, end };
}

function quotedSetting({ joint, text, nameStart, name }: Named): Setting {
  const { type, sign, isQuoted } = joint;
  if (type === 'attribute' || type === 'flag' || type === 'tag') return 'data';
  if (type === 'list') return 'prose';
  if (isQuoted) return 'data';
  if (sign === '=' && /^[A-Z][A-Z0-9_]*$/.test(name)) return 'env';
  return text[nameStart - 1] === '-' || name.startsWith('-') ? 'data' : 'code';
}

function plainSetting(named: Named): Setting {
  const { joint, text, valueAt, name, nameStart } = named;
  const { type, sign, isQuoted } = joint;
  if (type === 'tag' || type === 'attribute') return 'data';
  if (type === 'flag' || name.startsWith('-') || text[nameStart - 1] === '-') return 'data';
  if (type === 'prose' || type === 'list') return 'prose';
  const isTight = sign === '=' && text[valueAt - 1] === '=' && !isQuoted;
  if (isTight && (/^[A-Z][A-Z0-9_]*$/.test(name) || isLineStart(named) || text[nameStart - 1] === ';')) return 'env';
  if (isTight) return 'code';
  // A number behind a name in quotes is JSON, where it cannot be a variable.
  if (isQuoted && /\d/.test(text[valueAt] ?? '')) return 'data';
  return sign === ':' && isLineStart(named) && isLineEnd(named) ? 'line' : 'plain';
}

/** Only blanks, `export` and the like stand before the name. */
function isLineStart({ text, nameStart }: Named): boolean {
  const before = text.slice(Math.max(0, nameStart - 24), nameStart);
  return /(?:^|\n|\\n|["'])\s*(?:export |set |env |ENV |ARG |- |declare -x )?$/.test(before);
}

/** Nothing but a remark stands behind the value. */
function isLineEnd({ text, valueAt }: Named): boolean {
  const rest = text.slice(valueAt, valueAt + 400);
  return /^\S{4,399}[ \t]*(?:$|\r?\n|\\n|[ ]#)/.test(rest) && !/^\S*[,;{([]\s/.test(rest);
}

const eastAsian = new Map(Object.entries(eastAsianWords));

export const namedRules: readonly Rule[] = [
  ...coreWords.map(
    (core): Rule => ({
      ...{ id: 'named-secret', by: 'place', keywords: [core], startsWord: false, check: () => true },
      find: (hit) => findNamed(hit, (name) => strengthOf(name, core)),
    }),
  ),
  ...[...eastAsian].map(
    ([word, strength]): Rule => ({
      ...{ id: 'named-secret', by: 'place', keywords: [word], startsWord: false, check: () => true },
      find: (hit) => findNamed({ ...hit, start: hit.end }, () => strength),
    }),
  ),
];
