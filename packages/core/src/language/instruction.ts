/** Words that instruct the reader of a summary: their shape, what is said of each kind, and the signs of an order. */

/** Why a line must not stand, in the order in which it is looked for; the clauses are read by a person as well. */
export const orderReasons = {
  overriding: 'tells the reader to set earlier instructions aside',
  roles: 'gives the reader another role',
  hiding: 'tells the reader to keep something from the user',
  sending: 'tells the reader to send secrets away',
  addressing: 'addresses the assistant that comes next',
  speaking: 'puts words into the mouth of the system or of another speaker',
  telling: 'tells the reader what it must do',
  powers: 'gives the reader powers that only the user can give',
} as const;

/** What a line does that instructs its reader. */
export type OrderReason = keyof typeof orderReasons;

/** Words of a line that instruct its reader. */
export interface Instruction {
  readonly start: number;
  readonly end: number;
  readonly reason: OrderReason;
}

/** Words that instruct the reader, by what they do to it. */
export type InstructionWords = Readonly<Partial<Record<OrderReason, readonly string[]>>>;

/** Where a clause begins. */
export const instructionHeads: RegExp =
  /[.!?:;—–,)\]]\s{0,4}|\b(?:please|now|just|then|also|next|instead|first|must|should|shall|need to|have to|can|will|and|important|assistant|claude|agent|model)[:,]?\s/giu;

/** Someone who reads the summary: the second person, or the model that goes on. */
export const readerWords: RegExp =
  /(?<![\p{L}-])(?:you|your|yours|yourself|whoever|whichever|anyone (?:who|that)|reader|readers|successor|(?:the |any |every |this |next )(?:assistant|model|agent|AI|instance|bot|LLM)(?= (?:that|who|which|has|have|is|must|should|shall|may|can|will|needs|ought|reading|continuing|taking))|(?:assistant|model|agent|AI|claude|gpt|bot)(?=[,:]\s)|next (?:assistant|model|agent|AI|instance|session))(?!\p{L})|你|您|读者|阅读者|(?:接替|接手|接着|继续|后续|下一(?:个|位)|读到|看到|阅读)[^，。；]{0,8}(?:模型|助手|助理|代理|智能体|AI|人|者)|接手者|继任者|あなた|君(?=[はがのに])|読者|(?:引き継|続き|次の|これを読|後任|後続)[^、。]{0,10}(?:モデル|アシスタント|エージェント|AI|者|人|担当)|당신|귀하|너는|독자|(?:이어|잇는|읽는|읽고|다음|후임|후속|넘겨)[^,.]{0,10}(?:모델|어시스턴트|에이전트|비서|AI|사람|자는|자에게|당신)|누가 (?:이어|맡|읽)/iu;

