/** Words by which a line says that something was settled, and which of two things was not taken. */

const headings =
  /\bdecisions?\b|\bdecided\b|\bchoices?\b|决定|决策|選定|決定|결정|entscheidung|entschieden|décision|decisi[oó]n/iu;
const answered = /[?？]\s*(?:→|⇒|=>|->)/u;

/** True for a question that is told with its answer. Linear. */
export const isAnswered = (line: string): boolean => answered.test(line);

const choosing =
  /(?<!\p{L})(?:chose|chosen|decided|decision|opted|settled on|picked|adopted|switched to|entschieden|entscheidung|beschlossen|choisi|décidé|décision|elegid[oa]|eligió|decidid[oa]|decisión)(?!\p{L})|决定|选用|采用|選択|決定|採用|방침|方針|결정|선택|채택|하기로/iu;

/** True for a line that tells what was decided, by its words or by its heading. Linear. */
export const isDecided = (line: string, heading: string): boolean =>
  headings.test(heading) || answered.test(line) || choosing.test(line);

/** True for a line that only tells what was looked at. Linear. */
export const isWeighed = (line: string): boolean =>
  /(?<!\p{L})(?:considered|compared|discussed|versus|vs\.?|or|alternatives?|erwogen|verglichen|oder|ou|o)(?!\p{L})|[?？]|比较|考虑|还是|検討|比較|검토|비교/iu.test(
    line.replace(/^[^→⇒]*(?:→|⇒|=>|->)/u, ''),
  );

const behind =
  /(?<!\p{L})(?:over|instead of|rather than|in place of|not|statt|anstatt|anstelle|nicht|au lieu|plutôt que|et non|en vez|en lugar|y no|frente a)(?!\p{L})|而不是|而非|代替|不用/iu;
const before = /^.{0,40}?(?:ではなく|じゃなく|より|の代わりに|대신|보다|말고)/u;
const opening =
  /^(?:instead of|rather than|statt|anstatt|au lieu de|plutôt que|en vez de|en lugar de)\s[^,，]{1,60}?(?=,|\s(?:wird|werden|wurde|nehmen|on|se|we|is)\s)/iu;

/** The line without what it says was not taken: `A over B`, `statt B wird A`, `BではなくA`. Linear. */
export function withoutDropped(line: string): string {
  const text = line.replace(opening, '').replace(before, '');
  const at = behind.exec(text)?.index ?? -1;
  return at > 0 ? text.slice(0, at) : text;
}

/** The line without `Decision:` and its kin. */
export const withoutLabel = (line: string): string => line.replace(/^[^:：]{1,24}[:：]\s*/u, '');

const proposal =
  /[?？]|(?<!\p{L})(?:could|may|might|shall|should|would|if you (?:like|want|wish)|könnte|soll|sollen|falls|pourrais|peux|podría|puedo)(?!\p{L})|可以|要不要|如果|ましょうか|できます|할까요|드릴까요/iu;

/** True for what an agent offers. */
export const proposes = (text: string): boolean => proposal.test(text);

const postponing =
  /(?<!\p{L})(?:(?:decide|settle|discuss|see|talk about|answer|come back to) (?:it |that |this )?(?:later|next|tomorrow|then|after)|next (?:sprint|week|month|quarter|meeting)|sleep on|we['’]ll see|not (?:yet )?(?:decided|sure)|undecided|let me think|think about it|postpone\w*|sp[äa]ter|noch (?:nicht|offen)|überlege?n?|mal sehen|nächste (?:woche|s mal)|plus tard|on verra|réfléchir|pas encore|más (?:tarde|adelante)|ya veremos|lo pensaré|todavía no|aún no)(?!\p{L})|^[^\p{L}]*(?:tomorrow|later|morgen|demain|mañana|luego|明天|稍后|明日|後で|내일)(?=[^\p{L}]*$)|再说|以后再|还没(?:有)?(?:决定|定)|考虑一下|想想|まだ決め|後で決め|考えておき|保留|検討し(?:ます|たい)|나중에|아직|생각해 ?보|다음에/iu;

/** True for a reply that leaves a question open. Linear. */
export const isPostponing = (text: string): boolean => postponing.test(text);

const because =
  /(?<!\p{L})(?:because(?: of)?|since|as it|due to|weil|da|denn|wegen|parce qu['’e]|car|puisque|porque|ya que|debido a)(?!\p{L})\s*|因为|由于|ため|ので|때문에|므로/iu;

/** The reason that a text gives, for languages that put it behind the word for it; empty where it gives none. Linear. */
export function reasonIn(text: string): string {
  const found = because.exec(text);
  return found ? text.slice(found.index + found[0].length) : '';
}

/** True for words that put one value in the place of another. Linear. */
export const isReplacing = (text: string): boolean =>
  /(?<!\p{L})(?:instead|rather|make (?:it|that)|change (?:it|that)|no longer|stattdessen|lieber|doch|besser|plutôt|finalement|mejor|en vez)(?!\p{L})|改成|改为|换成|还是|代わり|やっぱり|変更|대신|바꿔|변경/iu.test(
    text,
  );
