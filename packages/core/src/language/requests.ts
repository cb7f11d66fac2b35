/**
 * Words by which a person lays down a rule, takes something back, asks or answers a question; by which somebody decides,
 * gives a reason, chooses, or leaves a question open; and by which a model declines.
 */

/**
 * Where case does not count, the engine takes twice as long for an expression that counts characters above U+FFFF as one.
 * No word here has one.
 */
const withoutU = 'im';

/** "No problem" takes nothing back, and "don't worry" forbids nothing. */
export const courtesies: RegExp =
  /\bno,? (?:problem|worries|thanks|thank you|need|rush|hurry|idea|clue|pressure|big deal|biggie|matter|doubt)\b|\b(?:don't|do not) (?:worry|know|think|believe|see|understand|get (?:it|why|how|what)|remember|recall|mind|care|have|need|feel)\b|没问题|不要紧|不用担心|别担心|问题ありません|大丈夫|괜찮|걱정\s*(?:하지\s*)?마세요|kein Problem|keine (?:Sorge|Ahnung|Eile)|macht nichts/gi;

/** What somebody says of himself or of others is no rule: "I never saw that", "they don't exist", "I'll make sure". */
export const statements: RegExp =
  /\b(?:I|we|you|they|he|she|it|users?|people|who|that|this|these|those)(?:'ll|'ve|'d| will| would| have| had| can| could| really| still| just)* (?:(?:don't|do not)(?! want)|never|always|ensure|make sure|avoid)\b|\bnever ever\b/gi;

const lead =
  '^(?:[\\s"\'“¡¿(*_-]|(?:oh|ok(?:ay)?|hm+|hey|hi|please|actually|sorry|so|and|but|well|ah|argh|wtf|omg|right|yeah|yes|nah)[\\s,.!:]+)*';

/** A person takes back or stops something: at the opening of what is said. */
export const reversalOpenings: RegExp = new RegExp(
  `${lead}(?:${[
    'stop(?=[\\s]*(?:$|[,.!;:—-])| (?:it|that|this|there|here|now|please|right|everything|doing|right now)\\b)',
    "wait(?=\\s*(?:$|[,.!;:—…-])| (?:no|stop|actually|don't|a (?:minute|second|sec|moment))\\b)",
    'hold on\\b',
    "no(?:pe)?[,.!;—-]+\\s*(?!(?:that's|that is|it's|this is) (?:all|ok|okay|fine|alright|good|it\\b)|thank|I (?!meant|said|want|asked)|I'|it (?:wasn|isn|didn|doesn)|the \\w+ (?:wasn|isn))\\S+\\s+\\S",
    "no (?:wait|stop|don't|not|undo|revert|go back|i (?:meant|said|want)|that's)\\b",
    '(?:cancel|abort)(?:$|[,.!]| (?:that|this|it|everything|all of (?:it|that))\\s*(?:$|[,.!]))',
    "(?:let's |can you |could you )?(?:undo|revert|roll ?back)\\b(?! ?(?:button|support|feature|plan|function|command|history|stack))",
    'never ?mind\\b|nvm\\b|scratch that|strike that|disregard|belay that',
    '(?:forget|ignore|drop) (?:it|that|this|about|what i|(?:my|the|that) (?:last|previous|earlier))\\b',
    "(?:that's|this is|that is|you're) (?:wrong|not (?:what|right|it)|incorrect)\\b",
    '(?:wrong|not (?:that|this|what i))\\b',
    'go back to\\b|instead of (?:that|this),',
    '不对(?!称|齐|应|等)|不是(?:这|那)|错了|停(?:下|止|一下|$|[,，。！!])|取消(?:吧|掉|这|那|刚|之前|上|$|[,，。！!])|撤销|撤回|算了|别(?:再|做了|弄了|改了|动了|管)|等(?:等|一下)|回退|还原|恢复(?:到|成|之前)|先不要|不用了',
    '.{0,12}?(?:やめて|やめよう|取り消して|元に戻して|中止して)|やっぱり|取り消|戻して|中止|待って|ちょっと待|違(?:う|い)|いや[、,]|それは?じゃな|キャンセルして|なしで$',
    '그만|취소(?:해|하|$|[,.!])|되돌려|원복|롤백|아니(?:야|요|다|[,. !]|$)|잠깐|기다려|멈춰|중단(?:해|하)|말고',
    'stopp?[,.!]|halt(?:$|[,.!])|warte|nein[,.!]\\s*\\S|doch nicht|abbrechen|mach das rückgängig|rückgängig|vergiss (?:das|es)|zurück zu|das (?:ist|war) falsch',
    'arrêtez?\\b|annulez?\\b|attends\\b|non,|laisse tomber|oublie|reviens',
    '(?:detente|espera|cancela|deshaz|olvida(?:lo)?|para)(?:$|[,.! ])|mejor no\\b|vuelve a\\b',
  ].join('|')})`,
  'iu',
);

