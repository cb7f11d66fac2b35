/** The lines around a place: whether they are a configuration or code. */

import { isLabel } from './plain-words.ts';

/** How far is looked. */
const reach = 240;
/** Line ends may be escaped. Split by a string: an expression would be asked at every character. */
const linesOf = (text: string): readonly string[] => text.replaceAll('\\n', '\n').split('\n');

const code =
  /[,;{(]\s*$|^\s*[})\]]|=>|\b(?:const|let|var|def|function|return|import|class|interface|public|private|val|fn|func|struct|self)\b.*[({=:]|\bthis\b.*[.({=]|^\s*(?:\w+ ){0,2}(?:if|for|type)\b.*[({=:]/;
const entry =
  /^\s*(?:- )?["']?[\p{L}\p{N}_./-]{1,60}["']?\s{0,12}[:=：](?:\s|$|\S{1,200}$)|^\s*\[\[?[\w .-]{1,60}\]\]?\s*$|^\s*#/u;
/** `NAME=value` alone: in quotes, or without blanks. */
const assignment = /^\s*(?:- )?(?:export )?[\p{L}_][\p{L}\d_.-]{0,60}=(?:"[^"]*"|'[^']*'|[^\s"'(){};]*)\s*$/u;
const account =
  /^\s*(?:- )?["']?[\w.-]{0,30}(?:user|name|ssid|login|e-?mail|account|host|server|database|usuario|benutzer|логин|пользователь|сервер|хост|用户名?|帐号|账号|账户|主机|服务器|数据库|ユーザー名?|ホスト|아이디|사용자|서버)\w{0,10}["']?\s{0,12}[:=：]\s*\S/iu;

/** What a line among others is part of: entries of a configuration, code, or neither. */
export type Kind = 'config' | 'code' | 'unknown';

/** The kind of the lines before `from` and behind the line that holds `to`. */
export function kindOfLines(text: string, from: number, to: number): Kind {
  const around = [...linesBefore(text, from), ...linesBehind(text, to)];
  if (around.some((line) => code.test(line))) return 'code';
  return around.some((line) => entry.test(line)) ? 'config' : 'unknown';
}

/** True where a line beside it sets a variable too: the line is one of a file of settings, and no command. */
export const isAmongAssignments = (text: string, from: number, to: number): boolean =>
  [...linesBefore(text, from), ...linesBehind(text, to)].some((line) => assignment.test(line));

/** True where a line beside it tells a user or a host. */
export const isAmongAccounts = (text: string, from: number, to: number): boolean =>
  [...linesBefore(text, from), ...linesBehind(text, to)].some((line) => account.test(line));

/** `- NAME=…` below `environment:` or another entry: in YAML the value goes on to the end of the line. */
export const isListEntry = (text: string, at: number): boolean =>
  /(?:^|\n)[ \t]*(?:[\w.-]{1,40}:|- \w{1,40}=[^\n]{0,120})\r?\n[ \t]*- ["']?$/.test(
    text.slice(Math.max(0, at - reach), at),
  );

const others =
  'user|login|e-?mail|account|host|server|database|port|ssid|usuario|usuário|utilisateur|utilizador|identifiant|benutzer|konto|hôte|hote|serveur|servidor|servidor|логин|пользователь|сервер|хост|用户|帐号|帳號|账号|账户|主机|服务器|数据库|ユーザー|ホスト|아이디|사용자|서버';
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

/** The nearest two lines that are not empty, without the one that `from` is in. */
function linesBefore(text: string, from: number): readonly string[] {
  const lines = linesOf(text.slice(Math.max(0, from - reach), from));
  return lines
    .slice(0, -1)
    .filter((line) => line.trim() !== '')
    .slice(-2);
}

function linesBehind(text: string, to: number): readonly string[] {
  const lines = linesOf(text.slice(to, to + reach));
  return lines
    .slice(1)
    .filter((line) => line.trim() !== '')
    .slice(0, 2);
}

/** True where a `[section]` opens among the lines before: an INI file or TOML. */
export const isInSection = (text: string, at: number): boolean =>
  /(?:^|\n|\\n)\[\[?[\w ."'-]{1,60}\]\]?\s*(?:\r?\n|\\n)/.test(text.slice(Math.max(0, at - 2 * reach), at));
