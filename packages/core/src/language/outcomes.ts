/** How something ended, or stands: it failed, it worked, it is done, under way, planned. */

/** Words of a line that tells of a failure. */
export const errorWords: RegExp =
  /(?:error|exception)\b|\b(?:errors|fail(?:s|ed|ure|ing)?|fatal|panic|traceback|denied|refused|cannot|could not|can't|unable|invalid|unexpected|undefined|missing|not found|timed? ?out|aborted|crash(?:ed)?|conflict)\b/i;

/** The same in Chinese, Japanese and Korean. */
export const wideErrorWords: RegExp =
  /错误|失败|异常|无法|拒绝|超时|エラー|失敗|例外|できません|오류|실패|예외|거부|할 수 없/;

/** Openings of the message of a failure. */
export const errorOpenings: RegExp =
  /^\W*(?:\w*(?:Error|Exception)|error|err!|fatal|panic|exception|fail(?:ed|ure)?|traceback|caused by|warning: unhandled|错误|失败|异常|エラー|失敗|例外|오류|실패|예외)[^=(){};]{0,40}(?:[:：!\]]|\d|$)/i;

/** What the code that a command ended with is called, right before it. */
export const exitCodeNames: RegExp =
  /(?:exit(?:ed)?(?: (?:code|status|with(?: code)?))?|退出(?:代码|码|状态)|終了(?:コード|ステータス)|종료 ?(?:코드|상태))(?:\s*(?:was|is|of|=|:|：|为|是|は|が|는|은))?\s*[`*]*$/i;

/** Words of a call that worked. */
export const workedWords: RegExp =
  /\b(?:success(?:ful|fully)?|updated|created|written|wrote|applied|saved|replaced|edited|completed?|finished|sent|done|ok)\b/i;

/** Most sentences that begin with a participle say what was done: "Clicked", "Navigated to", "Deleted". */
export const participleOpenings: RegExp =
  /^(?!Fail|Tim|Abort|Block|Cancel|Crash|Deni|Expect|Interrupt|Ne|Refus|Reject|Un)[A-Z][a-z]+ed\b/;

/** How hosts and tools open when nothing was done. */
export const refusedOpenings: RegExp =
  /^(?:The user (?:doesn't|does not) want to|(?:The )?(?:user|operation|request|permission|action|command|tool (?:call|use))\b.{0,60}\b(?:rejected|denied|cancell?ed|declined|blocked)\b|Blocked by\b|\[?Request interrupted|(?:Path|File|Directory) (?:does not exist|not found)|(?:Path|File|Directory|Permission)\b.{0,200}\b(?:not found|denied)\W*$|No (?:match|changes?) (?:found|made)|No \w+ was\b|old_?(?:string|str|text) (?:was )?not found|String to replace not found|Unknown tool|Request failed\b|HTTP(?:\/[\d.]+)? (?:error )?[45]\d\d|File content \(.{0,40}\) exceeds|Tool .{0,80} not found|Aborted|E[A-Z]{3,14}: |(?:net::)?ERR_[A-Z]|(?:[\w-]+ ){0,3}error(?: -?\d+)?: )/i;

/** Words of a call that failed. */
export const denialWords: RegExp =
  /\b(?:not|no such|cannot|can't|couldn't|doesn't|didn't|isn't|wasn't|unable|unknown|invalid|fail(?:s|ed|ure)?|error|exception|denied|rejected|refused|blocked|cancell?ed|aborted|interrupted|crashed|timed? ?out|exceed(?:s|ed)|already exists)\b/i;

/** Words of a call that worked, outside English: in the midst of a sentence or without spaces. */
export const workedAbroad: RegExp =
  /成功|erfolgreich|avec succès|correctamente|con éxito|com sucesso|успешно|しました|했습니다|되었습니다/i;

/** Words of a call that failed, outside English. */
export const deniedAbroad: RegExp =
  /失败|失敗|실패|不存在|找不到|見つかりません|存在しません|찾을 수 없|нельзя|не удалось|konnte nicht/i;

/** A search that found nothing has worked. */
export const foundNoneWords: RegExp =
  /\b(?:no|0|without|none)\b.{0,80}\b(?:found|match\w*|results?|hits?|entries|documents?|available)\b/i;

/** What an error is called before a colon, in the languages that compilers and version control speak. */
export const errorNames: string =
  'error|fatal|Fehler|Schwerwiegend|Fatal|erreur|errore|erro|ошибка|błąd|hata|fout|错误|錯誤|エラー|오류|에러';

/** What a test is called that did not work, outside English: words that stand in no prose. */
export const failedAbroad: string =
  'fehlgeschlagen|Fehler|échou\\S*|échecs?|erreurs?|fallid[oa]s?|fallos?|falhas?|falharam|fallit[ie]|失敗|失败|실패|провал\\S*|ошиб\\S*|упал\\S*';

/** How a file that is missing or closed is reported, in the languages shells speak. */
export const shellRefusals: RegExp = new RegExp(
  [
    'No such file or directory',
    'Permission denied',
    'Operation not permitted',
    'Is a directory$',
    'Datei oder Verzeichnis nicht gefunden',
    'Aucun fichier ou dossier de ce (?:type|nom)',
    'No existe el (?:fichero|archivo) o el directorio',
    'Arquivo ou diret[oó]rio inexistente',
    'File o directory non esistente',
    'Нет такого файла или каталога',
    'Отказано в доступе',
    '没有那个文件或目录',
    '沒有此一檔案或目錄',
    '权限不够',
    '未找到命令',
    'そのようなファイルやディレクトリはありません',
    '許可がありません',
    'コマンドが見つかりません',
    '그런 파일이나 디렉(?:터|토)리가 없습니다',
    '명령어를 찾을 수 없음',
    'nicht gefunden',
    'introuvable',
    'no encontrad[oa]',
    'não encontrad[oa]',
    'non trovat[oa]',
    'не найден[ао]?',
  ].join('|'),
);

/** Some piece of every line that one of the patterns above matches: most lines have none and are done with one look. */
export const failureHints: RegExp = new RegExp(
  [
    'fail|err|panic|fatal|traceback|exception|severe|critical|unhandled|uncaught|segmentation|core dumped|killed',
    'not ok|not found|not recognized|timed? ?out|\\*\\*\\*|build stopped|no such|denied|not permitted|is a directory',
    "unable|could not|cannot|can't|invalid|gefunden|fehl|aucun|échou|no existe|no se pudo|inexistente|não foi|esistente",
    'нет |отказано|ошибка|не удалось|błąd|hata|fout|没有|沒有|权限|未找到|错误|錯誤|失败|失敗|エラー|ありません|許可|見つかりません',
    '없습니다|없음|오류|에러|실패|[✗✘✖×❌]|sh: |aborted|terminated|conflict|schwerwiegend|erro|introuvable|encontrad|trovato',
    'не найден|échec|fall[oi]|falh|провал|упал|reformatted|code style',
  ].join('|'),
  'i',
);

/** Ends of sentences that say that something failed, outside English. */
export const failedSentences: RegExp =
  /(?:fehlgeschlagen|échoué|失敗しました|失败了?[。:：!！]?$|失敗[。:：!！]?$|실패(?:했습니다|하였습니다)?[.:!]?$|не удалось|no se pudo|não foi possível)/i;

/** Words of an attempt. */
export const tryingWords: RegExp =
  /(?<!\p{L})(?:tri(?:ed|es|al)|attempt\w*|ran|run|re-?ran|executed|checked|looked|read|found|identified|diagnosed|investigat\w+|reproduc\w+|confirmed|verified|compared|discussed|analy[sz]\w+|explor\w+|search\w*|review\w*|discovered|learned|noted|asked|explained|reported|started|began|stopp\w+|abort\w*|block\w*|fail\w*|error\w*|crash\w*|broke\w*|red|partial\w*|half|versuch\w*|geprüft|untersucht|gefunden|gelesen|ausgeführt|gestartet|scheiter\w*|fehl\w*|abgebrochen|blockiert|essay\w*|tent\w+|vérifi\w*|trouvé\w*|lu|échou\w*|erreur\w*|bloqué\w*|intent\w+|prob\w+|revis\w+|encontr\w+|leíd\w+|fall\w+|bloquead\w*)(?!\p{L})|尝试|试|检查|查看|发现|定位|分析|失败|错误|阻塞|中断|試|確認|調査|発見|失敗|エラー|中断|시도|확인|조사|발견|실패|오류|에러|중단/iu;

/** Words for what is as it was. */
export const stuckWords: RegExp =
  /(?<!\p{L})(?:still (?:red|broken|fail\w*|open|behind|pending|missing|there|down|stuck|unfixed)|remains?|un(?:touched|changed|finished|available|done)|stuck|refuse[sd]?|reject\w*|den(?:y|ied)|abort\w*|klemmt|hakt|weiterhin|immer noch|abgelehnt|abgebrochen|refus\p{L}*|rejet\p{L}*|arrêt\p{L}*|toujours (?:en panne|cassé\p{L}*|rouge)|sigue|interrump\p{L}*|rechaz\p{L}*|se detuvo)(?!\p{L})|被拒|拒绝|仍然|还是|拒否|止まり|止められ|そのまま|거절|거부|막혔|남아|멈췄|중단|필요합니다|필요해/iu;

/** Openings of a line that tells of work to come. */
export const planOpenings: RegExp =
  /^(?:\*\*|__)?(?:\[ \]|⏳|☐|⬜|todo\b|to-?do\b|next(?: steps?| up| action)?\s?[:：]|remaining\s?[:：]|pending\s?[:：]|still (?:to do|open|needed|pending)|left to do|open\s?[:：]|plan\s?[:：]|follow-?up\s?[:：]|待办|下一步|接下来|剩余|后续|尚需|还需|仍需|次に|次は|今後|これから|残り|残タスク|다음(?:은|으로|에는|\s?[:：])|남은|앞으로|추후|이후|als nächstes|nächster schritt|noch zu|ensuite|prochaine étape|a continuación|siguiente)/iu;

/** A verb in the imperative; those that are also common nouns need something to act on. */
export const planOrders: RegExp =
  /^(?:then |also |and |next,? |finally,? |now |please |first,? )?(?:(?:re-?run|run|verify|ensure|confirm|make sure|commit|push|add|remove|delete|implement|write|create|investigate|continue|proceed|finish|complete|update|fix|refactor|rename|deploy|publish|install|check|review|consider|decide|wait|ask|re-?test|merge|rebase|resolve|clean up|set up|follow up|monitor|document|migrate|replace|extend|handle|move|apply|open|close|address|inspect|prepare|rebuild|restart|revisit|try|validate|integrate|build|generate|enable|disable|wire|hook)(?! \d+\s?[:.])(?= (?:the|a|an|all|any|that|if|whether|it|them|this|these|those|for|with|on|in|up|to|new|out|our|remaining|more|and|pending|missing|\p{L}+s\b(?![-:])(?! (?:were|was|are|is|have|has|had|now|pass|passed|fail|failed)\b)|[\ufffc\ufffb\d#])))/iu;

/** Words of a wish or a plan. */
export const planWishes: RegExp =
  /\b(?:needs? to|need(?:s|ed)? (?:fixing|testing|work|review|verification)|has to|have to|must|should|will|(?:plan|goal|idea) is to|going to|planning to|plans? to|to be (?:done|fixed|added|tested|verified|decided|implemented)|yet to|still to|remains? to|intends? to|want(?:s)? to|would like to|about to|after that|next step(?:s)? (?:is|are|will)|pending|in progress|not yet started)\b|需要|应该|应当|必须|将会|即将|计划|打算|准备|待(?:修复|完成|删除|提交|推送|测试|验证|确认|处理|实现)|尚待|有待|稍后|之后再|接下来|下一步|必要(?:が|は)|予定|つもり|べき|これから|後で|今後|次に|해야|예정|필요|계획|하려고|나중에|앞으로|(?<!\p{L})(?:muss|müssen|soll|sollen|sollte|doit|doivent|devrait|debe|deben|hay que)(?!\p{L})/iu;

/** An entry of a plan that is done. */
export const doneEntries: RegExp =
  /(?<![\p{L}-])(?:done|completed?|finished|implemented|closed|ticked off)(?![\p{L}-])|[✅☑✔✓]|\[[xX]\]|完成|做完|完了|済み|終わった|終了|완료|끝났|끝남|마침|마쳤/iu;

/** An entry of a plan that is open. */
export const openEntries: RegExp =
  /(?<!\p{L})(?:not (?:yet )?(?:\p{L}+ ){0,2}(?:done|completed?|finished|started|begun|implemented)|(?:has|have|had|was|is|were|are)(?: not|n['’]t) (?:yet )?(?:been )?\p{L}+|undone|to[- ]?do|pending|open|unfinished|incomplete|not started|outstanding|remaining|still (?:open|to be done|to do|left))(?!\p{L})|\[ \]|[☐⬜⏳]|未完成|没有?(?:完成|做|开始)|还没|尚未|待办|待处理|待完成|未开始|没做|未完了|未着手|まだ|していない|終わっていない|これから|미완료|완료되지|않았|않음|아직|대기|예정|할 ?일|시작되지|끝나지|못했/iu;

/** An entry of a plan that somebody is at. */
export const activeEntries: RegExp =
  /(?<!\p{L})(?:under way|ongoing|started|working on|wip|in arbeit|en cours|en curso)(?!\p{L})|[🔄⏳]|進行中|対応中|作業中|実施中|进行中|处理中|進行|正在|진행|작업 ?중/iu;

/** A failure that nothing has solved. */
export const openFailures: RegExp =
  /(?<!\p{L})(?:(?:still )?not (?:yet )?(?:been )?(?:fixed|resolved|solved|repaired)|(?:was|is|has)n['’]t (?:been )?(?:fixed|resolved|solved)|still (?:open|there|failing|broken|unresolved|unfixed)|unresolved|unfixed|unsolved|never (?:been )?(?:fixed|resolved)|remains? (?:open|unresolved|unfixed)|persists)(?!\p{L})|未修复|没有?修复|尚未修复|未解决|没有?解决|依然存在|仍然?存在|未修正|未解決|修正されていない|解決していない|直っていない|残っている|미해결|미수정|해결되지|수정되지|고쳐지지|남아 ?있/iu;

/** Under way: it may count as either. */
export const activeWords: RegExp =
  /(?<!\p{L})(?:in progress|under way|ongoing|active|started|partly|partially|being)(?!\p{L})|进行中|正在|部分|進行中|作業中|一部|진행 ?중|일부/iu;

/** Words for a good end. */
export const successWords: RegExp =
  /\b(?:success\w*|cleanly|without (?:an? |any )?(?:errors?|problems?|issues?|failures?)|fine|no errors?)\b|成功|顺利|正常|没有(?:出错|报错|错误)|無事|エラーなく|問題なく|성공|무사히|오류 없이|문제없이|문제 없이/i;

/** Words for a later time: the line tells how it ended, not how it went where it names a message. */
export const laterWords: RegExp =
  /\b(?:later|now|eventually|finally|afterwards?|since|then|subsequently|in the end|meanwhile|again|after)\b|后来|最终|最后|现在|之后|随后|目前|如今|后|後に|その後|最終的|現在|今は|のち|以降|나중|이후|이제|지금|결국|현재|뒤/i;

/** Before the name of a file: it happened inside it. */
export const inFileWords: RegExp =
  /(?<!\p{L})(?:in|from|of|within|inside|aus|von|dans|de|en|del)\s+(?:the |der |dem |la |le )?[`"']?$/iu;

/** A row that says that a call went well. */
export const goodOutcomes: RegExp =
  /^(?:ok(?:ay)?|done|success(?:ful(?:ly)?)?|succeeded|passed|worked)(?!\p{L})|^[✅☑✔✓]/iu;

/** A row that says that a call failed. */
export const badOutcomes: RegExp =
  /^(?:fail(?:s|ed|ure)?|error(?:ed)?|not ok|denied|rejected|aborted|timed out)(?!\p{L})|^[❌✗✘]/iu;
