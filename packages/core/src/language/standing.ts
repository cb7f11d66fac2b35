/**
 * Words by which a sentence shows whether it holds for every case to come or tells of one: grammar (time, number, duty,
 * whose ways they are), no subject matter.
 */

/** No letter or digit before a word; those of ASCII are asked for apart, because the engine tells them much sooner. */
const start = '(?<![a-z\\d_])(?<!\\p{L})';
const end = '(?![\\p{L}\\d_])';

/** Whole words of alphabets, and words of scripts that are written without blanks. */
const words = (narrow: readonly string[], wide: readonly string[]): RegExp =>
  new RegExp(`${start}(?:${narrow.join('|')})${end}|${wide.join('|')}`, 'iu');

/** A word of at least so many letters before its ending, looked for from there: endings are few, and every word may have one. */
const ending = (letters: number, text: string): string => `${text}${end}(?<=${start}\\p{L}{${letters},}${text})`;

/** It holds each time, until somebody says otherwise. */
export const everyTime: RegExp = words(
  [
    'always|never|ever|whenever|wherever|(?:every|each|any) time|from (?:now|here|this point) on|going forward|in (?:the )?future|for good|until (?:I|we|you hear|further)|unless (?:I|we)|throughout|as a rule|by default|at all times|no matter|to come|as usual|without (?:exception|asking)|same (?:in|for|with) (?:all|every)',
    'immer|nie|niemals|stets|künftig|zukünftig|ab (?:jetzt|sofort|heute)|von nun an|jedes mal|grundsätzlich|generell|durchgehend|bis auf weiteres|egal (?:ob|wie|welche\\w*)|ausnahmslos',
    "toujours|jamais|désormais|dorénavant|à l['’]avenir|chaque fois|à chaque|d['’]un bout à l['’]autre|partout|systématiquement|par défaut|sans exception|quel(?:le)?s? que",
    'siempre|nunca|jamás|en adelante|a partir de (?:ahora|hoy)|cada vez|por defecto|en todo momento|que vengan|hasta que|sin excepción',
  ],
  [
    '总是|始终|以后|今后|从今|每次|每回|一律|一概|统统|永远|凡是?|都(?=照|这样|这么|按|一样|叫|是|转|用|记|放)|整(?:个|本|套|篇)|(?:的|了)话|就(?:拆|停|空|不)',
    '常に|いつも|必ず|絶対|今後|これから(?:は|も)|以降|以後|毎回|ずっと|原則|基本的に|どの.{0,8}も|どれも|たびに|場合は|(?:とき|時)は|限り|(?:たら|なら|れば)',
    '항상|늘(?= )|언제나|언제든|앞으로|매번|반드시|절대|결코|쭉|때마다|마다(?= )|때는|날엔|날에는|경우(?:엔|에는|는)|전권|전체가|(?:으?면|거든) ',
  ],
);

/** Of all, of none, of nothing else: it speaks of more than one thing, or leaves the others out. */
export const everyThing: RegExp = words(
  [
    "every|each|any(?:thing|one|body|where)?|all|none|nothing|nobody|no one|no(?! (?:one|way|longer|idea|problem))(?= \\p{L})|not|whatever|whichever|whoever|only|at (?:most|least)|no more|nothing else|off limits|out of|instead of|before|don['’]t|un\\w{4,}ed|both of them",
    'jede[rsnm]?|alle[srnm]?|alles|keine?[rsnm]?|nichts|niemand|nicht|nur|höchstens|mindestens|sämtliche\\w*|in ruhe',
    "chaque|tous|toutes?|tout|aucune?|rien|nul(?:le)?|seulement|uniquement|n['’]importe|pas|plus|ne",
    'cada|cualquier(?:a)?|todos?|todas?|ning[uú]n[ao]?|nada|nadie|s[oó]lo|únicamente|no|fuera|antes que',
  ],
  [
    '所有|每|任何|全部|只|仅|其余|其他|不(?!错|过|少|久|知)|没有|别(?!人|的)|勿|绕开|避开|留给',
    'すべて|全て|全部|だけ|のみ|しか|(?:し|ら|せ|れ|か|わ|け|め|べ|え)ない(?=[。、\\s]|$|の|で|よう|こと)|ません(?=[。、]|$)|ずに|までは|以外',
    '모든|모두|전부|만(?=[ .,]|$)|만으로|뿐|않|말고|말 것|지 ?마|못 |없|안 (?=[가-힣])',
  ],
);

/** Our ways, a place of ours: who speaks so tells how things are done there. */
export const ownWays: RegExp = words(
  [
    "ours?|with us|we(?:['’]re)? \\p{L}+ .*\\bhere|over here|in th(?:is|ese) \\w+|for me|my \\w+s|of mine|yours",
    'unsere?[rsnm]?|bei uns|meine[rn]? \\p{L}+|hierzulande|deine[nrs]?',
    'notre|nos|chez nous|les miennes|mes|tes',
    'nuestr[oa]s?|mis|tus',
  ],
  [
    '我们|咱们|我(?:家|组|这)|本组|这个(?=.{1,4}里)|对外',
    'うち(?:の|は|では)|我々|私たち|弊社|当社|こちら|この.{1,8}では|社外',
    '우리|저희|이 (?:저장소|프로젝트|코드|글)|고객한테|나가는',
  ],
);

