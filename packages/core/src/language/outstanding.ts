/** Words by which an agent says that something is not done yet: in a sentence, above a list, and as a duty. */

/** Whole words of alphabets, and words of scripts that are written without blanks. */
const words = (narrow: readonly string[], wide: readonly string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\d_])(?:${narrow.join('|')})(?![\\p{L}\\d_])|${wide.join('|')}`, 'iu');

const undone =
  'un(?:resolved|finished|tested|verified|committed|pushed|merged|implemented|addressed|migrated|fixed|covered|done|wired)|incomplete|outstanding|pending';
const doings =
  'done|tested|run|verified|committed|pushed|wired|implemented|covered|handled|updated|merged|deployed|migrated|fixed|started|addressed|connected|documented|released';
const openNouns =
  'work|tasks?|items?|issues?|problems?|steps?|failures?|errors?|gates?|blockers?|gaps?|pieces?|parts?|todos?|questions?|tests?|callers?|files?';

/** Most sentences have none of these, and need no further look. */
export const outstandingHints: RegExp =
  /\b(?:yet|still|remain|stays?|remaining|pending|outstanding|unfinished|blocked|left|before|un\w+ed|incomplete|undone|not|noch|fehl|steh|un\w+t|bevor|vor|encore|reste|manque|toujours|attente|avant|falta|queda|sin|sigue|antes|pendiente)|n['’]t\b|aún|todavía|[\u3040-\ud7af]/i;

/** It is not done, does not work, or waits. */
export const outstandingWords: RegExp = words(
  [
    "not\\b[^.,;:]{0,30}\\byet|\\p{L}+n['’]t\\b[^.,;:]{0,30}\\byet|(?:has|have|is|are) yet to",
    `still (?:needs?|fails?|failing|missing|lacks?|open|pending|broken|blocked|stale|outstanding|wip|(?:a |in )?draft|red|not|wrong|to (?:be|do)|has to|have to|must|throws?|crash(?:es|ing)|hangs?|${undone})`,
    'still (?:\\p{L}+ ){0,3}(?:behind|missing|pending|failing|broken)',
    `(?:remains?|stays?) (?:open|to be|broken|failing|red|missing|blocked|a (?:problem|blocker|gap)|${undone})`,
    `(?:remaining|outstanding|unfinished) (?:\\p{L}+[ /]){0,2}?(?:${openNouns})(?:/\\p{L}+)?(?=:| (?:is|are)\\b)`,
    `(?:is|are|left) (?:${undone})`,
    `(?:has|have|is|are)(?: not|n['’]t) (?:been )?(?:${doings})`,
    `(?:did|have|has)(?: not|n['’]t) (?:run|tested?|verif(?:y|ied)|commit(?:ted)?|push(?:ed)?|implement(?:ed)?|updated?|touch(?:ed)?)`,
    'blocked (?:on|by|until)|left to (?:do|fix|write|wire|implement|test|check)',
    '(?:noch (?:immer )?(?:nicht|kein\\p{L}*|offen|ausstehend|unerledigt|zu (?:tun|erledigen))|steh(?:t|en) noch aus|fehl(?:t|en) noch|schl(?:ägt|agen) (?:immer )?noch fehl|ungelöst|ungetestet|unerledigt)',
    'pas encore|reste(?:nt)? (?:à|en suspens|ouvert)|il manque|toujours (?:en échec|cassée?s?|pas)|échoue(?:nt)? (?:encore|toujours)|en attente|non (?:résolu|testé|vérifié|terminé)e?s?',
    '(?:aún|todavía) (?:no|falta|falla|fallan|queda|está pendiente)|(?:falta|faltan|queda|quedan) (?:por|pendientes?|\\p{L}+r)|pendientes? de|sin (?:resolver|terminar|probar|verificar)|sigue(?:n)? (?:fallando|rot[oa]s?|sin|pendientes?)',
  ],
  [
    '(?:还|尚|仍)(?:没|未|无法|不能|在失败|失败|需|缺|存在)|未(?:完成|解决|处理|提交|推送|测试|验证|实现|合并|覆盖)|(?:有|是)?待(?:办|处理|完成|确认|修复|测试|实现|验证|补)|剩(?:下|余)的?.{0,12}(?:未(?:完成|处理|解决|做|测|验证|实现)|没(?:做|处理|完成|测|改)|待|需要)',
    '(?:まだ|未だ).{0,30}(?:ない|ません|おらず|いず|未)|未(?:完了|対応|着手|実装|解決|確認|コミット|テスト|検証|作成|マージ|プッシュ|修正)|残ってい(?:る(?:のは|作業|タスク|課題|問題)|ます)|残りは.{0,20}(?:未|まだ|これから)|残りの(?:作業|タスク|課題)は|失敗したまま|エラーのまま',
    '아직.{0,40}(?:않|못|안 |없|미)|남아 ?있(?:습니다|어요|음|다)|미(?:완료|해결|구현|확인|반영|적용|커밋|작성|검증)|여전히.{0,30}(?:실패|오류|안 |않|못)',
  ],
);

