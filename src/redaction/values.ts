/** Tells a password from what else stands where passwords stand: variables, types, labels, stopgaps. */
import { isStopgap, isUuid, isWord, looksRandom } from './looks.ts';

/** How much a name promises: a password is one whatever it looks like, a token has to look like one. */
export type Strength = 'strong' | 'medium' | 'weak';

/**
 * Where a value stands. `data`: behind a quoted name, in an attribute or a flag; `env`: `NAME=value`; `line`: `name: value`
 * alone on its line; `code`: a literal behind a bare name or a name in a list; `plain`: without quotes behind a colon or
 * in an argument; `prose`.
 */
export type Setting = 'data' | 'env' | 'line' | 'code' | 'plain' | 'prose';

/** Refers to a secret elsewhere, or is what a program or a form calls one. */
const reference =
  /^(?:\$[{(]|\$[A-Za-z_]\w*$|\$\$|\{\{|\$?\{|<|%[A-Za-z_]+%$|%[sdv]$|#\{|@\{|!(?:Ref|vault|Sub|GetAtt)|ENC\[|\[REDACTED|\[(?:FILTERED|MASKED|HIDDEN|REMOVED)|•)|\$\{|\{\{|process\.env|os\.environ|getenv|import\.meta|^(?:secrets|env|config|cfg|settings|req|request|this|self|ctx|params|props|args|opts|options|data|body|user|vault|file|arn|ref|op|keychain):?[./]/i;

const labels = new Set(
  (
    'string str text number int integer bool boolean any unknown null nil none undefined true false required optional hidden masked ' +
    'password passwd pass pwd passphrase secret secrets token tokens key keys apikey api_key auth credential credentials varchar char ' +
    'bytes buffer object array void never default empty missing invalid valid yes no on off enabled disabled basic bearer jwt oauth ' +
    'oauth2 sha1 sha256 sha512 md5 hmac bcrypt argon2 base64 hex utf8 utf-8 file env stdin prompt keychain vault public private ' +
    'access refresh id username user login email new old current confirm show hide forgot reset change changed updated input output ' +
    'field label value values type name example test testing sensitive encrypted plain plaintext value1 const let var function async ' +
    'await return new this self typeof ssh-key ssh https http tls ssl cookie session header headers query'
  ).split(' '),
);

/** True for a text that stands where only a password stands, unless it is a variable, a type or a stopgap. */
export function isPassword(value: string): boolean {
  return value.length >= 3 && !reference.test(value) && !isStopgap(value) && !labels.has(value.toLowerCase());
}

const addressOrPath = /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/|\.{0,2}\/[\w.-]*(?:\/|$)|~\/|[A-Za-z]:\\|\/[\w.-]+\/)/;
/** Signs that people put into passwords and that names, paths and code seldom have. */
const passwordSign = /[!@#$%^&*+?~]/;

/** Whether a value is a secret, by what its name promises and where it stands. */
export function isSecretValue(value: string, strength: Strength, setting: Setting): boolean {
  if (!isPassword(value) || addressOrPath.test(value) || /[^\x20-\x7e]/.test(value)) return false;
  if (strength === 'weak') return !isUuid(value) && looksRandom(value, 20);
  if ((setting === 'plain' && isDottedName(value)) || isSecretName(value)) return false;
  if (value.includes(' ')) return strength === 'strong' && setting === 'env' && /\d/.test(value);
  if (looksRandom(value, 16) || isUuid(value)) return true;
  return strength === 'strong' ? isStrong(value, setting) : isMedium(value, setting);
}

function isStrong(value: string, setting: Setting): boolean {
  const mixed = /\d/.test(value) && /[A-Za-z]/.test(value);
  if (setting === 'env') return value.length >= 4 && !isDottedName(value);
  if (setting === 'data') return value.length >= 4 && !isDottedName(value) && !isTitle(value) && !isJoined(value);
  if (isJoined(value)) return false;
  if (setting === 'code' && /^[a-z]{6,}$/.test(value)) return true;
  if (setting === 'plain' && /[([{<>|]/.test(value)) return false;
  return value.length >= 6 && (mixed || (passwordSign.test(value) && /[A-Za-z0-9]/.test(value)));
}

function isMedium(value: string, setting: Setting): boolean {
  if (setting === 'plain' || setting === 'prose' || value.length < (setting === 'line' ? 12 : 8)) return false;
  if (/[([{<>|;,\\]/.test(value)) return false;
  if (/\d/.test(value) && /[A-Za-z]/.test(value)) return !isJoined(value) && !madeUp.test(value);
  return (setting === 'env' || setting === 'data') && /^[A-Za-z]{20,}$/.test(value) && !/[a-z][A-Z]/.test(value);
}

const madeUp =
  /^(?:test|fake|mock|demo|sample|foo|bar|baz|abc|my|some|the|user|token|key|secret|api|access|auth|session|valid|invalid|expired|new|old|wrong|bad|good)(?![a-z])/i;

/** `settings.user.password`, `auth.password.label`. */
const isDottedName = (value: string): boolean => /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?:\[|\(|$)/.test(value);

/** `DB_PASSWORD`, `userToken`: the name of a variable that holds one. */
const isSecretName = (value: string): boolean =>
  /^[A-Za-z_]+(?:_(?:password|passwd|pass|pwd|secret|token|key)|(?:Password|Secret|Token|Key))$/.test(value) ||
  /^(?:[A-Z]+_)+(?:PASSWORD|PASSWD|PASS|PWD|SECRET|TOKEN|KEY)$/.test(value);

/** A word as a form shows it. */
const isTitle = (value: string): boolean => /^[A-Z][a-z]+$/.test(value);

/** Words and numbers joined by `-`, `_`, `.`, `/` or `:`, or by capitals: a name of something. */
function isJoined(value: string): boolean {
  if (/^[a-z]+(?:[A-Z][a-z]+)+\d{0,3}$|^(?:[A-Z][a-z]+){2,}$/.test(value)) return true;
  const pieces = value.split(/[-_./:]+/);
  return pieces.length > 1 && pieces.every(isWord);
}
