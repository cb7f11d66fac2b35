/** Secrets that only their place gives away: headers, addresses, command lines, statements. */

import { commandRules } from './commands.ts';
import { isBasicPair, isStopgap, isUuid, looksRandom } from './looks.ts';
import { isKnownSaid } from './plain-words.ts';
import type { Form, Rule } from './rule.ts';
import { isPassword, isSecretValue } from './values.ts';

const place = (id: string, keywords: string, ...[source, options]: Form): Rule => ({
  id,
  by: 'place',
  startsWord: false,
  check: isPassword,
  keywords: keywords.split('|'),
  find: new RegExp(source, 'iy'),
  ...options,
});

/** Letters and digits without words: what a scheme name in front of it leaves no doubt about. */
const isToken = (value: string): boolean =>
  !isStopgap(value) &&
  !/^[a-z]+_[a-z]+=/.test(value) &&
  (looksRandom(value, 12) || (/\d/.test(value) && /[A-Za-z]/.test(value) && isPassword(value)));

/** A literal that is no name of something and says nothing of a password. */
const isLiteral = (value: string): boolean => isSecretValue(value, 'strong', 'data') && !isKnownSaid(value);

const isRandom = (least: number) => (value: string) => !isUuid(value) && looksRandom(value, least);

const schemes =
  'basic|token|accesskey|access-key|apikey|api-key|key|bot|oauth|splunk|sso-key|genie-?key|private-?token|pat|ntlm|negotiate';
const valueChars = '(?:(?!%26)[^\\s&#"\'`<>\\\\)\\]},;|])';

/** In front of a parameter of an address, encoded or not. */
const parameter = (names: string): string => `(?<=(?:[?&#;]|%3F|%26|\\\\u0026)[\\w.%-]{0,40})(?:${names})(?:=|%3D)`;

/** In an address the place says it all, but for variables and the words of documentation. */
const isGiven = (value: string): boolean =>
  !/[{}$]|^%[sv]|^(?:pass(?:word|wd)?|pwd|pw|secret|token|user(?:name)?|x-oauth-basic|\*+|\.+)$/i.test(value);

