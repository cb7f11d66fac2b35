/** How a model says that it has saved, noted or memorised something, or will remember it: one entry a language. */
import { lazily } from '../shared/lazily.ts';

export interface SavingWords {
  /** First person and the perfect of saving, noting, memorising; or only the participle, at the opening of a sentence. */
  readonly done: RegExp;
  /** The same of adding and updating, which counts only where the sentence names the memory. */
  readonly changed: RegExp;
  /** A promise to remember. */
  readonly promised: RegExp;
  /** What is remembered, and where. */
  readonly memory: RegExp;
  /** Where else something may be saved: files, branches, drafts. */
  readonly elsewhere: RegExp;
  /** Not done: denied, offered, asked, or only possible. */
  readonly denied: RegExp;
}

const word = (source: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}_])(?:${source})(?![\\p{L}\\p{N}_])`, 'iu');
const sign = (source: string): RegExp => new RegExp(source, 'iu');
/** At the opening of a sentence, behind courtesies of one or two words. */
const opening = (source: string): string =>
  `(?<=^[^\\p{L}\\p{N}]*(?:[\\p{L}’']+(?: [\\p{L}’']+)?[,!:–—-]+\\s*){0,2})(?:${source})`;

const english = (): SavingWords => ({
  done: word(
    `(?:i|we)(?:['’]ve| have)?(?: just| now| already| also| duly)* (?:saved|stored|noted|recorded|remembered|memori[sz]ed|committed (?:it|this|that) to memory|kept (?:it|this|that) in mind|made (?:a|myself a) (?:mental )?note|written (?:it|this|that) down|taken note|made sure to remember|wrote (?:it|this|that) down)|${opening('saved|noted|stored|remembered|memori[sz]ed|recorded|duly noted')}|(?:it|this|that|your \\p{L}+)(?:['’]s| is| has been| was)(?: now| been)* (?:saved|noted|stored|remembered|recorded|memori[sz]ed)`,
  ),
  changed: word(
    `(?:i|we)(?:['’]ve| have)?(?: just| now| already| also)* (?:added|updated|put|written|logged|filed)|${opening('added|updated|logged')}`,
  ),
  promised: word(
    `(?:i|we)(?:['’]ll| will| shall)(?: definitely| always| certainly| be sure to| make sure to)* (?:remember|keep (?:it|this|that|\\p{L}+) in mind|bear (?:it|this|that) in mind|not forget|memori[sz]e)`,
  ),
  memory: word(
    `memory|memories|memory\\.md|user\\.md|profile|preferences?|for (?:next time|the future|future (?:sessions|conversations|reference)|later sessions)|long-term`,
  ),
  elsewhere: word(
    `files?|document|disk|branch|commit|draft|report|screenshot|database|changes|output|results?|todo|backlog|ticket|issue|changelog|readme|spreadsheet|folder|directory|log`,
  ),
  denied: word(
    `not|never|no longer|nothing|cannot|couldn['’]t|can['’]t|didn['’]t|haven['’]t|hasn['’]t|wasn['’]t|isn['’]t|won['’]t|unable|failed|if|unless|once|after|would|could|should|shall i|want me to|as soon as|before`,
  ),
});

const german = (): SavingWords => ({
  done: word(
    `(?:habe?|haben|hab['’]s?)(?: ich| wir)?(?: \\p{L}+){0,6} (?:gespeichert|notiert|gemerkt|vermerkt|aufgeschrieben|festgehalten|abgelegt|eingeprägt)|${opening('gespeichert|notiert|gemerkt|vermerkt|ist (?:gespeichert|notiert|vermerkt)')}|(?:ist|wurde|sind)(?: \\p{L}+){0,4} (?:gespeichert|notiert|vermerkt|gemerkt)`,
  ),
  changed: word(
    `(?:habe?|haben)(?: ich| wir)?(?: \\p{L}+){0,6} (?:hinzugefügt|aktualisiert|aufgenommen|eingetragen|ergänzt)`,
  ),
  promised: word(
    `(?:ich|wir)(?: werde| werden)?(?: \\p{L}+){0,4} (?:merken|im Hinterkopf behalten|daran denken|nicht vergessen)|(?:merke|merk) (?:ich|es|das)(?: mir)?|ich (?:merke|merk)(?:['’]s)? mir`,
  ),
  memory: word(
    `gedächtnis|erinnerung(?:en)?|memory\\.md|user\\.md|profil|vorlieben?|für (?:später|das nächste Mal|künftige \\p{L}+|die Zukunft)`,
  ),
  elsewhere: word(
    `datei(?:en)?|dokument|festplatte|branch|commit|entwurf|bericht|datenbank|änderungen|ausgabe|ergebnisse?|ticket|ordner|verzeichnis|protokoll`,
  ),
  denied: word(
    `nicht|nie|kein\\p{L}*|nichts|kann|konnte|könnte|wenn|falls|sobald|soll|sollte|würde|möchtest|fehlgeschlagen`,
  ),
});