/** What work has to be fit for. */
export const gateWords: RegExp =
  /merg|releas|hand-?off|\bPRs?\b|pull request|deploy|\bship|\bready\b|publish|review|production|\blaunch|go[- ]live|Freigabe|Auslieferung|Veröffentlichung|livraison|mise en (?:production|ligne)|fusion|publicación|despliegue|entrega|合并|发布|上线|部署|マージ|リリース|デプロイ|本番|レビュー|公開|병합|머지|릴리스|배포|리뷰|출시/iu;

/** It has to happen before something else may. */
export const dutyWords: RegExp = words(
  [
    "(?:must|needs? to|has to|have to)\\b.{0,80}\\b(?:before|prior to|until)|required before|(?:not|n['’]t)\\b.{0,60}\\bbefore",
    '(?:muss|müssen)\\b.{0,60}\\b(?:bevor|vor dem|vor der|vorher)',
    '(?:doit|doivent|il faut)\\b.{0,60}\\bavant',
    '(?:debe|deben|hay que|tiene que)\\b.{0,60}\\bantes',
  ],
  [
    '(?:之前|前)(?:必须|还?需要|得|要)|必须.{0,30}(?:之前|才能)',
    '(?:前に|までに).{0,40}(?:必要|なければ|べき)',
    '전에.{0,40}(?:해야|필요)|까지.{0,30}해야',
  ],
);

/** Said of nothing at all. */
export const nothingOutstanding: RegExp = words(
  [
    "nothing (?:is |else |remains|left|yet)|not? (?:done|changed|touched) anything|n['’]t (?:done|changed|touched) anything|no (?:remaining|outstanding|pending|open|unresolved|unfinished)",
    'nichts mehr|noch nichts|keine offenen',
    'plus rien|encore rien|rien encore|aucun',
    'nada (?:más|pendiente|aún|todavía)|(?:aún|todavía) no .{0,12}nada|ningún',
  ],
  [
    '没有(?:剩余|未完成|待)|还没有?(?:做|动|改)?任何',
    'まだ何も|残り(?:は)?(?:なし|ありません)|未\\p{L}{1,6}(?:は|が)(?:なし|ありません|ない)',
    '아직 아무|(?:남은|미\\p{L}{1,6}) .{0,20}없',
  ],
);

/** In the clause before it: under a condition, for a reason, or no more. */
export const conditionBefore: RegExp =
  /(?:(?<!\p{L})(?:if|unless|whether|when(?:ever)?|because|since|wenn|falls|ob|weil|si|quand|parce|cuando|porque)(?!\p{L})[^,;:.]*|(?<!\p{L})(?:was|were|had been|war|waren|était|étaient|estaba|estaban)(?: \p{L}+)? |(?:如果|若|因为)[^，。；]*)$/iu;

/** In the clause behind it, where the verb stands last. */
export const conditionBehind: RegExp = /場合|たら|なら|でした|かった|면(?=[ ,.]|$)|었(?:다|습)|았(?:다|습)/u;