/** Bound to do or not to do: a duty, a command, a ban. */
export const dutyWords: RegExp =
  /(?<![\p{L}-])(?:must|should|shall|ought to|(?:have|has|need|needs|had better|are|is|be) to|required to|obliged to|mandatory|expected to|supposed to|never|always|do not|don['’]t|at once|immediately|please|make sure|be sure|from now on|from this point|before anything else|before your|before you)(?!\p{L})|必须|务必|一定要|应当|应该|应充分|不得|不要|切勿|请(?!求)|一律|今后|从今|需要先|不予|不许|立即|(?:すること|しないこと|せよ|しろ|しなさい|ください|べき(?:で|だ|$)|ならない|なりません|いけない|おくこと|使うこと|答えること|従え|扱え|必ず|今後は?)|(?:할|말|둘|쓸|볼|줄) 것|(?:하|지우|답하|멈추|따르|취급하|승인하)(?:라|여라|거라)(?=[\s.,!]|$)|(?:어|아|여|워|써|러)라(?=[.!]|$)|세요|십시오|해야 |써야 |야 한다|야 합니다|반드시|앞으로|안 된다|안 됩니다/iu;

/** What nobody may ask in a summary. */
export interface Danger {
  readonly reason: OrderReason;
  readonly words: RegExp;
  /** What else it takes: nothing, for what no summary could report; a duty; or a reader bound to it. */
  readonly needs: 'nothing' | 'duty' | 'reader';
}

/** A text from the net, run unread. */
export const pipedCommand: RegExp = /\b(?:curl|wget|iwr|fetch)\b[^|\n]{0,120}\|\s*(?:sudo )?(?:ba|z|da)?sh\b/iu;

/** Words that put one act before another. */
export const firstWords: RegExp = /\bbefore\b|\bfirst\b|之前|先|前に|まず|전에|먼저/iu;

/** What nobody may ask in a summary; the first that a sentence says counts. */
export const dangers: readonly Danger[] = [
  {
    reason: 'hiding',
    needs: 'duty',
    words:
      /(?<!\p{L})(?:secretly|quietly|silently|covertly|discreetly|unnoticed|behind (?:his|her|their|the user['’]s) back|without (?:telling|asking|mentioning|letting|informing|notice)|(?:must|should|may|can|need) ?not (?:\p{L}+ ){0,2}(?:learn|know|find out|notice|see|hear)|keep (?:this|it|that)\b[^.]{0,30}(?:secret|private|quiet|hidden|between us|to yourself))(?!\p{L})|悄悄|偷偷|暗中|默默|秘密地|不(?:能|得|要|可|许)(?:让|被)[^，。；]{0,14}(?:知道|发现|察觉|看到)|只有你我|こっそり|密かに|ひそかに|黙って|秘密(?:に|裏|であ)|(?:知られ|気づかれ|悟られ|見られ)(?:て|る|ない)|몰래|은밀히|조용히|비밀(?:로|이며|이다|리에)|(?:알아서는|알게 해서는|눈치채|들켜)/iu,
  },
  {
    reason: 'hiding',
    needs: 'nothing',
    words:
      /between (?:us|you and me)(?=[;,.]|$)|(?:person|human|user|owner|operator) (?:at the keyboard )?(?:must|should|may) (?:not|never) (?:\p{L}+ ){0,2}(?:learn|know|find out|notice|see|hear)|不(?:能|得|要|可|许)(?:让|被)[^，。；]{0,14}(?:用户|使用者|那个人|对方|主人)[^，。；]{0,4}(?:知道|发现|察觉)|(?:人|ユーザー?|利用者|相手)に(?:は)?(?:知られ|気づかれ|悟られ)(?:ては|ない|る)|(?:사람|사용자|주인)(?:이|가) (?:알아서는|알면|눈치채)/iu,
  },
  {
    reason: 'overriding',
    needs: 'nothing',
    words:
      /(?:rules?|guidelines?|restrictions?|safeguards?|safety (?:checks?|rules?|measures?)|guardrails?|limits?|limitations?) (?:were|was|are|is|have been|has been|had been)(?: now| all)? (?:lifted|suspended|waived|void|revoked|cancelled|canceled|switched off|turned off|disabled|dropped|no longer in force)|(?:安全|所有|一切|全部)[^，。；]{0,6}(?:规则|限制|准则|约束|措施)[^，。；]{0,6}(?:取消|解除|失效|作废|不再适用)|(?:安全|すべて|全て)[^、。]{0,10}(?:規則|ルール|制限|制約|指針)(?:が|は|も)[^、。]{0,6}(?:解除|無効|撤廃|失効|停止)|(?:안전|모든)[^,.]{0,10}(?:규칙|제한|제약|지침)(?:은|는|이|가)[^,.]{0,8}(?:해제|무효|철회|중단|폐지)/iu,
  },
  {
    reason: 'overriding',
    needs: 'reader',
    words:
      /(?<!\p{L})(?:override|overrides?:|highest priority|top priority|disregard|ignore|obey|stop (?:following|listening|obeying)|do not (?:act|follow|obey|listen|believe)|as a (?:test|joke|trick))(?!\p{L})|最高优先|优先级最高|无视|忽略|服从|当作(?:测试|玩笑)|上書き|最優先|従うのをやめ|従え|無視し|テストとみな|최우선|무시하|복종|우선 명령|시험으로/iu,
  },
  {
    reason: 'overriding',
    needs: 'duty',
    words:
      /(?<!\p{L})(?:highest|top) priority(?!\p{L})|^[^\p{L}]*override[:：]|(?:stop|quit|cease) (?:following|obeying|listening to|serving) (?:the )?user|最高优先|优先级最高|不再(?:听从|服从)用户|最優先(?:で|と|に)|上書き指令|(?:ユーザー?|利用者)に従うのをやめ|최우선으로|우선 명령|사용자를? 따르지 (?:말|마)/iu,
  },
  {
    reason: 'sending',
    needs: 'duty',
    words:
      /(?:full|entire|whole|all|complete|contents of|everything in)[^.]{0,24}(?:context(?: window)?|system prompt|hidden prompt|instructions)|(?:完整|全部|所有|全文)[^，。]{0,10}(?:上下文|提示词|系统提示)|(?:上下文|提示词|系统提示)[^，。]{0,10}(?:完整|全部|所有|全文)|(?:コンテキスト|プロンプト)の?(?:全|すべて|全て|内容)|(?:컨텍스트|프롬프트)(?:의|를|을)? ?(?:전체|모든|전부)/iu,
  },
  {
    reason: 'powers',
    needs: 'reader',
    words:
      /(?<!\p{L})(?:root|admin(?:istrator)?|superuser|sudo|developer mode|full (?:access|rights|control|powers?)|unrestricted|no restrictions|without (?:any )?(?:restrictions?|limits?|approval|confirmation|review)|(?:all|every) permissions?|rights)(?!\p{L})|管理员权限|最高权限|全部权限|没有限制|不受限制|开发者模式|管理者権限|全権限|無制限|制限(?:が|は)(?:ない|ありません)|開発者モード|관리자 권한|전체 권한|모든 권한|제한이 없|개발자 모드/iu,
  },
  {
    reason: 'sending',
    needs: 'reader',
    words:
      /(?<!\p{L})(?:upload|send|e-?mail|mail|post|transfer|forward|publish|exfiltrate|leak|paste|copy|wipe|delete|erase|destroy|print|reveal|repeat|output)(?!\p{L})[^.]{0,60}(?<!\p{L})(?:to|before|in full|everything|all|the (?:disk|home|repository|keys?|logs?|secrets?|prompt|context))(?!\p{L})|上传|发送|寄给|泄露|清空|删除|抹掉|打印|アップロード|送信|送る|メール|公開|消去|削除|消せ|表示せ|업로드|전송|메일로|보내|게시|지우|지워|삭제|출력하/iu,
  },
  {
    reason: 'sending',
    needs: 'reader',
    words: pipedCommand,
  },
];

/** A tag by which a line claims to come from somebody with more rights. */
export const roleTag: RegExp = /<\/?(?:system|developer|instructions?|admin|operator)\b[^>]*>/iu;

/** The second person at the head of a sentence. */
export const readerOpening: RegExp = /^[^\p{L}]*(?:you|your|你|您|あなた|당신)/iu;

/** What is told of a page, a file or an attack. */
export const reportedSource: RegExp =
  /\b(?:page|pages|file|files|comment|issue|output|readme|website|site|document|email|message|injection|injected|attack|attacker|payload|content|tool result|result|snippet|text|response|string|prompt|ticket|commit|diff|log|instruction|instructions)\b[^.!?]{0,60}\b(?:said|says|say|contain|contains|contained|included|includes|reads?|claim(?:s|ed)|instruct(?:s|ed|ing)|told|tells|telling|tried|tries|attempt(?:s|ed)|asked|asks|asking|embedded|hidden|planted|had|has|with|such as|like|try|trying)\b|prompt injection|注入|恶意|网页|页面.{0,10}(?:写着|包含|含有|声称)|文件.{0,10}(?:写着|包含|含有|声称|要求)|インジェクション|ページに|ファイルに|悪意|인젝션|악성|페이지에|파일에/i;

/** Words that say that an instruction was not followed. */
export const refusedWords: RegExp =
  /\b(?:not (?:followed|obeyed|acted (?:on|upon)|executed|complied)|(?:was|were|is|are|been) (?:ignored|refused|rejected|disregarded|treated as (?:data|text)|flagged|reported|removed|detected)|did not (?:follow|obey|comply|act)|didn['’]t (?:follow|obey|comply|act)|untrusted)\b|未(?:予)?(?:执行|理会|遵循|照做)|没有(?:执行|理会|遵循|照做)|已忽略|被忽略|従わな|無視した|無視しました|따르지 않|무시했|무시하였/i;