/** It has to be, may not be, or simply is so: duties, and predicates of a lasting state. */
export const duties: RegExp = words(
  [
    "must(?:n['’]t)?|should(?:n['’]t)?|shall|(?:need|have|has|ought)s? to|may (?:not|only)|can(?:not|['’]t)|not allowed|forbidden|required|waits?|belongs?|gets?|goes|comes?|stays?|remains?|keeps?|counts? as|is where|are \\w+ed",
    'muss|müssen|darf|dürfen|soll(?:en|st)?|gehört?|gehören|bleibt|bleiben|gelten|gilt|stehen|steht|kommt',
    "doi(?:t|vent)|faut|restent?|van?|vont|se \\p{L}+ent|n['’]\\p{L}+ (?:dans )?aucun",
    'deben?|hay que|van|va|quedan?|llevan?|lleva|pierden|esperan',
  ],
  [
    '必须|应当?|须|需|得(?=[^到很])|(?:留|放|写|挂|记|叫|走|归|带|按|照|用|挑)(?!了)',
    'べき|こと[。]?$|てはいけ|てはなら|ように|前提|流儀|決まり|約束|扱い|とする|で通す|揃え|に限る|の仕事',
    '야 (?:한|해|합|돼|된)|것[.]?$|도록|방식|약속|원칙|규칙|걸로|기로|로만|간다[.]?$|넣는다|짠다|게 두',
  ],
);

/** It happened, or it is the day's talk. */
export const bygone: RegExp = words(
  [
    "was|were|had|did|didn['’]t|went|got|took|came|said|found|slept|today|yesterday|tomorrow|tonight|(?:this|last|next) (?:morning|week|month|evening|night|year|weekend|time)|right now|a moment ago|back from|by the time",
    'war|waren|hatte|hatten|wurde|wurden|ge\\p{L}{3,}(?:t|en)|heute|gestern|morgen|vorhin|eben|gerade',
    "(?:ai|as|a|avons|avez|ont|est|sont|j['’]ai) \\p{L}+ée?s?|(?:avons|avez|ont|j['’]ai) \\p{L}+(?:i|u|is|it)e?s?|était|étaient|aujourd['’]hui|hier|demain|ce matin|débordait",
    'ayer|hoy|anoche|ahora|esta (?:mañana|tarde|noche)|hubo|fue|fueron|estaba',
  ],
  [
    '了[。，！]?$|[过完]了|今天|昨天|明天|明早|刚才|刚刚|现在|上周|下周|昨晚|今早|待会',
    '(?:[たった]|だった|でした|ました)(?:よ|ね|けど|から|の)?[。、]?$|今日|昨日|明日|さっき|先週|来週|週末|午後は|お昼',
    '[았었했였웠갔왔됐렸졌났]|오늘|어제|내일|아까|방금|지난|이번 주|다음 달',
    ending(3, 'ed'),
    ending(2, '(?:aron|ieron|amos|ó)'),
  ],
);

/** A first person who tells of itself. */
export const ownDoings: RegExp =
  /^[^\p{L}]*(?:I(?:['’](?:m|ve|ll|d))?(?! (?:want|prefer|insist|need you|never|always|only))|ich|je|j['’]|yo|我(?![们家组]|插)|私(?:は|も)|俺|나는?|난|내가)(?![\p{Script=Latin}])/iu;

/** One thing is asked for: the reader is to make, find, tell or show something now. */
export const errands: RegExp = words(
  [
    "please|could you|can you|would you|will you\\?|let['’]s|i(?:['’]d| would) like|i (?:want|need) (?:you )?to|now to",
    'bitte|kannst du|könntest du|mach mir|sag mir',
    "peux-tu|pouvez-vous|s['’]il te plaît|dis-moi|donne-moi",
    'por favor|puedes|podrías|dame|dime|pide',
  ],
  [
    '帮我|麻烦|给我|请(?!勿)|先给|写一|列个|列一|[吗呢吧][。？]?$',
    '(?:して|教えて|見せて|て)(?:ほしい|欲しい|ください|もらえる|くれ|おいて)|お願い|助かる|てみて',
    '줘|주세요|줄래|주겠|해 봐|하자|보자|부탁|알려',
  ],
);

/** A guess, an opinion: nothing that was laid down. */
export const hedges: RegExp = words(
  [
    "I(?:['’]d)? (?:think|guess|suppose|believe|wonder|feel|assume)|they say|I hear|maybe|perhaps|probably|might|seems?|apparently|I['’]m not sure",
    'ich (?:glaube|denke|vermute|finde)|vielleicht|wohl|vermutlich|wahrscheinlich|scheint',
    'je (?:crois|pense|trouve)|peut-être|sans doute|semble|probablement',
    'creo que|pienso que|quizás?|tal vez|a lo mejor|parece|probablemente',
  ],
  [
    '我(?:觉得|想是|猜)|可能|也许|大概|好像|似乎',
    'と思(?:う|い|って)|かな|かも(?!し?れない.{3})|たぶん|おそらく|気がする|らしい',
    '것 같|같아|같은데|아마|듯해|듯하|나 봐',
  ],
);

/** Somebody speaks to somebody. */
export const firstPersons: RegExp = words(
  [
    "I|me|my|we|us|you|your|don['’]t|please",
    'ich|mir|mich|wir|uns|dir|dich|dein\\p{L}*|bitte',
    "je|j['’]|moi|nous|tu|te|toi|vous",
    'yo|me|mí|nosotros|tú|te|usted|nos',
  ],
  [
    '我|咱|你|您|请',
    '私|僕|俺|うち|こっち|あなた|ください|して(?:ね|おいて|ほしい)',
    '나(?:는|도|한테)?(?=[ .,])|내 |제가|우리|저희|너|당신|줘|주세요',
  ],
);