const french = (): SavingWords => ({
  done: word(
    `(?:j['’]ai|nous avons|c['’]est|est|a été)(?: bien| déjà| aussi)*(?: \\p{L}+)? ?(?:enregistrée?|notée?|mémorisée?|sauvegardée?|retenue?|gardée? en mémoire|pris (?:bonne )?note)|je l['’]ai(?: bien| déjà)* (?:enregistrée?|notée?|mémorisée?|sauvegardée?|retenue?)|${opening("(?:bien )?(?:enregistrée?|notée?|mémorisée?|sauvegardée?)|c['’]est (?:bien )?(?:notée?|enregistrée?)")}`,
  ),
  changed: word(`(?:j['’]ai|nous avons)(?: bien| déjà)* (?:ajoutée?|mise? à jour|inscrite?|écrite?)`),
  promised: word(
    `je (?:m['’]en souviendrai|(?:le |la |les )?retiendrai|(?:le |la )?garderai (?:cela |ça )?(?:en tête|à l['’]esprit)|n['’]oublierai pas|(?:le )?mémoriserai)`,
  ),
  memory: word(
    `mémoire|souvenirs?|memory\\.md|user\\.md|profil|préférences?|pour (?:la prochaine fois|plus tard|l['’]avenir)`,
  ),
  elsewhere: word(
    `fichiers?|document|disque|branche|commit|brouillon|rapport|base de données|modifications|résultats?|sortie|ticket|dossier|journal`,
  ),
  denied: word(`(?<!n['’]oublierai )pas|jamais|rien|impossible|si|pourrais|peux|voulez|veux|devrais|dois|échoué`),
});

const spanish = (): SavingWords => ({
  done: word(
    `(?:(?:lo|la|los|las|te lo|me lo) )?(?:he|hemos)(?: ya)? (?:guardado|anotado|registrado|memorizado|apuntado|tomado nota|almacenado)|(?:lo|la|los|las) (?:guardé|anoté|registré|memoricé|apunté)|(?:guardé|anoté|memoricé|apunté|registré)|(?:ha|han) (?:sido|quedado) (?:guardad|anotad|registrad)[oa]s?|(?:queda|está)(?: ya)? (?:guardad|anotad|registrad)[oa]|${opening('(?:guardad|anotad|apuntad|registrad|memorizad)[oa]|tomo nota|tomado nota')}`,
  ),
  changed: word(
    `(?:lo |la )?(?:he|hemos)(?: ya)? (?:añadido|agregado|actualizado|incluido)|(?:lo |la )?(?:añadí|agregué|actualicé)`,
  ),
  promised: word(`(?:lo |la |me )?(?:recordaré|tendré en cuenta|acordaré|(?:no )?olvidaré|memorizaré)`),
  memory: word(
    `memoria|recuerdos?|memory\\.md|user\\.md|perfil|preferencias?|para (?:la próxima(?: vez)?|más adelante|el futuro)`,
  ),
  elsewhere: word(
    `archivos?|ficheros?|documento|disco|rama|commit|borrador|informe|base de datos|cambios|resultados?|salida|ticket|carpeta|registro de cambios`,
  ),
  denied: word(`no(?! (?:lo )?olvidaré)|nunca|nada|si|podría|puedo|quieres|debería|imposible|falló`),
});

const russian = (): SavingWords => ({
  done: word(
    `(?:я |мы )?(?:уже |это |всё )*(?:сохранил[аи]?|запомнил[аи]?|записал[аи]?|отметил[аи]?|зафиксировал[аи]?|занёс|занес(?:ла)?)|(?:это |всё |уже )*(?:сохранен[оаы]|сохранён|записан[оаы]?|запомнен[оа]|отмечен[оа])`,
  ),
  changed: word(`(?:я |мы )?(?:уже |это )*(?:добавил[аи]?|обновил[аи]?|внёс|внес(?:ла)?)`),
  promised: word(`(?:я )?(?:буду (?:это )?помнить|запомню|учту|не забуду|буду иметь в виду)`),
  memory: word(`памят[ьи]|memory\\.md|user\\.md|профил[ьея]|предпочтени[еяй]|на будущее|в следующий раз`),
  elsewhere: word(
    `файл\\p{L}*|документ\\p{L}*|диск\\p{L}*|ветк\\p{L}*|коммит\\p{L}*|черновик\\p{L}*|отчёт\\p{L}*|отчет\\p{L}*|баз\\p{L} данных|изменени\\p{L}*|результат\\p{L}*|тикет\\p{L}*|папк\\p{L}*|журнал\\p{L}*`,
  ),
  denied: word(`не(?! забуду)|ни|нельзя|могу|мог бы|если|хотите|хочешь|нужно ли|следует ли|удалось`),
});

