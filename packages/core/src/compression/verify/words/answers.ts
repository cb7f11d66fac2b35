/** How a person answers a question of the agent: yes, no, or neither. */
import { isDenied } from './negations.ts';

const opening =
  '^(?:[^\\p{L}\\p{N}]|(?:ok(?:ay)?|well|hm+|ah+|oh|this once|for once|then|also|alors|entonces|bueno)(?!\\p{L}))*';
const english =
  "y(?:es|ep|eah|up)|sure|ok(?:ay)?|go(?: ahead| on| for it)?(?=[\\W]*$|,| ahead| on(?: with)?(?!\\p{L}))|do (?:it|that|so|both|all)|let[’']?s (?:do|go)|(?:sounds|looks) (?:good|great|fine|right|ok(?:ay)?)|lgtm|fine|agreed?|correct|right|please(?=[\\W]*$| (?:do|go))|perfect|great|good|nice|continue|proceed|approved?|absolutely|definitely|of course|option|[a-d1-9][.)]?$";
const european =
  "ja|jawohl|jo|gern[e]?|klar|einverstanden|passt|genau|mach(?: (?:das|es|mal|nur))?|leg los|oui|d['’]accord|vas-y|allez-y|bien sûr|parfait|sí|si|claro|vale|adelante|dale|hazlo|de acuerdo|perfecto";
const wide =
  '是|好|可以|行|对|嗯|同意|批准|继续|没问题|はい|うん|ええ|いい|お願い|そう|じゃあ|了解|続け|どうぞ|承認|네|예|응|좋|그래|진행|계속|부탁|승인';

const yes = new RegExp(`${opening}(?:(?:${english}|${european})(?!\\p{L})|${wide})`, 'iu');
const no =
  /^[^\p{L}\p{N}]*(?:(?:no|nope|nah|nein|non|nicht|pas|never|don['’]?t|do not|stop|wait|hold (?:on|off)|(?:far |much |way )?too|zu (?:viel|lang|kurz|teuer|früh|spät|groß|klein|hoch|selten|oft)|trop|demasiad[oa]s?)(?!\p{L})|不|别|別|先不|いいえ|いや(?!す)|だめ|ダメ|駄目|待って|아니|안 ?(?:돼|됩|되))/iu;
const harmless =
  /^[^\p{L}\p{N}]*(?:no (?:problem|worries|objections?)|why not|kein problem|warum nicht|pas de problème|pourquoi pas|no hay problema|没问题|不错|問題な|問題あり|문제 ?없)/iu;

/** `Previews yes, staging no`. */
const yesBehind = /(?<!\p{L})(?:yes|ok(?:ay)?|ja|oui|sí)$/iu;

const clauses = /[,，、.。!！;；:：—–]+\s*/u;

/** True for words that agree to what was asked, or choose. Linear. */
export const isConsent = (text: string): boolean =>
  !isRefusal(text) && text.split(clauses).some((clause) => yes.test(clause) || yesBehind.test(clause));

/** True for an answer that opens by denying, doubting or putting off what was asked. Linear. */
export function isRefusal(text: string): boolean {
  const [first = ''] = text.trim().split(clauses, 1);
  if (harmless.test(first)) return false;
  return no.test(first) || (!yes.test(first) && isDenied(first));
}

const narrowing =
  /^[^\p{L}\p{N}]*(?:(?:just|only|nur|seulement|juste|s[oó]lo|solamente)(?!\p{L})|只|仅|就|だけ)|(?:だけ|のみ|만)(?=[^\p{L}]*$)/iu;

/** True for an answer that takes a part of what was asked, and nothing else. Linear. */
export const isNarrowing = (text: string): boolean => narrowing.test(text.trim());
