/**
 * Secrets behind a name: `DB_PASSWORD=…`, `apiKey: "…"`, `"client_secret": "…"`, `--token …`, `<password>…</password>`,
 * `密码是…`. The name tells how sure we are, the setting what may stand there, the value whether it is one.
 */

import { isBasicPair, isUuid, looksRandom } from './looks.ts';
import {
  isAmongAssignments,
  isAmongDirectives,
  isChangedLine,
  isInAccount,
  isKeyOfNetwork,
  isLineStart,
  isListEntry,
  isNameOfCloud,
  type Joint,
  type Named,
  plainSetting,
  quotedSetting,
  withoutDiffSign,
} from './named-setting.ts';
import { coreWords, eastAsianWords, shortNames, strengthOf } from './names.ts';
import { isRemark } from './plain-words.ts';
import { type Finding, type Hit, placeRule, type Rule, type Span } from './rule.ts';
import { isSecretValue, phrase, type Setting, type Strength } from './values.ts';

const longestName = 64;
const longestValue = 1_000;

/** What stands between a name and its value. */
const separator = new RegExp(
  [
    // "name": value, name = value, $name['x'] => value, var name string = value, name: str = "value", **Name:** value
    '(\\\\{0,4}["\'`]?\\]?)(?: string)?(?:\\*{2}|__)?[ \\t]{0,12}(?:(:=|=>|={1,3}|[:：＝])(?:\\*{2}|__)?[ \\t]{0,12}' +
      '(?:(?:str|string|String)(?: \\| \\w+)? = |(?:\\s{1,20})?string\\(\\d{1,5}\\) |\\{\\s{0,20}\\\\{0,4}["\']?(?:[vV]alue|stringValue|secureValue|S)\\\\{0,4}["\']?\\s{0,3}[:=]\\s{0,3}(?=\\\\{0,4}["\']))?(?:!!?[a-z]{1,12} |&\\w{1,20} |[|>][+-]?\\r?\\n[ \\t]{1,40}|' +
      '\\\\\\r?\\n[ \\t]{0,40}|\\r?\\n[ \\t]{1,40}(?=["\']|[^\\s:"\'{}()[\\]<>,;|]{4,80}[ \\t]*(?:\\r?\\n[ \\t]{0,8}[\\w -]{1,30}:|\\r?\\n?$)))?)',
    // key="name" value="…", {"name": "NAME", "value": "…"}, - name: NAME⏎  value: …, variable "name" { default = "…"
    '(\\\\{0,4}["\']?,?\\s{1,40}\\\\{0,4}["\']?(?:[Vv]al(?:ue|or|eur|ore)|[Ww]ert|[Ww]aarde)\\\\{0,4}["\']?\\s{0,3}[:=]\\s{0,3}|' +
      '\\\\{0,4}["\'],[ ]?\\\\{0,4}["\'](?:[Vv]al(?:ue|or|eur|ore)|text)\\\\{0,4}["\']:[ ]?|"\\s\\{[^{}"]{0,200}\\bdefault\\s{0,12}=\\s{0,3}(?=")|' +
      '\\\\{0,4}"(?:\\r?\\n[Cc]ontent-[^\\n]{1,80})?(?:\\r?\\n\\r?\\n|(?:\\\\r)?\\\\n(?:\\\\r)?\\\\n)(?!-))',
    // getenv("NAME", "…"), set('name', '…'), fill('input[name="password"]', '…')
    '(\\\\{0,4}["\'`](?:\\]["\'`])?,[ ]{0,2}(?=\\\\{0,4}["\'`]))',
    // <name>…</name>, <name>NAME</name><value>…, also with <value> in it, in another element, and with escapes; name="name"><value>…
    '(<\\/[nN]ame>\\s{0,40}<[vV]alue>|(?:["\']\\s?| [^<>\\n]{1,200})?>(?:\\s{0,20}<[Vv]alue>)?(?:\\s{0,20}<!\\[CDATA\\[)?(?:\\r?\\n[ \\t]{1,40}(?=[^\\s<>]))?|&gt;|:?<\\/(?:b|strong|em|i|dt|th|td|label|span|key)>:?\\s{0,40}' +
      '(?:<(?:dd|td|code|span|kbd|tt|samp|b|strong|em|i|string)(?: [^<>]{0,60})?>\\s{0,20}){1,2}|' +
      ':?<\\/(?:b|strong|dt|label|span)>:?\\s{0,20}<input [^<>]{0,80}\\bvalue=")',
    '((?: is|是|为|為|は|が|는|은|이|가)[:：]?[ ]{0,2})',
  ].join('|'),
  'y',
);

