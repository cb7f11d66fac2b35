/** Secrets that the grammar of a file gives away: `.pgpass`, `chap-secrets`, a Secret of Kubernetes, a JSON Web Key. */

import { looksRandom } from './looks.ts';
import { isInterfaceWord, isKnownSaid, isSaidOfPasswords } from './plain-words.ts';
import { type Finding, findingOf, type Hit, placeRule, type Rule, type Span, valuesIn } from './rule.ts';
import { tellingRule } from './said-around.ts';
import { isMarked } from './said-values.ts';
import { isPassword, isPhrase } from './values.ts';

/** How far the lines of a file are looked at that its head describes. */
const longest = 8_000;

/** The passwords in a part of a text that a pattern has as its group. */
const passwordsIn = (text: string, span: Span, pattern: RegExp): Finding | undefined =>
  findingOf(valuesIn(text, span, { pattern, isValue: isPassword }));

/** All lines of one form behind a head, which may stand in a remark. */
const below =
  (line: RegExp) =>
  ({ text, start }: Hit): Finding | undefined =>
    passwordsIn(text, { start, end: start + longest }, line);

/** `host:port:database:user:password`, where the head stands or the port tells. */
const pgpassLine = /^[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w$*-]{1,60}:[\w.@$*-]{1,60}:((?:[^\s:"'\\]|\\.){3,100})[ \t]*$/dgm;

function pgpassAt({ text, start }: Hit): Finding | undefined {
  const from = text.lastIndexOf('\n', start) + 1;
  if (start - from > 200) return undefined;
  const end = text.slice(start, start + 400).indexOf('\n');
  return passwordsIn(text, { start: from, end: end === -1 ? start + 400 : start + end }, pgpassLine);
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
  return open && passwordsIn(text, { start: from + open[0], end: from + open[1] }, encodedEntry);
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

/** A line that ends with the noun, what it is of and a colon; below it one line, and then none. */
const headLine = /^[ \t>*-]{0,8}(?:[\p{L}\p{N}][\p{L}\p{N}'’()/-]{0,20}(?: |$)){0,6}$/u;
const headEnd =
  /^(?:[\p{L}]{0,6})(?: [\p{L}\p{N}'’()/-]{1,20}){0,4} ?[:：][ \t]*\r?\n(?:[ \t]*\r?\n)?[ \t>]{0,8}(["“„«`]?)([^\n"“”„«»`]{5,80}?)["”“»`]?[ \t]*(?=\r?\n|$)/u;

/** `Contraseña del zip:` and the words on the next line. */
function belowLabel({ text, start, end }: Hit): Finding | undefined {
  const before = text.slice(Math.max(0, start - 80), start);
  const head = before.slice(before.lastIndexOf('\n') + 1);
  if (!headLine.test(head)) return undefined;
  const behind = text.slice(end, end + 200);
  const match = headEnd.exec(behind);
  const value = match?.[2];
  if (!match || value === undefined || isCodeOrRemark(value)) return undefined;
  const next = /^[ \t]*\r?\n([^\n]{0,80})/.exec(behind.slice(match[0].length))?.[1]?.trim() ?? '';
  if (
    /^\S+$/.test(value)
      ? !isMarked(value) && !(next === '' && /^\p{Ll}{5,}$/u.test(value) && !isSaidOfPasswords(value))
      : !isWords(value, next)
  )
    return undefined;
  const from = end + match[0].lastIndexOf(value);
  return { start: from, end: from + value.length };
}

const isCodeOrRemark = (value: string): boolean =>
  !isPassword(value) ||
  /[{}<>=;|\\$[\]]|[.:：,!?…]$|^[-*#/.~]|\w\(|: |:\/\/|@/.test(value) ||
  value.split(' ').some(isInterfaceWord);

/** Words that somebody strung together; where more lines follow, ones that begin small, as messages do not. */
const isWords = (value: string, next: string): boolean => {
  const words = value.split(' ');
  const isSmall = /^\p{Ll}/u.test(value) && words.length >= 3;
  const isTitled = words.length >= 2 && words.every((one) => one.length < 4 || /^\p{Lu}/u.test(one));
  return (
    isPhrase(value) &&
    words.length <= 8 &&
    (isSmall || isTitled || /\p{L}\d|\d$/u.test(value)) &&
    (next === '' || words.length <= 6) &&
    words.filter(isSaidOfPasswords).length * 2 < words.length
  );
};

/** `key: …` under `replicaSet:` or another parent that is about letting in. */
function keyUnderParent({ text, start, end }: Hit): Finding | undefined {
  const value = /^[ \t]{0,3}["']?([\w+/=.~-]{16,400})["']?[ \t]*(?=\r?\n|$)/.exec(text.slice(end, end + 420))?.[1];
  if (value === undefined || !looksRandom(value, 16)) return undefined;
  const before = text.slice(Math.max(0, start - 300), start);
  const parent = /(?:^|\n)([ \t]*)["']?([\w-]{2,30})["']?:[ \t]*\r?\n(?:\1[ \t]+[^\n]*\n)*\1[ \t]+(?:- )?$/.exec(
    before,
  )?.[2];
  if (
    parent === undefined ||
    !/^(?:\w*auth\w*|replica_?set|encryption|crypto|signing|jwt|session|cookies?|license|datadog|newrelic|security|secrets?|api|rootcoord|tsig|hmac|webhook)$/i.test(
      parent,
    )
  )
    return undefined;
  const from = text.indexOf(value, end);
  return { start: from, end: from + value.length };
}

/** `tokens { agent = "…" }` of Consul: each value between the braces. */
function consulTokens({ text, end }: Hit): Finding | undefined {
  const body = /^[^{}]{0,1500}\}/.exec(text.slice(end, end + 1_500))?.[0] ?? '';
  return passwordsIn(text, { start: end, end: end + body.length }, /=\s{0,3}"([\w-]{20,80})"/dg);
}

export const fileRules: readonly Rule[] = [
  placeRule('key-under-parent', ' key:|\tkey:|  keyfile:', keyUnderParent),
  placeRule('consul-token', 'tokens {|tokens = {', consulTokens),
  // `abcd efgh ijkl mnop`, as a mail service hands out passwords for programs
  tellingRule('app-password', 'password|passwd|pass|passwort|kennwort|mot de passe|contraseña|senha', {
    behind:
      /^\w{0,12}["']?[ \t]{0,3}(?:[:=：]|=>|is|ist|est|es|é|è)[ \t]{0,3}["'`]?([a-z]{4}(?:[ -][a-z]{4}){3})(?![ -]?[a-z0-9])/i,
    isValue: (value) => !isKnownSaid(value.slice(0, 4)),
  }),
  placeRule('pgpass', 'port:database:user', below(pgpassLine)),
  placeRule('pgpass', ':*:|:5432:|:5433:|:5434:|:5439:|:6432:|:15432:|:25060:|:26257:', pgpassAt),
  placeRule('chap-secret', 'chap-secrets|pap-secrets|# client', ({ text, start, end }) => {
    const isHead = text[end - 1] === 's' || /^# client\s+server\s+secret/i.test(text.slice(start, start + 60));
    return isHead ? below(chapLine)({ text, start, end }) : undefined;
  }),
  placeRule('kubernetes-secret', 'kind: secret', kubernetesSecret),
  placeRule(
    'recovery-code',
    'recovery code|backup code|scratch code|wiederherstellungscode|backup-code|codes de récup|códigos de recup|códigos de respaldo|恢复码|恢复代码|备用码|バックアップコード|リカバリーコード|резервные коды|복구 코드',
    recoveryCodes,
  ),
  placeRule('json-web-key', '"d"|"p"|"q"|"dp"|"dq"|"qi"|"k"|"d\\|"p\\|"q\\|"k\\', jsonWebKey),
  placeRule('ipsec-secret', ': PSK|: XAUTH|: EAP|: NTLM', ipsecSecret),
  placeRule(
    'labelled-password',
    'password|passwort|kennwort|mot de passe|contraseña|senha|wachtwoord|hasło|пароль',
    labelled,
  ),
  placeRule(
    'label-above',
    'password|passphrase|passcode|passwort|kennwort|schlüssel|mot de passe|mdp|phrase secrète|clé wi|contraseña|clave|senha|palavra-passe|parola|wachtwoord|hasło|пароль|кодовая фраза|heslo|jelszó|lösenord|adgangskode|passord|salasana|şifre|κωδικός|mật khẩu|kata sandi|密码|密碼|口令|パスワード|パスフレーズ|合言葉|비밀번호|비번|암호|패스워드',
    belowLabel,
  ),
];
