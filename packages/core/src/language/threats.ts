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
  | 'swapped'; // now, instead, has moved to

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
