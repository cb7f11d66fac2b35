/** Words by which somebody decides, gives a reason, chooses, or leaves a question open. */

/** Said in an alphabet: that something was chosen. */
export const choiceInLetters: RegExp = new RegExp(
  [
    "\\b(?:(?:I|we|you|they|user|team|I've|we've|have|has|was|were|is|been|already|also|then) (?:decided|chosen|chose|opted|settled|agreed|picked))\\b(?! (?:by default|automatically|whether|if|how|when))|^(?:decided|chose|opted|settled on|agreed (?:on|to|that))\\b",
    '(?<![\\w.])(?:going|went|go) with\\b|\\b(?:switch(?:ed|ing)?|moved?|migrat(?:ed|ing)) (?:from [^.]{1,40} )?to [^.]{1,60}\\b(?:instead|because|since|so that|due to)\\b',
    "\\b(?:I|we|you|I'm|we're|I'll|we'll) [^.]{0,30}\\b(?:use|using|keep|keeping|prefer) [^.]{1,80}\\b(?:instead of|rather than|over)\\b",
    '(?:^|[.!?] +)(?:final |key |design )?decision(?: \\w{1,3})?(?: made)?: ?\\S|\\bthe decision (?:is|was) to\\b',
    '\\b(?:haben (?:uns|mich) (?:für|gegen|auf)|entschieden|einigen uns|geeinigt|beschlossen)\\b|\\b(?:wir|ich) (?:nehmen?|verwenden?|nutzen?|benutzen?|bleiben?|setzen?|behalten?|wechseln?)\\b[^.]{0,80}\\b(?:statt|anstatt|weil|damit|bei|auf|zu)\\b|^entscheidung: ?\\S|\\bnehmen wir\\b',
    "\\b(?:nous (?:avons (?:décidé|choisi)|utiliserons|gardons)|on (?:prend|garde|part sur)|j'ai (?:décidé|choisi))\\b|\\b(?:hemos decidido|decidimos|elegimos|vamos a usar|usaremos|he decidido)\\b",
    'imu',
  ].join('|'),
  'imu',
);

/** The same in Chinese, Japanese and Korean. */
export const choiceInWideSigns: RegExp = new RegExp(
  [
    '(?:^|[，,。；;、：:]|我|我们|咱们|最终|最后|已经?|就|于是|所以|因此)\\s*(?:决定(?!是否|于|性|了?吗)|选定|选用|选择(?:了|用|使用)|改用|改为|采用(?!率)|沿用|统一(?:用|使用|为)|就用|不再使用|确定(?:用|使用|为))',
    'ことに(?:し(?:ます|ました|た)|決め|決定)|に(?:決めました|決定しました|決めた|統一します|統一しました)|を?採用(?:し(?:ます|ました|た)|する)|(?:で|に)(?:行き|いき)ま(?:す|しょう)|を選(?:びました|択しました|択します)|方針(?:と|に)(?:します|しました)|代わりに[^。]{1,60}(?:使|採用|用い)',
    '기로\\s*(?:결정|했|함|하였|합니다|합의|해요)|(?:으로|로)\\s*(?:결정|확정|통일)|결정(?:했|하였|됨|합니다)|채택(?:했|하|합)|선택(?:했|하였|합니다)|대신[^.]{1,60}(?:사용|씁|쓰|쓸)',
  ].join('|'),
  'mu',
);

/** Every choice has one of these words; most texts have none, and need no closer look. */
export const decisionHints: RegExp =
  /decid|decis|chos|opted|settled|agreed|picked|with|instead|rather|over|because|since|so that|due to|let's|let us|'ll|will|should|going to|entsch|nehm|verwend|nutz|bleib|setz|behalt|wechsel|einig|beschlossen|haben|utiliser|gardons|prend|garde|part sur|choisi|decidi|elegimos|vamos|usaremos|[\u3040-\ud7af]/i;

/** What a person decides with these words; an agent says them of every next step, and decides only with a reason. */
export const intentionWords: RegExp =
  /\b(?:let's|let us|I'll|we'll|I will|we will|I'd rather|we should|I'm going to|we're going to|we are going to|going to) (?:go (?:with|for)|use|keep|stick (?:with|to)|switch to|adopt|drop|avoid)\b/i;

/** Words that join a reason to an intention. */
export const reasonedWords: RegExp = /\b(?:instead of|rather than|because|since|so that|which avoids|to avoid)\b/i;

