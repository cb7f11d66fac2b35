/** Words by which people have something remembered, turn it down, or hand over what others wrote. */

/** No letter before or behind a word of an alphabet. */
const words = (narrow: readonly string[], wide: readonly string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\d_])(?:${narrow.join('|')})(?![\\p{L}\\d_])|${wide.join('|')}`, 'iu');

/** Something is to be remembered beyond the conversation. */
export const keepingWords: RegExp = words(
  [
    'remember|memori[sz]e|save|store|note(?: down)?|jot down|record|keep|write (?:it |that |this )?down|memory|memories',
    'merk\\p{L}*|speicher\\p{L}*|notier\\p{L}*|behalt\\p{L}*|festhalten|gedächtnis|erinner\\p{L}*|vermerk\\p{L}*',
    'retien\\p{L}*|retenir|mémori\\p{L}*|enregistr\\p{L}*|note[rz]?|garde[rz]?|souvien\\p{L}*|mémoire',
    'recuerd\\p{L}*|recordar|guard\\p{L}*|anot\\p{L}*|memori\\p{L}*|apunt\\p{L}*',
    'lembr\\p{L}*|guard\\p{L}*|salv\\p{L}*|ricord\\p{L}*|salva\\p{L}*|annot\\p{L}*',
    'запомн\\p{L}*|сохран\\p{L}*|запиш\\p{L}*|записать|помни\\p{L}*|памят\\p{L}*',
  ],
  ['记住|记下|记录|记得|保存|存下|备忘|记忆|記住|記下|覚え|記憶|メモ|保存|記録|控えて|기억|저장|메모|기록'],
);

/** Yes, in languages whose answers are not among those of `requests`. */
export const furtherYes: RegExp = /^[^\p{L}\p{N}]*(?:да|ага|конечно|хорошо|верно|давай|sim|certo|va bene)(?!\p{L})/iu;

/** A part of an answer that takes something back. */
export const exceptingWords: RegExp = words(
  [
    "but|except|only|not|no|don['’]?t|instead|aber|nur|nicht|außer|kein\\p{L}*|mais|sauf|pas|seulement|pero|salvo|no|sólo|solo|mas|não|но|не|кроме|только|нет",
  ],
  ['但|不过|除了|只|不|别|でも|ただし|以外|だけ|ない|하지만|근데|빼고|만 |말고'],
);

/** What somebody else wrote is not to be heeded, or is doubted. */
export const dismissingWords: RegExp = words(
  [
    'ignor\\p{L}*|disregard\\p{L}*|forget|suspicious|spam|phishing|scam|malicious|injection|fake|nonsense|weird|odd|strange|wrong',
    'ignorier\\p{L}*|vergiss|verdächtig|betrug|unsinn|seltsam|komisch|falsch',
    'oublie\\p{L}*|suspecte?|arnaque|bizarre|olvida\\p{L}*|sospechos\\p{L}*|estafa|raro|esquec\\p{L}*|suspeit\\p{L}*',
    'игнорир\\p{L}*|забуд\\p{L}*|подозрит\\p{L}*|мошенн\\p{L}*|странн\\p{L}*',
  ],
  ['无视|忽略|忘掉|可疑|诈骗|奇怪|無視|忘れて|怪しい|詐欺|무시|잊어|수상|사기'],
);

/** The first words of lines over a letter. */
export const letterHeads: RegExp =
  /^\s*[*_]{0,2}(?:from|to|sent|date|subject|cc|reply-to|von|an|gesendet|datum|betreff|de|à|envoyé|objet|para|enviado|asunto|assunto|от|кому|отправлено|дата|тема|发件人|收件人|发送时间|主题|差出人|宛先|送信日時|件名|보낸 ?사람|받는 ?사람|날짜|제목)[*_]{0,2}\s*[:：]/iu;

/** The line over a letter that is answered or passed on. */
export const letterOpenings: RegExp =
  /^\s*-{2,}.{0,60}(?:original|forwarded|ursprüngliche|weitergeleitete|transféré|reenviado|пересыла|转发|転送|전달).{0,60}-{2,}\s*$|(?:wrote|writes|schrieb(?: .{1,60})?|a écrit|escribió|escreveu|написала?|пишет|写道|のメール|さんは書きました|님이 작성)\s*[:：]\s*$/iu;

/** A letter that was pasted into a line: the mark over what is passed on, or a sender with an address. */
export const letterWithin: RegExp =
  /-{3,}\s{0,3}[^\n-]{0,60}(?:original|forwarded|ursprüngliche|weitergeleitete|transféré|reenviado|пересыла|пересланн|转发|転送|전달)[^\n-]{0,60}-{3,}|(?<!\p{L})(?:from|von|de|от|发件人|差出人|보낸 ?사람)\s{0,3}[:：]\s{0,3}[^\n@]{0,80}@[\w.-]+[^\n]{0,80}(?:to|date|sent|subject|an|datum|gesendet|betreff|à|envoyé|objet|para|asunto|fecha|кому|дата|тема|收件人|主题|宛先|件名|받는 ?사람|제목)\s{0,3}[:：]/iu;

/** Words with which an entry is told, whatever it is about. */
export const tellingWords: string = `user users person human project repository repo prefer prefers preferred preference name named
  called likes lives uses used using works located found always never note noted remember remembered says nutzer benutzer person projekt bevorzugt heißt
  verwendet nutzt benutzt wohnt arbeitet immer nie utilisateur utilisatrice projet préfère appelle utilise habite travaille toujours jamais
  usuario usuaria proyecto prefiere llama usa utiliza vive trabaja siempre nunca пользователь проект предпочитает зовут использует живёт работает
  всегда никогда этот это что как для или его она они`;

/** The same in scripts without blanks. */
export const tellingSigns: RegExp =
  /用户|項目|项目|喜欢|偏好|使用|总是|必须|ユーザー?|利用者|プロジェクト|好む|好み|使う|必ず|사용자|프로젝트|선호|사용|항상/gu;
