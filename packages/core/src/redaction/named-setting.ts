/** Where the value behind a name stands: in data, in code, in a line of a configuration, behind a flag. */
import { isLabel, isRemark } from './plain-words.ts';
import type { Hit, Span } from './rule.ts';
import type { Setting, Strength } from './values.ts';

export interface Named {
  readonly text: string;
  readonly nameStart: number;
  readonly name: string;
  readonly strength: Strength;
  readonly joint: Joint;
  readonly valueAt: number;
}

/** Which of the ways to part name and value it is. */
export interface Joint {
  readonly type: 'sign' | 'attribute' | 'list' | 'tag' | 'prose' | 'flag';
  readonly sign: string | undefined;
  /** All that stands between the two. */
  readonly gap: string;
  /** The name stands in quotes. */
  readonly isQuoted: boolean;
}

/** Calls that set a variable or fill in a field, up to its name. */
const filler =
  /(?:\w{0,20}(?:[pP]ref|[cC]onfig|[oO]ption|[pP]roperty|[sS]etting|ini_set|[pP]aram)\w{0,12}|setenv|putenv|setdefault|fetch|get|[sS]et\w{0,24}|put|fill\w{0,4}|type|send_?[kK]eys|press\w{0,14}|getenv|env|define)\(\\{0,4}["'`][^"'`\n]{0,40}["']?$/;
/** The name of an element or a variable, up to what it is. */
const naming =
  /(?:name|nombre|nom|nome|naam|clave|chave|key|selector|field|locator|id|label)\\{0,4}["']?\s{0,3}[:=]\s{0,3}\\{0,4}["'][#.\w[\]=-]{0,40}$/;

export function quotedSetting(named: Named, end: number): Setting {
  const { joint, text, nameStart, name } = named;
  const { type, sign, gap, isQuoted } = joint;
  if (type === 'attribute' && gap.includes('text') && !naming.test(text.slice(Math.max(0, nameStart - 60), nameStart)))
    return 'prose';
  if (type === 'flag') return 'flag';
  if (type === 'attribute' || type === 'tag') return 'data';
  if (type === 'list') return filler.test(text.slice(Math.max(0, nameStart - 80), nameStart)) ? 'data' : 'prose';
  if (isQuoted) return 'data';
  if (sign === '=' && /^[A-Z][A-Z0-9_]*$/.test(name)) return 'env';
  if ((text[nameStart - 1] === '-' || name.startsWith('-')) && !isChangedLine(text, nameStart)) return 'flag';
  if (sign === '=' && gap === '=' && inElement.test(text.slice(Math.max(0, nameStart - 240), nameStart))) return 'data';
  return isQuotedEntry(named, end) ? 'data' : 'code';
}

/** An element up to the name of an attribute. */
const inElement = /<[\w:.-]{1,40}(?:\s[^<>]{0,200})?\s$/;

/** `name: "value"` or `name = "value"` alone on a line of YAML or TOML, where a line of code would end with a sign. */
function isQuotedEntry(named: Named, end: number): boolean {
  const { text, nameStart, joint } = named;
  if (!/^["']{1,3}[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/.test(text.slice(end, end + 80)) || !isLineStart(named)) return false;
  if (joint.sign !== ':')
    return joint.sign === '=' && (isInSection(text, nameStart) || isAmongLiterals(text, nameStart, end));
  if (isWholeText(named, text.slice(named.valueAt, end + 1))) return true;
  return kindOfLines(text, nameStart, end) === 'config';
}

export function plainSetting(named: Named): Setting {
  const { joint, text, valueAt, name, nameStart } = named;
  const { type, sign, gap, isQuoted } = joint;
  if (type === 'tag' || type === 'attribute') return 'data';
  if (type === 'flag' && isAmongDirectives(text, nameStart)) return 'record';
  // `--password is omitted`, `--multi-pass: Improves …` tell of a flag.
  if (type === 'prose') return 'prose';
  if (type === 'flag' || ((name.startsWith('-') || text[nameStart - 1] === '-') && !isChangedLine(text, nameStart)))
    return sign !== ':' ? 'flag' : gap === ':' ? 'flag' : 'plain';
  if (type === 'list') return 'prose';
  const isTight = sign === '=' && text[valueAt - 1] === '=' && !isQuoted;
  if (isTight && isSpacedEntry(named)) return 'config';
  if (isTight && (/^[A-Z][A-Z0-9_]*$/.test(name) || isLineStart(named) || text[nameStart - 1] === ';')) return 'env';
  if (isTight) return isAmongPairs(named) || isOfFlag(named) ? 'flag' : 'argument';
  // A number behind a name in quotes is JSON, where it cannot be a variable.
  if (isQuoted && /\d/.test(text[valueAt] ?? '')) return 'data';
  if (gap === ':' && isStructField(named)) return 'data';
  if (isHeader(named)) return 'line';
  if (gap.includes('**') && isMarkedEntry(named)) return 'record';
  if (!isLineStart(named)) return 'plain';
  if (isConfig(named)) return 'config';
  return sign === ':' && isLineEnd(named) ? 'line' : 'plain';
}

/** `&{Host:db1 Password:x Port:5432}`, as Go prints a struct. */
const isStructField = ({ text, nameStart, valueAt }: Named): boolean =>
  text.slice(Math.max(0, nameStart - 200), nameStart).includes('{') &&
  /\{(?:[A-Z]\w{0,30}:[^\s{}]{0,60} )*$/.test(text.slice(Math.max(0, nameStart - 200), nameStart)) &&
  /^[^\s{}]{1,100}(?: [A-Z]\w{0,30}:|\})/.test(text.slice(valueAt, valueAt + 140));

/** `host=db1 user=app password=x`: pairs with blanks between, as logs and connection strings have them. */
function isAmongPairs({ text, nameStart, valueAt }: Named): boolean {
  const before = lastLineOf(text.slice(Math.max(0, nameStart - 120), nameStart));
  const behind = /^[^\n]{0,160}/.exec(text.slice(valueAt, valueAt + 160))?.[0] ?? '';
  const isPairBefore = /(?:^|[\s"'{[])[\w.-]{1,40}=(?:[^\s"'=(),]{1,80}|"[^"]{0,80}")[ ]$/.test(before);
  const isPairBehind = /^[^\s"'(),]{1,100}[ ][\w.-]{1,40}=[^\s=(]/.test(behind);
  return (isPairBefore || isPairBehind) && /^[^\s"'(),]{3,100}(?:["'\]},;]|\s|$)/.test(behind);
}

/** `--set a=b,password=x`, `-F password=x`: pairs that a flag of a command takes. */
const isOfFlag = ({ text, nameStart }: Named): boolean =>
  /(?:^|\s)-{1,2}[A-Za-z][\w-]{0,30}[ =]["']?(?:[\w.@/-]{1,60}=[^\s"'(),]{0,80},)*$/.test(
    lastLineOf(text.slice(Math.max(0, nameStart - 160), nameStart)),
  );

const lastLineOf = (text: string): string => text.slice(text.lastIndexOf('\n') + 1);

/** `password=two words` in a section of an INI file, where no command can stand. */
function isSpacedEntry(named: Named): boolean {
  const { text, nameStart, valueAt, strength } = named;
  if (strength !== 'strong' || !isLineStart(named) || !isInSection(text, nameStart)) return false;
  const words = /^\p{L}+(?: \p{L}+)+(?=[ \t]*(?:\r?\n|$|;|#))/u.exec(text.slice(valueAt, valueAt + 120))?.[0];
  return words !== undefined && !isRemark(words);
}

/** A line of YAML, of properties or of an INI file among its like. */
function isConfig(named: Named): boolean {
  const { text, nameStart, valueAt, name, joint } = named;
  if (named.strength !== 'strong' || !/^(?::|=)/.test(joint.sign ?? '')) return false;
  const behind = /^[^\n]{0,240}?(?=\r?\n|\\n|$)/.exec(text.slice(valueAt, valueAt + 240))?.[0];
  if (behind === undefined || behind === '' || /[,;{([]\s*$/.test(behind)) return false;
  const kind = kindOfLines(text, nameStart, valueAt + behind.length);
  if (kind === 'code') return false;
  const isProperty = /^[a-z]\w*(?:\.\w+){2,}$/.test(name) && !/^(?:this|self)\b/.test(name);
  const isSetting =
    /^[A-Z][A-Z0-9_]*$/.test(name) && behind.includes(' ') && isInAccount(text, nameStart, valueAt + behind.length);
  // No variable of a program is called so.
  const isChanged = /[^\0-\x7f]/.test(name) && isChangedLine(text, nameStart);
  const isEntry = isProperty || isSetting || isChanged || isInSection(text, nameStart);
  if (joint.sign === '=' && !isEntry && !isAmongBare(text, nameStart, valueAt + behind.length)) return false;
  if (!behind.trim().includes(' ')) return true;
  const end = valueAt + behind.length;
  if (isSubjectOfChange(text, { start: nameStart, end }, name)) return false;
  if (isWholeText(named, behind)) return true;
  const isShort = /(?:^|[^A-Za-z])(?:pass|pwd|psk)$/i.test(name);
  return kind === 'config' && (!isShort || isInAccount(text, nameStart, end));
}

/** `- **Password:** …` among others that tell a user or a host. */
const isMarkedEntry = ({ text, nameStart, valueAt, strength }: Named): boolean =>
  strength === 'strong' &&
  /(?:^|\n)[ \t]{0,8}(?:[-*+] |\d{1,2}\. )?\*\*$/.test(text.slice(Math.max(0, nameStart - 16), nameStart)) &&
  isInAccount(text, nameStart, valueAt + 1);

/** `password: words of a phrase`, and nothing else. */
const isWholeText = ({ text, nameStart, valueAt }: Named, value: string): boolean =>
  text.slice(0, nameStart).trim() === '' && text.slice(valueAt + value.length).trim() === '';

/** `-H "X-Api-Key: …"`: what stands in the quotes is a header and its value. */
const isHeader = ({ text, nameStart, valueAt, name, joint }: Named): boolean =>
  joint.gap === ': ' &&
  name.includes('-') &&
  /["']/.test(text[nameStart - 1] ?? '') &&
  /^[^\s"']{8,200}["']/.test(text.slice(valueAt, valueAt + 202));

/** Only blanks, `export` and the like stand before the name. */
export function isLineStart({ text, nameStart }: Named): boolean {
  const before = text.slice(Math.max(0, nameStart - 24), nameStart);
  return /(?:^|\n|\\n|["'])[+-]?\s*(?:export |set |env |ENV |ARG |- |declare -x )?$/.test(before);
}

/** Nothing but a remark stands behind the value. */
function isLineEnd({ text, valueAt }: Named): boolean {
  const rest = text.slice(valueAt, valueAt + 400);
  return /^\S{4,399}[ \t]*(?:$|\r?\n|\\n|[ ]#)/.test(rest) && !/^\S*[,;{([]\s/.test(rest);
}

/** How far is looked. */
const reach = 240;
/** Line ends may be escaped. Split by a string: an expression would be asked at every character. */
const linesOf = (text: string): readonly string[] => text.replaceAll('\\n', '\n').split('\n');

const code =
  /[,;{(]\s*$|^\s*[})\]]|=>|\b(?:const|let|var|def|function|return|import|class|interface|public|private|val|fn|func|struct|self)\b.*[({=:]|\bthis\b.*[.({=]|^\s*(?:\w+ ){0,2}(?:if|for|type)\b.*[({=:]/;
const entry =
  /^\s*(?:- )?["']?[\p{L}\p{N}_./-]{1,60}["']?\s{0,12}[:=：](?:\s|$|\S{1,200}$)|^\s*\[\[?[\w .-]{1,60}\]\]?\s*$|^\s*#/u;
/** An entry whose value is several plain words; under a name of what lets in, a whole clause. */
const clauseEntry =
  /^\s*(?:[-*] )?(?:(?!ssid|wi-?fi|wlan|user|login|host|net|name|usu|utili|serv|benutz)|(?=[^ ]+(?: [^ ]+){4}))\p{Ll}[\p{L}_-]{1,30}: \p{Ll}{2,}(?: [\p{Ll}\p{M}]+)+[.,]?$/u;
/** Begins with a verb as subjects of changes do, in languages whose verbs tell by their ends. */
const act =
  /^[^:]{1,40}: (?:\p{Ll}{3,}[аеиоуыя]ть(?:ся)?(?: \p{Ll}+){3}|(?=(?:\p{Ll}+ ){1,6}(?:el|la|los|las|os|as|de|do|da|del|en|em|na|con|com|um|uma|un|una|para|que|se) )\p{Ll}{3,}[aei]r(?:se)?(?: \p{Ll}+){3})/u;
/** `password: trim the end` beside `token: refresh early`, or `senha: mostrar …` alone: what was done to passwords, and none is set. */
export function isSubjectOfChange(text: string, { start, end }: Span, label: string): boolean {
  if (!/^\p{Ll}[\p{Ll} -]*$/u.test(label)) return false;
  const around = linesAround(text, start, end);
  return around.length > 0 ? around.every((line) => clauseEntry.test(line)) : act.test(text.slice(start, end));
}
/** `NAME=value` alone: in quotes, or without blanks. */
const assignment = /^\s*(?:- )?(?:export )?[\p{L}_][\p{L}\d_.-]{0,60}=(?:"[^"]*"|'[^']*'|[^\s"'(){};]*)\s*$/u;

/** The kind of the lines before `from` and behind the line that holds `to`. */
function kindOfLines(text: string, from: number, to: number): 'config' | 'code' | 'unknown' {
  const around = linesAround(text, from, to);
  if (around.some((line) => code.test(line))) return 'code';
  return around.some((line) => entry.test(line)) ? 'config' : 'unknown';
}

/** True where a line beside it sets a variable too: the line is one of a file of settings, and no command. */
export const isAmongAssignments = (text: string, from: number, to: number): boolean =>
  linesAround(text, from, to).some((line) => assignment.test(line));

/** `name = "value"` and numbers on the lines around: a file of settings, whatever program reads it. */
const isAmongLiterals = (text: string, from: number, to: number): boolean => {
  const around = linesAround(text, from, to);
  return around.length > 1 && around.every((line) => literalLine.test(line));
};
const literalLine =
  /^\s*(?:[\p{L}_][\p{L}\d_.-]{0,60}\s{0,30}=\s{0,3}(?:"[^"]*"|[\d.]+|true|false|\[[^\]]*\])\s*)?(?:#.*)?$/u;

/** `name = 10.0.0.1` on a line beside it: an address, a path or a number without quotes is no code. */
const isAmongBare = (text: string, from: number, to: number): boolean => {
  const around = linesAround(text, from, to);
  return (
    around.every((line) => bareLine.test(line)) &&
    around.some((line) => /\d+\.\d+\.\d|\w\.\w+\.\w|\w@\w|= \//.test(line))
  );
};
const bareLine = /^\s*(?:[\p{L}_][\p{L}\d_. -]{0,40}\s?=\s?[^\s"'(){}[\]=;,]+(?: [^"'(){}[\]=;,]+)?|#.*)$/u;

/** `name value` without a sign, among lines of that form that tell a user or a host. */
export function isAmongDirectives(text: string, nameStart: number): boolean {
  // No further than names are indented: a text of one line costs no more.
  if (!/(?:^|\n)[ \t]{0,12}$/.test(text.slice(Math.max(0, nameStart - 13), nameStart))) return false;
  const end = text.slice(nameStart, nameStart + reach).indexOf('\n');
  const around = linesAround(text, nameStart, end === -1 ? text.length : nameStart + end);
  return around.some((line) => directive.test(line) && !isLabel(line.trim().split(/\s+/)[1] ?? ''));
}
const directive =
  /^\s*(?:[\w-]{0,20}[_-])?(?:user(?:name)?|login|host(?:name)?|server|address|port|account|realm|ssid|serveur|servidor|usuario|utilisateur|benutzer)\s{1,12}(?=\S*[\d._@:-]|(?<=[_-]\w{1,20}\s+)\S)\S{2,60}\s*$/i;

/** A line of a list of changes, which begins with `+` or `-` as the one before or behind it does. */
export function isChangedLine(text: string, at: number): boolean {
  const sign = text[at - 1] ?? '';
  if ((sign !== '-' && sign !== '+') || (at > 1 && text[at - 2] !== '\n')) return false;
  const next = text.slice(at, at + reach).indexOf('\n');
  return (
    /\n[+-][^\n]{0,200}\n$/.test(text.slice(Math.max(0, at - reach), at - 1)) ||
    /[+-]/.test(text[next === -1 ? text.length : at + next + 1] ?? '')
  );
}

/** `-password: x` in a list of changes: what stands in front is no part of the name. */
export const withoutDiffSign = (text: string, start: number): number =>
  text[start] === '-' && isChangedLine(text, start + 1) ? start + 1 : start;

/** `- NAME=…` below `environment:` or another entry: in YAML the value goes on to the end of the line. */
export const isListEntry = (text: string, at: number): boolean =>
  /(?:^|\n)[ \t]*(?:[\w.-]{1,40}:|- \w{1,40}=[^\n]{0,120})\r?\n[ \t]*- ["']?$/.test(
    text.slice(Math.max(0, at - reach), at),
  );

const others =
  'user|utente|gebruiker|användar|kullan|uzytkownik|użytkownik|उपयोगकर्ता|लॉगिन|login|e-?mail|account|host|server|database|port|ssid|usuario|usuário|utilisateur|utilizador|identifiant|benutzer|konto|hôte|hote|serveur|servidor|логин|пользователь|сервер|хост|用户|帐号|帳號|账号|账户|主机|服务器|数据库|ユーザー|ホスト|아이디|사용자|서버';
/** `user: "app"`, `<host>db1</host>`, `port=5432`: a field of what lets in, with a value that is no label. */
const otherField = new RegExp(
  `(?:${others})[\\p{L}\\d_]{0,12}\\\\{0,4}["'\`]?(?:\\s{0,12}(?:[:=：]|=>)\\*{0,2}\\s{0,3}|["']?\\s?>|["']\\s{1,3}value=)\\\\{0,4}["'\`]?` +
    `([\\p{Ll}\\d][\\p{L}\\d_.@:/+-]{1,60})(?=\\\\{0,4}["'\`]?\\s*(?:[,;}\\n<)\\]]|$|/>|\\S{1,20}=|\\\\n))`,
  'giu',
);

/** True where the same record tells a user or a host: a field of it holds a value, and no description of one. */
export function isInAccount(text: string, from: number, to: number): boolean {
  const before = text.slice(Math.max(0, from - reach), from);
  const behind = text.slice(to, to + reach);
  const start = Math.max(before.lastIndexOf('}'), before.lastIndexOf('\n\n'));
  const end = behind.search(/\}|\n\n/);
  return [before.slice(start + 1), end === -1 ? behind : behind.slice(0, end)].some((part) =>
    part.matchAll(otherField).some(([, value = '']) => !isLabel(value)),
  );
}

/** The nearest two lines that are not empty on both sides of the lines that `from` and `to` are in. */
function linesAround(text: string, from: number, to: number): readonly string[] {
  const before = linesOf(text.slice(Math.max(0, from - reach), from)).slice(0, -1);
  const behind = linesOf(text.slice(to, to + reach)).slice(1);
  const around = [...before.filter(isFilled).slice(-2), ...behind.filter(isFilled).slice(0, 2)];
  // The marks of a list of changes belong to no line.
  return around.map((line) => line.replace(/^[+-](?=[ \t]{2}|\w)/, ''));
}
const isFilled = (line: string): boolean => line.trim() !== '';

/** True where a `[section]` opens among the lines before: an INI file or TOML. */
const isInSection = (text: string, at: number): boolean =>
  /(?:^|\n|\\n)\[\[?[\w ."'-]{1,60}\]\]?\s*(?:\r?\n|\\n)/.test(text.slice(Math.max(0, at - 2 * reach), at));

/** `option ssid 'Attic'`, and on a line beside it `option key '…'`. */
export const isKeyOfNetwork = ({ text, start: nameStart, end }: Hit): boolean =>
  text.slice(nameStart, end) === 'key' &&
  /option $/.test(text.slice(Math.max(0, nameStart - 7), nameStart)) &&
  /option (?:ssid|encryption)\s/.test(text.slice(Math.max(0, nameStart - 240), nameStart + 240));

/** `arn:aws:secretsmanager:…:secret:prod/db` is the name of a secret. */
export const isNameOfCloud = (text: string, nameStart: number): boolean =>
  text[nameStart - 1] === ':' && secretOfCloud.test(text.slice(Math.max(0, nameStart - 70), nameStart));
const secretOfCloud = /arn:aws[\w-]{0,10}:secretsmanager:[\w-]{0,20}:\d{0,12}:$/;
