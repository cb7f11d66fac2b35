/** Secrets in the columns of tables: CSV and its like, Markdown, HTML. The head of the column says what is in it. */

import { coreWords, eastAsianWords, strengthOf } from './names.ts';
import { isInterfaceWord, isKnownSaid, isLabelSentence, isRemark, isSaidOfPasswords } from './plain-words.ts';
import { type Finding, type Hit, placeRule, type Rule, type Span, words } from './rule.ts';
import { isMarked } from './said-values.ts';
import { hasMessageSign, isPassword, isPhrase, isPin, isSecretValue, type Strength } from './values.ts';

/** What a head promises; `pair`: a user and a password. */
type Promised = Strength | 'pair';

/** A column of secrets, and how much its head promises. */
interface Column {
  readonly at: number;
  readonly strength: Promised;
}

const longestLine = 2_000;
const longestHead = 400;
const longestTable = 20_000;
const mostColumns = 60;

/** What kind of table begins with the line that the hit is in, if any does. */
function findInTable({ text, start }: Hit): Finding | undefined {
  const before = text.slice(Math.max(0, start - longestHead), start);
  if (before.includes('>') && inHead.test(before)) return inHtml(text, start, before);
  if (before.includes('(') && inInsert.test(before)) return inSql(text, start, before);
  const lineStart = startOfLine(text, start);
  if (lineStart === undefined) return undefined;
  const head = lineAt(text, lineStart);
  const line = text.slice(lineStart, head.end);
  if (line.length > longestHead) return undefined;
  if (line.trimStart().startsWith('|')) return inLines(text, head, markdown) ?? rowOfPair(text, head);
  return (
    inAlignedPair(text, head) ??
    inLines(text, head, ruled) ??
    inLines(text, head, aligned) ??
    inLines(text, head, delimited(line))
  );
}

interface Line extends Span {
  readonly next: number;
}

/** Not looked for beyond the longest line, so that a text of one line costs no more. */
function lineAt(text: string, start: number): Line {
  const at = text.slice(start, start + longestLine).indexOf('\n');
  const end = at === -1 ? Math.min(text.length, start + longestLine + 1) : start + at;
  return { start, end: text[end - 1] === '\r' ? end - 1 : end, next: at === -1 ? end : end + 1 };
}

function startOfLine(text: string, at: number): number | undefined {
  const from = Math.max(0, at - longestHead);
  const found = text.slice(from, at).lastIndexOf('\n');
  if (found === -1) return from === 0 ? 0 : undefined;
  return from + found + 1;
}

/** A way to write a table in lines. */
interface Kind {
  readonly read: (text: string, line: Span) => readonly Span[];
  /** The line below the head. */
  readonly rule?: RegExp;
  readonly isHead: (heads: readonly string[], columns: readonly Column[]) => boolean;
  /** A line of as many cells in front of the head tells that it is none. */
  readonly isFirst?: true;
  readonly only?: Promised;
}

const markdown: Kind = {
  read: markdownCells,
  rule: /^[\s|:+-]*--[\s|:+-]*$/,
  isHead: (heads, columns) => columns.length < heads.length,
};

/** ` id | login | password`, with a line of `-` and `+` below, as psql prints a table, or Markdown without its outer signs. */
const ruled: Kind = {
  read: (text, line) => cellsBetween(text, line, { separator: /\|/g }),
  rule: /^-[-+]{2,}$|^ {0,3}:?-{2,}:? *(?:\| *:?-{2,}:? *)+$/,
  isHead: () => true,
};

/** Columns with two blanks or more between them: one is of users, one of passwords. */
const aligned: Kind = {
  read: (text, line) => cellsBetween(text, line, { separator: /[ ]{2,}/g }),
  isHead: (heads) => areNames(heads, /^\p{L}[\p{L}\p{N} _/-]{0,24}$/u) && hasUsers(heads),
  only: 'strong',
};