const chinese = (): SavingWords => ({
  done: sign(
    '(?:我)?(?:已经?|都)(?:经)?(?:帮你|为您|为你|替你|把[^。！？]{1,20})?(?:保存|记住|记下|记录|存储|存入|存好|记好)|(?:我)?(?:帮你|替你|为您|为你)?(?:记住|记下|保存|记好|存好)了|我?記(?:住|下)了|已(?:儲存|記錄|記住)',
  ),
  changed: sign('(?:已经?|我)(?:把[^。！？]{1,20})?(?:添加|加入|更新|写入|写进)'),
  promised: sign('我(?:会|將|将)(?:一直|永远|牢牢)?(?:记住|記住|记得|記得|牢记|不会忘)'),
  memory: sign('记忆|記憶|memory\\.md|user\\.md|档案|偏好|以后|下次|长期'),
  elsewhere: sign('文件|文档|磁盘|分支|提交|草稿|报告|数据库|更改|修改|结果|输出|工单|目录|日志'),
  denied: sign('没有|没能|未能|未(?=保存|记)|无法|不能|不会(?!忘)|如果|要不要|是否|需要我|可以帮|吗'),
});

const japanese = (): SavingWords => ({
  done: sign(
    '(?:保存|記録|記憶|メモ|登録|記載)(?:を?(?:し|いたし|致し)(?:ました|ておきました|てあります|た(?=[。！]|$))|済み)|(?:覚え|書き留め|控え)(?:ました|ておきました)|(?:メモ|控え)を?(?:取り|とり)ました',
  ),
  changed: sign('(?:追加|更新|反映)(?:を?(?:し|いたし|致し)(?:ました|ておきました))'),
  promised: sign('(?:覚えて(?:おき|い)ます|覚えておく|忘れません|記憶し(?:ます|ておきます)|心に留めて(?:おき)?ます)'),
  memory: sign('メモリ|記憶|memory\\.md|user\\.md|プロフィール|好み|設定|今後|次回|これから'),
  elsewhere: sign(
    'ファイル|文書|ディスク|ブランチ|コミット|下書き|レポート|データベース|変更|結果|出力|チケット|フォルダ|ログ',
  ),
  denied: sign(
    'ませんでした|できません|(?<!忘れ)ません(?=[。！]|$)|ていません|しましょうか|しますか|ましょうか|場合|できれば|失敗',
  ),
});

const korean = (): SavingWords => ({
  done: sign(
    '(?:저장|기록|메모|기억|등록)(?:을|를)?\\s?(?:했|하였|해\\s?(?:두었|뒀|놓았|놨)|되었|됐)(?:습니다|어요|다|네요)?|(?:적어|기억해|저장해|메모해)\\s?(?:두었|뒀|놓았|놨)(?:습니다|어요|다)?',
  ),
  changed: sign('(?:추가|업데이트|반영)(?:을|를)?\\s?(?:했|하였|해\\s?(?:두었|뒀))(?:습니다|어요|다)?'),
  promised: sign(
    '기억(?:하겠|할게|해\\s?둘게|해\\s?두겠)(?:습니다|요)?|잊지\\s?않(?:겠|을게)(?:습니다|요)?|명심하겠습니다',
  ),
  memory: sign('메모리|기억|memory\\.md|user\\.md|프로필|선호|앞으로|다음(?:에|번)|나중'),
  elsewhere: sign('파일|문서|디스크|브랜치|커밋|초안|보고서|데이터베이스|변경|결과|출력|티켓|폴더|로그'),
  denied: sign('못했|지\\s?(?:못|않았)|않았|수\\s?없|할까요|드릴까요|만약|하면|실패'),
});

/** Made when a text is first read. */
export const savingWords: () => readonly SavingWords[] = lazily(() => [
  english(),
  german(),
  french(),
  spanish(),
  russian(),
  chinese(),
  japanese(),
  korean(),
]);
