/** What nobody makes up, long and random, in a clause that calls it a token, a key or a secret. */
import { isUuid, looksRandom } from './looks.ts';
import { remembered } from './plain-words.ts';
import { type Finding, findingOf, type Hit, placeRule, type Rule, type Span, words } from './rule.ts';
import { firstLine, lastLine } from './said-values.ts';

const reach = 90;

const nouns = words(
  'token|api key|api-key|apikey|secret key|access key|app key|application key|admin key|auth key',
  'license key|licence key|service key|account key|master key|global key|write key|integration key',
  'signing key|client secret|app secret|webhook secret| pat | pat:| pat,| api |jeton|токен|ключ|schlüssel',
  'clé |clave|chave|chiave|sleutel|klucz|klíč|nyckel|anahtar|令牌|密钥|密鑰|金鑰|トークン|apiキー|キー|토큰|키',
);

/** What a key in other languages must be of, lest it be the key of a list. */
const bareKey = /^(?:ключ|schlüssel|clé|clave|chave|chiave|sleutel|klucz|klíč|nyckel|anahtar|キー|키|密钥|密鑰|金鑰)/iu;
const ofService = /(?<![\p{L}])(?:api|app|dienst|service|secret|admin|auth|konto|account|geheim|сервис|личн)/iu;

/** Words that call such a value something else: a digest, a version, the name of a record. */
const otherwise =
  /(?<![\p{L}])(?:commits?|sha-?\d*|digest|checksums?|prüfsumme|md5|hash\p{L}*|revisions?|rev|etag|ids?|[\p{L}_-]{1,12}[_-]id|uuid|guid|fingerprint|thumbprint|fingerabdruck|empreinte|requests?|anfrage|trace|span|objects?|tree|blob|parent|merge[ds]?|branch|cache|idempotency|idempotenz\p{L}*|public|öffentlich\p{L}*|publique|pública|pubkey|primary|foreign|partition|row|sort|path|file|image|layer|bundle|build|integrity|signature|signatur|salt|block|transaction|tx|record|session|user|tenant|version|nonce|checkout|cherry-pick|revert(?:ed|s)?|коммит\p{L}*|хэш|хеш|提交|哈希|コミット|ハッシュ|커밋|해시|dedup\p{L}*|counts?|counter|node|device|correlation|message|event|idx|index|lookup|host)(?![\p{L}])/iu;

const word = /(?<![\w/.@$%#+=&?\\-])[A-Za-z0-9][\w+/.~-]{18,398}={0,2}/g;

const isRandom: (value: string) => boolean = remembered((value) => {
  if (/^[0-9a-f]{32,128}$|^[0-9A-F]{32,128}$/.test(value)) return new Set(value).size > 6;
  if (isUuid(value)) return true;
  if (/[/.]/.test(value) && /[/.][\p{L}]{2,5}$|[/.].{0,8}[/.]/u.test(value)) return false;
  if (/^(?:[A-Z]+[a-z]+)+\d{0,4}(?:[A-Z][a-z]+)*_?\d{4,}$/.test(value)) return false;
  if (/^[a-z2-7]{48,60}$/.test(value)) return /[2-7].*[2-7].*[2-7]/.test(value) && new Set(value).size > 12;
  return (
    value.length >= 20 &&
    /\d.*\d/.test(value) &&
    /[A-Za-z]/.test(value) &&
    !/^[a-z]+(?:-[a-z]+){2}/.test(value) &&
    looksRandom(value, 20)
  );
});

const isCode = /[;{}]\s*$|=>|[\w)]\(|==|\$\{|<\/|^\s*(?:import|const|let|var|def|class|return|if|for|assert|expect)\b/m;

/** All such values in the line of a noun, on either side, with no word between that calls them something else. */
function findRandom({ text, start, end }: Hit): Finding | undefined {
  const [head, tail] = [text.slice(Math.max(0, start - reach), start), text.slice(end, end + reach + 120)];
  if (isPartOfName(text, { start, end })) return undefined;
  const before = lastLine(head);
  const behind = firstLine(tail);
  // An end that the reach cuts is no end.
  if (!/[A-Za-z0-9][\w+/.~-]{18}/.test(before + behind)) return undefined;
  const noun = text.slice(start, end);
  if (isCode.test(before + noun + behind)) return undefined;
  if (bareKey.test(noun) && !ofService.test(before.slice(-24) + noun + behind.slice(0, 24))) return undefined;
  // A record has a name of that form too: only what is told at once is a token.
  const isToken = /(?:token|pat|secret|api.?key|токен|jeton|令牌|トークン|토큰)/i.test(noun);
  const isValue = (value: string): boolean => isRandom(value) && (isToken || !isUuid(value));
  const found: Span[] = [];
  const add = (value: string, at: number): number => found.push({ start: at, end: at + value.length });
  for (const { 0: one, index } of before.matchAll(word)) {
    const between = before.slice(index + one.length);
    const isCut = index === 0 && (before.length === reach || /^ [ *][\w./-]*$/.test(between));
    const isNamed = otherwise.test(before.slice(Math.max(0, index - 24), index));
    if (!isCut && !isNamed && isValue(bare(one)) && isNear(between) && isWhole(between[0] ?? noun[0]))
      add(bare(one), start - before.length + index);
  }
  let next = 0;
  for (const { 0: one, index } of behind.matchAll(word)) {
    if (!isNear(behind.slice(next, index)) || index > reach) break;
    next = index + one.length;
    if (isValue(bare(one)) && isWhole(behind[next])) add(bare(one), end + index);
  }
  return findingOf(found);
}

/** A part of a name of something, or a name in data: `tokenCount`, `"token": …`. */
function isPartOfName(text: string, { start, end }: Span): boolean {
  const before = text.slice(Math.max(0, start - 2), start);
  if (text[start] !== ' ' && /[\w.$"'\\]$|(?<!\p{Lu})-$/u.test(before)) return true;
  const isSpaced = /[\s:,]$/.test(text.slice(start, end));
  return (
    !isSpaced &&
    !/^(?:s|[uaiı]|en|et|em|[uaıi][lmn]|ımız|ımı|ını|ów|ом|ем|а|у)?(?![\p{L}\p{N}_"'\\=(-])/u.test(
      text.slice(end, end + 6),
    )
  );
}

const isWhole = (next: string | undefined): boolean => !/[/@(\\[:]/.test(next ?? ' ');
const bare = (value: string): string => value.replace(/[.~-]+$/, '');
/** No end of a sentence and no other name between the noun and the value. */
const isNear = (between: string): boolean =>
  between.length <= 70 &&
  !/[.!?。！？](?:\s|$)|[=<>{}()[\]|"]{2}|["']\s?[:,]|[,{]\s?["']|\\["']/.test(between) &&
  !otherwise.test(between) &&
  !/[=]\s?$/.test(between);

export const saidRandomRules: readonly Rule[] = [placeRule('said-token', nouns, findRandom)];