function delimited(line: string): Kind {
  const tight = [',', '\t', ';', '|'].find((one) => line.includes(one) && !line.includes(`${one} `));
  const isSpaced = tight === undefined;
  return {
    read: (text, row) => (isSpaced && !line.includes(', ') ? [] : delimitedCells(text, row, tight ?? ',')),
    isHead: (heads, columns) =>
      areNames(heads, /^[\p{L}\p{N} ._()/-]{1,40}$/u) &&
      columns.length <= 3 &&
      columns.length < heads.length &&
      (!isSpaced || (hasUsers(heads) && heads.every((one) => one.split(' ').length < 3))),
    isFirst: true,
  };
}

const hasUsers = (heads: readonly string[]): boolean => heads.some((head) => userHead.test(head));
const userHead =
  /user|login|e-?mail|account|konto|benutzer|usuario|utilisateur|identifiant|utente|gebruiker|użytkownik|usuário|utilizador|compte|cuenta|conta|ssid|логин|用户|账号|账户|帐号|帳號|管理员|ユーザ/i;

/** Two names or more, all of a form and different. */
const areNames = (heads: readonly string[], form: RegExp): boolean =>
  heads.length >= 2 &&
  heads.every((one) => form.test(one)) &&
  new Set(heads.map((one) => one.toLowerCase())).size === heads.length;

/** The secrets in the rows below a head, up to a line with another number of cells. */
function inLines(text: string, head: Line, kind: Kind): Finding | undefined {
  const cells = kind.read(text, head);
  const heads = cells.map(({ start, end }) => text.slice(start, end).trim());
  const rule = kind.rule ? lineAt(text, head.next) : head;
  if (kind.rule && (rule.end - rule.start > longestHead || !kind.rule.test(text.slice(rule.start, rule.end))))
    return undefined;
  const columns = columnsOf(heads).filter(({ strength }) => kind.only === undefined || strength === kind.only);
  if (columns.length === 0 || !kind.isHead(heads, columns)) return undefined;
  const previous = kind.isFirst && head.start > 0 ? startOfLine(text, head.start - 1) : undefined;
  if (previous !== undefined && kind.read(text, { start: previous, end: head.start - 1 }).length === cells.length)
    return undefined;
  const found: Span[] = [];
  let at = rule.next;
  while (at < text.length) {
    const line = lineAt(text, at);
    const row = line.end - at > longestLine ? [] : kind.read(text, line);
    if (row.length !== cells.length) break;
    found.push(...columns.flatMap((column) => secretsIn(text, row[column.at], column)));
    at = line.next;
  }
  const areTickets = !hasUsers(heads) && found.every(({ start, end }) => ticket.test(text.slice(start, end)));
  return foundOf(areTickets ? [] : found, rule.next, at);
}

/** `A045`: what a queue calls people by, which is `senha` as well. */
const ticket = /^\p{Lu}{1,3}-?\d{2,4}$/u;

function secretsIn(text: string, cell: Span | undefined, { strength }: Column): readonly Span[] {
  if (!cell) return [];
  const whole = text.slice(cell.start, cell.end);
  if (strength !== 'pair') return isSecretCell(whole, strength) ? [cell] : [];
  const value = pairCell.exec(whole)?.[1];
  return value !== undefined && isMarked(value) ? [{ start: cell.end - value.length, end: cell.end }] : [];
}
const pairCell = /^[\w.@\\-]{2,40}\s?[/:]\s?(\S{4,60})$/;

function foundOf([first, ...more]: readonly Span[], from: number, read: number): Finding {
  return first ? { ...first, more, read } : { start: from, end: read, refused: true, read };
}

interface Parting {
  readonly separator: RegExp;
  readonly marks?: RegExp;
}

/** The cells of a line between separators, without blanks and marks around them. */
function cellsBetween(text: string, line: Span, { separator, marks = /\s/ }: Parting): readonly Span[] {
  const [whole] = trimmed(text, line, /\s/);
  const cells: Span[] = [];
  let from = whole.start;
  for (const { 0: sign, index } of text.slice(whole.start, whole.end).matchAll(separator)) {
    if (cells.length >= mostColumns) break;
    cells.push(...trimmed(text, { start: from, end: whole.start + index }, marks));
    from = whole.start + index + sign.length;
  }
  return [...cells, ...trimmed(text, { start: from, end: whole.end }, marks)];
}

