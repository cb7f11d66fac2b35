/** Tells a password from what else stands where passwords stand: variables, types, labels, stopgaps. */
import { isStopgap, isUuid, isWord, looksRandom } from './looks.ts';
import {
  isInterfaceWord,
  isKnownSaid,
  isLabel,
  isLabelSentence,
  isPasswordNoun,
  isRemark,
  isSaidOfPasswords,
  isStory,
  remembered,
} from './plain-words.ts';

/** How much a name promises: a password is one whatever it looks like, a token has to look like one, a PIN has digits. */
export type Strength = 'strong' | 'medium' | 'weak' | 'digits';

/**
 * Where a value stands. `data`: behind a quoted name or in an attribute; `flag`: behind one of a command; `env`: `NAME=value`; `config`: a line of
 * a configuration; `record`: in data or a configuration, beside the user or the host that it belongs to; `line`: `name: value` alone on its line; `code`: a literal behind a bare name or a name in a list;
 * `argument`: `name=value` without quotes, where code has variables; `plain`: without quotes behind a colon; `prose`.
 */
export type Setting = 'data' | 'flag' | 'env' | 'config' | 'record' | 'line' | 'code' | 'argument' | 'plain' | 'prose';

const fields: ReadonlySet<Setting> = new Set(['env', 'data', 'config', 'record']);
const literals: ReadonlySet<Setting> = new Set(['record', 'data', 'flag', 'config', 'code']);

