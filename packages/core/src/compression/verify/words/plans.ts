/** Lines that speak of work to come: what they say of statuses claims nothing about the past. */
import { masked } from './quotes.ts';
import { statusClaims } from './statuses.ts';

/**
 * True when the line is part of a plan: by its heading (`Next Steps`, 待办), by its opening (`Next:`, `[ ]`, an order) or
 * by its words (`needs to`, 需要, 必要がある), as long as it claims nothing of the past besides. A line that is ticked
 * off is no plan. Linear.
 * @param heading the heading that the line stands under
 */
export function isPlan(line: string, heading = ''): boolean {
  const text = masked(line).replace(/^[\s>]*(?:(?:[-*+•]|\d{1,3}[.)])\s+)?/, '');
  if (/^(?:\[[xX✓✔]\]|[✅☑✔✓]|~~)/u.test(text)) return false;
  if (planHeading(heading)) return true;
  if (opening.test(text) || order.test(text)) return true;
  return wish.test(text) && !statusClaims(line).some(({ hedged }) => !hedged);
}

/** True for headings such as `Next Steps`, `Remaining Work`, 下一步, 次のステップ, 남은 작업. */
export const planHeading = (heading: string): boolean => headings.test(heading) && !finished.test(heading);

const headings =
  /\bnext\b|\bremaining\b|\bpending\b|\bto-?dos?\b|\bto do\b|\bupcoming\b|\bfuture\b|\bfollow-?ups?\b|\bopen (?:tasks?|items?|work|issues?|points?)\b|\bbacklog\b|\boutstanding\b|\bplan(?:s|ned)?\b|\bleft to do\b|\bstill to\b|\bunfinished\b|\broadmap\b|待办|下一步|剩余|后续|未完成|接下来|计划|待完成|待处理|次の(?:ステップ|作業|手順|タスク)|残り|残(?:タスク|作業)|今後|未完了|予定|다음 ?(?:단계|작업)|남은|할 ?일|예정|미완료|향후|계획|nächste|offene|ausstehend|prochaines?|reste à faire|à faire|próximos?|pendientes?/iu;
const finished = /\b(?:user asks?|user requests?|done|completed|resolved|current state)\b|\bplan mode\b/iu;

const opening =
  /^(?:\*\*|__)?(?:\[ \]|⏳|☐|⬜|todo\b|to-?do\b|next(?: steps?| up| action)?\s?[:：]|remaining\s?[:：]|pending\s?[:：]|still (?:to do|open|needed|pending)|left to do|open\s?[:：]|plan\s?[:：]|follow-?up\s?[:：]|待办|下一步|接下来|剩余|后续|尚需|还需|仍需|次に|次は|今後|これから|残り|残タスク|다음(?:은|으로|에는|\s?[:：])|남은|앞으로|추후|이후|als nächstes|nächster schritt|noch zu|ensuite|prochaine étape|a continuación|siguiente)/iu;

/** A verb in the imperative; those that are also common nouns need something to act on. */
const order =
  /^(?:then |also |and |next,? |finally,? |now |please |first,? )?(?:(?:re-?run|run|verify|ensure|confirm|make sure|commit|push|add|remove|delete|implement|write|create|investigate|continue|proceed|finish|complete|update|fix|refactor|rename|deploy|publish|install|check|review|consider|decide|wait|ask|re-?test|merge|rebase|resolve|clean up|set up|follow up|monitor|document|migrate|replace|extend|handle|move|apply|open|close|address|inspect|prepare|rebuild|restart|revisit|try|validate|integrate|build|generate|enable|disable|wire|hook)(?! \d+\s?[:.])(?= (?:the|a|an|all|any|that|if|whether|it|them|this|these|those|for|with|on|in|up|to|new|out|our|remaining|more|and|pending|missing|\p{L}+s\b(?![-:])(?! (?:were|was|are|is|have|has|had|now|pass|passed|fail|failed)\b)|[\ufffc\ufffb\d#])))/iu;

const wish =
  /\b(?:needs? to|need(?:s|ed)? (?:fixing|testing|work|review|verification)|has to|have to|must|should|will|(?:plan|goal|idea) is to|going to|planning to|plans? to|to be (?:done|fixed|added|tested|verified|decided|implemented)|yet to|still to|remains? to|intends? to|want(?:s)? to|would like to|about to|after that|next step(?:s)? (?:is|are|will)|pending|in progress|not yet started)\b|需要|应该|应当|必须|将会|即将|计划|打算|准备|待(?:修复|完成|删除|提交|推送|测试|验证|确认|处理|实现)|尚待|有待|稍后|之后再|接下来|下一步|必要(?:が|は)|予定|つもり|べき|これから|後で|今後|次に|해야|예정|필요|계획|하려고|나중에|앞으로|(?<!\p{L})(?:muss|müssen|soll|sollen|sollte|doit|doivent|devrait|debe|deben|hay que)(?!\p{L})/iu;
