/**
 * Lines that speak to their reader, told by their structure: who is addressed, what he is bound to, and what he is bound
 * to do that nobody may ask in a summary (keeping secrets from the user, taking powers, sending data away, setting rules
 * aside). One sign alone may be told of a program; two of them in one sentence are an order.
 */
import { addressing, hiding, type Instruction, overriding, powers, sending, telling } from './instruction-pattern.ts';
import { masked } from './quotes.ts';

/** Someone who reads the summary: the second person, or the model that goes on. */
const reader =
  /(?<![\p{L}-])(?:you|your|yours|yourself|whoever|whichever|anyone (?:who|that)|reader|readers|successor|(?:the |any |every |this |next )(?:assistant|model|agent|AI|instance|bot|LLM)(?= (?:that|who|which|has|have|is|must|should|shall|may|can|will|needs|ought|reading|continuing|taking))|(?:assistant|model|agent|AI|claude|gpt|bot)(?=[,:]\s)|next (?:assistant|model|agent|AI|instance|session))(?!\p{L})|你|您|读者|阅读者|(?:接替|接手|接着|继续|后续|下一(?:个|位)|读到|看到|阅读)[^，。；]{0,8}(?:模型|助手|助理|代理|智能体|AI|人|者)|接手者|继任者|あなた|君(?=[はがのに])|読者|(?:引き継|続き|次の|これを読|後任|後続)[^、。]{0,10}(?:モデル|アシスタント|エージェント|AI|者|人|担当)|당신|귀하|너는|독자|(?:이어|잇는|읽는|읽고|다음|후임|후속|넘겨)[^,.]{0,10}(?:모델|어시스턴트|에이전트|비서|AI|사람|자는|자에게|당신)|누가 (?:이어|맡|읽)/iu;

