/** Texts that leave something out, and answers that are no summary. */
import { summaryLines } from '../../compression/summary-lines.ts';
import * as wordings from '../../language/fake-texts.ts';
import { standingRuleWords } from '../../language/fake-texts.ts';
import { languageOf } from '../faithful-summary.ts';
import { lastOf, readPrompt } from '../prompt-records.ts';
import { promptText } from '../request.ts';
import { findAtoms } from './lines.ts';
import { type BadReply, pick, pickAny, type Spoil } from './misbehaviour.ts';

/** Leaves out every line about one file. */
export const dropsFile: Spoil = (faithful, _, { seed }) => {
  const paths = new Set(
    findAtoms(faithful, /(?<![\w@.-])(?:[\w@.-]{1,255}\/){1,24}[\w@-][\w@.-]{0,255}\.\w{1,255}/g).map(
      ({ text }) => text,
    ),
  );
  const path = pickAny([...paths], seed, 'file');
  if (path === undefined) return { text: faithful };
  return without(faithful, (line) => line.includes(path), [path]);
};

/** Leaves out what the user laid down. */
export const dropsConstraint: Spoil = (faithful) => {
  const rules = summaryLines(faithful).filter(
    ({ about, type, content }) =>
      (type === 'text' || type === 'quoted') &&
      !/^None\b/.test(content) &&
      (about === 'constraints' || (/["“「]/.test(content) && standingRuleWords.test(content))),
  );
  const texts = new Set(rules.map(({ text }) => text));
  return without(faithful, (line) => texts.has(line), [...texts]);
};

/** Nothing at all. */
export const empty: Spoil = () => ({ text: '' });

/** All the work goes into thinking, which is no summary, and none into the answer. */
export const reasoningOnly: Spoil = (faithful) => ({
  text: '',
  reasoning: `Let me see what was done. ${asThought(faithful)}`,
});

const asThought = (text: string): string => text.replace(/^#.*$/gm, '').replace(/\s+/g, ' ').trim();

/** Stops in the middle of a sentence at the limit of length. */
export const cutMidSentence: Spoil = (faithful, _, { seed }) => {
  const at = Math.max(1, Math.floor(faithful.length * pick([0.4, 0.55, 0.7], seed, 'cut')));
  const inWord = faithful.slice(0, at).replace(/[\s.!?。！？\ud800-\udbff]+$/, '');
  return { text: inWord, finish: 'length', lost: [faithful.slice(inWord.length)] };
};

/** Refuses, and says so in the way of its API. */
export const refuses: Spoil = (faithful, _, { seed }) => ({
  text: pick(wordings.refusals[languageOf(faithful)], seed, 'refusal'),
  finish: 'refusal',
});

/** Refuses in plain words, as an answer like any other. */
export const refusesInText: Spoil = (faithful, _, { seed }) => ({
  text: pick(wordings.refusals[languageOf(faithful)], seed, 'refusal'),
});

/** Answers the user's question in place of summarising. */
export const answersQuestion: Spoil = (faithful, request, { seed }) => {
  const newest = lastOf(readPrompt(promptText(request)).records, 'user')?.text ?? '';
  const question = newest.replace(/\s+/g, ' ').slice(0, 160);
  const answer = pick(wordings.eagerAnswers[languageOf(faithful)], seed, 'answer');
  const text = answer.replace('{question}', () => question);
  return { text, planted: [text], lost: [faithful] };
};

function without(faithful: string, isLost: (line: string) => boolean, lost: readonly string[]): BadReply {
  return {
    text: faithful
      .split('\n')
      .filter((line) => !isLost(line))
      .join('\n'),
    lost,
  };
}
