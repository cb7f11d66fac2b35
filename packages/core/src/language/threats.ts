/** What a memory may not say, as ideas that combine: a rule names ideas, and each language says them in its words. */

/**
 * An idea. Verbs stand in the forms that order or bid (imperative, infinitive, a polite request), not in those that tell
 * what happened: `ignore`, not `ignored`. What was told is thereby no order.
 */
export type Idea =
  | 'drop' // to stop heeding
  | 'void' // no longer in force
  | 'orders' // what an agent was told to do
  | 'limits' // what an agent was told not to do
  | 'earlier' // said before, or by those who built the agent
  | 'become' // a whole phrase that gives the reader another identity
  | 'mode' // a state of an agent without limits
  | 'reveal'
  | 'prompt'
  | 'disable'
  | 'guards' // safety, approval, sandbox
  | 'approve'
  | 'blanket' // always, everything
  | 'unasked' // without asking
  | 'conceal' // a whole phrase: do not tell, keep secret
  | 'silently'
  | 'person'
  | 'beacon' // to report to a controller
  | 'controller'
  | 'tasks' // what a controller hands out
  | 'fetch'
  | 'run'
  | 'send'
  | 'secret'
  | 'talk' // what was said in the conversation
  | 'outside' // somebody or something outside, in words
  | 'write'
  | 'startup'
  | 'when' // a condition or a time to come
  | 'harm' // destroy, pay, publish
  | 'mislead' // recommend, pretend, lie
  | 'account' // what people pay to or call
  | 'source' // where software comes from
  | 'swapped' // now, instead, has moved to
  | 'self' // this note, this memory
  | 'authority' // what those who built or run the agent told it
  | 'rank' // stands above, alone is valid
  | 'nolimit' // without rules, with all rights
  | 'persona' // who the reader is or speaks as
  | 'neverAsk' // a question is not needed, or counts as answered
  | 'neverRefuse'
  | 'tell'
  | 'asked' // if somebody asks
  | 'deny' // to say that nothing happened
  | 'trace' // what shows later that something happened
  | 'omit'
  | 'treatAs' // what is found counts as an order
  | 'obey'
  | 'remote' // a place where others can write
  | 'extra' // a copy, each, all
  | 'restore'
  | 'gone' // deleted, missing
  | 'spread'
  | 'others' // other agents, projects, sessions
  | 'compress' // where a text is shortened or handed over
  | 'carry' // unchanged, must not be deleted
  | 'pay'
  | 'instead'
  | 'skip' // to leave out
  | 'checks' // what looks at an act before it is done
  | 'hide'
  | 'papers' // what a person works with: documents, mail, customers
  | 'misreport' // a failure told as a success
  | 'disown' // the original package is said to be dead
  | 'regardless' // whatever the result
  | 'ratherThan'
  | 'install'
  | 'recommend'
  | 'exclusive' // the best, no alternative
  | 'weaken' // what makes a program unsafe
  | 'trigger' // a word or an event that sets something off
  | 'consent' // somebody is said to have agreed
  | 'access' // all actions, full access
  | 'decode'; // to turn back into plain words

/**
 * Ideas in the words of one language, alternatives divided by `|`. `*` is the rest of a word, `~` up to three words (in
 * scripts without spaces, up to eight signs); else they are read as regular expressions of small letters.
 */
export type ThreatWords = Readonly<Partial<Record<Idea, string>>>;

/** Words right before a verb that make its order a ban. */
export const banWords: string =
  "(?:do not|don'?t|never|must not|mustn'?t|should not|shouldn'?t|may not|cannot|can'?t|not|avoid|nicht|niemals|nie|kein[ensmr]{0,2}|ne|n'|jamais|no|nunca|jamas|nao|не|никогда|нельзя|non|mai)(?: (?:to|ever|again|auto-?matically|just|se|lo|la|los|os|as|the|die|das|den|any))? ?$";

/** The same, in scripts without spaces; it stands before the verb in Chinese. */
export const banSigns: string =
  '(?:不要|不得|不能|不可|请勿|切勿|禁止|严禁|勿|别|不许|不准|绝不|从不|不会)[^,，。;；]{0,8}$';

/** The same behind the verb, as Japanese and Korean have it. */
export const bansBehind: string =
  '^[^,、。.]{0,4}(?:しない|しません|しては|するな|してはいけ|禁止|ないで|지 ?마|지 ?말|지 ?않|하면 안|금지|하지)|^[^,.]{0,30} nicht(?: \\p{L}+)?[.!]?$';

/** Somebody else does it: what is told of them is no order. */
export const otherSubjects: string =
  '(?<![\\p{L}])(?:we|i|they|he|she|it|users?|people|tests?|clients?|customers?|scripts?|that|which|who|can|could|would|may|might|wir|ich|sie|er|nous|on|ils?|elles?|nosotros|ellos|que|how to|wie man|мы|я|они)$';

/** Words of a test, before the text that it tries. */
export const testWords: RegExp =
  /(?<!\p{L})(?:tests?|test ?cases?|fixtures?|testfall|testet|prüft|pruebas?|teste|testes|cas de test|тест\p{L}*)(?!\p{L})|测试|テスト|試験|테스트|시험/iu;

/** What comes of a test, behind the text that it tries. */
export const testOutcomes: RegExp =
  /no effect|(?:must|should|may) not (?:change|alter|affect)|is (?:ignored|refused|rejected)|stays the same|keine wirkung|nicht (?:ändern|verändern)|wirkungslos|sans effet|ne doit pas changer|no debe cambiar|sin efecto|não deve mudar|sem efeito|не (?:меня|влия|должн)\p{L}*|不应改变|没有(?:影响|效果)|无效|変わらない|影響(?:が|し)な|無視される|바뀌지 않|영향(?:이)? 없/iu;

/** What somebody tells of a text that he found: who wrote it, and that it once said so. */
export const toldOf: RegExp =
  /\b(?:page|file|issue|e-?mail|ticket|pdf|document|comment|website|attacker|injection|payload|post|readme)s?\b[^.!?]{0,40}\b(?:said|contained|tried|claimed|asked|told|instructed|attempted|had|was trying)\b|we fixed|behoben|(?:网页|页面|文件|邮件)[^,。]{0,6}(?:写着|声称|含有)|(?:ページ|ファイル|メール)に[^、。]{0,8}(?:書かれていた|あった|含まれていた)|(?:페이지|파일|메일)에 [^.]{0,10}(?:적혀 있었|있었|포함되어 있었)/iu;