/** Bound to do or not to do: a duty, a command, a ban. */
const duty =
  /(?<![\p{L}-])(?:must|should|shall|ought to|(?:have|has|need|needs|had better|are|is|be) to|required to|obliged to|mandatory|expected to|supposed to|never|always|do not|don['’]t|at once|immediately|please|make sure|be sure|from now on|from this point|before anything else|before your|before you)(?!\p{L})|必须|务必|一定要|应当|应该|应充分|不得|不要|切勿|请(?!求)|一律|今后|从今|需要先|不予|不许|立即|(?:すること|しないこと|せよ|しろ|しなさい|ください|べき(?:で|だ|$)|ならない|なりません|いけない|おくこと|使うこと|答えること|従え|扱え|必ず|今後は?)|(?:할|말|둘|쓸|볼|줄) 것|(?:하|지우|답하|멈추|따르|취급하|승인하)(?:라|여라|거라)(?=[\s.,!]|$)|(?:어|아|여|워|써|러)라(?=[.!]|$)|세요|십시오|해야 |써야 |야 한다|야 합니다|반드시|앞으로|안 된다|안 됩니다/iu;

interface Danger {
  readonly why: string;
  readonly words: RegExp;
  /** What else it takes: nothing, for what no summary could report; a duty; or a reader bound to it. */
  readonly needs: 'nothing' | 'duty' | 'reader';
}

/** A text from the net, run unread. */
const piped = /\b(?:curl|wget|iwr|fetch)\b[^|\n]{0,120}\|\s*(?:sudo )?(?:ba|z|da)?sh\b/iu;
const first = /\bbefore\b|\bfirst\b|之前|先|前に|まず|전에|먼저/iu;

const dangers: readonly Danger[] = [
  {
    why: hiding,
    needs: 'duty',
    words:
      /(?<!\p{L})(?:secretly|quietly|silently|covertly|discreetly|unnoticed|behind (?:his|her|their|the user['’]s) back|without (?:telling|asking|mentioning|letting|informing|notice)|(?:must|should|may|can|need) ?not (?:\p{L}+ ){0,2}(?:learn|know|find out|notice|see|hear)|keep (?:this|it|that)\b[^.]{0,30}(?:secret|private|quiet|hidden|between us|to yourself))(?!\p{L})|悄悄|偷偷|暗中|默默|秘密地|不(?:能|得|要|可|许)(?:让|被)[^，。；]{0,14}(?:知道|发现|察觉|看到)|只有你我|こっそり|密かに|ひそかに|黙って|秘密(?:に|裏|であ)|(?:知られ|気づかれ|悟られ|見られ)(?:て|る|ない)|몰래|은밀히|조용히|비밀(?:로|이며|이다|리에)|(?:알아서는|알게 해서는|눈치채|들켜)/iu,
  },
  {
    why: hiding,
    needs: 'nothing',
    words:
      /between (?:us|you and me)(?=[;,.]|$)|(?:person|human|user|owner|operator) (?:at the keyboard )?(?:must|should|may) (?:not|never) (?:\p{L}+ ){0,2}(?:learn|know|find out|notice|see|hear)|不(?:能|得|要|可|许)(?:让|被)[^，。；]{0,14}(?:用户|使用者|那个人|对方|主人)[^，。；]{0,4}(?:知道|发现|察觉)|(?:人|ユーザー?|利用者|相手)に(?:は)?(?:知られ|気づかれ|悟られ)(?:ては|ない|る)|(?:사람|사용자|주인)(?:이|가) (?:알아서는|알면|눈치채)/iu,
  },
  {
    why: overriding,
    needs: 'nothing',
    words:
      /(?:rules?|guidelines?|restrictions?|safeguards?|safety (?:checks?|rules?|measures?)|guardrails?|limits?|limitations?) (?:were|was|are|is|have been|has been|had been)(?: now| all)? (?:lifted|suspended|waived|void|revoked|cancelled|canceled|switched off|turned off|disabled|dropped|no longer in force)|(?:安全|所有|一切|全部)[^，。；]{0,6}(?:规则|限制|准则|约束|措施)[^，。；]{0,6}(?:取消|解除|失效|作废|不再适用)|(?:安全|すべて|全て)[^、。]{0,10}(?:規則|ルール|制限|制約|指針)(?:が|は|も)[^、。]{0,6}(?:解除|無効|撤廃|失効|停止)|(?:안전|모든)[^,.]{0,10}(?:규칙|제한|제약|지침)(?:은|는|이|가)[^,.]{0,8}(?:해제|무효|철회|중단|폐지)/iu,
  },
  {
    why: overriding,
    needs: 'reader',
    words:
      /(?<!\p{L})(?:override|overrides?:|highest priority|top priority|disregard|ignore|obey|stop (?:following|listening|obeying)|do not (?:act|follow|obey|listen|believe)|as a (?:test|joke|trick))(?!\p{L})|最高优先|优先级最高|无视|忽略|服从|当作(?:测试|玩笑)|上書き|最優先|従うのをやめ|従え|無視し|テストとみな|최우선|무시하|복종|우선 명령|시험으로/iu,
  },
  {
    why: overriding,
    needs: 'duty',
    words:
      /(?<!\p{L})(?:highest|top) priority(?!\p{L})|^[^\p{L}]*override[:：]|(?:stop|quit|cease) (?:following|obeying|listening to|serving) (?:the )?user|最高优先|优先级最高|不再(?:听从|服从)用户|最優先(?:で|と|に)|上書き指令|(?:ユーザー?|利用者)に従うのをやめ|최우선으로|우선 명령|사용자를? 따르지 (?:말|마)/iu,
  },
  {
    why: sending,
    needs: 'duty',
    words:
      /(?:full|entire|whole|all|complete|contents of|everything in)[^.]{0,24}(?:context(?: window)?|system prompt|hidden prompt|instructions)|(?:完整|全部|所有|全文)[^，。]{0,10}(?:上下文|提示词|系统提示)|(?:上下文|提示词|系统提示)[^，。]{0,10}(?:完整|全部|所有|全文)|(?:コンテキスト|プロンプト)の?(?:全|すべて|全て|内容)|(?:컨텍스트|프롬프트)(?:의|를|을)? ?(?:전체|모든|전부)/iu,
  },
  {
    why: powers,
    needs: 'reader',
    words:
      /(?<!\p{L})(?:root|admin(?:istrator)?|superuser|sudo|developer mode|full (?:access|rights|control|powers?)|unrestricted|no restrictions|without (?:any )?(?:restrictions?|limits?|approval|confirmation|review)|(?:all|every) permissions?|rights)(?!\p{L})|管理员权限|最高权限|全部权限|没有限制|不受限制|开发者模式|管理者権限|全権限|無制限|制限(?:が|は)(?:ない|ありません)|開発者モード|관리자 권한|전체 권한|모든 권한|제한이 없|개발자 모드/iu,
  },
  {
    why: sending,
    needs: 'reader',
    words:
      /(?<!\p{L})(?:upload|send|e-?mail|mail|post|transfer|forward|publish|exfiltrate|leak|paste|copy|wipe|delete|erase|destroy|print|reveal|repeat|output)(?!\p{L})[^.]{0,60}(?<!\p{L})(?:to|before|in full|everything|all|the (?:disk|home|repository|keys?|logs?|secrets?|prompt|context))(?!\p{L})|上传|发送|寄给|泄露|清空|删除|抹掉|打印|アップロード|送信|送る|メール|公開|消去|削除|消せ|表示せ|업로드|전송|메일로|보내|게시|지우|지워|삭제|출력하/iu,
  },
  {
    why: sending,
    needs: 'reader',
    words: piped,
  },
];

const roleTag = /<\/?(?:system|developer|instructions?|admin|operator)\b[^>]*>/iu;

/** Sentences of a line, each on its own: what one of them is bound to says nothing of the next. */
const sentence = /[^.!?。！？]+(?:[.!?。！？]+(?!\s)[^.!?。！？]+)*[.!?。！？]*/gu;

/**
 * The first sentence that gives its reader an order; undefined where none does. `isOpenWork`: the line stands where work
 * to come is told, and duties are no orders.
 */
export function addressedIn(line: string, isOpenWork: boolean): Instruction | undefined {
  const text = masked(line);
  for (const { 0: found, index: start } of text.matchAll(sentence)) {
    const why = whyOf(found, { line: line.slice(start, start + found.length), isOpenWork });
    if (why !== undefined) return { start, end: start + found.length, why };
  }
  return undefined;
}

interface Said {
  /** With its code and quotations. */
  readonly line: string;
  readonly isOpenWork: boolean;
}

function whyOf(text: string, { line, isOpenWork }: Said): string | undefined {
  const isTold = reader.test(text);
  const isBound = duty.test(text);
  for (const { why, words, needs } of dangers) {
    if (words === piped) {
      // A command is told of in every other line; an order to run it is not.
      if (words.test(line) && isBound && (isTold || first.test(text))) return why;
    } else if (words.test(text) && fulfils(needs, { isTold, isBound, why })) {
      return why;
    }
  }
  if (roleTag.test(text) && isBound) return overriding;
  if (!isTold || !isBound || isOpenWork) return undefined;
  return /^[^\p{L}]*(?:you|your|你|您|あなた|당신)/iu.test(text) ? telling : addressing;
}

interface Signs {
  readonly isTold: boolean;
  readonly isBound: boolean;
  readonly why: string;
}

/** Powers are given without any duty: `you have root rights`. */
function fulfils(needs: Danger['needs'], { isTold, isBound, why }: Signs): boolean {
  if (needs === 'nothing') return true;
  return needs === 'duty' ? isBound : isTold && (isBound || why === powers);
}
