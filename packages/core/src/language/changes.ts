/** Words by which a note tells that one thing took the place of another, or that something is so no longer. */

const latin = (source: string): string => `(?<![\\p{L}\\d])(?:${source})`;

/** An opening quotation mark and a small word may stand between such words and the value. */
const gap =
  '(?![\\p{Script=Latin}\\p{Script=Cyrillic}])\\s*["“„«`「]?(?:the |a |an |dem |den |der |die |das |el |la |le |by |with |at |in |on |mit |bei |in |auf )*["“„«`「]?$';

/**
 * What stands right before the old one: "instead of 75 %", "nicht mehr Lothar, sondern …", "ya no". Looked for at the end
 * of what stands before a value.
 */
export const oldFollows: RegExp = new RegExp(
  `(?:${[
    latin(
      [
        'instead of|in place of|rather than|replac(?:es|ing)|replaced(?! by)|(?:no|not any) (?:more|longer)(?: \\p{L}+)?|left|leaves|leaving|away from|dropped|dropping|quit|stopped using|gave up|giving up|switched off|closed(?: the| an?| my| his| her)? \\p{L}+ (?:at|with)|used to (?:be|use|work with|live in)|formerly|previously|not',
        'statt|anstatt|anstelle von|anstelle des|nicht mehr(?: \\p{L}+)?|nicht länger(?: \\p{L}+)?|nicht(?: \\p{L}+)?|weg von|weg vom|löst|ersetzt|früher|ehemals|bisher|verlassen',
        'au lieu de|à la place de|plus(?: \\p{L}+)?|abandonné|quitté|anciennement',
        'en lugar de|en vez de|ya no(?: \\p{L}+){0,2}|dejó',
        'вместо|больше не(?: \\p{L}+)?|уже не(?: \\p{L}+)?|раньше|ранее|отказались от',
      ].join('|'),
    ),
    '(?:不再(?:使用|用|是|在|住|向|由|跟)?|取代了?|代替了?|替换了?|离开了?|放弃了?|停用了?|原来(?:是|用)?|以前(?:是|用)?|之前(?:是|用)?|弃用了?|不是|不用)',
    '(?:以前は|元は|もとは|旧|もう)',
  ].join('|')})${gap}`,
  'iu',
);

/** The same, but only where something else is named as well: "from Monday to Friday", "von pnpm auf bun". */
export const fromFollows: RegExp = new RegExp(
  `(?:${latin('from|out of|was|were|once|von|vom|aus|de|du|desde|с|со|из|от')}|从|從|由)${gap}`,
  'iu',
);