/** Refers to a secret elsewhere, or is what a program or a form calls one. */
const reference =
  /^(?:@[\w.-]+@$|\$[{(]|\$[A-Za-z_]\w*$|\$\$|\{\{|\$?\{|<|%[A-Za-z_]+%$|(?:%[sdv]\W?)+$|#\{|@\{|!(?:Ref|vault|Sub|GetAtt)|ENC\[|\[REDACTED|\[(?:FILTERED|MASKED|HIDDEN|REMOVED)|•)|\$\{|\{\{|process\.env|os\.environ|getenv|import\.meta|^(?:secrets|env|config|cfg|settings|req|request|this|self|ctx|params|props|args|opts|options|data|body|user|vault|file|arn|ref|op|keychain):?[./]/i;

/** Among many words `your` is one of them, and stands for nothing. */
const amongWords = /^((?:\p{L}+ ){2,})your(?= \p{L}+)/u;

/** True for a text that stands where only a password stands, unless it is a variable, a type or a stopgap. */
export const isPassword: (value: string) => boolean = remembered(
  (value) =>
    (value.length >= 3 || /^\p{Lo}{2}$/u.test(value)) &&
    !reference.test(value) &&
    !isStopgap(value.replace(amongWords, '$1')) &&
    !isLabel(value),
);

export const phrase: RegExp = /^[\p{L}\p{M}\p{N}'’&;,!#@-]{1,24}(?: [\p{L}\p{M}\p{N}'’&;,!#@-]{1,24}){1,9}$/u;
/** True for words that somebody strung together, and no label, message or description. */
export const isPhrase = (value: string): boolean =>
  phrase.test(value) &&
  !isLabelSentence(value) &&
  /\p{L}{3}|\p{Lo}{2}/u.test(value) &&
  !messageSign.test(value) &&
  !value.split(' ').some(isInterfaceWord);

/** What messages in scripts without spaces between all words are made of. */
const messageSign =
  /입력|확인|변경|분실|잊|찾기|설정|필수|오류|틀|일치|않|없|세요|습니다|니다|필요|만료|표시|숨기|암호|비밀|번호|관리|自动|请|請|输入|入力|密码|密碼|口令|パスワード|ください|ます|です/;

export const hasMessageSign = (value: string): boolean => messageSign.test(value) || messageWord.test(value);

/** What is said of a password in Chinese or Japanese, or asks for one. */
const messageWord =
  /必[填须須要選选]|不[能可得要同足一正对對符]|[为為是]空|^[空无無]$|未[设設知定填]|[无無][效法]|[错錯][误誤]|[误誤]$|确[认認定]|確[認定]|正[确確]|修改|更[改新]|忘[记記れ]|[旧舊新][密的]|最[长長大小少短]|[长長][度短]|[位字]符|\d位|[字]段|[设設](?:置|定)|重[置新设設]|保[存险險管密]|登[录錄陆陸出]|提示|[选選][填择擇]|[显顯]示|[隐隱]藏|加密|明文|默[认認]|[为為]空|同上|同前|太[短长長弱]|[至最]少|至多|[强強]度|[强強弱]密|管理|[系统統]统|生成|[联聯][系絡]|[邮郵]件|[发發]送|存[于於在]|用[户戶]|[账賬帐帳][号號户戶]|字符|[询詢咨]|取消|可选|[请請]|文字|半角|英数|以上|以内|以下|省略|変更|再設定|必須|任意|空欄/;

/** Words in a script that has no blanks between them, and of a kind that no message has. */
export const isForeignWords = (value: string): boolean =>
  /^(?:[\p{Lo}\p{M}\d]{2,16}|[\p{Lo}\p{M}]{1,12}(?: [\p{Lo}\p{M}]{1,12}){1,4})$/u.test(value) &&
  /\p{Lo}[\p{Lo}\p{M}]/u.test(value) &&
  !messageSign.test(value) &&
  !messageWord.test(value);

const addressOrPath = /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/|\.{0,2}\/[\w.-]*(?:\/|$)|~\/|[A-Za-z]:\\|\/[\w.-]+\/)/;
/** An address, a path, a remark in brackets, a date. */
const isOther = remembered(
  (value: string): boolean => addressOrPath.test(value) || /^(?:\?|\(\p{L}+\)$|\d{4}-\d\d-\d\d(?:[T ]|$))/u.test(value),
);
/** Signs that people put into passwords and that names, paths and code seldom have. */
const passwordSign = /[!@#$%^&*+?~]/;

/** Whether a value is a secret, by what its name promises and where it stands. */
export function isSecretValue(value: string, strength: Strength, setting: Setting): boolean {
  if (strength === 'digits') return isPin(value);
  if (!isPassword(value) || isOther(value)) return false;
  if (strength === 'weak') return isPlain(value) && !isUuid(value) && looksRandom(value, 20);
  if (
    (setting === 'plain' &&
      isDottedName(value) &&
      !value.split('.').some((one) => /\d/.test(one) && looksRandom(one, 20))) ||
    isSecretName(value)
  )
    return false;
  if (value.includes(' ')) return isSpaced(value, strength, setting);
  if (!isPlain(value)) return strength === 'strong' && isForeign(value, setting);
  if (looksRandom(value, 16) || isUuid(value)) return true;
  return strength === 'strong' ? isStrong(value, setting) : isMedium(value, setting);
}

/** What people key in: four to eight digits, in groups or not. */
export const isPin = (value: string): boolean => /^(?:\d{4,8}|\d{2,3}(?:[ -]\d{2,3}){1,3})$/.test(value);

const isPlain = (value: string): boolean => /^[\x20-\x7e]*$/.test(value);

function isSpaced(value: string, strength: Strength, setting: Setting): boolean {
  if (setting === 'plain' || setting === 'prose' || setting === 'line') return false;
  if (setting === 'argument' && value.length > 80) return false;
  if (strength === 'strong' && setting === 'env' && /\d/.test(value)) return !isRemark(value);
  if (
    setting === 'data' &&
    wordsAndYear.test(value) &&
    !value.split(' ').some((one) => isInterfaceWord(one) && !/^(?:is|are|was|were)$/.test(one))
  )
    return true;
  // Long and random but for a blank, as salts of installers are.
  if (value.length >= 40 && value.split(' ').length <= value.length / 12 && looksRandom(value, 30)) return true;
  const words = literals.has(setting) ? value.replace(/(?<=\p{Ll}): (?=\p{Ll})/u, ' ').replaceAll("''", "'") : value;
  if (strength === 'strong' && setting !== 'argument') return isFieldPhrase(words, setting === 'record');
  if (strength === 'medium' && setting !== 'code' && words.split(' ').length >= 4)
    return isFieldPhrase(words, false) && isStory(words);
  return (
    isPhrase(words) && (strength === 'strong' || (setting !== 'code' && !value.split(' ').some(isSaidOfPasswords)))
  );
}

/** Words in a field for a password, unless they say something of it. */
const isFieldPhrase = (value: string, isInRecord: boolean): boolean =>
  phrase.test(value) &&
  /\p{L}{3}|\p{Lo}[\p{Lo}\p{M}]/u.test(value) &&
  !messageSign.test(value) &&
  !isRemark(value, isInRecord) &&
  (isInRecord || !isLabelSentence(value));

/** A whole sentence of small words with a year behind it, as keys are made up. */
const wordsAndYear = /^(?:\p{Ll}{1,24} ){4,12}(?:19|20)\d\d$/u;

/** A password in other letters than ours; labels of interfaces in such letters have blanks or are known words. */
function isForeign(value: string, setting: Setting): boolean {
  const isField = fields.has(setting);
  if (isField && isForeignWords(value)) return true;
  if (setting === 'plain' || setting === 'argument' || setting === 'prose' || /[\p{Lo}。、，！？…]/u.test(value))
    return /\p{Extended_Pictographic}/u.test(value);
  if (value.length < (setting === 'record' ? 3 : 4) || isNamed(value)) return false;
  return setting === 'env' || !/^\p{Lu}\p{Ll}+$/u.test(value) || (isField && !isSaidOfPasswords(value));
}

function isStrong(value: string, setting: Setting): boolean {
  if (setting === 'flag') return value.length >= 4 && !namesSecret(value) && !isAttributeWord(value);
  if ((value.length < 4 && !isShortPassword(value, setting)) || isReference(value)) return false;
  const mixed = /\d/.test(value) && /[A-Za-z]/.test(value);
  if (setting === 'env') return true;
  if (setting === 'data' || setting === 'record') return !isNamed(value) && !isAttributeWord(value);
  if (setting === 'config')
    return !isNamed(value) && (!isTypeName(value) || (/^[A-Z][a-z]{6,}$/.test(value) && !isSaidOfPasswords(value)));
  if (isDottedName(value) && setting !== 'code' && !(mixed && /[A-Z]/.test(value))) return false;
  if (setting === 'code' && /^\d{6,}$/.test(value)) return true;
  if ((setting === 'code' || setting === 'argument') && /^[A-Za-z][a-z]{5,}$/.test(value)) return !isKnownSaid(value);
  if (isJoined(value))
    return (
      !isNamed(value) && (setting === 'code' ? !isTypeName(value) || value.length > 8 : mixed && setting !== 'prose')
    );
  if (setting === 'plain' && /[([{<>|]/.test(value)) return false;
  return value.length >= 6 && (mixed || (passwordSign.test(value) && /[A-Za-z0-9]/.test(value)));
}

/** Three characters are one in a record, and with a digit in data. */
const isShortPassword = (value: string, setting: Setting): boolean =>
  (setting === 'record' && !/^(?:foo|bar|baz|qux|abc|def|xyz)$/.test(value)) ||
  (setting === 'data' && /\d/.test(value) && /[a-z]/i.test(value));

function isMedium(value: string, setting: Setting): boolean {
  if (setting === 'plain' || setting === 'prose') return false;
  if (value.length < (setting === 'line' || setting === 'config' ? 12 : 8)) return false;
  if (/[([{<>|;,\\]/.test(value)) return false;
  if (/\d/.test(value) && /[A-Za-z]/.test(value)) return !isJoined(value) && !madeUp.test(value);
  return (
    (setting === 'env' || setting === 'data' || setting === 'flag') &&
    /^[A-Za-z]{20,}$/.test(value) &&
    !/[a-z][A-Z]/.test(value)
  );
}

const madeUp =
  /^(?:test|fake|mock|demo|sample|foo|bar|baz|abc|my|some|the|user|token|key|secret|api|access|auth|session|valid|invalid|expired|new|old|wrong|bad|good)(?![a-z])/i;

/** `settings.user.password`, `auth.password.label`. */
const isDottedName = (value: string): boolean =>
  value.includes('.') && /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?:\[|\(|$)/.test(value);

/** The same where words of names are half of it, or one names a secret: other dotted words are made up. */
const isReference = (value: string): boolean =>
  isDottedName(value) && (/[([]/.test(value) || isMostlyNames(piecesOf(value)));

const piecesOf = (value: string): readonly string[] => value.split(/[-_./:]+|(?<=[a-z0-9])(?=[A-Z])/).filter(Boolean);

const isMostlyNames = (pieces: readonly string[]): boolean =>
  pieces.some((one) => secretWord.test(one)) ||
  2 * pieces.filter((one) => nameWord.test(one.toLowerCase()) || isLabel(one)).length >= pieces.length;

/** `my-password`, `app.secret.key`: words of which one names a secret. */
function namesSecret(value: string): boolean {
  const pieces = piecesOf(value);
  return pieces.length > 1 && pieces.every(isWord) && pieces.some((one) => secretWord.test(one));
}

/** `DB_PASSWORD`, `userToken`: the name of a variable that holds one. */
const isSecretName = remembered(
  (value: string): boolean =>
    /^[A-Za-z_]+(?:_(?:password|passwd|pass|pwd|secret|token|key)|(?:Password|Secret|Token|Key))$/.test(value) ||
    /^(?:[A-Z]+_)+(?:PASSWORD|PASSWD|PASS|PWD|SECRET|TOKEN|KEY)$/.test(value) ||
    (/^(?:\p{Lu}+_)+\p{Lu}+$/u.test(value) &&
      value.split('_').some((one) => secretWord.test(one) || isPasswordNoun(one))),
);

/** A type, as `password: SecretStr` has it: joined by capitals from the first. */
const isTypeName = (value: string): boolean => /^(?:[A-Z][a-z]+)+$/.test(value);

/** A word that attributes and messages have: `required`, `Sensitive`. */
const isAttributeWord = (value: string): boolean => /^[A-Za-z]+$/.test(value) && isKnownSaid(value);

/** Words that names of variables, files, resources and messages are made of. */
const nameWord =
  /^(?:my|db|app|apps|api|svc|srv|dev|prod|stage|test|config|conf|cfg|ref|form|forms|page|view|info|data|store|mgr|manager|service|client|server|backend|frontend|auth|creds?|err|error|errors|msg|message|title|icon|btn|button|placeholder|text|reset|login|signin|signup|user|users|username|account|admin|root|system|cluster|namespace|release|chart|k8s|sealed|encrypted|hashed|hash|strength|policy|expired|change|changed|format|type|kind|mode|param|arg|opt|option|options|var|prop|props|attr|env|file|url|uri|id|name|key|keys|value|field|input|label|default|generated|random|temp|tmp|one|time|len|length|min|max|is|has|get|set|no|not|non|invalid|valid|wrong|bad|plain|clear|raw|from|to|by|of|the|with|for|and|or)$/;

/** What the name of a secret ends with or begins with. */
const secretWord = /^(?:password|passwd|passphrase|pwd|secrets?|tokens?|keys?|creds?|credentials?|login|auth)$/i;

const longestName = 60;

/** Words and numbers joined by signs or capitals, of which one is a word of names: `user-input`, `dbPassword`. */
const isNamed: (value: string) => boolean = remembered((value) => {
  if (value.length > longestName) return false;
  const pieces = piecesOf(value);
  if (pieces.length < 2 || !pieces.every(isWord)) return false;
  if (/\d/.test(value) && /[A-Z]/.test(value) && /[-_.]/.test(value)) return pieces.some((one) => secretWord.test(one));
  return isMostlyNames(pieces);
});

/** Words and numbers joined by `-`, `_`, `.`, `/` or `:`, or by capitals: a name of something. */
const isJoined: (value: string) => boolean = remembered((value) => {
  if (/^[a-z]+(?:[A-Z][a-z]+)+\d{0,3}$|^(?:[A-Z][a-z]+){2,}$/.test(value)) return true;
  if (value.length > longestName) return false;
  const pieces = value.split(/[-_./:]+/);
  return pieces.length > 1 && pieces.every(isWord);
});
