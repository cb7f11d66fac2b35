/** Secrets in what programs are written of: lists and maps under a credential's name, arguments of calls that log in. */

import { isUuid, looksRandom } from './looks.ts';
import { isInterfaceWord, isKnownSaid } from './plain-words.ts';
import { type Finding, findingOf, type Hit, placeRule, type Rule, type Span, valuesIn } from './rule.ts';
import { isMadeUpWord, isMarked } from './said-values.ts';
import { isPassword, isPhrase, isSecretValue } from './values.ts';

const longestBody = 1_500;

const literalRule = (keywords: string, find: (hit: Hit) => Finding | undefined): Rule =>
  placeRule('literal-secret', keywords, find);

/** A literal that nobody writes for anything but a password. */
const isPasswordLiteral = (value: string): boolean =>
  isPassword(value) &&
  isSecretValue(value, 'strong', 'data') &&
  (isMarked(value) || isMadeUpWord(value) || /\d|[a-z][A-Z]/.test(value) || (value.includes(' ') && isPhrase(value)));

type Groups = Readonly<Record<string, string>>;

interface Body extends Span {
  /** No bracket closes it near. */
  readonly isOpen: boolean;
}

/** What has no end and no password in it need not be read again. */
const nothingIn = ({ start, end, isOpen }: Body): Finding | undefined =>
  isOpen ? { start, end, refused: true, read: end } : undefined;

