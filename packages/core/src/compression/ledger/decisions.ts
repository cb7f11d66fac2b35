/** Finds what was settled: sentences in which somebody says what is chosen, and why. */

import type { Decision } from './facts.ts';
import { proseLines, sentenceBreak } from './prose.ts';

/** A sentence is quoted whole up to this length; lines are cut like this everywhere in the ledger. */
const maxChars = 300;

/** Said in an alphabet: that something was chosen. */
const choiceInLetters = new RegExp(
  [
    "\\b(?:(?:I|we|you|they|user|team|I've|we've|have|has|was|were|is|been|already|also|then) (?:decided|chosen|chose|opted|settled|agreed|picked))\\b(?! (?:by default|automatically|whether|if|how|when))|^(?:decided|chose|opted|settled on|agreed (?:on|to|that))\\b",
    '(?<![\\w.])(?:going|went|go) with\\b|\\b(?:switch(?:ed|ing)?|moved?|migrat(?:ed|ing)) (?:from [^.]{1,40} )?to [^.]{1,60}\\b(?:instead|because|since|so that|due to)\\b',
    "\\b(?:I|we|you|I'm|we're|I'll|we'll) [^.]{0,30}\\b(?:use|using|keep|keeping|prefer) [^.]{1,80}\\b(?:instead of|rather than|over)\\b",
    '(?:^|[.!?] +)(?:final |key |design )?decision(?: \\w{1,3})?(?: made)?: ?\\S|\\bthe decision (?:is|was) to\\b',
    '\\b(?:haben (?:uns|mich) (?:für|gegen|auf)|entschieden|einigen uns|geeinigt|beschlossen)\\b|\\b(?:wir|ich) (?:nehmen?|verwenden?|nutzen?|benutzen?|bleiben?|setzen?|behalten?|wechseln?)\\b[^.]{0,80}\\b(?:statt|anstatt|weil|damit|bei|auf|zu)\\b|^entscheidung: ?\\S|\\bnehmen wir\\b',
    "\\b(?:nous (?:avons (?:décidé|choisi)|utiliserons|gardons)|on (?:prend|garde|part sur)|j'ai (?:décidé|choisi))\\b|\\b(?:hemos decidido|decidimos|elegimos|vamos a usar|usaremos|he decidido)\\b",
    'imu',
  ].join('|'),
  'imu',
);
/** The same in Chinese, Japanese and Korean. */
const choiceInWideSigns = new RegExp(
  [
    '(?:^|[，,。；;、：:]|我|我们|咱们|最终|最后|已经?|就|于是|所以|因此)\\s*(?:决定(?!是否|于|性|了?吗)|选定|选用|选择(?:了|用|使用)|改用|改为|采用(?!率)|沿用|统一(?:用|使用|为)|就用|不再使用|确定(?:用|使用|为))',
    'ことに(?:し(?:ます|ました|た)|決め|決定)|に(?:決めました|決定しました|決めた|統一します|統一しました)|を?採用(?:し(?:ます|ました|た)|する)|(?:で|に)(?:行き|いき)ま(?:す|しょう)|を選(?:びました|択しました|択します)|方針(?:と|に)(?:します|しました)|代わりに[^。]{1,60}(?:使|採用|用い)',
    '기로\\s*(?:결정|했|함|하였|합니다|합의|해요)|(?:으로|로)\\s*(?:결정|확정|통일)|결정(?:했|하였|됨|합니다)|채택(?:했|하|합)|선택(?:했|하였|합니다)|대신[^.]{1,60}(?:사용|씁|쓰|쓸)',
  ].join('|'),
  'mu',
);
const wide = /[\u3040-\ud7af]/;
const settles = (text: string): boolean =>
  choiceInLetters.test(text) || (wide.test(text) && choiceInWideSigns.test(text));

/** Every choice has one of these words; most texts have none, and need no closer look. */
const hints =
  /decid|decis|chos|opted|settled|agreed|picked|with|instead|rather|over|because|since|so that|due to|let's|let us|'ll|will|should|going to|entsch|nehm|verwend|nutz|bleib|setz|behalt|wechsel|einig|beschlossen|haben|utiliser|gardons|prend|garde|part sur|choisi|decidi|elegimos|vamos|usaremos|[\u3040-\ud7af]/i;

/** What a person decides with these words; an agent says them of every next step, and decides only with a reason. */
const intention =
  /\b(?:let's|let us|I'll|we'll|I will|we will|I'd rather|we should|I'm going to|we're going to|we are going to|going to) (?:go (?:with|for)|use|keep|stick (?:with|to)|switch to|adopt|drop|avoid)\b/i;
const reasoned = /\b(?:instead of|rather than|because|since|so that|which avoids|to avoid)\b/i;

/** Not settled yet, somebody else's to settle, or only the next step. */
const undecided =
  /[?？]\s*$|^(?:why|how|what|which|explain)\b|\bwhy (?:you|we|they) |\b(?:if|whether|unless|when|once) (?:you|we|they|the user) (?:decide|choose|prefer|agree|want)|\b(?:you can|you could|you may|should (?:we|i)|could (?:we|i)|do you want|would you|need to decide|to be decided|options? (?:is|are)|wonder)\b|\b(?:use|using|go with) (?:the |this |a |an )?[\w:`-]+ (?:skill|tool|command|agent|subagent|script)\b|是否|还没决定|可以选择|ですか|ましょうか|할까요/iu;

const reasonNext =
  /^(?:because|since|this (?:avoids|keeps|way|means)|that way|reason|the reason|so that|otherwise)\b|^(?:因为|由于|这样|原因)|^(?:理由は|なぜなら|そうすれば)|^(?:이유는|왜냐하면|그래야)|^(?:weil|denn|so (?:bleibt|vermeiden)|grund)\b/iu;

/** The sentences of a text that settle something, each with the sentence of its reason where that follows. */
export function decisionsIn(text: string, by: Decision['by']): readonly string[] {
  const plain = straight(text);
  if (!hints.test(plain) || (!settles(plain) && !intention.test(plain))) return [];
  const found: string[] = [];
  for (const line of proseLines(text)) {
    const sentences = line.split(sentenceBreak);
    sentences.forEach((said, at) => {
      const sentence = straight(said);
      if (sentence.length > maxChars) return;
      const next = sentences[at + 1];
      const reason =
        next && reasonNext.test(next) && !settles(straight(next)) ? (/[。！？]$/.test(said) ? next : ` ${next}`) : '';
      const intends = intention.test(sentence) && (by === 'user' || reason !== '' || reasoned.test(sentence));
      if ((intends || settles(sentence)) && !undecided.test(sentence)) found.push((said + reason).trim());
    });
  }
  return found;
}

/** As the patterns expect it: straight apostrophes, no emphasis. What is found is quoted as it was said. */
const straight = (text: string): string => text.replaceAll('’', "'").replaceAll('**', '');