function trimmed(text: string, { start, end }: Span, marks: RegExp): readonly [Span] {
  let [from, to] = [start, end];
  while (from < to && marks.test(text[from] ?? '')) from++;
  while (to > from && marks.test(text[to - 1] ?? '')) to--;
  return [{ start: from, end: to }];
}

function markdownCells(text: string, line: Span): readonly Span[] {
  const [before, ...cells] = cellsBetween(text, line, { separator: /(?<!\\)\|/g, marks: /[\s`*]/ });
  if (before === undefined || cells.length === 0 || before.start < before.end) return [];
  const last = cells.at(-1);
  return last && last.start === last.end ? cells.slice(0, -1) : cells;
}

/** The cells of a line, without the quotes around them; none where a quote does not end. */
function delimitedCells(whole: string, { start, end: last }: Span, delimiter: string): readonly Span[] {
  const text = whole.slice(start, last);
  const end = text.length;
  const cells: Span[] = [];
  for (let at = 0; at <= end && cells.length < mostColumns; ) {
    if (text[at] === ' ' && at < end) {
      at++;
      continue;
    }
    const isQuoted = text[at] === '"';
    let close = isQuoted ? text.indexOf('"', at + 1) : text.indexOf(delimiter, at);
    while (isQuoted && close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
    if (isQuoted && (close === -1 || (close + 1 < end && text[close + 1] !== delimiter))) return [];
    if (close === -1) close = end;
    const from = isQuoted ? at + 1 : at;
    const to = isQuoted ? close : at + text.slice(at, close).trimEnd().length;
    cells.push({ start: start + from, end: start + to });
    at = close + (isQuoted ? 2 : 1);
  }
  return cells;
}

const inHead = /<th[^<>]{0,80}>[^<>]{0,24}$/i;

/** `<th>Password</th>`: the same cell of the rows behind. */
function inHtml(text: string, start: number, before: string): Finding | undefined {
  const head =
    /^[^<>]{0,40}/.exec(before.slice(before.lastIndexOf('>') + 1) + text.slice(start, start + 40))?.[0] ?? '';
  const strength = strengthOfHead(head.trim());
  if (!strength) return undefined;
  const column = (before.slice(before.lastIndexOf('<tr')).match(/<th/gi)?.length ?? 1) - 1;
  const rows = text.slice(start, start + longestTable).split(/<\/table/i, 1)[0] ?? '';
  const found: Span[] = [];
  for (const row of rows.matchAll(/<tr[^<>]{0,80}>((?:(?!<\/tr).){0,2000})/gis)) {
    const cell = [...row[0].matchAll(/<td[^<>]{0,80}>(?:\s|<[a-z]{1,6}>){0,4}([^<>]{0,200}?)\s*</gi)][column];
    if (cell?.[1] === undefined || !isSecretCell(cell[1], strength)) continue;
    const at = start + row.index + cell.index + cell[0].lastIndexOf(cell[1]);
    found.push({ start: at, end: at + cell[1].length });
  }
  return foundOf(found, start, start + rows.length);
}

/** `INSERT INTO users (…`; in a `MERGE` without the table. */
const inInsert = /insert\s{1,3}(?:(?:ignore\s)?into\s{1,3}[\p{L}\w."`[\]]{1,80}\s{0,3})?\([^()]{0,300}$/iu;

/** `INSERT INTO users (name, password) VALUES ('bob', '…')` */
function inSql(text: string, start: number, before: string): Finding | undefined {
  const open = before.lastIndexOf('(');
  const rest = text.slice(start, start + longestTable);
  const close = rest.indexOf(')');
  if (close === -1 || close > longestHead || !/^\)\s{0,20}values\s{0,20}\(/i.test(rest.slice(close, close + 60)))
    return undefined;
  const names = (before.slice(open + 1) + rest.slice(0, close))
    .split(',')
    .map((name) => name.replaceAll(/["`[\]\s]/g, ''));
  const columns = columnsOf(names);
  const found: Span[] = [];
  let end = close + 1;
  for (const row of rest.slice(end).matchAll(/\(((?:'(?:[^'\\]|''|\\.){0,400}'|[^()'])*)\)\s*(?:,|;|$)?/g)) {
    if (row.index > 0 && /;/.test(rest.slice(end, close + 1 + row.index))) break;
    const cells = [...(row[1] ?? '').matchAll(/\s*'((?:[^'\\]|''|\\.)*)'|[^,]+/g)];
    for (const { at, strength } of columns) {
      const value = cells[at]?.[1];
      if (value === undefined || !isSecretCell(value, strength)) continue;
      const from = start + close + 1 + row.index + 1 + (cells[at]?.index ?? 0) + (cells[at]?.[0].indexOf("'") ?? 0) + 1;
      found.push({ start: from, end: from + value.length });
    }
    end = close + 1 + row.index + row[0].length;
  }
  return foundOf(found, start, start + end);
}

function columnsOf(heads: readonly string[]): readonly Column[] {
  const hasUsers = heads.some((head) => userHead.test(head));
  const pass = hasUsers ? heads.findIndex((head) => /^[\s`*]*(?:\w{1,20}[_ -])?pass[\s`*]*$/i.test(head)) : -1;
  if (pass !== -1) return [{ at: pass, strength: 'strong' }];
  const columns = heads.flatMap((head, at) => {
    const strength = strengthOfHead(head);
    return strength ? [{ at, strength }] : [];
  });
  // `login` beside `password` is the user's name alone.
  const isTold = columns.some(({ strength }) => strength === 'strong');
  return isTold ? columns.filter(({ strength }) => strength !== 'pair') : columns;
}

/** `Pass` heads results of tests more often than passwords. */
const latinCores = coreWords.filter((core) => !['key', 'auth', 'pass'].includes(core));

const otherHeads =
  /^(?:mots? de passe|parola(?: d'ordine)?|heslo|jelszó|parolă|şifre|κωδικός|mật khẩu|kata sandi|lösenord|adgangskode|passord|salasana|(?:wlan-?)?schlüssel|clé wifi|clave|chave|clé)$/i;
const pairHeads =
  /^(?:credentials?|creds|login|logins|zugang|zugangsdaten|identifiants|credenciales|credenciais|credenziali|inloggegevens|dane logowania|учётные данные|账号密码|登录信息|認証情報|access)$/i;
/** `Password`, `api_token`, `Kennwort`, `密码`: what the head of a column promises of what stands below. */
function strengthOfHead(head: string): Promised | undefined {
  const name = head.replace(/^[*_`"'\s]+|[*_`"'\s:]+$/g, '');
  if (name.length > 40 || name === '') return undefined;
  if (/^(?:pw|mdp|psw|clave|contraseña|パス|비번)$/i.test(name)) return 'strong';
  if (/^(?:pin|otp|puk|pin-?code|пин|пин-?код|पिन)$/i.test(name)) return 'digits';
  const asian = eastAsianWords.find(([word]) => name.endsWith(word));
  if (asian) return asian[1];
  const joined = name.replaceAll(/[ .]/g, '_');
  const lower = joined.toLowerCase();
  if (otherHeads.test(name)) return 'strong';
  if (pairHeads.test(name)) return 'pair';
  for (const core of latinCores.filter((one) => lower.includes(one))) {
    const strength = strengthOf(joined, core);
    if (strength) return strength;
  }
  return lower.endsWith('key') ? strengthOf(joined, 'key') : undefined;
}

/** `mqtt.password     glowworm`: a name and a value in two columns, of which the lines around have both too. */
function inAlignedPair(text: string, head: Line): Finding | undefined {
  const [, lead = '', name = '', gap = '', value = ''] = twoColumns.exec(text.slice(head.start, head.end)) ?? [];
  const strength = strengthOfHead(name);
  if (value === '' || (strength !== 'strong' && strength !== 'digits')) return undefined;
  const column = lead.length + name.length + gap.length;
  const before = text.slice(Math.max(0, head.start - 400), head.start).split('\n');
  const behind = text.slice(head.next, head.next + 400).split('\n');
  const isAligned = [...before.slice(-4, -1), ...behind.slice(0, 3)].some((line) => {
    const other = twoColumns.exec(line);
    const own = other?.[4] ?? '';
    return other !== null && other[0].length - own.length === column && /[\d@._/-]/.test(own) && !own.includes(' ');
  });
  const parts = value.split(' ');
  const isTold =
    parts.length === 1
      ? isSecretCell(value, strength)
      : strength === 'strong' && parts.length >= 3 && isPhrase(value) && !parts.some(isSaidOfPasswords);
  if (!isAligned || !isTold) return undefined;
  return { start: head.start + column, end: head.start + column + value.length };
}
const twoColumns =
  /^([ \t]{0,8})([\p{L}][\p{L}\p{N}._/()-]{0,40}(?: [\p{L}\p{N}._/()-]{1,20}){0,3})([ ]{2,40}|\t{1,4})(\S+(?: \S+){0,7})[ \t]*\r?$/u;

/** `| Password | x |`: a row of a table that has one thing a row. */
function rowOfPair(text: string, head: Line): Finding | undefined {
  const cells = markdownCells(text, head);
  const [name, value] = cells;
  if (!name || !value || cells.length !== 2 || head.start === 0) return undefined;
  const strength = strengthOfHead(text.slice(name.start, name.end));
  const one = text.slice(value.start, value.end);
  if (!strength || !isSecretCell(one, strength)) return undefined;
  const isSure =
    /\d/.test(one) ||
    text[value.start - 1] === '`' ||
    headOfPair.test(text.slice(Math.max(0, head.start - 600), head.start)) ||
    rowOfUser.test(text.slice(Math.max(0, head.start - 200), head.end + 200));
  return isSure && !isLabelSentence(one) ? value : undefined;
}

/** `| User | maria |` among the rows. */
const rowOfUser = new RegExp(
  `(?:^|\\n)\\|[^|\\n]{0,20}(?:${userHead.source})[^|\\n]{0,20}\\|\\s*\`?[\\w.@:/-]{2,60}\`?\\s*\\|\\s*(?:\\n|$)`,
  'i',
);
const headOfPair =
  /\|\s*(?:values?|wert|valeur|valor|valore|waarde|значение|值|値|값|内容)\s*\|\s*\n\s*\|[-:\s|]+\|\s*\n/iu;

function isSecretCell(value: string, strength: Promised): boolean {
  if (strength === 'digits') return isPin(value);
  if (strength === 'pair') return false;
  if (strength !== 'strong') return isSecretValue(value, strength, 'data');
  return (
    isPassword(value) &&
    /[\p{L}\p{N}]/u.test(value) &&
    !/^\d{1,3}$|^\d+[.,]\d+%?$/.test(value) &&
    !/^[[<{(].*[\])}>]$/.test(value) &&
    !isTime(value) &&
    !isSaidHere(value) &&
    !/^(?:[a-z]+:\/\/|\/[\w-]+\/)/.test(value)
  );
}

/** A date, a time of day or both: when a password was changed, and not the password. */
const isTime = (value: string): boolean =>
  /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d\d))?[T ]{0,2}(?:\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)?\s?(?:Z|UTC|[ap]m|[+-]\d\d:?\d\d)?$/i.test(
    value,
  );

const isSaidHere = (value: string): boolean =>
  hasMessageSign(value) || (value.includes(' ') ? isRemark(value) : isKnownSaid(value) || isInterfaceWord(value));

const keywords = [
  ...coreWords.filter((word) => word !== 'auth'),
  ...eastAsianWords.map(([word]) => word),
  ...words(
    'pin,|,pin| pin |\npin |pw,|,pw|pw;|;pw| pw |mdp|clave|パス|zugang|credenciales|credenciais|credenziali|inloggegevens',
    'mot de passe|parola|heslo|jelszó|şifre|κωδικός|lösenord|adgangskode|passord|schlüssel|clé',
  ),
  ...words('login|access|logins|identifiants').map((word) => `${word} |`),
];

export const tableRules: readonly Rule[] = [placeRule('table-secret', keywords, findInTable)];