/** From the bracket that opens behind a name to the one that closes it. */
function bodyBehind(text: string, end: number): Body | undefined {
  opening.lastIndex = end;
  const open = opening.exec(text);
  if (!open) return undefined;
  const start = opening.lastIndex - 1;
  const last = Math.min(text.length, start + longestBody);
  let depth = 0;
  for (let at = start; at < last; at++) {
    const sign = text[at] ?? '';
    if ('([{'.includes(sign)) depth++;
    else if (')]}'.includes(sign) && --depth === 0) return { start, end: at + 1, isOpen: false };
  }
  return { start, end: last, isOpen: true };
}
const opening = /\\{0,4}["'`\]]{0,2}\s{0,3}(?::=|=>|[:=])\s{0,3}(?:\w{1,20}\s?)?[[({]/y;

/** A literal, with what tells a key from a value. */
const literal =
  /(?<before>[:=,([{>]\s{0,20})\\{0,4}(["'`])(?<value>(?:(?!\2)[^\\\n]){4,80})\\{0,4}\2(?=(?<behind>\s{0,3}(?::|=>))?)/dg;

/** `passwords = { admin: 'x', ops: 'y' }`, `"passwords": ["x", "y"]`; in YAML the lines below. */
function inCollection({ text, start, end }: Hit): Finding | undefined {
  if (/[\w-]/.test(text[start - 1] ?? '') && !/[_-]/.test(text[start - 1] ?? '')) return undefined;
  const body = bodyBehind(text, end);
  if (!body) return inLinesBelow(text, end);
  const isValue = (value: string, { behind }: Groups): boolean => !behind && isPasswordLiteral(value);
  return findingOf(valuesIn(text, body, { pattern: literal, isValue })) ?? nothingIn(body);
}

const lineBelow =
  /\n[ \t]{1,12}(?:- )?["']?[\w.@-]{1,40}["']?:[ \t]{1,8}["']?([^\s"'{}[\]|>&*#][^\n"']{2,60}?)["']?(?=[ \t]*(?:\r?\n|$))/dgy;

function inLinesBelow(text: string, end: number): Finding | undefined {
  if (!/^["']?:[ \t]*\r?\n/.test(text.slice(end, end + 8))) return undefined;
  const from = text.indexOf('\n', end);
  return findingOf(
    valuesIn(text, { start: from, end: from + 4_000 }, { pattern: lineBelow, isValue: isPasswordLiteral }).slice(0, 40),
  );
}

const pair =
  /(?:[[(]\s{0,20}\\{0,4}(?<q>["'])(?<user>[\w.@\\+-]{2,60})\\{0,4}\k<q>\s{0,3},\s{0,3}\\{0,4}(?<r>["'])(?<value>(?:(?!\k<r>)[^\\\n]){4,80})\\{0,4}\k<r>\s{0,3}(?=[)\]])|[{,]\s{0,20}\\{0,4}(?<s>["'])(?<user>[\w.@\\+-]{2,60})\\{0,4}\k<s>\s{0,3}(?::|=>)\s{0,3}\\{0,4}(?<t>["'])(?<value>(?:(?!\k<t>)[^\\\n]){4,80})\\{0,4}\k<t>\s{0,3}(?=[},]))/dg;

/** `credentials = ["amy", "x"]`, `auth=("amy", "x")`, `USERS = [("amy", "x"), ("bob", "y")]`: the second of two. */
function inPairs({ text, start, end }: Hit): Finding | undefined {
  if (/[A-Za-z]/.test(text[start - 1] ?? '')) return undefined;
  const body = bodyBehind(text, end);
  if (!body) return undefined;
  const isAuthTuple = /^auth\s?=\s?\($/i.test(text.slice(start, body.start + 1));
  const isValue = (value: string, { user = '' }: Groups): boolean =>
    isMadeUpPair(user, value) ||
    (isAuthTuple &&
      body.end - body.start <= 120 &&
      /^\p{Ll}{6,}$/u.test(value) &&
      isMadeUpWord(value) &&
      !isKnownSaid(user) &&
      !isInterfaceWord(user));
  return findingOf(valuesIn(text, body, { pattern: pair, isValue })) ?? nothingIn(body);
}

/** A name and a password, no two names of fields or roles. */
const isMadeUpPair = (user: string, value: string): boolean =>
  !isKnownSaid(user) &&
  !isInterfaceWord(user) &&
  isPasswordLiteral(value) &&
  !/^\S+@\S+\.\w+$|^[A-Z][a-z]+ [A-Z][a-z]+$/.test(value) &&
  (/[\d!#$%^&*]/.test(value) || /^\p{Lu}\p{L}+[._-]\p{L}/u.test(value) || looksRandom(value, 16));

const string =
  /\s{0,20}(?:([\w.]{1,20})[:=] ?|new \w{1,20}\(|Some\(|b|@)?(?:(["'`])((?:(?!\2)[^\\\n]|\\.){0,120})\2|[^"'`(),\n]{1,80})(?:\)|\.\w{1,20}\(\))?\s{0,20}([,)])/dy;

interface Argument extends Span {
  /** Of a literal. */
  readonly text?: string;
  /** It has no name, as `password` in `password="x"`. */
  readonly isPlain: boolean;
}

function argumentsAt(text: string, from: number): readonly Argument[] {
  const found: Argument[] = [];
  string.lastIndex = from;
  for (let match = string.exec(text); match && found.length < 8; match = string.exec(text)) {
    const [start, end] = match.indices?.[3] ?? [0, 0];
    const literal = match[3];
    found.push({ start, end, isPlain: match[1] === undefined, ...(literal === undefined ? {} : { text: literal }) });
    if (match[4] === ')') break;
  }
  return found;
}

/** An argument without a name that is a password and says nothing of one. */
const passwordIn = (given: Argument | undefined): Finding | undefined =>
  given?.text !== undefined && given.isPlain && isPasswordLiteral(given.text) && !isKnownSaid(given.text)
    ? { start: given.start, end: given.end }
    : undefined;

/** `setPassword("x")`, `.password('x')` */
function inSetter({ text, start, end }: Hit): Finding | undefined {
  const lead = /[\w.:>-]{0,40}$/.exec(text.slice(Math.max(0, start - 40), start))?.[0] ?? '';
  if (!/^(?:[\w.:>-]*(?:\.|->|::))?(?:set|with|use|auth|user|admin|db|new|add|key|store)?_?$/i.test(lead))
    return undefined;
  const given = argumentsAt(text, end);
  return given.length === 1 ? passwordIn(given[0]) : undefined;
}

/** `login("amy", "x")`, `new NetworkCredential("amy", "x")`, `connect("host", "amy", "x")`: behind the user. */
function inLogin({ text, start, end }: Hit): Finding | undefined {
  const at = /connect|pdo|plainauth|create_/i.test(text.slice(start, end)) ? 2 : 1;
  const given = argumentsAt(text, end);
  const [user, value] = [given[at - 1], given[at]];
  if (!user?.isPlain || !/^[\w.@\\+-]{2,60}$/.test(user.text ?? '') || /^[A-Z_]+$/.test(value?.text ?? ''))
    return undefined;
  return passwordIn(value);
}

/** `cohere.Client('…')`, `algoliasearch('ID', '…')`: a long random literal is what a service gave. */
function inClient({ text, end }: Hit): Finding | undefined {
  const found = argumentsAt(text, end).filter(
    ({ text: one = '' }) => /^[\w.+/=~-]{24,200}$/.test(one) && !isUuid(one) && looksRandom(one, 24),
  );
  return findingOf(found);
}

/** Pairs on a line whose remark says that they are passwords, or on the line below it. */
function inRemark({ text, start, end }: Hit): Finding | undefined {
  const head = text.slice(Math.max(0, start - 400), start);
  const line = head.slice(head.lastIndexOf('\n') + 1);
  const mark = /(?:\/\/|#|--|\/\*)\s?(?:[\p{L}'-]{1,16}\s){0,4}(?:[\p{L}-]{1,12})?$/u.exec(line);
  if (!mark) return undefined;
  const [own = '', next = ''] = text.slice(end, end + 600).split('\n', 2);
  const isBefore = /[[{(]/.test(line.slice(0, mark.index));
  const span = isBefore
    ? { start: start - line.length, end: start }
    : { start: end + own.length + 1, end: end + own.length + 1 + next.length };
  const isValue = (value: string): boolean =>
    isPasswordLiteral(value) && (isMarked(value) || (value.length > 5 && /\d/.test(value)));
  return findingOf(valuesIn(text, span, { pattern: pair, isValue }));
}

export const literalRules: readonly Rule[] = [
  literalRule(
    'passwords|passwörter|mots de passe|contraseñas|senhas|wachtwoorden|пароли|hasła|密码|パスワード',
    inRemark,
  ),
  literalRule('basicauthusers|basic_auth_users|authusers|auth_users|httpusers|http_users|htpasswd', inCollection),
  literalRule('passwords|passphrases|passcodes|passwörter|contraseñas|senhas|mots_de_passe', inCollection),
  literalRule('credentials|creds|users|logins|accounts|auth|basic|login', inPairs),
  literalRule('password(|passwd(|passphrase(|pwd(|pass(', inSetter),
  literalRule(
    'login(|auth(|signin(|sign_in(|log_in(|authenticate(|credential(|credentials(|authentication(|basicauth(|basic_auth(|create_superuser(|create_user(|userpassword(|plainauth(|connect(|getconnection(|pdo(|begin(|digestauth(|authenticator(',
    inLogin,
  ),
  literalRule('client(|algoliasearch(|init(|configure(|razorpay(|api(|sdk(|connect(', inClient),
];