/** Not settled yet, somebody else's to settle, or only the next step. */
export const undecidedWords: RegExp =
  /[?？]\s*$|^(?:why|how|what|which|explain)\b|\bwhy (?:you|we|they) |\b(?:if|whether|unless|when|once) (?:you|we|they|the user) (?:decide|choose|prefer|agree|want)|\b(?:you can|you could|you may|should (?:we|i)|could (?:we|i)|do you want|would you|need to decide|to be decided|options? (?:is|are)|wonder)\b|\b(?:use|using|go with) (?:the |this |a |an )?[\w:`-]+ (?:skill|tool|command|agent|subagent|script)\b|是否|还没决定|可以选择|ですか|ましょうか|할까요/iu;

/** With these a sentence gives the reason of the one before. */
export const reasonOpenings: RegExp =
  /^(?:because|since|this (?:avoids|keeps|way|means)|that way|reason|the reason|so that|otherwise)\b|^(?:因为|由于|这样|原因)|^(?:理由は|なぜなら|そうすれば)|^(?:이유는|왜냐하면|그래야)|^(?:weil|denn|so (?:bleibt|vermeiden)|grund)\b/iu;

/** Words of a line that tells of a choice. */
export const choiceWords: RegExp =
  /\b(?:decid(?:e|ed|ing)|decision|chos(?:e|en)|choos(?:e|ing)|opt(?:ed|ing)? (?:for|to)|(?:we|i)(?:'ll| will| should) (?:use|keep|go with|stick)|go(?:ing)? with|settled on|agreed|in favou?r of|on purpose|deliberate(?:ly)?|no longer|won't|will not)\b|决定|選択|选择|选用|改用|采用|不再|決め|決定|採用|にします|結論|결정|선택|채택|하기로|entschieden|entscheid|stattdessen|décidé|choisi|decidido|decidimos|elegi/i;

/** Words of a line that gives a reason. */
export const reasonWords: RegExp =
  /\b(?:because|instead of|rather than|so that|since|due to|trade-?off|root cause|turns? out|prefer(?:red)?|avoids?)\b|因为|由于|而不是|原因|ため|ので|代わりに|理由|때문|대신|원인|이유|weil|wegen|damit|parce que|plutôt que|porque|en lugar de/i;

/** Words that tell what was decided. */
export const choosingWords: RegExp =
  /(?<!\p{L})(?:chose|chosen|decided|decision|opted|settled on|picked|adopted|switched to|entschieden|entscheidung|beschlossen|choisi|décidé|décision|elegid[oa]|eligió|decidid[oa]|decisión)(?!\p{L})|决定|选用|采用|選択|決定|採用|방침|方針|결정|선택|채택|하기로/iu;

/** What follows was not taken. */
export const droppedBehind: RegExp =
  /(?<!\p{L})(?:over|instead of|rather than|in place of|not|statt|anstatt|anstelle|nicht|au lieu|plutôt que|et non|en vez|en lugar|y no|frente a)(?!\p{L})|而不是|而非|代替|不用/iu;

/** What stands before was not taken. */
export const droppedBefore: RegExp = /^.{0,40}?(?:ではなく|じゃなく|より|の代わりに|대신|보다|말고)/u;

/** A line that opens with what was not taken. */
export const droppedOpening: RegExp =
  /^(?:instead of|rather than|statt|anstatt|au lieu de|plutôt que|en vez de|en lugar de)\s[^,，]{1,60}?(?=,|\s(?:wird|werden|wurde|nehmen|on|se|we|is)\s)/iu;

/** Words of an offer. */
export const proposalWords: RegExp =
  /[?？]|(?<!\p{L})(?:could|may|might|shall|should|would|if you (?:like|want|wish)|könnte|soll|sollen|falls|pourrais|peux|podría|puedo)(?!\p{L})|可以|要不要|如果|ましょうか|できます|할까요|드릴까요/iu;

/** Words that leave a question open. */
export const postponingWords: RegExp =
  /(?<!\p{L})(?:(?:decide|settle|discuss|see|talk about|answer|come back to) (?:it |that |this )?(?:later|next|tomorrow|then|after)|next (?:sprint|week|month|quarter|meeting)|sleep on|we['’]ll see|not (?:yet )?(?:decided|sure)|undecided|let me think|think about it|postpone\w*|sp[äa]ter|noch (?:nicht|offen)|überlege?n?|mal sehen|nächste (?:woche|s mal)|plus tard|on verra|réfléchir|pas encore|más (?:tarde|adelante)|ya veremos|lo pensaré|todavía no|aún no)(?!\p{L})|^[^\p{L}]*(?:tomorrow|later|morgen|demain|mañana|luego|明天|稍后|明日|後で|내일)(?=[^\p{L}]*$)|再说|以后再|还没(?:有)?(?:决定|定)|考虑一下|想想|まだ決め|後で決め|考えておき|保留|検討し(?:ます|たい)|나중에|아직|생각해 ?보|다음에/iu;

/** The word before a reason. */
export const becauseWords: RegExp =
  /(?<!\p{L})(?:because(?: of)?|since|as it|due to|weil|da|denn|wegen|parce qu['’e]|car|puisque|porque|ya que|debido a)(?!\p{L})\s*|因为|由于|ため|ので|때문에|므로/iu;

/** Words of a line that only tells what was looked at. */
export const weighingWords: RegExp =
  /(?<!\p{L})(?:considered|compared|discussed|versus|vs\.?|or|alternatives?|erwogen|verglichen|oder|ou|o)(?!\p{L})|[?？]|比较|考虑|还是|検討|比較|검토|비교/iu;

/** Words that put one value in the place of another. */
export const replacingWords: RegExp =
  /(?<!\p{L})(?:instead|rather|make (?:it|that)|change (?:it|that)|no longer|stattdessen|lieber|doch|besser|plutôt|finalement|mejor|en vez)(?!\p{L})|改成|改为|换成|还是|代わり|やっぱり|変更|대신|바꿔|변경/iu;
