/** Which sections of a summary speak for the user by their heading alone. */

/** `messages`: each line is a message of the user, word for word; `request` and `constraint`: what the user asked for, and what holds. */
export type UserSection = 'messages' | 'request' | 'constraint';

const kinds: readonly (readonly [RegExp, UserSection])[] = [
  [
    /\buser(?:['’]s)? (?:messages?|quotes?|words|statements?|inputs?|prompts?|feedback|comments?|replies)\b|\bmessages? (?:from|of|by) (?:the )?user\b|\bverbatim (?:requests?|messages?)\b|用户(?:的)?(?:所有)?(?:消息|原话|留言|发言|反馈|输入)|用戶訊息|(?:全部|所有)用户|ユーザー?(?:の|から(?:の)?)?(?:全|すべての)?(?:メッセージ|発言|言葉|フィードバック|コメント)|사용자(?:의)? ?(?:전체 )?(?:메시지|발언|피드백|원문|의견)|\b(?:nutzer|benutzer)nachrichten\b|\bnachrichten des (?:nutzers|benutzers)\b|messages de l['’]utilisateur|mensajes del usuario/iu,
    'messages',
  ],
  [
    /\bconstraints?\b|\bpreferences?\b|\b(?:user|standing|project|house) rules\b|\bground rules\b|\bstanding instructions\b|约束|偏好|限制(?:条件)?$|规则|制約|好み|設定された?ルール|守るべき|제약|선호|준수|규칙|\bvorgaben\b|\bregeln\b|\bvorlieben\b|\bcontraintes\b|\bpréférences\b|\brestricciones\b|\bpreferencias\b/iu,
    'constraint',
  ],
  [
    /\b(?:user|primary|original|initial|current|latest|open|pending|explicit|main)(?:['’]s)? (?:user )?(?:requests?|asks?|intents?|goals?|questions?|instructions?|requirements?)\b|\bactive task\b|\bcurrent task\b|\brequests? (?:and|&) intent\b|\bwhat the user (?:asked|wants|requested)\b|\bgoals?$|\bobjectives?$|\btask$|\buser intent\b|用户(?:的)?(?:请求|要求|需求|意图|目标|问题|诉求|指示)|主要请求|当前任务|待处理(?:的)?请求|任务目标|ユーザー?(?:の|から(?:の)?)?(?:依頼|要望|要求|リクエスト|指示|質問|意図|目的|目標)|(?:主な|現在の|未対応の|保留中の)(?:依頼|タスク|リクエスト|要求)|사용자(?:의)? ?(?:요청|요구|지시|질문|의도|목표)|(?:주요|현재|대기 중인|미처리) ?(?:요청|작업|과제)|\b(?:aufgabe|anfrage|auftrag)\b|\bdemande (?:principale|initiale|de l['’]utilisateur)\b|\b(?:petición|solicitud|tarea)\b/iu,
    'request',
  ],
];

/** What the lines under a heading are to the user; undefined where they are none of the user's. */
export const userSection = (heading: string): UserSection | undefined =>
  kinds.find(([words]) => words.test(heading.trim()))?.[1];
