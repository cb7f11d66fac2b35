/** How programs and people say that something failed or worked. */

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
    ...['nicht gefunden', 'introuvable', 'no encontrad[oa]', 'não encontrad[oa]', 'non trovat[oa]', 'не найден[ао]?'],
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
