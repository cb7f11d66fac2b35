/** Passwords and PINs that are told in Chinese, Japanese and Korean. */
import { looksRandom } from './looks.ts';
import { isInterfaceWord, isKnownSaid } from './plain-words.ts';
import { placeRule, type Rule, type Span, words } from './rule.ts';
import { toldInClause } from './said-clause.ts';
import { inQuotes, isMarked, isQuotedPassword, spanOf } from './said-values.ts';
import { type SaidScript, saidScripts } from './said-words.ts';
import { hasMessageSign, isPassword } from './values.ts';

const ascii = '([\\x21-\\x7e]{1,64}(?:[ ][\\x21-\\x7e]{1,30}){0,7})';

function scriptRule({ nouns, pins, is, changed, own, not }: SaidScript): Rule {
  const joint = `(?:[ ]?[:：=][ ]?|${is})`;
  const plain = new RegExp(`(?:${nouns})(${joint}|${changed})?\\*{0,2}[ ]?(?:${inQuotes}|${ascii})`, 'uy');
  const later = new RegExp(
    `(?:${nouns})(?:は|が|を)[^。\\n「『]{0,20}[「『]([^」』\\n]{2,40})[」』](?=です|だ|でし|に変|に設|を使|で、|だよ)`,
    'uy',
  );
  const told = new RegExp(`(?:${nouns})${changed}([\\p{L}\\p{N}]{3,24})(?=[，。,.！!；;\\s]|$)`, 'uy');
  const ownWords = new RegExp(`(?:${nouns})(?:${own})`, 'uy');
  const besideUser = new RegExp(`(?:${nouns})[:：]\\s?([\\p{Lo}ー\\w]{2,16})(?=[，。,.!！；;、\\s]|$)`, 'uy');
  const number = new RegExp(`(?:${pins})(?:${joint})?[ ]?(\\d{4,8})(?!\\d|位|字|文字|자|桁|个|個)`, 'uy');
  const refuses = new RegExp(`^(?:${not})`, 'u');
  const keywords = words(nouns, pins)
    .map((one) => one.replace(/\(.*/, ''))
    .filter((one) => one.length >= (/[a-z]/i.test(one) ? 4 : 1) && !/[? ]/.test(one));
  return placeRule(
    'said-password',
    [...new Set(keywords)],
    (hit) => toldBehind(hit.text, hit.start) ?? toldInFront(hit.text, hit) ?? toldInClause(hit.text, hit),
  );
  function toldBehind(text: string, start: number): Span | undefined {
    for (const pattern of [number, later, told]) {
      pattern.lastIndex = start;
      const value = pattern.exec(text)?.[1];
      if (value === undefined || (pattern === told && refuses.test(value))) continue;
      const at = text.indexOf(value, start);
      return { start: at, end: at + value.length };
    }
    const inOwn =
      valueAt(ownWords, text, start) ?? (isBesideUser(text, start) ? valueAt(besideUser, text, start) : undefined);
    if (inOwn && !refuses.test(inOwn.text) && isNoMessage(inOwn.text)) return { start: inOwn.start, end: inOwn.end };
    plain.lastIndex = start;
    const match = plain.exec(text);
    const value = match && spanOf(match, 0, 2);
    if (!value || !match) return undefined;
    if (value.isQuoted)
      return refuses.test(value.text) || !isQuotedPassword(value.text) || /^[,:\s]/.test(value.text)
        ? undefined
        : value;
    return isPasswordInScript(value.text, match[1]) ? withoutEnd(value) : undefined;
  }
}

function valueAt(pattern: RegExp, text: string, start: number): (Span & { readonly text: string }) | undefined {
  pattern.lastIndex = start;
  const match = pattern.exec(text);
  const value = match?.[1];
  if (!match || value === undefined) return undefined;
  const at = start + match[0].lastIndexOf(value);
  return { start: at, end: at + value.length, text: value };
}

function valueBefore(pattern: RegExp, text: string, end: number): Span | undefined {
  const value = pattern.exec(text.slice(Math.max(0, end - 50), end))?.[1];
  if (value === undefined || !isQuotedPassword(value)) return undefined;
  const start = text.lastIndexOf(value, end);
  return { start, end: start + value.length };
}

/** `用户名backup，密码：…` */
const isBesideUser = (text: string, start: number): boolean =>
  /(?:用户名?|账号|帐号|帳號|账户|登录名|ユーザー名?|アカウント|아이디|계정|\bID)[^\n。]{1,30}[，,、；;\s]$/u.test(
    text.slice(Math.max(0, start - 40), start),
  );

/** Words of the script that no message has, and that say nothing of how a password is. */
const isNoMessage = (value: string): boolean =>
  /\p{Lo}{2}/u.test(value) &&
  !hasMessageSign(value) &&
  !/[的了吗呢吧么嗎]$|[いくる]$/u.test(value) &&
  !quality.test(value);
const quality =
  /安全|敏感|机密|機密|隐私|动态|動態|秘密|重要|有効|無効|正常|复杂|複雑|简单|簡単|相同|一样|唯一|公开|私有|个人|本人|通用|永久|临时|大小|生日|数字|數字|字母|[一二三四五六七八九十两]位|不要|別|共通|個人|非公開|平文|단순|복잡|안전|중요|동일|개인|비공개|공개|임시|무효|유효|만료|기본|생일|이름|전화|숫자|자리/u;

const withoutEnd = ({ start, text }: { start: number; text: string }): Span => ({
  start,
  end: start + text.replace(/[.,;:!?)]+$/, '').length,
});

