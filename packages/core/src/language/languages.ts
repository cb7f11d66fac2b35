/** Signs by which a text shows its language, and words that say nothing of what it is about. */
import type { LanguageAttributions } from './attribution.ts';
import type { InstructionWords } from './instruction.ts';
import type { StatusWords } from './status.ts';

/** The words of a language that is read by letters of its own. */
export interface LanguageWords {
  readonly statuses: StatusWords;
  readonly attributions: LanguageAttributions;
  readonly instructions: InstructionWords;
  /** Words that allow the reader what only the user may. */
  readonly permissions: readonly string[];
}

/** The commonest words of English. */
export const englishWords: RegExp =
  /(?<!\p{L})(?:the|and|is|are|was|were|not|with|to|of|in|for|has|have|been|it|that|this|from|all)(?!\p{L})/giu;

/** The commonest words of other languages of Europe, and letters that English has not. */
export const europeanWords: RegExp =
  /(?<!\p{L})(?:der|die|das|und|nicht|ist|wurde|wurden|für|mit|ein|eine|auf|sind|le|la|les|des|est|pas|une|été|dans|pour|avec|sont|el|los|las|una|está|fue|para|con|por|del|che|di|il|não|são|het|een|niet|och|inte|hat|haben|wir|nur|auch|noch|sich|im|bei|keine?[mnrs]?|wird|werden|welche[mnrs]?|wer|dem|den|einem|einen|einer|vom|zum|zur|qui|que|quel|quelle|nous|vous|aux|sur|où|qué|cuál|quién|más|sólo|lo|se)(?!\p{L})|(?<!\p{L})(?=\p{L}*[äöüßéèêàçñáíóú])\p{L}+|[¿¡]/giu;

/** Words that any request may have, in their stems. */
export const requestStopWords: ReadonlySet<string> = new Set(
  `~user ~request a an the and or but not no if as at by for from in into of on onto off out over to up with without about
  before after between under again told befor used then than that this these those there here it its he she they we you me my our your
  their his her him us them i is are was were be been being am do doe did done have ha had having will would shall should
  can could may might must need want wish lik pleas also too so very just only even still yet now later soon next first
  last new old mor most les least much many som any all each every both other another such same own be becom get got let
  mak giv tak put set go com keep us see look find tell ask say said mean try start stop help work thing way lot bit sur
  how what when where which who whom why whether instead because since while until ever never alway often once twic using against during
  actual real simpl well good bett right wrong possibl able allow ensur both per via etc
  erst zuerst danach primero luego puis ensuite
  der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine auf im zu zum zur von vom mit für bei
  aus nach über unter vor durch um wie wer wo wann warum ob dass sich ist sind wird werden soll sollen kann können muss
  möchte wissen bitte noch nur auch dann es sie ihr wir ich mir mich uns hat haben als alle
  le la les un une de des du au aux et ou mais ne pas dans en sur sous pour par avec sans ce cette ces son sa ses leur que
  qui quoi est sont être avoir savoir il elle nous vous je plus tous tout
  el los las una unos unas del al pero con sin por para se su sus lo quien son ser estar saber solo sólo yo más todo`.split(
    /\s+/,
  ),
);

/** Words of a topic that say nothing of it. */
export const topicStopWords: ReadonlySet<string> = new Set(
  'the and for with that this from about into what when where which how are was were will would should can all any our your'.split(
    ' ',
  ),
);

/** Characters of Chinese that belong to grammar in nearly every word that has them. */
export const grammarCharacters: ReadonlySet<string> = new Set(
  '的了是我你他她它们吗呢吧啊呀嗯哦这那在也都就很还和与没什么怎們嗎這還與沒麼',
);

/** Characters that belong to grammar beside another one of these or of those above, and else to words such as 会议. */
export const oftenGrammarCharacters: ReadonlySet<string> = new Set(
  '不有会能要可以得着过把被让给对但而且因为所如果或个一去来说想到好些每次时候上下里自己真太只才又再最更觉感會著過讓給對為個來說時裡覺',
);

/** Articles, which a quotation may leave out. */
export const articles: RegExp =
  /^(?:the|an?|der|die|das|den|dem|des|eine?[mnrs]?|les?|la|une?|des|el|los|las|un[ao]s?)$/u;

/** What the user is called. */
export const userWords: RegExp = /(?<![\w-])users?(?![\w-])|用户|ユーザー?|사용자|유저/i;

/** How German, French and Spanish name the user: a few words of theirs look like English. */
export const europeanUserWords: RegExp = /(?<!\p{L})(?:(?:be)?nutzer|anwender|utilisat(?:eur|rice)|usuari[oa])/iu;

/** The user, or the mark of a quotation. */
export const userOrQuote: RegExp = /["“「]|user|用户|用戶|ユーザ|사용자/i;

/** Words of English grammar; in a query of nothing else they count like all others. */
export const queryStopWords: string = `a about above after again against all also am an and any are aren as at be because been before being below between
  both but by can cannot could couldn did didn do does doesn doing don down during each few for from further had hadn
  has hasn have haven having he her here hers herself him himself his how i if in into is isn it its itself just let me
  more most mustn my myself no nor not of off on once only or other ought our ours ourselves out over own same shan she
  should shouldn so some such than that the their theirs them themselves then there these they this those through to
  too under until up very was wasn we were weren what when where which while who whom whose why will with won would
  wouldn you your yours yourself yourselves`;

/** Words by which people ask for an answer, whatever it is about. */
export const askingWords: string = `tell list give show provide explain describe summarize summary overview mention bring brought discuss discussion
  conversation session order remind recall remember help please walk throughout across different aspect many much`;

/** Letters of Japanese that no other language has. */
export const kana: RegExp = /[\u3041-\u30ff]/;

/** Letters of Korean. */
export const hangul: RegExp = /[\uac00-\ud7a3]/;

/** Characters of Chinese and Japanese. */
export const han: RegExp = /\p{Script=Han}/u;

/** A sign of a script that is written without spaces between words. */
export const wideSigns: RegExp = /[\u2e80-\ud7ff]/;

/** Kana, Han or Hangul: most lines have none, and need no look at the words of those languages. */
export const eastAsianLetters: RegExp = /[\u3040-\ud7af]/;
