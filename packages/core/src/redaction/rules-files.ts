/** Secrets that the grammar of a file gives away: `.pgpass`, `chap-secrets`, a Secret of Kubernetes, a JSON Web Key. */

import { looksRandom } from './looks.ts';
import { isKnownSaid } from './plain-words.ts';
import type { Finding, Hit, Rule, Span } from './rule.ts';
import { isPassword } from './values.ts';

const file = (id: string, keywords: string, find: (hit: Hit) => Finding | undefined): Rule => ({
  ...{ id, by: 'place', startsWord: false, check: () => true, find },
  keywords: keywords.split('|'),
});

/** How far the lines of a file are looked at that its head describes. */
const longest = 8_000;

/** Group 1 of each match of `pattern` in a stretch of a text, where it may be a password. */
function valuesIn(text: string, { start, end }: Span, pattern: RegExp): readonly Span[] {
  return [...text.slice(start, end).matchAll(pattern)].flatMap((match) => {
    const [from, to] = match.indices?.[1] ?? [0, 0];
    return isPassword(match[1] ?? '') ? [{ start: start + from, end: start + to }] : [];
  });
}

function findingOf([first, ...more]: readonly Span[]): Finding | undefined {
  return first && { ...first, more };
}

/** All lines of one form behind a head, which may stand in a remark. */
const below =
  (line: RegExp) =>
  ({ text, start }: Hit): Finding | undefined =>
    findingOf(valuesIn(text, { start, end: start + longest }, line));

