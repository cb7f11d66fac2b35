/** Words that say nothing of what is looked for. They are kept in the index, so that a phrase may have them. */
import { stem } from '../../store/terms/stem.ts';

const stems = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).map((word) => stem(word)));

/** Words of grammar; in a query of nothing else they count like all others. */
export const stopWords: ReadonlySet<string> = stems(
  `a about above after again against all also am an and any are aren as at be because been before being below between
  both but by can cannot could couldn did didn do does doesn doing don down during each few for from further had hadn
  has hasn have haven having he her here hers herself him himself his how i if in into is isn it its itself just let me
  more most mustn my myself no nor not of off on once only or other ought our ours ourselves out over own same shan she
  should shouldn so some such than that the their theirs them themselves then there these they this those through to
  too under until up very was wasn we were weren what when where which while who whom whose why will with won would
  wouldn you your yours yourself yourselves`,
);

/** Characters of Chinese that belong to grammar in nearly every word that has them. */
export const grammarCharacters: ReadonlySet<string> = new Set(
  '的了是我你他她它们吗呢吧啊呀嗯哦这那在也都就很还和与没什么怎們嗎這還與沒麼',
);

/** Characters that belong to grammar beside another one of these or of those above, and else to words such as 会议. */
export const oftenGrammarCharacters: ReadonlySet<string> = new Set(
  '不有会能要可以得着过把被让给对但而且因为所如果或个一去来说想到好些每次时候上下里自己真太只才又再最更觉感會著過讓給對為個來說時裡覺',
);

/** Words by which people ask for an answer, whatever it is about. */
export const askingWords: ReadonlySet<string> = stems(
  `tell list give show provide explain describe summarize summary overview mention bring brought discuss discussion
  conversation session order remind recall remember help please walk throughout across different aspect many much`,
);