/** The blank behind a flag, or behind the name of a setting. */
const blank = /["']?[ ]{1,3}(?=[^-\s])/y;
/** Commands that set a variable or a setting, the value behind its name. */
const setter =
  /(?:\bsetenv|\bsetx|(?:^|\n)\s{0,8}ENV|\bset -[a-zA-Z-]{1,12}|(?:^|\n)\s{0,8}option|\b(?:config|configure|secrets?|env|variable)[ :](?:set|add|put)|\bconfig(?: --\w{1,10})?)[ ]{1,3}["']?(?:[\w:/.@-]{0,80}[:./])?$/;
const opening = /(?:\(\s{0,20})?[frbuFRBU@$]{0,2}(\\{0,4})("""|'''|["'`])/y;
/** A default behind what reads the environment: `process.env.KEY || "…"`, `ENV.fetch("KEY", "…")`; a call that wraps it. */
const fallback =
  /[\w.$?]{1,60}(?:\[["']\w{1,60}["']\])?[ ](?:\|\||\?\?|or)[ ](?=["'`])|(?:<%= )?[\w.$]{0,30}(?:env|fetch|get)\(["'][\w.-]{1,60}["'](?:, ?|\) ?\{ ?)(?=["'])|(?:new |[\w.$]{1,30}(?:::|\.))?(?:from|Some|Secret|SecretStr|SecureString|make|new|of|hash\w{0,20}|bytes|String)\((?=b?["'])/iy;
/** The next piece of a text that is put together. */
const nextPiece = /\s{0,3}[+.]?\s{0,40}\\{0,4}["']([^"'\n]{1,200})(?=\\{0,4}["'])/dy;
const bare = /(?:[^\s"'`\\]|(?<=\w)'(?=\w)|\\(?![nrtu"'`\s])|\\u(?!00[0-7])(?=[0-9A-Fa-f]{4})){1,400}/y;
const shortBare = /(?:[^\s\x7f-\uffff"'`\\,;&<>(){}[\]|]|\\(?![nrtu"'`\\\s])){1,400}/y;

function findNamed(hit: Hit, strengthIn: (name: string) => Strength | undefined): Finding | undefined {
  const { text } = hit;
  const [nameStart, nameEnd] = [withoutDiffSign(text, startOfName(hit)), endOfName(hit)];
  const name: Name = {
    text,
    start: nameStart,
    end: nameEnd,
    strength: () => strengthIn(text.slice(nameStart, nameEnd)),
  };
  separator.lastIndex = nameEnd;
  const parted = separator.exec(text);
  // What stands behind a flag up to a `>` is no element.
  const match = parted?.[0].endsWith('>') && text[nameStart] === '-' ? null : parted;
  const joint = match ? jointOf(match) : { type: 'flag' as const, sign: undefined, gap: '', isQuoted: false };
  if (!isPossible(text, nameStart, joint)) return valueBefore(name) ?? randomBeside(name);
  blank.lastIndex = nameEnd;
  if (!match && !blank.test(text)) return valueBefore(name);
  const valueAt = match ? separator.lastIndex : blank.lastIndex;
  if (text.startsWith('[REDACTED:', valueAt) || isNameOfCloud(text, nameStart)) return undefined;
  const strength = name.strength() ?? (isKeyOfNetwork(name) ? 'strong' : undefined);
  const named = { text, nameStart, name: text.slice(nameStart, nameEnd), joint, valueAt };
  const found = strength && secretValue(inAccount({ ...named, strength }));
  return found && !found.refused ? found : (valueBefore(name) ?? found);
}

interface Name extends Hit {
  readonly strength: () => Strength | undefined;
}

/** `clave` is a key as well as a password: beside a user it is a password. */
const inAccount = (named: Named): Named =>
  named.strength === 'medium' &&
  /^clave$/i.test(named.name) &&
  isInAccount(named.text, named.nameStart, named.valueAt + 1)
    ? { ...named, strength: 'strong' }
    : named;

/** `{"value": "…", "name": "DB_PASSWORD"}`: the value stands before the name. */
const valueFirst =
  /alue\\{0,4}["']?\s{0,3}[:=]\s{0,3}\\{0,4}["']((?:[^"'\\\n]|\\.){1,200}?)\\{0,4}["'],?\s{1,40}\\{0,4}["']?(?:name|key)\\{0,4}["']?\s{0,3}[:=]\s{0,3}\\{0,4}["']$/dy;

function valueBefore({ text, start: nameStart, strength: strengthOfName }: Name): Finding | undefined {
  if (!/["']/.test(text[nameStart - 1] ?? '')) return undefined;
  const from = Math.max(0, nameStart - 300);
  const before = text.slice(from, nameStart);
  valueFirst.lastIndex = before.lastIndexOf('alue');
  const [start, end] = (valueFirst.lastIndex >= 0 && valueFirst.exec(before)?.indices?.[1]) || [0, 0];
  const strength = end === 0 ? undefined : strengthOfName();
  if (!strength) return undefined;
  const span = { start: start + from, end: end + from };
  return isSecretValue(before.slice(start, end), strength, 'data') ? span : { ...span, refused: true };
}

/** `client_secret "…"`, `the api token …`: a long random word directly behind the name, which then needs no sign. */
function randomBeside({ text, end, strength }: Name): Finding | undefined {
  if (text[end] !== ' ') return undefined;
  beside.lastIndex = end;
  const value = beside.exec(text)?.[1];
  if (value === undefined || isUuid(value) || !looksRandom(value, 20)) return undefined;
  const isSecret = /strong|medium/.test(strength() ?? '');
  return isSecret ? { start: beside.lastIndex - value.length, end: beside.lastIndex } : undefined;
}
const beside = /[ ]{1,2}(?:\([\w ]{1,20}\) )?["'`“(]?([\w+/=~-]{20,400})(?![\w.(])/y;

function jointOf(match: RegExpExecArray): Joint {
  const kind = jointKinds.find((_, at) => match[at + 2] !== undefined) ?? 'prose';
  return {
    type: kind,
    sign: match[2],
    gap: match[0],
    isQuoted: match[1] !== undefined && match[1] !== '' && /["'`\]]/.test(match[1]),
  };
}

/** In the order of the groups of the separator, behind the one for quotes. */
const jointKinds = ['sign', 'attribute', 'list', 'tag', 'prose'] as const;

const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
const isNameUnit = (code: number): boolean =>
  isLetter(code) || (code >= 48 && code <= 57) || code === 95 || code === 45;

function endOfName({ text, end }: Hit): number {
  let at = end;
  while (at < end + 24 && isNameUnit(text.charCodeAt(at))) at++;
  return at;
}

const spaced =
  /(?:^|[^A-Za-z])((?:api|access|secret|private|auth|bearer|refresh|client|service|signing|encryption) )$/i;

/** In front of a noun in such a script stands what it is of: `数据库密码`. */
const isAsian = (code: number): boolean => code >= 0x3040 && code < 0xd7b0;
const longestWord = 8;

function startOfName({ text, start }: Hit): number {
  let at = start;
  const mostAsian = isAsian(text.charCodeAt(start)) ? start - longestWord : start;
  while (at > mostAsian && isAsian(text.charCodeAt(at - 1))) at--;
  while (at > start - longestName && (isNameUnit(text.charCodeAt(at - 1)) || text[at - 1] === '.')) at--;
  // "\n" in front of a name belongs to the text around it.
  if (text[at - 1] === '\\' && /[nrt]/.test(text[at] ?? '') && at < start) at++;
  if (at < start || text[at - 1] !== ' ' || !isLetter(text.charCodeAt(at - 2))) return at;
  return at - (spaced.exec(text.slice(Math.max(0, at - 16), at))?.[1]?.length ?? 0);
}

/** A tag needs its opening, a flag its dashes. */
function isPossible(text: string, nameStart: number, { type, gap }: Joint): boolean {
  const before = text[nameStart - 1] ?? '';
  if (type === 'tag' && gap.startsWith('&')) return text.startsWith('&lt;', nameStart - 4);
  if (type === 'tag' && /^["']/.test(gap))
    return /\b(?:name|key|id)=["']$/.test(text.slice(Math.max(0, nameStart - 8), nameStart));
  if (type === 'tag' && /^[> ]/.test(gap))
    return /<(?:[\w-]{1,30}:)?$/.test(text.slice(Math.max(0, nameStart - 32), nameStart));
  if (type === 'tag') return before === '>' || before === ' ';
  if (type === 'flag')
    return (
      text[nameStart] === '-' ||
      before === '-' ||
      setter.test(text.slice(Math.max(0, nameStart - 100), nameStart)) ||
      isAmongDirectives(text, nameStart)
    );
  return true;
}

function secretValue(named: Named): Finding | undefined {
  const { text, joint, strength } = named;
  fallback.lastIndex = named.valueAt;
  const at = fallback.test(text) ? fallback.lastIndex : named.valueAt;
  opening.lastIndex = at;
  const quote = opening.exec(text);
  const valueAt = opening.lastIndex;
  const plain = quote ? undefined : plainSetting(named);
  const span = plain ? unquoted(named, plain) : quoted(text, valueAt, `${quote?.[1]}${quote?.[2]}`);
  if (!span) return undefined;
  const setting = plain ?? quotedSetting(named, span.end);
  const value = spoken(text.slice(span.start, span.end), quote?.[0].startsWith('b') === true);
  if (joint.type === 'tag' && !quote && !/^\s*(?:<\/|&lt;|\]\]>)/.test(text.slice(span.end, span.end + 40)))
    return undefined;
  // `--password WORD   the password of the account`: how help shows what a flag takes.
  if (
    joint.type === 'flag' &&
    /^\p{Lu}[\p{Lu}_-]*$/u.test(value) &&
    /^(?: {2}|\t)/.test(text.slice(span.end, span.end + 2))
  )
    return { ...span, refused: true };
  // "pass", "score": … is two fields, not a name and its value.
  if (joint.type === 'list' && text[named.nameStart - 1] === '$') return undefined;
  if (joint.type === 'list' && /^\\{0,4}["'`]\s{0,3}:/.test(text.slice(span.end, span.end + 9))) return undefined;
  if (/^pass$/i.test(named.name) && isCountOfTests(named, value, setting)) return { ...span, refused: true };
  if (strength === 'weak' && isBasicPair(value)) return span;
  // A shell hands over what stands in quotes, whatever it says.
  if (
    joint.type === 'flag' &&
    strength === 'strong' &&
    quote &&
    value.includes(' ') &&
    !/pass|<|\$|[.…]{3}/i.test(value)
  )
    return span;
  const isSecret = isSecretValue(value, strength, setting) || isOfAccount(named, span, { value, setting });
  if (!isSecret) return { ...span, refused: true };
  return quote && joint.type === 'sign' ? { ...span, more: nextPieces(text, span.end, quote[0]) } : span;
}

/** Beside a user or a host a field has a value, whatever it says, and a passphrase may be a sentence. */
const isOfAccount = (named: Named, span: Span, { value, setting }: { value: string; setting: Setting }): boolean =>
  named.strength === 'strong' &&
  (setting === 'data' || setting === 'code' || setting === 'config' || setting === 'env') &&
  isSecretValue(value, 'strong', 'record') &&
  (/phrase$/i.test(named.name) || isInAccount(named.text, named.nameStart, span.end));

/** `"abc" + "def"`, and in brackets without a sign between. */
function nextPieces(text: string, end: number, quote: string): readonly Span[] {
  const found: Span[] = [];
  for (let at = end + 1; found.length < 8; at = nextPiece.lastIndex + 1) {
    nextPiece.lastIndex = at;
    const match = nextPiece.exec(text);
    const span = match?.indices?.[1];
    if (!match || !span || (!/^\s*[+.]/.test(match[0]) && !(quote.startsWith('(') && match[0].includes('\n')))) break;
    found.push({ start: span[0], end: span[1] });
  }
  return found;
}

/** Without the line ends of a folded text and the quotes that are written twice. */
const spoken = (whole: string, isBytes: boolean): string => {
  const value = isBytes ? whole.replaceAll(/\\x[0-9A-Fa-f]{2}|\\[nrt0]/g, '7') : whole;
  return value.includes('\n') || value.includes("''") || value.includes('""')
    ? value.replaceAll(/\s*\n\s*/g, ' ').replaceAll(/''|""/g, '')
    : value;
};

/** `PASS: TestName`, `"pass": 12`: what test runners print. */
const isCountOfTests = ({ name, nameStart, text, valueAt }: Named, value: string, setting: Setting): boolean =>
  setting === 'plain' ||
  (value.includes(' ') && !isInAccount(text, nameStart, valueAt + value.length)) ||
  /^\d+$/.test(value) ||
  ((setting === 'line' || setting === 'config') && name !== 'pass');

/** Up to the closing quote of the same kind, on the same line. */
function quoted(text: string, start: number, delimiter: string): Span | undefined {
  const rest = text.slice(start, start + longestValue);
  const isVerbatim = text[start - 2] === '@';
  let at = rest.indexOf(delimiter);
  while (at > 0) {
    // YAML, SQL and others double a quote that belongs to the text.
    const isDouble =
      delimiter.length === 1 && rest[at + 1] === delimiter && (isVerbatim || /[^\s,;)}\]]/.test(rest[at + 2] ?? ' '));
    if (!isDouble && !isEscaped(rest, at, delimiter)) break;
    at = rest.indexOf(delimiter, at + (isDouble ? 2 : delimiter.length));
  }
  return at <= 0 || rest.slice(0, at).includes('\n') ? undefined : { start, end: start + at };
}

/** Inside plain quotes a backslash takes the next character with it; a quote that is escaped once more belongs to the text. */
const isEscaped = (text: string, at: number, delimiter: string): boolean =>
  delimiter.startsWith('\\')
    ? text[at - 1] === '\\'
    : /(?<!\\)(?:\\\\){0,8}\\$/.test(text.slice(Math.max(0, at - 20), at));

/** What stands in an element. */
const content = /(?<=CDATA\[)[^\n]{1,200}?(?=\]\]>)|[^<>\n]{1,200}?(?=\s{0,40}<)|[^<>&\n]{1,200}(?=&lt;)/y;
/** The rest of a line of a configuration, without a remark. */
const rest = /[^\s"'`[{<][^\n"`]{1,200}?(?=[ \t]+[#;]|\s*(?:$|\r?\n|\\n))/y;

function unquoted(named: Named, setting: Setting): Span | undefined {
  const { text, valueAt: start, joint } = named;
  if (joint.type === 'tag') return matchAt(content, text, start);
  if (setting === 'config' || setting === 'record') return withNextLines(named, matchAt(rest, text, start));
  if (setting === 'env' && isRemarkOfLine(named)) return undefined;
  const inPair = pairInQuotes(named);
  if (inPair) return inPair;
  const isWhole = setting === 'env' && isLineStart(named);
  const span = (isWhole && wordsOfLine(named)) || matchAt(isWhole ? bare : shortBare, text, start);
  if (!span) return undefined;
  const closing = isWhole ? /[;,\\]/ : setting === 'prose' ? /[.,;:!?]/ : /[.,;:]/;
  let { end } = span;
  while (end > start && closing.test(text[end - 1] ?? '')) end--;
  // What goes on with a bracket is a call or an access.
  return !isWhole && /[([{]/.test(text[end] ?? '') ? undefined : { start, end };
}

/** `NAME=two words`: the rest of the line, where the lines beside it set variables too. */
function wordsOfLine({ text, nameStart, valueAt, strength }: Named): Span | undefined {
  const span = strength === 'strong' ? matchAt(rest, text, valueAt) : undefined;
  const value = span ? text.slice(span.start, span.end) : '';
  const isOfWords = value.includes(' ') && phrase.test(value) && !/ -|[;&]/.test(value) && !program.test(value);
  if (!isOfWords) return undefined;
  return isListEntry(text, nameStart) ||
    isChangedLine(text, nameStart) ||
    isAmongAssignments(text, nameStart, valueAt + value.length)
    ? span
    : undefined;
}
/** `PASSWORD=must be longer than that`: a message, whose first word is no value. */
function isRemarkOfLine({ text, valueAt }: Named): boolean {
  const line =
    /^\S{1,40} [^\n]{1,160}?(?=\s+[;#]|\s*(?:\n|$))/.exec(text.slice(valueAt, valueAt + 200))?.[0].trimEnd() ?? '';
  return /^[\p{L}'’,!?¿-]+(?: [\p{L}\p{N}'’,!?¿-]+)+$/u.test(line) && !program.test(line) && isRemark(line);
}

/** A command that runs with the variable. */
const program =
  / (?:psql|pg_\w+|createdb|dropdb|mysql\w*|mariadb\w*|mongo\w*|redis-cli|node|npm|npx|pnpm|yarn|bun|deno|python3?|pip3?|ruby|rails|bundle|php|java|mvn|go|cargo|make|docker|kubectl|helm|terraform|ansible\w*|vault|restic|borg|rclone|rsync|ssh\w*|sh|bash|env|exec|sudo|curl|wget)(?: |$)/;

/** `-e "NAME=two words"`, `["NAME=two words", …]`: up to the quote that opens in front of the name. */
function pairInQuotes({ text, nameStart, valueAt, joint }: Named): Span | undefined {
  const quote = text[nameStart - 1] ?? '';
  if (
    joint.sign !== '=' ||
    !/["']/.test(quote) ||
    text[valueAt - 1] !== '=' ||
    !/[ [,(]/.test(text[nameStart - 2] ?? ' ')
  )
    return undefined;
  const end = text.slice(valueAt, valueAt + 120).indexOf(quote);
  const value = text.slice(valueAt, valueAt + Math.max(0, end));
  return value.includes(' ') && !/[=\n]/.test(value) ? { start: valueAt, end: valueAt + end } : undefined;
}

function matchAt(pattern: RegExp, text: string, start: number): Span | undefined {
  pattern.lastIndex = start;
  return pattern.test(text) ? { start, end: pattern.lastIndex } : undefined;
}

/** The other lines of a text of YAML belong to the value: those with the same indent. */
function withNextLines({ text, joint: { gap } }: Named, span: Span | undefined): Span | undefined {
  const indent = /[|>][+-]?\r?\n([ \t]{1,40})$/.exec(gap)?.[1];
  if (!span || indent === undefined) return span;
  let { end } = span;
  for (let lines = 0; lines < 10 && text.startsWith(`\n${indent}`, end); lines++) {
    const next = text.indexOf('\n', end + 1);
    end = next === -1 ? text.length : next;
  }
  return { start: span.start, end: Math.min(end, span.start + longestValue) };
}

/** Behind a short name stands a sign, which is no part of it; in front of it another word of the name, or none. */
const shortRule = ([name, strength]: readonly [string, Strength]): Rule =>
  placeRule(
    'named-secret',
    [
      ...[':', '=', '"', "'", ' :', ' ='].map((sign) => `${name}${sign}`),
      ...(name.startsWith('p') ? [`-${name} `] : []),
    ],
    ({ text, start: at }) => {
      const start = text[at] === '-' ? at + 1 : at;
      const end = start + name.length;
      const before = text[start - 1] ?? '';
      const isPart =
        isNameUnit(before.charCodeAt(0)) &&
        before !== '_' &&
        before !== '-' &&
        !/[a-z][A-Z]/.test(text.slice(start - 1, start + 1));
      // Base64 ends like that, and lists of words with their numbers have short words too.
      const isListed = before !== ' ' && /\d,["'][#\w]{0,20}$/.test(text.slice(Math.max(0, start - 24), start));
      if (isPart || isListed || text.startsWith('==', end)) return undefined;
      return findNamed({ text, start, end }, (whole) =>
        strength !== 'weak' || whole === whole.toUpperCase() ? strength : undefined,
      );
    },
  );

export const namedRules: readonly Rule[] = [
  ...coreWords.map((core) =>
    placeRule('named-secret', [core], (hit) => findNamed(hit, (name) => strengthOf(name, core))),
  ),
  ...shortNames.map(shortRule),
  ...eastAsianWords.map(([word, strength]) =>
    placeRule('named-secret', [word], (hit) => findNamed(hit, () => strength)),
  ),
];