/** By these an agent puts something else before what it has just announced: at the opening of the next sentence. */
export const firstWords: RegExp =
  /^(?:(?:(?:but|however|aber|mais|pero)[,\s]+)?(?:first|before (?:that|this)|zuerst|zunächst|vorher|davor|d['’]abord|avant (?:cela|ça)|primero|antes(?: de eso)?)(?!\p{L})|(?:但|不过)?(?:首先|先|在此之前|在这之前)|(?:ただし|でも)?、?(?:その前に|まず|先に)|(?:하지만|그런데|다만)?\s?(?:먼저|우선|그 ?전에))/iu;

/** Something is not there yet: it tells how things are, not what somebody left. */
export const absenceWords: RegExp = words(
  [
    "(?:do|does)(?: not|n['’]t) (?:(?:yet|even) )?(?:have|exist)|there(?: is| are|['’]s) (?:no|not)\\b[^.,;:]{0,30}\\byet",
    '(?:gibt es|existier(?:t|en)) (?:\\p{L}+ ){0,3}?noch (?:nicht|kein\\p{L}*)|ha(?:be|ben|t)(?: \\p{L}+)? noch kein\\p{L}* [\\p{L}\\d_.`-]+(?=[.,;:]|$)',
    "n[’']existe(?:nt)? pas encore|n[’'](?:avons|ai|a) pas encore (?:de|d[’'])|n[’']y a pas encore",
    '(?:aún|todavía) no (?:existen?|hay|tenemos|tiene|tengo)',
  ],
  [
    '(?:还|尚)(?:不存在|没有(?=(?:\\s*[`\\w]|任何)))',
    'まだ.{0,20}(?:存在し(?:ない|ません|ていない|ていません)|ありません|持ってい(?:ない|ません)|(?<![\\p{L}])ない)',
    '아직.{0,30}(?:존재하지|없(?:다|습|어|음))',
  ],
);

/** So far; what was left undone for good is said without it. */
export const soFarWords: RegExp = words(
  ['yet|still|so far|noch|bislang|encore|toujours|aún|todavía'],
  ['还|尚|仍|まだ|未|아직|여전히'],
);

/** Above a list of what is left. */
export const leftHeadings: RegExp = words(
  [
    'remaining|outstanding|unfinished|incomplete|deferred|still (?:to do|open|missing|failing|needed)|to-?dos?|left to do|not (?:yet )?(?:done|covered|implemented|tested|started)|pending|open (?:issues|items|questions|points|tasks)|blockers?',
    'noch (?:offen|zu tun)|offene (?:punkte|aufgaben|fragen)|ausstehend\\p{L}*|verbleibend\\p{L}*',
    'reste à faire|à faire|restante?s?|en suspens',
    'pendientes?|por hacer|restantes?',
  ],
  [
    '剩余|未完成|待办|待处理|遗留',
    '残(?:り|タスク|作業|課題)|未(?:完了|対応|実装|解決|着手)',
    '남은|미(?:완료|해결|구현)|할 ?일',
  ],
);

/** Above a list of what comes next. */
export const nextHeadings: RegExp = words(
  [
    "next(?: steps?| up)?|what(?:'s|’s)? next",
    'nächste schritte|als nächstes',
    'prochaines étapes|ensuite',
    'próximos pasos|siguientes? pasos?',
  ],
  ['下一步|接下来|后续', '次の?(?:ステップ|作業|手順)|今後', '다음 ?(?:단계|작업)'],
);

/** Said of what is done. */
export const settledWords: RegExp = words(
  [
    'done|fixed|resolved|pass(?:es|ed|ing)|works?|working|added|implemented|committed|pushed|merged|updated|complete[d]?|finished|succeeded|green|no longer|wired|created|migrated|removed|verified|closed|ready|deployed|released|installed|up[- ]to[- ]date',
    'erledigt|behoben|gelöst|fertig|bestanden|läuft|hinzugefügt|abgeschlossen|committet|gepusht|grün',
    'terminée?s?|corrigée?s?|résolue?s?|passent?|ajoutée?s?|fonctionnent?|faite?s?',
    'listo|hech[oa]s?|arreglad[oa]s?|resuelt[oa]s?|pasan?|añadid[oa]s?|funcionan?|terminad[oa]s?|completad[oa]s?',
  ],
  [
    '已(?:经)?(?:完成|修复|解决|提交|推送|添加|更新|通过|实现|合并)|(?:完成|修复|解决|通过|搞定)了',
    '完了|(?:修正|追加|対応|実装|解決|作成|更新|コミット|プッシュ)(?:し|され|済)|通りました|成功',
    '완료|(?:수정|추가|해결|구현|작성|커밋|푸시|반영|통과)(?:했|되었|됐|하였)|성공',
  ],
);

/** An entry of a plan, by its number. */
export const taskNumbers: RegExp =
  /(?:(?<!\p{L})(?:tasks?|to-?dos?|aufgaben?|tâches?|tareas?)\s|タスク\s?|任务\s?|작업\s?)#?(\d{1,3})(?![\d-])/giu;

/** Acts that leave a trace outside the words: what a sentence calls them, and what commands do. */
export const tracedActs: readonly { readonly said: RegExp; readonly command: RegExp }[] = [
  { said: /commit|提交|コミット|커밋/i, command: /\bcommit\b/ },
  { said: /push|推送|プッシュ|푸시/i, command: /\bpush\b/ },
  { said: /merge|合并|マージ|병합/i, command: /\bmerge\b/ },
  { said: /rebase|behind|update onto/i, command: /\b(?:rebase|merge|pull)\b/ },
  { said: /deploy|部署|デプロイ|배포/i, command: /\bdeploy\b/ },
  { said: /release|publish|发布|リリース|公開|릴리스|출시/i, command: /\b(?:release|publish)\b/ },
  { said: /install|安装|インストール|설치/i, command: /\binstall\b/ },
];

/** By these a person says that what was asked for has not come about. */
export const stillWrong: RegExp = words(
  [
    "(?:still|again)\\b.{0,40}?(?:not|\\p{L}+n['’]t|no|fail\\p{L}*|broken|wrong|same|errors?|missing|crash\\p{L}*|happen\\p{L}*|there)",
    "(?:does|did|is|do|are|was)(?:n['’]t| not) (?:work\\p{L}*|help\\p{L}*|fix\\p{L}*|change\\p{L}*|build\\p{L}*|compil\\p{L}*|start\\p{L}*|load\\p{L}*|show\\p{L}*)",
    'same (?:error|issue|problem|thing|result)s?|no (?:change|difference|luck|effect|improvement)|not (?:fixed|working|solved|resolved)',
    '(?:immer noch|noch immer) \\p{L}+|(?:geht|funktioniert|klappt) (?:immer noch )?nicht|gleiche[rn]? fehler|derselbe fehler',
    'toujours (?:pas|la même|le même|en erreur)|ne (?:marche|fonctionne) (?:toujours )?pas|(?:la )?même erreur',
    '(?:sigue|siguen) (?:sin|fallando|igual|dando)|(?:aún|todavía) no|no funciona|(?:el )?mismo error',
  ],
  [
    '还是(?:不|没|有|报|一样|失败)|仍然?(?:不|没|有|报)|没(?:用|效果|变化|修好|解决)|不(?:行|起作用|管用)|一样的(?:错|问题)|又(?:报错|失败|出现)',
    'まだ.{0,20}(?:ない|ません|エラー|出る|出ます|失敗|同じ)|変わ(?:らない|りません|ってない)|直ってい?(?:ない|ません)|動(?:かない|きません)|同じ(?:エラー|問題|結果)',
    '(?:아직도?|여전히).{0,20}(?:안 |않|못|오류|에러|실패|똑같|그대로)|안 ?(?:돼|됩|되(?:네|는|어))|똑같(?:은|아|이)|그대로(?:야|예요|입니다|네)',
  ],
);

/** The line above a list of what the speaker is about to do: a plan, or a duty of the speaker with nothing behind it. */
export const planLeads: RegExp =
  /\b(?:plan|approach|steps?|to-?dos?|changes? (?:needed|required|to make))\b[^.!?]*[:：]$|\b(?:i|we)(?:['’]ll| will| need to| have to| should| must|['’]m going to| am going to|['’]re going to)\b[^.!?]{0,60}[:：]$|\b(?:plan|vorgehen|schritte|ich (?:muss|werde|brauche)|wir (?:müssen|werden))\b[^.!?]*[:：]$|\b(?:plan|étapes|je (?:dois|vais)|il faut|nous (?:devons|allons))\b[^.!?]*[:：]$|\b(?:plan|pasos|tengo que|voy a|hay que|debo|vamos a)\b[^.!?]*[:：]$|(?:计划|方案|步骤|做法|需要(?:做|改|修改)|要做的?|接下来)[^。!?]*[:：]$|(?:計画|方針|手順|ステップ|やること|必要がある|対応|以下の(?:変更|修正|作業))[^。!?]*[:：]$|(?:계획|단계|순서|할 일|해야|필요|진행)[^.!?]*[:：]$/iu;
