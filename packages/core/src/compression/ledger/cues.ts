/**
 * Signs by which a line shows what it is for: that something failed, that something was decided. Each is a short list
 * of common words in several languages; they only raise or lower a line's chance, so a word too many or too few does
 * no harm.
 */

const errorWords =
  /(?:error|exception)\b|\b(?:errors|fail(?:s|ed|ure|ing)?|fatal|panic|traceback|denied|refused|cannot|could not|can't|unable|invalid|unexpected|undefined|missing|not found|timed? ?out|aborted|crash(?:ed)?|conflict)\b/i;
const wideErrorWords = /错误|失败|异常|无法|拒绝|超时|エラー|失敗|例外|できません|오류|실패|예외|거부|할 수 없/;
/** Kana, Han or Hangul: most lines have none, and need no look at the words of those languages. */
const wide = /[\u3040-\ud7af]/;

const errorOpening =
  /^\W*(?:\w*(?:Error|Exception)|error|err!|fatal|panic|exception|fail(?:ed|ure)?|traceback|caused by|warning: unhandled|错误|失败|异常|エラー|失敗|例外|오류|실패|예외)[^=(){};]{0,40}(?:[:：!\]]|\d|$)/i;

/** True when the line talks about a failure. Linear. */
export const looksLikeError = (text: string): boolean =>
  errorWords.test(text) || (wide.test(text) && wideErrorWords.test(text));

/** How much a line says of a failure: 0 nothing, 1 it talks of one, 2 it is the message of one. Linear. */
export const errorStrength = (text: string): number => (!looksLikeError(text) ? 0 : errorOpening.test(text) ? 2 : 1);

const choiceWords =
  /\b(?:decid(?:e|ed|ing)|decision|chos(?:e|en)|choos(?:e|ing)|opt(?:ed|ing)? (?:for|to)|(?:we|i)(?:'ll| will| should) (?:use|keep|go with|stick)|go(?:ing)? with|settled on|agreed|in favou?r of|on purpose|deliberate(?:ly)?|no longer|won't|will not)\b|决定|選択|选择|选用|改用|采用|不再|決め|決定|採用|にします|結論|결정|선택|채택|하기로|entschieden|entscheid|stattdessen|décidé|choisi|decidido|decidimos|elegi/i;
const reasonWords =
  /\b(?:because|instead of|rather than|so that|since|due to|trade-?off|root cause|turns? out|prefer(?:red)?|avoids?)\b|因为|由于|而不是|原因|ため|ので|代わりに|理由|때문|대신|원인|이유|weil|wegen|damit|parce que|plutôt que|porque|en lugar de/i;

/** How much a line says of a decision: 0 nothing, 1 a reason, 2 a choice, 3 a choice with its reason. */
export const decisionStrength = (text: string): number =>
  (choiceWords.test(text) ? 2 : 0) + (reasonWords.test(text) ? 1 : 0);