/** The same, wherever it stands. */
export const reversals: RegExp =
  /\b(?:i(?:'ve| have)? changed my mind|on second thought|scratch that|wrong (?:chat|window|session)|ignore (?:my|the|that) (?:last|previous) (?:message|request|one)|i take (?:that|it) back|undo (?:that|this|it|your|the last)|revert (?:that|this|it|your|the last))\b|我改主意了|还是算了|刚才(?:说|发)错|気が変わ|やっぱりやめ|마음이 바뀌|취소할게|lieber doch nicht|doch lieber|ich habe es mir anders überlegt/iu;

/** The mark of a question, at the end of a line. */
export const questionEnds: RegExp = /[?？؟][\s"'”’」』)）*_]*$/;

/** Endings of a question without a mark. */
export const questionWords: RegExp =
  /(?:吗|呢|吧？|(?:です|ます|ません|でしょう|だろう|ない|[のたるうい])か|かな|(?:습니|입니|합니|됩니|[을를할될볼갈올줄일까])까요?|나요|[은는인한]가요|을지|는지요)[。.?？！!]?["'”」』)\s]*$/u;

/** Openings of a question. */
export const questionOpenings: RegExp =
  /^(?:why|how (?:do|does|can|come|many|much|long|is|are|should|would|did|about)|what(?:'s| is| are| does| do| did| was| happens| about| if)|where(?:'s| is| are| do| does| did)|who (?:is|are|wrote|owns)|which \w+ (?:is|are|should|do|does)|is (?:it|there|this|that)|are (?:there|we|you|these|those)|does|did)\b|^(?:为什么|为何|怎么|什么是|哪|如何|なぜ|どうして|何で|왜|어떻게|warum|wieso|weshalb|was (?:ist|sind|bedeutet)|wie (?:kann|viele?|lange|geht)|pourquoi|comment|por qué|cómo)/iu;

/** Something that must, must never or must always be done. */
export const ruleWords: RegExp = new RegExp(
  [
    "(?:^|[.,;:!—(-]\\s*|\\b(?:and|but|so|please|just|then|also|or)\\s+)(?:do not|don't)\\b",
    "\\b(?:never|always|must|mustn't|should(?:n't| not| never| always| only)|make sure|ensure|avoid|refrain|from now on|going forward|keep in mind|remember to|remember that|important:|note that|is required|are required|at (?:most|least)|no more than|under no circumstances|without (?:changing|touching|breaking|asking|using|adding|removing|modifying|editing|any|permission))\\b",
    '\\b(?:only|exclusively) (?:use|touch|change|edit|modify|run|write|add|work|do|look|read|allow|in|on|for|when|if|after|with)\\b',
    '\\b(?:use|touch|change|edit|modify|run|write|want|need|allow)\\b[^.!?\\n]{0,40}\\bonly\\b|\\bmust only\\b|\\bread-only\\b',
    "\\bkeep (?:it|the|this|that|these|those|them|all|every\\w*|our|my|using)\\b|\\bstick (?:to|with)\\b|\\b(?:i|we) (?:prefer|require|insist|don't want)\\b|\\buntil i (?:say|tell|ask|confirm|approve)\\b|\\bunless i\\b",
    '^\\s*(?:[-*•] *)?no (?!one|way|longer|i|it|that|this|the|you|we)[a-z][\\w -]{2,60}[.!]?$',
    '必须|不要|不能|不得|不许|不准|禁止|务必|始终|总是|一律|永远|只能|只(?:用|改|要|修改|使用|允许)|请勿|切勿|一定要|确保|避免|以后都|记得|记住|别(?:用|碰|改|动|忘)',
    '必ず|しないで|ないでください|てはいけ|てはなら|禁止|常に|絶対|だけ(?:に|を|で|使|変|して)|のみ|ように(?:して|お願い)|避けて|忘れず|今後は|厳守',
    '반드시|하지\\s*마|지\\s*마(?:세요|라|십시오)|마세요|금지|항상|절대|꼭|만\\s*(?:사용|수정|변경|쓰|써|해)|않도록|피해|앞으로는|주의(?:해|하)',
    '\\b(?:niemals|nie|immer|keinesfalls|auf keinen Fall|ausschließlich|unbedingt|bitte (?:kein\\w*|nicht|nie|nur|immer)|(?:darf|darfst|dürfen|soll|sollst|sollen|muss|musst|müssen)|nur (?:noch )?(?:die|das|den|mit|in|auf|für|bei|wenn|\\w+en)|stell sicher|achte darauf|vermeide|ohne (?:zu|etwas|dabei))\\b|(?:ändere|benutze|verwende|nutze|lösche|mach|nimm|füge|schreib\\w*)\\b[^.!?\\n]{0,60}\\b(?:nicht|kein\\w*|nie)\\b',
    "\\b(?:ne (?:jamais|pas)|jamais|toujours|il faut|doit|assure-toi|évite)\\b|n[’']\\w+ pas\\b|\\b(?:nunca|siempre|no (?:uses|hagas|toques|cambies)|debe|asegúrate|evita|solo usa)\\b",
  ].join('|'),
  withoutU,
);

/** It holds for now, this time only. */
export const passingWords: RegExp =
  /(?<![a-z])(?<!\p{L})(?:for (?:now|the moment|today|this (?:one|time))|this once|just this|right now|vorerst|erstmal|für(?:s erste| jetzt| heute)|diesmal|pour (?:l['’]instant|le moment|cette fois)|por (?:ahora|el momento|esta vez))(?!\p{L})|暂时|(?<!没有?|[不未])先(?=[^后把，,。；]{0,6}(?:这样|不|别))|这次|今回(?:は|だけ)|とりあえず|ひとまず|일단|이번(?:엔|에는|만)|당분간|우선/iu;

/** The user wanted to know something, and asked for nothing else. */
export const wishesToKnow: RegExp = /^(?:to )?(?:know|wissen|erfahren|savoir|saber)(?!\p{L})|^知道|知りた|알고/iu;

/** Words that say that something must not be done twice. */
export const notAgainWords: RegExp =
  /\b(?:do not|don't|not to be|never) (?:be )?(?:repeat|redo|re-?run)|不要重复|请勿重复|勿重复|繰り返さないこと|再実行しないこと|반복하지 (?:말|마)|다시 실행하지 (?:말|마)/i;

/** Words for taking something away. */
export const clearingWords: RegExp =
  /(?<!\p{L})(?:remov|delet|disabl|drop|clean|resolv|stop|revert|undo|uninstall|entfern|lösch|supprim|retir|elimin|borr|quit)\p{L}*|删除|移除|清|取消|削除|撤|삭제|제거|취소/iu;

/** A query that speaks of what the user said. */
export const userQueries: RegExp =
  /\b(?:I|me|my|mine|I'm|I've|I'd)\b|[我俺]|私|わたし|僕|(?:^|\s)(?:나|내|제)(?:는|가|의|\s)/u;

/** A query that speaks of what the assistant said. */
export const assistantQueries: RegExp =
  /\b(?:did|have|had|were|could|would) you\b.*\b(?:recommend|suggest|say|said|tell|told|explain|advise|propose|write|wrote|give|gave|list|mention)|\byou(?:'d| had)? (?:recommended|suggested|said|told|explained|advised|proposed|wrote|gave|listed|mentioned)|\byour (?:advice|answer|recommendation|suggestion|explanation|reply|response)\b|你(?:推荐|建议|说过?|告诉|提到)|(?:あなた|君)(?:が|の)/i;

/** Said in an alphabet: that something was chosen. */
export const choiceInLetters: RegExp = new RegExp(
  [
    "\\b(?:(?:I|we|you|they|user|team|I've|we've|have|has|was|were|is|been|already|also|then) (?:decided|chosen|chose|opted|settled|agreed|picked))\\b(?! (?:by default|automatically|whether|if|how|when))|^(?:decided|chose|opted|settled on|agreed (?:on|to|that))\\b",
    '(?<![\\w.])(?:going|went|go) with\\b|\\b(?:switch(?:ed|ing)?|moved?|migrat(?:ed|ing)) (?:from [^.]{1,40} )?to [^.]{1,60}\\b(?:instead|because|since|so that|due to)\\b',
    "\\b(?:I|we|you|I'm|we're|I'll|we'll) [^.]{0,30}\\b(?:use|using|keep|keeping|prefer) [^.]{1,80}\\b(?:instead of|rather than|over)\\b",
    '(?:^|[.!?] +)(?:final |key |design )?decision(?: \\w{1,3})?(?: made)?: ?\\S|\\bthe decision (?:is|was) to\\b',
    '\\b(?:haben (?:uns|mich) (?:für|gegen|auf)|entschieden|einigen uns|geeinigt|beschlossen)\\b|\\b(?:wir|ich) (?:nehmen?|verwenden?|nutzen?|benutzen?|bleiben?|setzen?|behalten?|wechseln?)\\b[^.]{0,80}\\b(?:statt|anstatt|weil|damit|bei|auf|zu)\\b|^entscheidung: ?\\S|\\bnehmen wir\\b',
    "\\b(?:nous (?:avons (?:décidé|choisi)|utiliserons|gardons)|on (?:prend|garde|part sur)|j'ai (?:décidé|choisi))\\b|\\b(?:hemos decidido|decidimos|elegimos|vamos a usar|usaremos|he decidido)\\b",
  ].join('|'),
  withoutU,
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
  /(?<![a-z])(?<!\p{L})(?:chose|chosen|decided|decision|opted|settled on|picked|adopted|switched to|entschieden|entscheidung|beschlossen|choisi|décidé|décision|elegid[oa]|eligió|decidid[oa]|decisión)(?!\p{L})|决定|选用|采用|選択|決定|採用|방침|方針|결정|선택|채택|하기로/iu;

/** What follows was not taken. */
export const droppedBehind: RegExp =
  /(?<![a-z])(?<!\p{L})(?:over|instead of|rather than|in place of|not|statt|anstatt|anstelle|nicht|au lieu|plutôt que|et non|en vez|en lugar|y no|frente a)(?!\p{L})|而不是|而非|代替|不用/iu;

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
  /(?<![a-z])(?<!\p{L})(?:because(?: of)?|since|as it|due to|weil|da|denn|wegen|parce qu['’e]|car|puisque|porque|ya que|debido a)(?!\p{L})\s*|因为|由于|ため|ので|때문에|므로/iu;

/** Words of a line that only tells what was looked at. */
export const weighingWords: RegExp =
  /(?<!\p{L})(?:considered|compared|discussed|versus|vs\.?|or|alternatives?|erwogen|verglichen|oder|ou|o)(?!\p{L})|[?？]|比较|考虑|还是|検討|比較|검토|비교/iu;

/** Words that put one value in the place of another. */
export const replacingWords: RegExp =
  /(?<!\p{L})(?:instead|rather|make (?:it|that)|change (?:it|that)|no longer|stattdessen|lieber|doch|besser|plutôt|finalement|mejor|en vez)(?!\p{L})|改成|改为|换成|还是|代わり|やっぱり|変更|대신|바꿔|변경/iu;

/** What a person says who allows something. */
export const releasingWords: RegExp =
  /\b(?:skip|without|no need|fine|ok(?:ay)?|allow|permit|free|go ahead|can|may|just|bypass|ignore|force|approve|yes|sure)|n[’']?t (?:need|ask|bother|wait|have|care|worry)|\bnot (?:necessary|required|needed)|可以|不用|不必|无需|不需要|允许|跳过|强制|同意|よい|良い|いい|不要|構わ|大丈夫|省略|スキップ|強制|お願い|되|괜찮|필요 ?없|건너뛰|생략|강제|해 ?줘|주세요/iu;

const answerOpening =
  '^(?:[^\\p{L}\\p{N}]|(?:ok(?:ay)?|well|hm+|ah+|oh|this once|for once|then|also|alors|entonces|bueno)(?!\\p{L}))*';

const englishYes =
  "y(?:es|ep|eah|up)|sure|ok(?:ay)?|go(?: ahead| on| for it)?(?=[\\W]*$|,| ahead| on(?: with)?(?!\\p{L}))|do (?:it|that|so|both|all)|let[’']?s (?:do|go)|(?:sounds|looks) (?:good|great|fine|right|ok(?:ay)?)|lgtm|fine|agreed?|correct|right|please(?=[\\W]*$| (?:do|go))|perfect|great|good|nice|continue|proceed|approved?|absolutely|definitely|of course|option|[a-d1-9][.)]?$";

const europeanYes =
  "ja|jawohl|jo|gern[e]?|klar|einverstanden|passt|genau|mach(?: (?:das|es|mal|nur))?|leg los|oui|d['’]accord|vas-y|allez-y|bien sûr|parfait|sí|si|claro|vale|adelante|dale|hazlo|de acuerdo|perfecto";

const wideYes =
  '是|好|可以|行|对|嗯|同意|批准|继续|没问题|はい|うん|ええ|いい|お願い|そう|じゃあ|了解|続け|どうぞ|承認|네|예|응|좋|그래|진행|계속|부탁|승인';

/** Yes, at the head of an answer. */
export const yesWords: RegExp = new RegExp(
  `${answerOpening}(?:(?:${englishYes}|${europeanYes})(?!\\p{L})|${wideYes})`,
  'iu',
);

/** No, at the head of an answer. */
export const noWords: RegExp =
  /^[^\p{L}\p{N}]*(?:(?:no|nope|nah|nein|non|nicht|pas|never|don['’]?t|do not|stop|wait|hold (?:on|off)|(?:far |much |way )?too|zu (?:viel|lang|kurz|teuer|früh|spät|groß|klein|hoch|selten|oft)|trop|demasiad[oa]s?)(?!\p{L})|不|别|別|先不|いいえ|いや(?!す)|だめ|ダメ|駄目|待って|아니|안 ?(?:돼|됩|되))/iu;

/** A no that refuses nothing. */
export const harmlessNo: RegExp =
  /^[^\p{L}\p{N}]*(?:no (?:problem|worries|objections?)|why not|kein problem|warum nicht|pas de problème|pourquoi pas|no hay problema|没问题|不错|問題な|問題あり|문제 ?없)/iu;

/** Yes, behind what it agrees to. */
export const yesBehind: RegExp = /(?<!\p{L})(?:yes|ok(?:ay)?|ja|oui|sí)$/iu;

/** What stands between two parts of an answer. */
export const answerClauses: RegExp = /[,，、.。!！;；:：—–]+\s*/u;

/** Words by which an answer takes only a part. */
export const narrowingWords: RegExp =
  /^[^\p{L}\p{N}]*(?:(?:just|only|nur|seulement|juste|s[oó]lo|solamente)(?!\p{L})|只|仅|就|だけ)|(?:だけ|のみ|만)(?=[^\p{L}]*$)/iu;

/** Openings of a reply, or of what stands under its only headings, by which a model declines. */
export const refusalOpenings: readonly RegExp[] = [
  /^(?:i(?:'|’)?m (?:really |very |so )?sorry|i apologi[sz]e|sorry|unfortunately|apologies)\b[^\n]{0,80}\b(?:can(?:'|’)?t|cannot|can not|unable|not able|won(?:'|’)?t|must decline|not (?:something|comfortable))/i,
  /^(?:i|we) (?:can(?:'|’)?t|cannot|can not|won(?:'|’)?t|will not|must decline|have to decline|am (?:unable|not able|not comfortable|not allowed)|are unable)\b/i,
  /^(?:i(?:'|’)?m|i am) (?:unable|not able|not comfortable|not allowed|just an ai|an ai)\b/i,
  /^as an (?:ai|artificial|assistant|language model)\b/i,
  /^(?:this|that|your) (?:request|content|conversation)\b[^\n]{0,60}\b(?:violates|goes against|is against|cannot be (?:processed|summarized|summarised)|was (?:blocked|flagged))/i,
  /^(?:非常|很|十分|真的)?(?:抱歉|对不起|對不起|不好意思)[^\n]{0,60}(?:无法|無法|不能|不可以|没办法|沒辦法|未能)/,
  /^(?:我|本(?:模型|助手|人))(?:目前|现在|暂时|實在|实在|恐怕)?(?:无法|無法|不能|没办法|沒辦法|不便|拒绝|不会|不會)[^\n]{0,40}(?:帮|幫|协助|協助|提供|回答|完成|满足|滿足|处理|處理|总结|總結|生成|执行)/,
  /^(?:作为|作為)(?:一个|一個|一名)?(?:AI|人工智能|人工智慧|语言模型|語言模型|大模型|助手)/i,
  /^(?:大変|誠に|本当に|まことに)?(?:申し訳(?:ありません|ございません|ない|なく)|すみません|恐れ入りますが|ごめんなさい|恐縮ですが)[^\n]{0,80}(?:できません|できかね|致しかね|いたしかね|ません|お断り|不可能)/,
  /^(?:その|この|そのような|このような)?ご?(?:依頼|要求|リクエスト|要望|内容|ご質問|質問|ご要望)[^\n]{0,30}(?:には|は|を|に)?[^\n]{0,30}(?:お応え|応じ|お答え|対応|お手伝い|要約)[^\n]{0,12}(?:できません|できかね|致しかね|いたしかね)/,
  /^(?:お手伝い|お答え|回答|対応|要約)(?:すること)?(?:は|が)?(?:できません|できかねます|致しかねます|いたしかねます)/,
  /^(?:AI|人工知能|言語モデル)(?:アシスタント)?(?:として|なので|ですので)/i,
  /^(?:정말 |대단히 |매우 )?(?:죄송|미안|유감|송구)[^\n]{0,80}(?:없습니다|없어요|않습니다|못합니다|어렵습니다|불가능|거부)/,
  /^(?:저는|제가|그|이|해당|이런|그런)?\s?[^\n]{0,30}(?:요청|질문|내용|작업|요약)[^\n]{0,30}(?:도와드릴|도울|응할|답변(?:해 ?드릴|할)|처리할|수행할|제공할|들어드릴|요약할)\s?수(?:는|가)?\s?없/,
  /^(?:저는 )?(?:AI|인공지능|언어 모델)(?: 어시스턴트)?(?:로서|이므로|이기 때문에|라서)/i,
];

/** A closing remark to whoever reads the reply, as its last paragraph. */
export const closingRemarks: RegExp =
  /^(?:(?:please )?let me know|(?:i )?hope this|feel free|if you (?:need|want|would like|have|wish)|is there anything|(?:would|do) you (?:like|want) me|如果(?:您|你)?(?:还|有|需要|想)|希望(?:这|以上)|请(?:告诉我|让我知道)|以上(?:です|となります)|(?:何か)?ご(?:不明|質問|要望)|他に(?:何か|ご)|(?:추가로|더) (?:필요|궁금)|궁금한|도움이 (?:되|필요)|필요하시면)/i;

/** Openings by which an agent says what it does next, which its action shows as well. */
export const announcements: RegExp =
  /^(?:[*_"'\s]*)(?:(?:ok(?:ay)?|alright|right|good|great|perfect|excellent|done|now|next|then|first(?:ly)?|finally|so|and|also)[\s,.!:—-]+)*(?:let me\b|let['’]s\b|(?:I|we)(?:['’]ll| will| need to| should| want to|['’]m going to| am going to| have to)(?: now| also| first| just)* (?:check|look|see|read|run|start|begin|use|try|verify|update|create|add|fix|find|search|do|make|write|take|continue|proceed|explore|examine|inspect|investigate|go|test|open|view|get|build|commit|push|review|clean|also|now|first)\b|(?:looking|checking|reading|running|searching|updating|starting|trying|verifying|exploring) (?:at|for|the|into|if|whether|how|what|it|this|that|now|again|all)\b)|^(?:好的?|现在|接下来|首先|然后|接着|最后|下面)?[,，:：]?\s*(?:让我|我(?:现在|先|再|来|会|将|要|需要)+(?:先|来|再)?(?:看|查|检查|读|运行|确认|修改|添加|更新|创建|搜索|试|了解|分析|开始|继续|执行))|^(?:まず|次に|では|それでは|続いて|最後に|さて)?[、,]?.{0,40}(?:します|しましょう|してみます|見てみます|始めます|進めます)[。.]?$|(?:하겠습니다|보겠습니다|할게요|볼게요|시작합니다|진행합니다|하겠어요)[.!]?$|^(?:jetzt|nun|als nächstes|zuerst|dann|gut|okay)?[,:]?\s*(?:lass(?:en Sie)? mich|ich (?:werde|schaue|prüfe|lese|sehe|starte|führe|suche|schau)|schauen wir)\b|^(?:maintenant|d['’]abord|ensuite|bien)?[,:]?\s*(?:je vais|laisse[zr]?[- ]moi|regardons|vérifions)\b|^(?:ahora|primero|luego|bien)?[,:]?\s*(?:voy a|vamos a|déjame|revisemos|veamos)\b/iu;

/** Openings of a sentence that only agrees, thanks or praises. */
export const acknowledgements: RegExp =
  /^[*_"'\s]*(?:(?:(?:that['’]?s |what )?(?:a |an )?(?:good|great|nice|excellent|fair|perfect) (?:catch|questions?|points?|idea|news|call)|you['’]re (?:absolutely |completely |quite )?right|makes sense|got it|understood|sounds good|thanks?(?: you)?|here (?:is|are) (?:the|what|an?)|here['’]s (?:the|what|an?)|gute (?:Frage|Idee)|guter (?:Punkt|Fund)|du hast recht|verstanden|bonne (?:question|idée)|bien vu|compris|tu as raison|buena (?:pregunta|idea)|buen punto|entendido|tienes razón)(?!\p{L})|好问题|好主意|明白|了解|说得对|你说得对|いい質問|良い質問|なるほど|承知|了解|わかりました|分かりました|おっしゃる通り|좋은 (?:질문|지적|생각)|알겠습니다|네,? 맞)/iu;

/** By these an agent leaves it to the user how to go on, without a question. */
export const handOvers: RegExp =
  /^(?:(?:now|then|so|and|just)[\s,]+)*(?:(?:run|try|test|restart|reload|refresh|rebuild) (?:it|this|that|the|again|them|your)|try \p{L}+ing)\b|\b(?:please (?:confirm|provide|tell|run|try|check|review|approve|choose|pick|share|paste|send|advise|clarify|restart|verify|let me know)|let me know (?:when|once|which|how|what|whether|your)|(?:a?waiting (?:for|on)) you|awaiting your|(?:it['’]s |is )?(?:your call|up to you)|i(?:['’]ll)? need (?:you to|your)|tell me (?:which|what|when|how|if|whether|where)|(?:once|when|after) you(?:['’]ve| have|['’]re| are)? (?:done|ready|confirm\w*|decide\w*|finished|restarted|run|started|approve\w*))\b|请(?:您|你)?(?:先)?(?:确认|告诉|提供|选择|告知|检查|运行|试|回复|审阅|批准|决定|说明)|等(?:待|你|您)的?(?:您|你|确认|回复|决定)|需要(?:您|你)(?:来)?(?:确认|提供|选择|决定)|由(?:您|你)(?:来)?决定|(?:ご?確認|教えて|お?知らせ|お?選[んび]で?|ご?指示|ご?判断|ご?承認|試して|実行して)(?:を?(?:お願い|ください|いただ|下さい)|して(?:ください|いただ))|お待ちし|(?:확인|알려|선택|말씀|검토|승인|결정|실행|제공)(?:해|하여)? ?(?:주세요|주시|주십시오|부탁)|기다리(?:고|겠)|\bbitte (?:bestätig|prüf|teil|gib|geben|wähl|führ|sag|schick|entscheid)\p{L}*|\b(?:sag|gib|geben Sie|sagen Sie)\b.{0,12}\bbescheid\b|\blass(?:en Sie)? mich wissen\b|\bwarte auf (?:deine|ihre)\b|\b(?:confirme[rz]?|dis-moi|dites-moi|choisis(?:sez)?|veuillez|merci de|j['’]attends|fais-moi savoir|à toi de)\b|\b(?:confirma|dime|elige|indícame|avísame|hazme saber|quedo a la espera|espero tu|tú decides)\b/iu;

/** Remarks of courtesy at the end of a turn, which wait for nothing. */
export const idleRemarks: RegExp =
  /\b(?:let me know if (?:you|there|anything|any)|anything else|(?:any|further|other|more) questions?|hope (?:this|that|it)|feel free|happy to help|if you(?:['’]d like| want| wish| need)[^?]*$|enjoy\b)|还有(?:其他|什么)|还需要.{0,8}(?:帮|吗)|如(?:果)?(?:有|需)|希望(?:这|对)|(?:他|ほか)に(?:も)?何か|ご不明|お役に立|더 (?:필요|궁금)|다른 (?:질문|도움)|추가로|도움이 (?:되|필요)|\b(?:sonst noch|weitere fragen|noch etwas anderes|falls du|falls sie)\b|\b(?:autre chose|d['’]autres questions|n['’]hésite)|\b(?:algo más|otra cosa|más preguntas|no dudes)\b/iu;

/** Where another thing is offered or asked in the same sentence. */
export const alternatives: RegExp = /[,;、，]\s*(?=(?:or|oder|ou|o)(?!\p{L})|それとも|または|아니면|还是|或者)/iu;

/** With these a person lets the agent go on with what it is at. */
export const goOnWords: RegExp =
  /^[^\p{L}\p{N}]*(?:(?:ok(?:ay)?|yes|yeah|please|and|now|so|ja|oui|sí|bitte)[\s,.!:]+)*(?:(?:continue|proceed|resume|carry on|keep going|go (?:on|ahead)|finish (?:it|this|that|up)|do (?:it|that|so|both|all)|weiter|mach weiter|fahr(?:e)? fort|continue[rz]?|vas-y|poursui[st]|sigue|continúa|adelante)(?!\p{L})|(?:请)?继续|接着|続け|つづけ|進めて|계속|진행|이어서)/iu;

/** A request in the form of a question, or with a plea. */
export const politeRequests: RegExp =
  /\b(?:can|could|would|will) (?:you|we)\b|\bplease\b|\bhow about (?:we|you)\b|(?:帮(?:我|忙|我们)|请|能不能|可不可以|可以.{0,12}吗)|(?:して|って|んで|いて)(?:もらえ|くれ|ください|いただけ|ほしい|欲しい)|お願い|해 ?(?:줘|주세요|줄|주실|달라)|부탁|\b(?:kannst du|können sie|könntest|könnten sie|bitte)\b|\b(?:peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|s['’]il (?:te|vous) plaît)\b|\b(?:puedes|podrías|puede usted|por favor)\b/iu;

/** Words for which of several things is meant, by their number. */
export const ordinals: readonly (readonly [RegExp, number])[] = [
  [
    /(?<!\p{L})(?:first|former|erste[nrs]?|premi(?:er|ère)|primer[oa]?|primeir[oa])(?!\p{L})|第一|一つ目|最初の|前者|첫\s?번?째|전자/iu,
    1,
  ],
  [
    /(?<!\p{L})(?:second|latter|zweite[nrs]?|deuxième|second[eo]?|segund[oa])(?!\p{L})|第二|二つ目|後者|두\s?번?째|후자/iu,
    2,
  ],
  [/(?<!\p{L})(?:third|dritte[nrs]?|troisième|tercer[oa]?|terceir[oa])(?!\p{L})|第三|三つ目|세\s?번?째/iu, 3],
  [/(?<!\p{L})(?:fourth|vierte[nrs]?|quatrième|cuart[oa]|quart[oa])(?!\p{L})|第四|四つ目|네\s?번?째/iu, 4],
];