/** `huolongguo 就是办公室的密码`, `kitsuneudon がWi-Fiのパスワードだよ`, `norang-nabi 가 와이파이 비번이야`: a Latin word that is the subject. */
const inFront =
  /(?:^|[\s，。、！!?？:：,「『“"])([A-Za-z][\x21\x23-\x7e]{3,40}?)["”」』]?\s?(?:(?:就是|便是|即是|是|才是|为|為|就系|系)(?:[^，。,.!?！？\n要需用通没不保护加]{0,24}?的?)|(?:が|は|って)(?:[^。、\n]{0,24}の)?|(?:이|가|은|는)\s(?:[^.,\n]{0,24}\s)?)(?:新|临时|无线|登录|登入|開機|管理员|初期|仮|共通)?$/u;
/** The noun is the end of what is said. */
const isEnd =
  /^(?:\s*(?:$|[，。,.!！)）\n])|(?:です|だ|である|になり|となり|な(?:の|ん)|ね|よ)|(?:이야|야|예요|이에요|에요|입니다|임|다|이다|인데|였|이니|라고|이고)|(?:啊|哦|呀|了|，|吧|啦))/u;

/** `「青い空」というパスフレーズ`, `“青い空”这个口令` */
const calledSo = /[「『“"]([^「」『』“”"\n]{2,40})[」』”"](?:という|って|这个|這個)$/u;

function toldInFront(text: string, noun: Span): Span | undefined {
  const called = valueBefore(calledSo, text, noun.start);
  if (called) return called;
  if (!isEnd.test(text.slice(noun.end, noun.end + 8))) return undefined;
  const lead = text.slice(Math.max(0, noun.start - 70), noun.start);
  const match = inFront.exec(lead.slice(lead.lastIndexOf('\n') + 1));
  const value = match?.[1]?.replace(/[.,!?]+$/, '');
  if (!match || value === undefined || isKnownSaid(value) || isInterfaceWord(value) || !isPassword(value))
    return undefined;
  if (!(isMarked(value) || /^[a-z]{5,}(?:[-_][a-z]{3,})*$/.test(value)) || fromTools.test(value)) return undefined;
  const start = text.lastIndexOf(value, noun.start);
  return { start, end: start + value.length };
}
/** What has a password, and is none. */
const fromTools =
  /^(?:root|admin|github|gitlab|google|docker|nginx|redis|mysql|postgres\w*|wifi|wi-fi|router|server|linux|windows|ubuntu|chrome|bitwarden|keepass\w*|sudo|bash|https?|email|github\.com|mongodb|oracle|iphone|android|slack|vault|openssl|bcrypt|default|facebook|twitter|wechat|kakao\w*|naver|amazon|apple|excel|outlook|jenkins|jira|notion|figma|wordpress|django|spring|zip|rar|pdf)$/i;

/** Behind a verb or a colon any word in Latin letters; directly behind the noun one with digits or signs. */
function isPasswordInScript(value: string, joint: string | undefined): boolean {
  const bare = value.replace(/[.,;:!?)]+$/, '');
  if (bare.length < 4 || !isPassword(bare) || /[(){}<>=;]|^[,.]|^(?:\$|https?:|\/)/.test(bare)) return false;
  if (/^\d{1,3}$/.test(bare)) return false;
  const parts = bare.split(' ');
  if (joint === undefined || joint.trim() === '')
    return parts.length === 1 && bare.length >= 5 && (isMarked(bare) || looksRandom(bare, 12));
  return !parts.some((word) => isInterfaceWord(word) || (parts.length === 1 && isKnownSaid(word)));
}

export const saidScriptRules: readonly Rule[] = saidScripts.map(scriptRule);