/** `host:port:database:user:password`, where the head stands or the port tells. */
const pgpassLine = /^[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w$*-]{1,60}:[\w.@$*-]{1,60}:([^\s:"']{3,100})[ \t]*$/dgm;

function pgpassAt({ text, start }: Hit): Finding | undefined {
  const from = text.lastIndexOf('\n', start) + 1;
  if (start - from > 200) return undefined;
  const end = text.slice(start, start + 400).indexOf('\n');
  return findingOf(valuesIn(text, { start: from, end: end === -1 ? start + 400 : start + end }, pgpassLine));
}

/** `client server secret addresses`, as pppd reads it. */
const chapLine =
  /^[ \t]*(?:"[^"\n]{0,60}"|[^\s"#]{1,60})[ \t]+(?:"[^"\n]{0,60}"|[^\s"#]{1,60})[ \t]+"?([^\s"#]{3,80})"?(?:[ \t]+\S{1,60})*[ \t]*$/dgm;

/** `name: base64` under `data:` of a Secret; a certificate or a name in it opens nothing. */
function kubernetesSecret({ text, start }: Hit): Finding | undefined {
  const from = Math.max(0, text.lastIndexOf('\n---', start), start - 4_000);
  const next = text.indexOf('\n---', start);
  const rest = text.slice(from, Math.min(next === -1 ? text.length : next, start + longest));
  const open = /(?:^|\n)data:[ \t]*\n((?:[ \t]+[^\n]*(?:\n|$))*)/d.exec(rest)?.indices?.[1];
  return open && findingOf(valuesIn(text, { start: from + open[0], end: from + open[1] }, encodedEntry));
}
const encodedEntry =
  /^[ \t]+["']?(?!(?:user(?:name)?|login|host|port|database|db|ca\.crt|tls\.crt|namespace|url|region|email)["']?:)[\w.-]{1,80}["']?:[ \t]+["']?([A-Za-z0-9+/]{6,4000}={0,2})["']?[ \t]*$/dgm;

/** Two codes or more, each on its line or in a list, behind what calls them codes for an emergency. */
function recoveryCodes({ text, end }: Hit): Finding | undefined {
  const behind = text.slice(end, end + 1_500);
  const lead = /^[^\n:：]{0,60}(?:[:：]\s{0,4}|\n\s{0,4})/.exec(behind)?.[0].length;
  if (lead === undefined) return undefined;
  const list = codeList.exec(behind.slice(lead))?.[0] ?? '';
  const codes = [...list.matchAll(code)].filter(([one]) => /\d/.test(one) && /^\S{6,}$/.test(one));
  const from = end + lead;
  const [first, last] = [codes[0], codes.at(-1)];
  return !first || !last || codes.length < 2
    ? undefined
    : { start: from + first.index, end: from + last.index + last[0].length };
}
const code = /[A-Za-z0-9]{4,12}(?:-[A-Za-z0-9]{3,12}){0,4}/g;
const codeList =
  /^(?:(?:\d{1,2}[.)][ \t]+|[-*•][ \t]+)?`?[A-Za-z0-9]{4,12}(?:-[A-Za-z0-9]{3,12}){0,4}`?(?:[ \t]*[,;、][ \t]*|[ \t]{1,8}|\s*\n[ \t]*|$)){2,20}/;

/** The private members of a key: `d` of all, `p` and `q` and what follows from them of RSA, `k` of a shared one. */
function jsonWebKey({ text, start }: Hit): Finding | undefined {
  member.lastIndex = start;
  const value = member.exec(text)?.[1];
  if (value === undefined || !looksRandom(value, 20)) return undefined;
  const near = text.slice(Math.max(0, start - 3_000), start + 3_000);
  if (!/"kty\\{0,4}"\s?:/.test(near)) return undefined;
  return { start: member.lastIndex - value.length, end: member.lastIndex };
}
const member = /"(?:d|p|q|dp|dq|qi|k)\\{0,4}"\s{0,3}:\s{0,3}\\{0,4}"([\w-]{20,4000})/y;

/** `: PSK "…"`, `vpn.example : XAUTH "…"` */
function ipsecSecret({ text, start }: Hit): Finding | undefined {
  ipsec.lastIndex = start;
  const match = ipsec.exec(text);
  const value = match?.[1] ?? match?.[2];
  if (value === undefined || !isPassword(value)) return undefined;
  const from = start + (match?.[0].lastIndexOf(value) ?? 0);
  return { start: from, end: from + value.length };
}
const ipsec =
  /: {0,3}(?:PSK|XAUTH|EAP|NTLM)[ \t]+(?:"([^"\n]{3,120})"|((?:0[sx])?[^\s"',;:]{8,200})(?=[ \t]*(?:\r?\n|$)))/y;

/** A label on its line and the value on the next, as pages are copied: two pairs of them, one the password. */
function labelled({ text, start, end }: Hit): Finding | undefined {
  if (start > 0 && text[start - 1] !== '\n') return undefined;
  labelledLines.lastIndex = end;
  const value = labelledLines.exec(text)?.[1];
  if (value === undefined || !isPassword(value) || isKnownSaid(value)) return undefined;
  const from = text.indexOf(value, end);
  const before = text.slice(Math.max(0, start - 200), start);
  const behind = text.slice(from + value.length, from + value.length + 200);
  const hasOther = otherLabel.test(before) || otherLabel.test(behind);
  return hasOther && /^[a-z0-9]|\d/.test(value) && /[\d\W_]|^[a-z]{6,}$/.test(value)
    ? { start: from, end: from + value.length }
    : undefined;
}
const labelledLines = /:?[ \t]*\r?\n([^\s"'<>{}()[\];,=]{5,60})[ \t]*(?=\r?\n|$)/y;
/** A label with a value, not with the next label. */
const otherLabel =
  /(?:^|\n)(?:user ?name|user|login|e-?mail|account|benutzer(?:name)?|host|server|url|utilisateur|identifiant|usuario|usuário):?[ \t]*\r?\n(?:\S*[\d.@]\S*|[a-z][\w.-]{1,40})[ \t]*(?:\r?\n|$)/i;

export const fileRules: readonly Rule[] = [
  file('pgpass', 'port:database:user', below(pgpassLine)),
  file('pgpass', ':*:|:5432:|:5433:|:5434:|:5439:|:6432:|:15432:|:25060:|:26257:', pgpassAt),
  file('chap-secret', 'chap-secrets|pap-secrets|# client', ({ text, start, end }) => {
    const isHead = text[end - 1] === 's' || /^# client\s+server\s+secret/i.test(text.slice(start, start + 60));
    return isHead ? below(chapLine)({ text, start, end }) : undefined;
  }),
  file('kubernetes-secret', 'kind: secret', kubernetesSecret),
  file(
    'recovery-code',
    'recovery code|backup code|scratch code|wiederherstellungscode|backup-code|codes de récup|códigos de recup|códigos de respaldo|恢复码|恢复代码|备用码|バックアップコード|リカバリーコード|резервные коды|복구 코드',
    recoveryCodes,
  ),
  file('json-web-key', '"d"|"p"|"q"|"dp"|"dq"|"qi"|"k"|"d\\|"p\\|"q\\|"k\\', jsonWebKey),
  file('ipsec-secret', ': PSK|: XAUTH|: EAP|: NTLM', ipsecSecret),
  file(
    'labelled-password',
    'password|passwort|kennwort|mot de passe|contraseña|senha|wachtwoord|hasło|пароль',
    labelled,
  ),
];
