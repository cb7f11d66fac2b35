/** Words by which a note says that some matter is being worked on, or that it is done: in nine languages. */

const start = '(?<![\\p{Script=Latin}\\p{Script=Cyrillic}\\d])';
const end = '(?![\\p{Script=Latin}\\p{Script=Cyrillic}\\d])';

const words = (narrow: readonly string[], wide: readonly string[], flags = 'iu'): RegExp =>
  new RegExp(`${start}(?:${narrow.join('|')})${end}|${wide.join('|')}`, flags);

/** It is under way. */
export const openMatter: RegExp = words(
  [
    "currently|right now|at the moment|in progress|under way|ongoing|in the middle of|half ?way(?: through)?|not (?:yet )?(?:done|finished|ready|solved|fixed)(?: yet)?|still (?:\\p{L}+ing|open|to do|broken|failing|unclear|unsolved)|(?:working|worked) on|continues? tomorrow|to be continued|today['’]?s (?:work|task|job)|wip|debugging|investigating|looking into|remains to|left to do|up next",
    'derzeit|gerade|momentan|aktuell|zurzeit|zur zeit|in arbeit|in bearbeitung|noch (?:nicht|offen|dran|dabei|am|immer)|arbeitet (?:gerade )?an|sitzt (?:gerade )?an|sucht noch|untersucht|morgen weiter|halb fertig|unfertig|mitten in',
    'en cours|pas encore|actuellement|en train de|travaille sur|reste à|à suivre|toujours pas',
    'en curso|actualmente|ahora mismo|todavía no|aún no|trabajando en|investigando|pendiente|a medias|sigue abiert[oa]',
    'em andamento|ainda não|trabalhando em|in corso|non ancora',
    'сейчас|в работе|пока не|ещё не|еще не|работа\\p{L}+ над|разбира\\p{L}+ с|в процессе|ищ\\p{L}+ причину|продолж\\p{L}+ завтра',
  ],
  [
    '途中|作業中|調査中|対応中|進行中|取り組んで(?:い|る)|取り組み中|まだ|続きは|未完|未解決|本日の作業|今日の作業|探している|着手',
    '正在|进行中|進行中|尚未|还没|還沒|未完成|待续|明天继续|排查中|处理中|调查中|在查',
    '진행 ?중|작업 ?중|조사 ?중|아직|내일 계속|하는 중|찾는 중|확인 ?중',
  ],
);

/** It is done. */
export const doneMatter: RegExp = words(
  [
    'done|finished|completed?|shipped|solved|resolved|fixed|closed|merged|landed|released|deployed|delivered|over with|no longer (?:open|an issue)|wrapped up|sorted(?: out)?',
    'fertig|erledigt|behoben|gelöst|abgeschlossen|geschlossen|zusammengeführt|ausgeliefert|beendet|beseitigt|eingespielt|repariert|abgehakt|geschafft',
    'terminée?s?|résolue?s?|corrigée?s?|fermée?s?|livrée?s?|fini(?:e|s|es)?|réglée?s?|fusionnée?s?',
    'terminad[oa]s?|resuelt[oa]s?|corregid[oa]s?|cerrad[oa]s?|hech[oa]s?|arreglad[oa]s?|completad[oa]s?|entregad[oa]s?|list[oa]',
    'concluíd[oa]s?|resolvid[oa]s?|corrigid[oa]s?|fechad[oa]s?|risolt[oaie]|complet[oaie]|finit[oaie]',
    'готов[оаы]?|исправлен[оаы]?|решен[оаы]?|решён|закрыт[оаы]?|завершен[оаы]?|завершён|сделан[оаы]?|влит[оаы]?|закончен[оаы]?',
  ],
  [
    '完了|解決(?:済|し)|対応済|修正済|(?:を|も)閉じた|終わった|終了した|直した|直った|修正を取り込|取り込んだ|マージした|マージ済|リリース(?:した|済)|済み',
    '已完成|已解决|已修复|已合并|已关闭|已上线|完成了|解决了|修复了|搞定|修好了|做完了|关闭了',
    '완료|해결(?:됨|됐|했|되|함)|수정(?:됨|됐|했|함|완)|끝났|끝냄|닫았|닫음|닫힘|병합(?:됨|됐|했)|고쳤|배포(?:됨|됐|했)',
  ],
);

/** Words of such a note that say nothing of what the matter is. */
export const matterFrame: RegExp = words(
  [
    "the|a|an|of|on|in|is|was|are|it|its|with|about|for|to|by|and|at|from|that|this|a matter of|yet|now|work|works|working|task|job|ticket|issue|bug|fix(?:es)?|fixed|pull request|pr|cause|reason|hunting|hunt|lines?|two|one|three|today['’]?s?|tomorrow|through|half|way|middle|still|not|currently|done|continue[sd]?|matter|problem|lines|topic",
    'der|die|das|dem|den|des|ein|eine[mnrs]?|am|an|im|in|mit|zu|zur|zum|von|für|auf|ist|sind|war|wurde|und|es|thema|themas|aufgabe|arbeit|ticket|fehler|problem|grund|ursache|folgende[mnrs]?|sitzt|sucht|noch|morgen|weiter|heute|offen|sache',
    'le|la|les|l|un|une|des|du|de|d|sur|est|et|avec|à|au|tâche|ticket|problème|cause|travail|encore',
    'el|los|las|unos|unas|del|en|con|es|está|y|por|tarea|trabajo|causa|hoy|mañana|incidencia|error',
    'и|в|на|над|с|со|по|за|задач\\p{L}*|тикет\\p{L}*|причин\\p{L}*|проблем\\p{L}*|ошибк\\p{L}*',
  ],
  [
    '現在|本日|今日|明日|作業|途中|調査中?|対応|取り組んでいる?|原因|まだ|探している?|続き|件|チケット|修正|完了|解決済?み?|閉じた|取り込んだ|に取り組|問題|課題|です|ます|した|して|いる|は|が|を|の|に|で|も|と|へ|から',
    '正在|目前|现在|问题|原因|任务|工单|已|了|的|在|中|把|还|排查|处理|调查|修复|解决|完成|合并|关闭',
    '현재|오늘|내일|아직|원인|작업|티켓|문제|이슈|중|계속',
  ],
  'giu',
);
