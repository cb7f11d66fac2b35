/**
 * Words of grammar by which nothing can be told apart, for languages that the index has no stems of: articles, pronouns,
 * prepositions, auxiliaries and words that ask. In lower case and without accents, as the index writes its terms.
 */
export const functionWords: ReadonlySet<string> = new Set(
  `der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine auf im in am an zu zum zur von vom mit fur
  bei aus nach uber unter vor durch um wie wer wo wann warum wieso was welche welcher welches welchen welchem wen wem ob dass sich ist
  sind war waren wird werden wurde wurden soll sollen kann konnen muss hat habe haben hatte hatten es er sie ihr wir ich mir mich uns
  unser unsere mein meine dein deine sein seine du dir dich man als alle noch nur auch dann denn mal so da
  le la les un une de des du au aux et ou mais ne pas dans en sur sous pour par avec sans ce cette ces son sa ses leur leurs que qui
  quoi quand comment pourquoi combien quel quelle quels quelles est sont etait ete etre avoir ai as avons avez ont il ils elle elles
  nous vous je tu te se me mon ma mes ton ta tes notre nos votre vos plus tout tous
  el los las una unos unas del al pero con sin por para se su sus lo que quien quienes cuando como donde cual cuales cuanto cuantos
  es son era fue ser estar esta este esto estos estas he has ha hemos han habia yo ella ellos nosotros mi mis tu tus nuestro nuestra mas
  il gli uno di da con su per tra fra e o ma non che chi cosa dove perche quando come quale quali sono stato stata ho hai abbiamo hanno
  o os a as um uma do da dos das no na nos nas em com ao aos foi eram meu minha nosso nossa voce qual quais onde quem
  и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по ее мне было вот от меня еще нет о из ему когда
  где кто какой какая какое какие какую каком чем чего почему зачем сколько ли или если мы нас нам наш наша наше наши мой моя мое мои
  твой твоя был была были быть есть это этот эта эти для до при об их ей ним них`.split(/\s+/),
);

/** Korean words that ask or point, as they are written with their endings. */
export const koreanFunctionWords: RegExp =
  /^(?:언제|어디|누가|누구|무엇|뭐|뭘|무슨|어떤|어떻게|왜|얼마나?|몇|우리|저희|제|제가|나|내|내가|나는|저는|너|당신|이|그|저|것|거|수|때|은|는|을|를|에|의|도)(?:은|는|이|가|을|를|의|에|에서|에게|도|로|였지|였나요|인가요|죠|지)?$/u;
