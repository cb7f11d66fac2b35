/** What the headings of a summary are about, and what stands under one that has nothing to say or was not filled in. */

/** `messages`: each line is a message of the user, word for word; `request` and `constraint`: what the user asked for, and what holds. */
export type UserSection = 'messages' | 'request' | 'constraint';

/** Headings under which the lines speak for the user. */
export const userHeadings: readonly (readonly [RegExp, UserSection])[] = [
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

/** Headings of what was done. */
export const doneHeadings: RegExp =
  /\b(?:completed|done|finished|accomplished|achieved|what was done)\b|已完成|完成(?:的|した|済)|完了|완료|erledigt|abgeschlossen|terminé|accompli|réalis|completad|terminad|realizad/iu;

/** Headings of work to come. */
export const planHeadings: RegExp =
  /\bnext\b|\bremaining\b|\bpending\b|\bto-?dos?\b|\bto do\b|\bupcoming\b|\bfuture\b|\bfollow-?ups?\b|\bopen (?:tasks?|items?|work|issues?|points?)\b|\bbacklog\b|\boutstanding\b|\bplan(?:s|ned)?\b|\bleft to do\b|\bstill to\b|\bunfinished\b|\broadmap\b|待办|下一步|剩余|后续|未完成|接下来|计划|待完成|待处理|次の(?:ステップ|作業|手順|タスク)|残り|残(?:タスク|作業)|今後|未完了|予定|다음 ?(?:단계|작업)|남은|할 ?일|예정|미완료|향후|계획|nächste|offene|ausstehend|prochaines?|reste à faire|à faire|próximos?|pendientes?/iu;

/** Headings of no plan, though a word of theirs is one of a plan. */
export const finishedHeadings: RegExp =
  /\b(?:user asks?|user requests?|done|completed|resolved|current state)\b|\bplan mode\b/iu;

/** Headings of what was decided. */
export const decisionHeadings: RegExp =
  /\bdecisions?\b|\bdecided\b|\bchoices?\b|决定|决策|選定|決定|결정|entscheidung|entschieden|décision|decisi[oó]n/iu;

/** Headings of the user's messages. */
export const messageHeadings: RegExp = /messages|消息|原话|メッセージ|発言|메시지/i;

/** Headings of what was solved. */
export const solvedHeadings: RegExp = /fix(?:es|ed)?\b|solv|修复|解决|修正|対処|해결/i;

/** What models write under a heading with nothing to say. */
export const nothingToTell: RegExp = /^(?:none|n\/a|nothing|无|没有|なし|없음|keine?|aucun|ninguno)[^\p{L}\p{N}]*$/iu;

/** What a heading may be about. */
export type HeadingSubject =
  | 'asks'
  | 'task'
  | 'constraints'
  | 'goal'
  | 'answers'
  | 'blocked'
  | 'decisions'
  | 'remaining'
  | 'progress'
  | 'actions'
  | 'files'
  | 'state';

/** Words in headings of our templates and of other tools, the more telling first. */
export const subjectHeadings: readonly (readonly [RegExp, HeadingSubject])[] = [
  [/user messages|用户(?:的)?(?:消息|原话)|ユーザー(?:の)?(?:メッセージ|発言)|사용자\s*메시지/i, 'asks'],
  [/active task|current task|当前任务|現在のタスク|현재\s*작업\s*요청/i, 'task'],
  [
    /pending (?:user )?(?:asks?|requests?|questions?)|open (?:asks?|requests?)|待处理的?请求|未対応の?依頼|대기\s*중인\s*요청/i,
    'asks',
  ],
  [/constraint|preference|rule|requirement|约束|偏好|规则|要求|制約|好み|ルール|제약|선호|규칙/i, 'constraints'],
  [/primary request|user request|intent|goal|objective|task context|目标|意图|目的|目標|ゴール|목표|의도/i, 'goal'],
  [/resolved questions?|answers?|已解决的?问题|解決済みの?質問|해결된\s*질문/i, 'answers'],
  [
    /error|fix|block|problem|issue|fail|错误|修复|阻塞|问题|エラー|修正|ブロック|問題|오류|수정\s*사항|차단|문제/i,
    'blocked',
  ],
  [/decision|决定|决策|決定|判断|결정/i, 'decisions'],
  [/remaining|next|pending|to-?do|future|剩余|下一步|待办|残り|次の?ステップ|今後|남은|다음|할\s*일/i, 'remaining'],
  [/in progress|under way|current work|进行中|当前工作|進行中|作業中|진행\s*중/i, 'progress'],
  [
    /done|completed|actions?|history|progress|work so far|steps|已完成|操作|进展|完了|実施|作業内容|완료|작업\s*내역/i,
    'actions',
  ],
  [/files?|code sections?|文件|代码|ファイル|コード|파일|코드/i, 'files'],
  [/state|status|side effect|状态|現状|状態|상태/i, 'state'],
];

/** Words in a heading of a template of one's own that tell what belongs under it. */
export const templateHeadings: readonly (readonly [RegExp, HeadingSubject])[] = [
  [/active task|current task|request/i, 'task'],
  [/goal|objective|context/i, 'goal'],
  [/constraint|preference|rule/i, 'constraints'],
  [/action|done|completed|history|work so far|steps/i, 'actions'],
  [/state|side effect/i, 'state'],
  [/in progress|under way/i, 'progress'],
  [/block|error|fail|problem/i, 'blocked'],
  [/decision/i, 'decisions'],
  [/question|answer/i, 'answers'],
  [/pending|open ask/i, 'asks'],
  [/file/i, 'files'],
  [/next|remaining|todo|to do/i, 'remaining'],
];

/** What stands under a heading that has nothing to say. */
export const nothingSaid: RegExp =
  /^(?:none(?: (?:in|known|so far|yet|recorded|at)\b[^\n]{0,60})?|nothing(?: to (?:report|say))?|n\/?a|not applicable|empty|暂?无|無|没有|沒有|不适用|(?:特に)?(?:なし|無し|ありません)|該当なし|없음|해당 ?(?:사항 ?)?없음|없습니다|keine?s?|nichts|aucune?|ninguno?|nada)[.。!]?$/i;

/** A place that was left to be filled in. */
export const placeholders: RegExp =
  /^(?:\[(?!REDACTED|image|file|m\d)[^\]]{0,200}\]|<[^>]{0,200}>|\{[^}]{0,200}\}|\(\.{3}\)|\.{2,}|…+|_{3,}|-{3,}|TBD|TODO|to be (?:filled|added|determined|completed)[^\n]{0,40}|待填写|待补充|未記入|(?:ここに)?記入(?:してください)?|작성 ?(?:예정|필요))[.。:]?$/i;
