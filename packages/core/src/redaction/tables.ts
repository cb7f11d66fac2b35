/** Secrets in the columns of tables: CSV and its like, Markdown, HTML. The head of the column says what is in it. */

import { coreWords, eastAsianWords, strengthOf } from './names.ts';
import { isInterfaceWord, isKnownSaid, isLabelSentence, isRemark, isSaidOfPasswords } from './plain-words.ts';
import type { Finding, Hit, Rule, Span } from './rule.ts';
import { isMarked } from './said-values.ts';
import { cellsBetween, delimitedCells, markdownCells } from './table-cells.ts';
import { hasMessageSign, isPassword, isPhrase, isPin, isSecretValue, type Strength } from './values.ts';

/** What a head promises; `pair`: a user and a password. */
type Promised = Strength | 'pair';

const longestLine = 2_000;
const longestHead = 400;

type ReadRow = (text: string, start: number, end: number) => readonly Span[];

/** What kind of table begins with the line that the hit is in, if any does. */
function findInTable(hit: Hit): Finding | undefined {
  const { text, start } = hit;
  const before = text.slice(Math.max(0, start - longestHead), start);
  if (before.includes('>') && inHead.test(before)) return inHtml(text, start, before);
  if (before.includes('(') && inInsert.test(before)) return inSql(text, start, before);
  const lineStart = startOfLine(text, start, longestHead);
  if (lineStart === undefined) return undefined;
  const head = lineAt(text, lineStart);
  if (head.end - lineStart > longestHead) return undefined;
  const line = text.slice(lineStart, head.end);
  if (line.trimStart().startsWith('|')) return inMarkdown(text, lineStart, head);
  return (
    inAlignedPair(text, lineStart, head) ??
    inRuled(text, lineStart, head) ??
    inAligned(text, lineStart, head) ??
    inDelimited(text, lineStart, head)
  );
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

const longestTable = 20_000;
const inInsert = /insert\s{1,3}(?:ignore\s)?into\s{1,3}[\w."`[\]]{1,80}\s{0,3}\([^()]{0,300}$/i;

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

interface Line {
  readonly end: number;
  readonly next: number;
}

/** Not looked for beyond the longest line, so that a text of one line costs no more. */
function lineAt(text: string, start: number): Line {
  const at = text.slice(start, start + longestLine).indexOf('\n');
  const end = at === -1 ? Math.min(text.length, start + longestLine + 1) : start + at;
  return { end: text[end - 1] === '\r' ? end - 1 : end, next: at === -1 ? end : end + 1 };
}

function startOfLine(text: string, at: number, reach: number): number | undefined {
  const from = Math.max(0, at - reach);
  const found = text.slice(from, at).lastIndexOf('\n');
  if (found === -1) return from === 0 ? 0 : undefined;
  return from + found + 1;
}

const userHead =
  /user|login|e-?mail|account|konto|benutzer|usuario|utilisateur|identifiant|utente|gebruiker|użytkownik|usuário|utilizador|compte|cuenta|conta|ssid|логин|用户|账号|账户|帐号|帳號|管理员|ユーザ/i;

/** A column of secrets, and how much its head promises. */
interface Column {
  readonly at: number;
  readonly strength: Promised;
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
const pairCell = /^[\w.@\\-]{2,40}\s?[/:]\s?(\S{4,60})$/;

/** `Password`, `api_token`, `Kennwort`, `密码`: what the head of a column promises of what stands below. */
function strengthOfHead(head: string): Promised | undefined {
  const name = head.replace(/^[*_`"'\s]+|[*_`"'\s:]+$/g, '');
  if (name.length > 40 || name === '') return undefined;
  if (/^(?:pw|mdp|psw|clave|contraseña|パス|비번)$/i.test(name)) return 'strong';
  if (/^(?:pin|otp)$/i.test(name)) return 'digits';
  const asian = Object.entries(eastAsianWords).find(([word]) => name.endsWith(word));
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

function inDelimited(text: string, lineStart: number, head: Line): Finding | undefined {
  const delimiter = delimiterOf(text.slice(lineStart, head.end));
  if (delimiter === undefined) return undefined;
  const read: ReadRow = (whole, start, end) => delimitedCells(whole, { start, end }, delimiter);
  const cells = read(text, lineStart, head.end);
  const heads = cells.map(({ start, end }) => text.slice(start, end).trim());
  const isSpaced = text.slice(lineStart, head.end).includes(`${delimiter} `);
  const isHead =
    heads.length >= 2 &&
    heads.every((one) => /^[\p{L}\p{N} ._()/-]{1,40}$/u.test(one)) &&
    areDifferent(heads) &&
    (!isSpaced || (heads.some((one) => userHead.test(one)) && heads.every((one) => one.split(' ').length < 3)));
  const columns = isHead ? columnsOf(heads) : [];
  if (columns.length === 0 || columns.length > 3 || columns.length === heads.length) return undefined;
  // A line of as many cells in front of it: then this one is no head.
  if (cells.length > 0 && previousCells(text, lineStart, read) === cells.length) return undefined;
  return bodyOf(text, head.next, { read, columns, count: cells.length });
}

/** ` id | login | password`, with a line of `-` and `+` below, as psql prints a table. */
function inRuled(text: string, lineStart: number, head: Line): Finding | undefined {
  const rule = lineAt(text, head.next);
  if (rule.end - head.next > longestHead || !/^-[-+]{2,}$/.test(text.slice(head.next, rule.end))) return undefined;
  const read: ReadRow = (whole, start, end) => cellsBetween(whole, { start, end }, /\|/g);
  const heads = read(text, lineStart, head.end);
  const columns = columnsOf(heads.map(({ start, end }) => text.slice(start, end)));
  return columns.length === 0 ? undefined : bodyOf(text, rule.next, { read, columns, count: heads.length });
}

/** Columns with two blanks or more between them: one is of users, one of passwords. */
function inAligned(text: string, lineStart: number, head: Line): Finding | undefined {
  const read: ReadRow = (whole, start, end) => cellsBetween(whole, { start, end }, /[ ]{2,}/g);
  const cells = read(text, lineStart, head.end);
  const heads = cells.map(({ start, end }) => text.slice(start, end));
  const isHead =
    heads.length >= 2 && heads.every((one) => /^\p{L}[\p{L}\p{N} _/-]{0,24}$/u.test(one)) && areDifferent(heads);
  if (!isHead || !heads.some((one) => userHead.test(one))) return undefined;
  const columns = columnsOf(heads).filter(({ strength }) => strength === 'strong');
  return columns.length === 0 ? undefined : bodyOf(text, head.next, { read, columns, count: heads.length });
}

/** `mqtt.password     glowworm`: a name and a value in two columns, of which the lines around have both too. */
function inAlignedPair(text: string, lineStart: number, head: Line): Finding | undefined {
  const [, lead = '', name = '', gap = '', value = ''] = twoColumns.exec(text.slice(lineStart, head.end)) ?? [];
  if (value === '' || strengthOfHead(name) !== 'strong') return undefined;
  const column = lead.length + name.length + gap.length;
  const before = text
    .slice(Math.max(0, lineStart - 400), lineStart)
    .split('\n')
    .slice(-4, -1);
  const behind = text
    .slice(head.next, head.next + 400)
    .split('\n')
    .slice(0, 3);
  const isAligned = [...before, ...behind].some((line) => {
    const other = twoColumns.exec(line);
    const own = other?.[4] ?? '';
    return other !== null && other[0].length - own.length === column && /[\d@._/-]/.test(own) && !own.includes(' ');
  });
  const words = value.split(' ');
  const isTold =
    words.length === 1
      ? isSecretCell(value, 'strong')
      : words.length >= 3 && isPhrase(value) && !words.some(isSaidOfPasswords);
  if (!isAligned || !isTold) return undefined;
  return { start: lineStart + column, end: lineStart + column + value.length };
}
const twoColumns =
  /^([ \t]{0,8})([\p{L}][\p{L}\p{N}._/()-]{0,40}(?: [\p{L}\p{N}._/()-]{1,20}){0,3})([ ]{2,40}|\t{1,4})(\S+(?: \S+){0,7})[ \t]*\r?$/u;

function delimiterOf(line: string): string | undefined {
  const known = [',', '\t', ';', '|'];
  return (
    known.find((one) => line.includes(one) && !line.includes(`${one} `)) ?? (line.includes(', ') ? ',' : undefined)
  );
}

const areDifferent = (heads: readonly string[]): boolean =>
  new Set(heads.map((one) => one.toLowerCase())).size === heads.length;

function previousCells(text: string, lineStart: number, read: ReadRow): number {
  if (lineStart === 0) return 0;
  const start = startOfLine(text, lineStart - 1, longestHead);
  return start === undefined ? 0 : read(text, start, lineStart - 1).length;
}

function inMarkdown(text: string, lineStart: number, head: Line): Finding | undefined {
  const rule = lineAt(text, head.next);
  const heads = markdownCells(text, lineStart, head.end);
  const isHead = rule.end - head.next < longestHead && /^[\s|:+-]*--[\s|:+-]*$/.test(text.slice(head.next, rule.end));
  if (!isHead) return rowOfPair(text, lineStart, heads);
  const columns = columnsOf(heads.map(({ start, end }) => text.slice(start, end)));
  if (columns.length === 0 || columns.length === heads.length) return undefined;
  return bodyOf(text, rule.next, { read: markdownCells, columns, count: heads.length });
}

/** `| Password | x |`: a row of a table that has one thing a row. */
function rowOfPair(text: string, lineStart: number, cells: readonly Span[]): Finding | undefined {
  const [name, value] = cells;
  if (!name || !value || cells.length !== 2 || lineStart === 0) return undefined;
  const strength = strengthOfHead(text.slice(name.start, name.end));
  const one = text.slice(value.start, value.end);
  if (!strength || !isSecretCell(one, strength)) return undefined;
  const isSure =
    /\d/.test(one) ||
    text[value.start - 1] === '`' ||
    headOfPair.test(text.slice(Math.max(0, lineStart - 600), lineStart));
  return isSure && !isLabelSentence(one) ? value : undefined;
}

const headOfPair =
  /\|\s*(?:values?|wert|valeur|valor|valore|waarde|значение|值|値|값|内容)\s*\|\s*\n\s*\|[-:\s|]+\|\s*\n/iu;

interface Body {
  readonly read: ReadRow;
  readonly columns: readonly Column[];
  readonly count: number;
}

/** The secrets in the rows from a line on, up to a line with another number of cells. */
function bodyOf(text: string, from: number, { read, columns, count }: Body): Finding | undefined {
  const found: Span[] = [];
  let at = from;
  while (at < text.length) {
    const line = lineAt(text, at);
    const cells = line.end - at > longestLine ? [] : read(text, at, line.end);
    if (cells.length !== count) break;
    for (const { at: number, strength } of columns) {
      const cell = cells[number];
      if (cell && strength === 'pair') found.push(...passwordOfPair(text, cell));
      else if (cell && isSecretCell(text.slice(cell.start, cell.end), strength)) found.push(cell);
    }
    at = line.next;
  }
  return foundOf(found, from, at);
}

function foundOf(found: readonly Span[], from: number, read: number): Finding {
  const [first, ...more] = found;
  return first ? { ...first, more, read } : { start: from, end: read, refused: true, read };
}

function passwordOfPair(text: string, { start, end }: Span): readonly Span[] {
  const value = pairCell.exec(text.slice(start, end))?.[1];
  return value !== undefined && isMarked(value) ? [{ start: end - value.length, end }] : [];
}

function isSecretCell(value: string, strength: Promised): boolean {
  if (strength === 'digits') return isPin(value);
  if (strength === 'pair') return false;
  if (strength !== 'strong') return isSecretValue(value, strength, 'data');
  return (
    isPassword(value) &&
    /[\p{L}\p{N}]/u.test(value) &&
    !/^\d{1,3}$|^\d+[.,]\d+%?$/.test(value) &&
    !/^[[<{(].*[\])}>]$/.test(value) &&
    !isSaidHere(value) &&
    !/^(?:[a-z]+:\/\/|\/[\w-]+\/)/.test(value)
  );
}

const isSaidHere = (value: string): boolean =>
  hasMessageSign(value) || (value.includes(' ') ? isRemark(value) : isKnownSaid(value) || isInterfaceWord(value));

export const tableRules: readonly Rule[] = [
  {
    id: 'table-secret',
    by: 'place',
    startsWord: false,
    find: findInTable,
    check: () => true,
    keywords: [
      ...coreWords,
      ...Object.keys(eastAsianWords),
      'pin,',
      ',pin',
      ' pin ',
      'pw,',
      ',pw',
      'pw;',
      ';pw',
      ' pw ',
      'mdp',
      'clave',
      'パス',
      'login |',
      'access |',
      'logins |',
      'zugang',
      'identifiants |',
      'credenciales',
      'credenciais',
      'credenziali',
      'inloggegevens',
      'mot de passe',
      'parola',
      'heslo',
      'jelszó',
      'şifre',
      'κωδικός',
      'lösenord',
      'adgangskode',
      'passord',
      'schlüssel',
      'clé',
    ].filter((word) => word !== 'auth'),
  },
];