const cookie = /(?:sessid|session_?id|session|sid|token|auth)=([^\s;"'`,\\]{12,400})/iy;
const cookieHeader =
  /(?:(?:cookies?["']?\s{0,3}[:=]|\s-b\s|--cookie[ =])[^\n]{0,200}|(?:^|\n)[\w.-]{1,60}=[^\s;]{1,200};[ ][^\n=;]{0,60})$/i;

/** What keeps a browser logged in. */
const sessionCookie: Rule = {
  id: 'session-cookie',
  by: 'place',
  startsWord: false,
  keywords: ['sessid=', 'sessionid=', 'session_id=', 'session=', 'sid=', 'token=', 'auth='],
  find: ({ text, start }) => {
    cookie.lastIndex = start;
    const value = cookie.exec(text)?.[1];
    if (value === undefined) return undefined;
    const span = { start: cookie.lastIndex - value.length, end: cookie.lastIndex };
    return cookieHeader.test(text.slice(Math.max(0, start - 240), start)) ? span : { ...span, refused: true };
  },
  check: (value) => looksRandom(value, 12),
};

export const placeRules: readonly Rule[] = [
  place('bearer-token', 'bearer', `bearer(?:\\s|%20|\\+|:\\s?){1,2}["']?([\\w.~+/=|-]{8,400})`, {
    check: isToken,
    startsWord: true,
  }),
  place(
    'authorization',
    'authorization',
    `authorization\\\\{0,4}["']?\\s{0,3}[:=]\\s{0,3}\\\\{0,4}["'\`]?(?:(?:${schemes})\\s+)?([\\w.~+/=:|-]{8,400})`,
    {
      check: isToken,
    },
  ),
  place('basic-credentials', 'basic', 'basic(?:\\s|%20|\\+)([A-Za-z0-9+/]{6,400}={0,2})', {
    check: isBasicPair,
    startsWord: true,
  }),
  place('access-key', 'accesskey ', 'accesskey ([A-Za-z0-9]{20,80})(?![A-Za-z0-9])', {
    check: isRandom(20),
    startsWord: true,
  }),
  place('team-key', 'x-honeycomb-team', 'x-honeycomb-team["\']?\\s{0,3}[:=]\\s{0,3}["\']?([A-Za-z0-9]{20,80})', {
    check: isRandom(20),
  }),
  place(
    'bot-login',
    'client.|bot.',
    '(?:client|bot)\\.(?:run|login|start)\\(\\\\{0,4}["\'`]([\\w.-]{40,120})(?=\\\\{0,4}["\'`])',
    {
      check: isRandom(40),
    },
  ),
  place('write-key', 'analytics.load(', 'analytics\\.load\\(\\\\{0,4}["\'`]([A-Za-z0-9]{20,60})(?=\\\\{0,4}["\'`])', {
    check: isRandom(20),
  }),
  place(
    'access-token-call',
    'access_token(|accesstoken(|auth_token(|api_key(|apikey(',
    '(?:access_?token|auth_token|api_?key)\\(\\\\{0,4}["\'`]([\\w./:+=-]{16,400})(?=\\\\{0,4}["\'`])',
    {
      check: isRandom(16),
    },
  ),
  place(
    'unseal-key',
    'unseal key|recovery key',
    '(?:unseal|recovery) key(?: \\d{1,2})?(?: \\([^()\\n]{1,30}\\))?\\s{0,3}[:=]\\s{0,3}([\\w+/=-]{16,200})',
    {
      check: (value) => looksRandom(value, 16),
    },
  ),
  place(
    'created-token',
    'token|api key|secret|access key|license key',
    `(?:token|key|secret)(?:[ ](?:is|was|has|been|have|successfully|created|generated|issued|for|your|new|follows|as|now|ready|here|value|user|the|an?|application|account|[\\w.-]{1,30}@[\\w.-]{1,30})){1,8}\\s?:\\s{1,3}([\\w+/=.~-]{20,400})`,
    { check: isRandom(20) },
  ),
  place(
    'told-key',
    'clé|jeton|clave|chave|chiave|schlüssel|sleutel|klucz|ключ|токен|nyckel|anahtar|ficha',
    `(?:clés?|jeton|clave|chave|chiave|[a-zäöü-]{0,20}schlüssel|sleutel|klucz|ключ|токен|nyckel|anahtar)(?:[ ][^\\s:=.,;"()]{1,20}){0,4}(?:, (?:d(?:en|ie|as)|que|qui|który|который)[ ][^.,;:=\\n]{1,60},)?(?:\\s?[:=：]|[ ](?:est|ist|lautet|es|é|è|is|jest|это|är))\\s{1,2}["'«“\`]?\\s?([\\w+/=.~-]{15,400}[\\w+/=~-])`,
    { check: isRandom(16) },
  ),
  place('request-signature', 'signature=', 'signature=([0-9a-f]{64})(?![0-9a-f])', { check: () => true }),
  place('digest-response', 'response="', 'response="([0-9a-f]{32})(?=")', { check: () => true }),
  place('url-password', '://', `:\\/\\/[^\\s/?#@:"'\`<>\\\\]{0,100}:([^\\s/?#@"'\`<>\\\\]{1,200})(?=@[\\w.[-])`, {
    check: (value) => !isStopgap(value) && isGiven(value),
  }),
  place('url-user', '://', ':\\/\\/([\\w.~-]{20,200})(?=(?::x-oauth-basic)?@[\\w.[-])', { check: isRandom(20) }),
  place('jdbc-password', 'jdbc:oracle:', 'jdbc:oracle:\\w{2,8}:\\w{1,60}\\/([^\\s@"\']{1,100})(?=@)'),
  place(
    'url-parameter',
    'token=|key=|sig=|signature=|auth=|assertion=|jwt=|secret=|credential=|token%3d|key%3d|sig%3d|secret%3d',
    `${parameter('token|key|sig|signature|auth|assertion|jwt|secret|credential')}(${valueChars}{8,400})`,
    {
      check: (value) => looksRandom(value, 12),
    },
  ),
  place(
    'url-password',
    'password=|passwd=|pwd=|pass=|password%3d',
    `${parameter('password|passwd|pwd|pass')}(${valueChars}{3,400})`,
  ),
  place(
    'oauth-code',
    'code=|verifier=|ticket=|code%3d',
    `${parameter('code|verifier|ticket')}(${valueChars}{10,400})`,
    { check: isRandom(10) },
  ),
  sessionCookie,
  place(
    'signing-secret',
    'jwt.sign(|jwt.verify(|jwt.encode(|jwt.decode(',
    `jwt\\.(?:sign|verify|encode|decode)\\(\\s{0,20}(?:\\{[^{}\\n]{0,200}\\}|[\\w.]{1,60}),\\s{0,20}["'\`]([^"'\`\\n]{4,100})(?=["'\`])`,
    { check: isLiteral },
  ),
  place(
    'typed-password',
    '.fill(|.type(|.sendkeys(|.send_keys(|.presssequentially(|.setvalue(',
    `(?<=(?:password|passphrase|passwort|kennwort|contraseña|mot de passe|senha|wachtwoord)[^\\n()]{0,20}\\)(?:\\.\\w{1,10}\\(\\))?)\\.(?:fill|type|send_?keys|pressSequentially|setValue)\\(\\s?["'\`]([^"'\`\\n]{4,80})(?=["'\`])`,
    { check: isLiteral },
  ),
  place('netrc-password', 'login ', 'login\\s+\\S{1,80}\\s+password\\s+(\\S{1,200})'),
  place('wifi-password', 'WIFI:', 'WIFI:(?:[^;\\n]{0,60};){0,4}?P:([^;\\n]{3,100})(?=;)', { startsWord: true }),
  place(
    'braced-password',
    'password={|pwd={',
    '(?<=;\\s{0,2})(?:password|pwd)=(\\{(?:[^{}\\n]|\\}\\}){3,100}\\})(?=\\s{0,2}(?:;|["\']|$))',
    { check: () => true },
  ),
  place(
    'dsn-password',
    '@tcp(|@unix(',
    '(?<=(?:^|[\\s"\'=])[\\w.-]{1,60}:(?<lead>[^\\s"\'@:]{3,100}))(?=@(?:tcp|unix)\\()',
  ),
  place(
    'setup-key',
    'manually|setup key|secret key',
    '(?:manually|setup key|secret key)[^\\n:]{0,20}:\\s{0,3}((?:[a-z2-7]{4}[ ]){3,15}[a-z2-7]{4})(?![a-z2-7])',
    { check: () => true },
  ),
  place(
    'hex-key',
    'private key|privkey|priv key',
    '(?:private key|privkey|priv key)[^\\n]{0,24}?\\b(?:0x)?([0-9a-f]{64})(?![0-9a-f])',
    { check: (value) => looksRandom(value, 40) },
  ),
  place(
    'sql-password',
    'pgp_sym_|aes_encrypt|aes_decrypt|crypt(',
    "(?:pgp_sym_(?:en|de)crypt\\w{0,6}|aes_(?:en|de)crypt|(?<![a-z_])crypt)\\((?:[^'\\n()]{0,60},\\s{0,3})?'([^'\\n]{3,100})(?=')",
  ),
  place(
    'sql-password',
    'identified by ',
    '(?<=(?:create|alter)\\s{1,3}(?:user|role)\\s{1,3}\\S{1,60}\\s{1,3})identified by (?:values )?([A-Za-z][\\w$#]{3,60})(?=\\s|;|$)',
    {
      startsWord: true,
      check: (value) => isPassword(value) && !/^(?:values|externally|globally|random|default)$/i.test(value),
    },
  ),
  place('sql-password', "password('", "(?<=(?:=|using|by)\\s{0,3})password\\('([^'\\n]{3,100})(?='\\))"),
  place('pgpass', ':5432:', ':5432:[^\\s:]{1,60}:[^\\s:]{1,60}:([^\\s"\']{3,100})'),
  place(
    'sql-password',
    'identified by ',
    'identified by (?:password )?\\\\{0,4}[\'"]([^\'"\\n\\\\]{2,200})(?=\\\\{0,4}[\'"])',
    { startsWord: true },
  ),
  place(
    'sql-password',
    'password',
    "(?<=(?:with|encrypted|user \\S{1,60}|role \\S{1,60}|login)\\s{1,3})password(?:\\s{0,3}=\\s{0,3}|\\s{1,3})\\\\{0,4}N?'([^'\\n\\\\]{2,200})(?=\\\\{0,4}')",
    {
      startsWord: true,
    },
  ),
  place(
    'server-password',
    'requirepass|masterauth',
    '(?:requirepass|masterauth)(?:\\s*[:=]\\s*|\\s+)["\']?([^\\s"\']{4,200})',
    {
      startsWord: true,
    },
  ),
  place(
    'secure-string',
    'ConvertTo-SecureString',
    'ConvertTo-SecureString\\s+(?:-(?:String|AsPlainText|Force)\\s+){0,3}\\\\{0,2}["\']([^"\'\\n\\\\]{3,200})(?=\\\\{0,2}["\'])',
  ),
  place(
    'installer-salt',
    "define('|define( '|define(\"",
    "define\\(\\s{0,3}[\"'](?:AUTH|SECURE_AUTH|LOGGED_IN|NONCE|WP_CACHE)_(?:KEY|SALT|KEY_SALT)[\"'],\\s{0,20}(?:'([^'\\n]{16,200})(?='))",
  ),
  place(
    'defined-password',
    'define(',
    `define\\(\\s{0,3}["']\\w{0,40}?(?:password|passwd|pass|pwd|secret)["'],\\s{0,20}'([^'\\n]{4,200})(?=')`,
  ),
  place(
    'cluster-key',
    'encrypt',
    '(?<=(?:^|\\n)\\s{0,8}"?)encrypt"?\\s{0,8}[:=]\\s{0,8}"([A-Za-z0-9+/]{22,86}={1,2})(?=")',
    { check: isRandom(20) },
  ),
  place(
    'community',
    'rocommunity|rwcommunity|community',
    '(?<=(?:^|\\n)\\s{0,8})(?:ro|rw)community6?\\s{1,8}["\']?([^\\s"\'#]{4,60})',
    { check: (value) => isPassword(value) && !/^(?:public|private)$/.test(value) },
  ),
  place(
    'recovery-phrase',
    'mnemonic|phrase|助记词|助記詞',
    '(?:mnemonic|phrase|助记词|助記詞)\\\\{0,4}["\']?(?:\\s{0,3}[:=：]|\\s+is|是)?\\s{0,3}\\\\{0,4}["\'`]?([a-z]{3,8}(?: [a-z]{3,8}){11,23})(?![ ]?[a-z])',
    { check: (value) => new Set(value.split(' ')).size >= 8 },
  ),
  ...commandRules,
];
