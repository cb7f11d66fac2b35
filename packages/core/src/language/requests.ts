/** Words by which a person lays down a rule, takes something back, or asks a question. */

/** "No problem" takes nothing back, and "don't worry" forbids nothing. */
export const courtesies: RegExp =
  /\bno,? (?:problem|worries|thanks|thank you|need|rush|hurry|idea|clue|pressure|big deal|biggie|matter|doubt)\b|\b(?:don't|do not) (?:worry|know|think|believe|see|understand|get (?:it|why|how|what)|remember|recall|mind|care|have|need|feel)\b|没问题|不要紧|不用担心|别担心|问题ありません|大丈夫|괜찮|걱정\s*(?:하지\s*)?마세요|kein Problem|keine (?:Sorge|Ahnung|Eile)|macht nichts/giu;

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
  'imu',
);

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