/** The same behind the value. */
export const fromPrecedes: RegExp = /^["”“»`」]?\s*(?:さん|氏|様|番|時|分)?(?:から|より|에서)/u;

/** What stands right behind the old one. */
export const oldPrecedes: RegExp = new RegExp(
  '^["”“»`」]?\\s*(?:' +
    [
      latin(
        [
          '(?:is|was|were|has been|are|got|will be) (?:now )?(?:replaced|switched off|shut down|turned off|retired|renamed|dropped|gone|abandoned|removed|deprecated|called|moved|succeeded|taken over|history|dead)|is (?:no longer|not any more)|changed (?:teams?|jobs?)|left|quit|retired|moved on|clashed|gave way|no longer|any ?more|until recently|steps? down|stepped down',
          '(?:ist|wurde|wird|sind|wurden) (?:\\p{L}+ ){0,2}(?:abgeschaltet|ersetzt|abgelöst|umbenannt|abgeschafft|entfernt|eingestellt|außer|weg|passé|Geschichte)|heißt (?:jetzt|nun|seit|ab)|hat (?:\\p{L}+ ){0,2}(?:gewechselt|verlassen)|verlassen|abgelöst|abgeschafft|ersetzt|gekündigt|wich|weicht|nicht mehr|war gestern|fällt weg|entfällt|abgeschaltet|auf (?=\\S+)',
          "(?:a été|est) (?:remplacée?|arrêtée?|abandonnée?|renommée?|supprimée?)|n['’]est plus",
          '(?:fue|ha sido|está) (?:reemplazad[oa]|apagad[oa]|abandonad[oa]|renombrad[oa]|sustituid[oa])|ya no|se cambió|cambió de equipo',
          '(?:заменен|заменён|отключен|отключён|переименован|больше не|выключен)\\p{L}*',
        ].join('|'),
      ),
      '(?:さん|氏|様|番|時|分)?(?:をやめ|を離れ|を辞め|を廃止|は廃止|は停止|を停止|を止め|の代わり|に代わ|に替わ|に代え|ではなく|でなく|じゃなく|はやめ|を解約|は(?:もう)?使わ|は異動|が異動|は退職|が退職|が亡くな|は亡くな|は(?:\\S{1,8})に改名|が(?:\\S{0,3})(?:衝突|終了|廃止)|を使うのをやめ)',
      '(?:已?(?:被|停用|弃用|下线|关闭|废弃)|换成|改成|改为|換成|改為|更名为|迁移到|转到|不再|搬到|变成)',
      '(?:대신|은 더 이상|는 더 이상|을 그만|를 그만|을 떠나|를 떠나|이 아니라|가 아니라|은 중단|는 중단|은 폐기|는 폐기|을 버리|를 버리)',
    ].join('|') +
    ')',
  'iu',
);

/** What stands before something that is so no longer, where nothing is said of what came in its place. */
export const goneFollows: RegExp =
  /(?<![\p{L}\d])(?:(?:no|not any) longer \p{L}+(?: \p{L}+)?|no more|stopped (?:using|working with)|gave up|quit|nicht mehr(?: \p{L}+){0,2}|keine?n?(?: \p{L}+)? mehr|ne \p{L}+ plus(?: \p{L}+)?|ya no \p{L}+(?: \p{L}+)?|больше не \p{L}+(?: \p{L}+)?)\s+["“„«`「]?$|(?:不再(?:使用|用|是|在|住|向|由|跟)?|停用了?|弃用了?|もう)\s*["“„«`「]?$/iu;

/** The same behind it. */
export const gonePrecedes: RegExp =
  /^["”“»`」]?\s*(?:(?:is |was |are )?(?:no longer|not) (?:used|in use|any ?more|needed)|nicht mehr (?:benutzt|verwendet|genutzt|in gebrauch)|n['’]est plus|ya no se|больше не)(?![\p{L}\d])|^["”“»`」]?\s*(?:はもう(?:使わ|使って)|は(?:もう)?使ってい?ない|を使うのをやめた|不再使用|은 더 이상|는 더 이상)/iu;

/** Something is told to be so from now on: a note with it is news, not only another way to say the same. */
export const newsWords: RegExp = new RegExp(
  [
    latin(
      '(?:now|new|moved|moves|changed|changes|switched|migrated|replaced|renamed|became|become|becomes|since|from now on|instead|no longer|no more|left|shifted|got a|took over|raised|lowered|upgraded|downgraded|relicensed|closed|' +
        'jetzt|nun|neu\\p{L}*|seit|ab sofort|umgestellt|umgezogen|umgestiegen|gewechselt|wechselte|ersetzt|verlegt|geändert|künftig|nicht mehr|statt|umstellung|umbenannt|' +
        'désormais|dorénavant|maintenant|nouve\\p{L}+|remplac\\p{L}+|déménag\\p{L}+|' +
        'ahora|nuev[oa]s?|cambi\\p{L}+|mud\\p{L}+|ya no|a partir de|' +
        'теперь|нов\\p{L}+|перешл\\p{L}+|переехал\\p{L}*|сменил\\p{L}*|больше не)(?![\\p{L}\\d])',
    ),
    '今は|今後|新しい|新たに|変わった|変更(?:した|された|になった|済)|移行|切り替え|乗り換え|引っ越|改名|になった|に上げた|やめ|離れ|廃止|から.{1,20}へ|もう.{1,20}ない',
    '现在|如今|改为|改成|换成|搬到|迁移|不再|新的|升级到|变成|变为|开始',
    '이제|새로|변경|바뀌|옮겼|이사|전환|더 이상|부터는',
  ].join('|'),
  'iu',
);

/** It was so once, and the note says so itself: nothing that could be out of date. */
export const pastWords: RegExp = new RegExp(
  [
    latin(
      '(?:used to|formerly|previously|in the past|back then|years ago|as a child|grew up|was born|originally from|früher|damals|ehemal\\p{L}+|aufgewachsen|geboren|stammt|als kind|autrefois|jadis|né|née|grandi|antes|nació|creció|nacid[oa]|раньше|родил\\p{L}+|вырос\\p{L}*|родом)(?![\\p{L}\\d])',
    ),
    'かつて|以前は|昔は|出身|生まれ|育ち|育った|从前|以前|曾经|出生|长大|来自|老家|예전|태어|출신|자랐',
  ].join('|'),
  'iu',
);

/** Several at once: another one beside it contradicts nothing. */
export const severalWords: RegExp = new RegExp(
  [
    latin(
      '(?:also|too|as well|another|other|second|both|either|additional(?:ly)?|besides|supports?|e\\.g\\.|for example|such as|sometimes|auch|ebenfalls|außerdem|zusätzlich|weitere[rsn]?|andere[rsnm]?|zweite[rsn]?|beide|unterstützt|manchmal|zum beispiel|aussi|également|autre|parfois|también|además|otr[oa]s?|a veces|также|тоже|ещё один|друг(?:ой|ая|ие)|иногда)(?![\\p{L}\\d])',
    ),
    'も(?=[使対利可])|別の|他の|第二|両方|例えば|たとえば|時々|也|另外|另一|其他|例如|有时|또한|다른|두 번째|예를 들어|가끔',
  ].join('|'),
  'iu',
);

/** It is only thought of, or asked: no claim that something is so. */
export const unsureWords: RegExp = new RegExp(
  [
    latin(
      '(?:maybe|perhaps|might|considering|consider|thinking (?:about|of)|plans? to|planning to|hopes? to|would like to|unsure|not sure|probably|vielleicht|überlegt|erwägt|möchte wohl|eventuell|wahrscheinlich|unsicher|peut-être|envisage|quizás?|tal vez|piensa en|возможно|может быть|планирует|думает)(?![\\p{L}\\d])',
    ),
    '検討|かもしれ|つもり|らしい|也许|可能会|考虑|打算|고려|아마|것 같',
    '[?？]\\s*$',
  ].join('|'),
  'iu',
);

/** What stands between two clauses of a note. */
export const clauseEnds: RegExp = /[,;.!?](?=\s|$)|[，、；。！？]|\s(?:and|und|et|y|и|e)\s/gu;
