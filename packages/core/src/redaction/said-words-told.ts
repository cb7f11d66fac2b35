/** The words around a password that a sentence tells in its second half, in another clause or on another line. */

/** All of some languages, one language a line, as the source of an expression. */
const allOf = (...lines: readonly string[]): string => lines.join('|');

/** `is`, with what may stand beside it. */
export const isWords: string = allOf(
  '(?:is|was|are|reads|remains|stays|will be|should be|has always been|has been|used to be|became)(?: (?:now|still|just|simply|currently|literally|always|actually))?|(?:now|still|just) (?:is|was)',
  '(?:ist|war|lautet|lautete|heißt|hieß|bleibt|wäre|sei)(?: (?:jetzt|nun|einfach|noch|immer noch|schon immer|übrigens|derzeit|aktuell))?|(?:jetzt|nun) (?:ist|lautet|heißt)',
  "(?:est|était|sera|reste|devient|c['’]est|c['’]était)(?: (?:maintenant|désormais|toujours|actuellement|simplement|juste))?|(?:maintenant|désormais) (?:c['’]est|est)",
  '(?:es|era|será|sigue siendo|fue)(?: (?:ahora|siempre|simplemente|actualmente|todavía))?|ahora es',
  '(?:é|era|será|ficou|continua sendo|foi)(?: (?:agora|sempre|simplesmente|ainda))?|agora é|passou a ser',
  '(?:è|era|sarà|resta|rimane)(?: (?:adesso|ora|sempre|semplicemente|ancora))?|(?:ora|adesso) è',
  '(?:luidt|blijft|is)(?: (?:nu|nog|gewoon))?|(?:to|jest|brzmi|było)(?: (?:teraz|nadal))?|(?:это|был|была|теперь|сейчас|будет|такой)|(?:je|bylo|teď je)|(?:är|er|var)(?: (?:nu|nå))?',
);

/** How a password gets another value in one language. */
export interface Change {
  /** Finite verbs and participles. */
  readonly set: string;
  /** In front of the new value. */
  readonly to: string;
  /** The same word tells where or how: then a value begins with a capital, or is no plain word. */
  readonly isAmbiguous?: true;
}

export const changes: readonly Change[] = [
  { set: 'set|changed|reset|switched|updated|rotated|made|renamed|change|switch|update', to: 'to|into' },
  {
    set: 'gesetzt|geändert|gestellt|umgestellt|gewechselt|zurückgesetzt|festgelegt|vergeben|ändere|änderte|setze|setzte',
    to: 'auf|zu',
    isAmbiguous: true,
  },
  {
    set: 'changé|mis|modifié|réinitialisé|remplacé|choisi|défini|passé|change|mets|remplace',
    to: 'en|à|par',
    isAmbiguous: true,
  },
  {
    set: 'cambi[éeoó]|cambiad[oa]|puse|puesto|pon|modifiqué|modificad[oa]|restablec\\p{L}{1,4}|actualic\\p{L}{1,4}|reinici\\p{L}{1,4}|asign\\p{L}{1,4}',
    to: 'a|por|como',
    isAmbiguous: true,
  },
  {
    set: 'mudei|mudou|mudad[ao]|troquei|trocou|trocad[ao]|alterei|alterou|alterad[ao]|redefini\\p{L}{0,3}|coloquei|defini\\p{L}{0,3}|pus|botei|cadastrei',
    to: 'para|como',
  },
  {
    set: 'cambiat[ao]|messo|messa|impostat[ao]|modificat[ao]|reimpostat[ao]|cambio|imposto|metto',
    to: 'in|con|a|su',
    isAmbiguous: true,
  },
  { set: 'gewijzigd|veranderd|gezet|aangepast|wijzig|verander', to: 'naar|in|op', isAmbiguous: true },
  { set: 'zmieni\\p{L}{1,5}|ustawi\\p{L}{1,5}', to: 'na', isAmbiguous: true },
  {
    set: '(?:по|с)меня\\p{L}{1,4}|измени\\p{L}{1,4}|постави\\p{L}{1,3}|установи\\p{L}{1,3}|сброси\\p{L}{1,3}|зміни\\p{L}{1,3}',
    to: 'на',
    isAmbiguous: true,
  },
  { set: 'ändrade|bytte|ändrat|endret|ændret|byttet', to: 'till|til' },
];
const union = (key: 'set' | 'to'): string => allOf(...changes.map((one) => one[key]));
/** Those of all languages. */
export const setWords: string = union('set');
export const toWords: string = union('to');

/** `type X`, `probier mal X`, `mets X`: what somebody is told to key in. */
export const typeWords: string = allOf(
  '(?:just |please |simply )?(?:type|enter|try|use|key in|say|punch in|put in)(?: in)?',
  '(?:gib|tippe?|probier\\p{L}?|versuch\\p{L}?|nimm|nutze|verwende|schreib|nimmst)(?: (?:mal|einfach|doch|bitte|du|hier|dort)){0,2}',
  '(?:tapez?|taper|saisi(?:r|s|ssez)|entrez?|mets|mettez|mettre|utilisez?|essaie|essayez|écris)',
  '(?:escrib[ae]s?|escribir|teclea|pon|poner|prueba|usa|usar|introduce|introducir|mete)(?: con)?',
  '(?:digit[ae]|digitar|us[ae]|usar|tent[ae]|coloc[ae]|colocar|põe|coloca|escrev[ae])(?: com)?',
  '(?:digita|digitare|inserisci|inserire|metti|mettere|usa|usare|prova|scrivi)(?: con)?',
  '(?:typ|gebruik|probeer|wpisz|spróbuj|введи(?:те)?|набери(?:те)?|попробуй(?:те)?|используй(?:те)?|вводи|skriv|yaz|dene)',
);

/** `X as the password`. */
export const asWords: string = 'as|als|comme|como|de|come|jako|как|в качестве|som|ca';
export const articles: string =
  "the|our|my|your|its|their|das|dein|mein|unser|euer|le|la|l['’]|mon|ton|ma|ta|notre|votre|el|mi|tu|su|nuestra|o|a|minha|sua|nossa|il|lo|mia|tua|nostra|het|ons|det|ваш|наш|мой|твой";

/** Refers to a password that was spoken of: `the new one`, `now it`. */
export const againWords: string = allOf(
  "(?:and |but |so )?(?:now )?(?:it|that)['’]s(?: now)?|(?:it|that) (?:is|was|used to be|has always been|had been)(?: now)?|the (?:new|old|current|previous|other|right|correct) one (?:is|was)|(?:new|old) one(?: is| was|:)",
  '(?:und |aber )?(?:jetzt|nun|seitdem|früher|vorher) (?:ist|heißt|lautet|war) (?:es|er|sie)|(?:das|der|die) (?:neue|alte|aktuelle|richtige) (?:ist|heißt|lautet|war)(?: jetzt)?|es (?:ist|war|lautet)(?: jetzt)?',
  "(?:et |mais )?(?:maintenant|désormais|avant|depuis),? c['’](?:est|était)|(?:le|la) (?:nouveau|nouvelle|ancien|ancienne|bon|bonne) (?:est|était|c['’]est|c['’]était)|c['’](?:est|était)(?: maintenant)?",
  '(?:y |pero )?(?:ahora|antes) (?:es|era)|la (?:nueva|vieja|antigua|anterior|correcta|buena) (?:es|era)',
  '(?:e |mas )?(?:agora|antes) (?:é|era|ficou)|a (?:nova|velha|antiga|anterior|correta|certa) (?:é|era|ficou)',
  '(?:e |ma )?(?:adesso|ora|prima) (?:è|era)|(?:la|quella) (?:nuova|vecchia|precedente|giusta) (?:è|era)',
  '(?:теперь|сейчас|раньше) (?:это |был |была )?|(?:новый|старый|прежний)(?: —| -| это| был)|(?:nu is het|nieuwe is|teraz to|teraz jest|nowe to|stare to)',
);

/** Between the new value and the old one. */
export const insteadWords: string =
  'instead of|rather than|statt|anstatt|anstelle von|au lieu de|à la place de|en vez de|en lugar de|em vez de|no lugar de|invece di|al posto di|in plaats van|zamiast|вместо';

/** `as follows`. */
export const followWords: string =
  'as follows|wie folgt|folgendermaßen|comme suit|(?:le|la) suivante?|como sigue|(?:el|la|a|o) siguiente|(?:o|a) seguinte|come segue|(?:la|il) seguente|als volgt|następujące|następujący|следующий|такой';

/** A clause goes on with these behind a value, and the value is over. */
export const goesOnWords: ReadonlySet<string> = new Set(
  (
    'and but so because since if when until till for from on at in by with as or though although while that which you we i it they he she please now then again btw ok okay thanks lol everywhere today ' +
    'und aber oder weil da wenn bis für ab seit auf an im am bei mit damit dass denn ich du wir sie er es genommen gewählt benutzt verwendet bitte jetzt dann danke ' +
    'et mais ou car si quand pour jusque depuis sur dans avec comme que qui je tu il elle on nous vous merci maintenant ensuite puis stp svp ' +
    'y e pero porque cuando hasta desde para por en con como que yo tú él ella gracias ahora luego porfa ' +
    'mas ou porque quando até desde para por no na em com como que eu você ele ela obrigado obrigada agora depois pra ' +
    'ma o perché quando fino da per su in con come che io tu lui lei grazie adesso poi ' +
    'en maar omdat als tot vanaf voor op met i a ale bo jeśli do od dla na w z dzięki и а но потому если до для на в с спасибо теперь потом'
  ).split(' '),
);

/** Words of grammar within a value of several words. */
export const innerWords: RegExp =
  /^(?:a|an|the|of|in|on|at|to|and|or|by|for|with|my|is|are|has|der|die|das|den|dem|im|am|und|zu|mit|mein|ein|eine|le|la|les|du|de|des|en|au|aux|et|à|ma|mon|un|une|el|los|las|y|del|al|con|mi|una|o|os|as|e|da|do|dos|no|na|com|um|uma|il|lo|gli|di|che|uno|het|een|van|op|и|в|на|с|по|за|из|w|z|d|l|vom|beim|zum|zur|ins|ans|aufs|nel|nella|nello|nei|sul|sulla|dal|dalla|num|numa|pelo|pela|от|для|у|к|mein|meine|dein|deine|unser|sein|ihr|votre|notre|tu|su|tuo|tua|suo|sua|mio|mia|seu|teu|meu|minha|твой|твоё|мой|ваш|your|our|his|her|their|после|después|après|heißt|hat|passe|never|always|over|under|into|after|before|toujours|jamais|siempre|nunca|sempre|immer|nie|not|nicht|pas)$/iu;

/** What answers a question for a password and is none. */
export const replyWords: RegExp =
  /^(?:yes|yep|yeah|yup|no|nope|nah|sure|idk|dunno|sorry|sec|second|moment|minute|min|wait|hmm?|uh|um|oh|hi|hey|hello|hang|hold|sent|dm|dms|dmed|dm'd|pm|pmed|slack|email|emailed|mail|mailed|text|texted|call|phone|check|look|ask|see|vault|1password|bitwarden|keepass\w*|lastpass|wiki|confluence|notion|readme|docs?|whiteboard|sticky|note|notes|idea|clue|what|which|who|where|why|how|when|same|always|usual|forgot|forgotten|remember|know|think|thought|let|me|i|i'll|i'm|i'd|i've|we|he|she|they|you|it's|that|this|there|here|can't|cannot|don't|didn't|won't|not|none|nothing|never|secret|password|passwort|done|thanks|thx|ok|okay|please|good|great|fine|lol|haha|try|again|later|tomorrow|today|tonight|soon|ja|nein|nee|nö|klar|moment|warte|gleich|sekunde|keine|ahnung|weiß|frag|schau|schick|schicke|steht|liegt|vergessen|ich|wir|sie|er|es|du|nicht|kein|welches|was|wo|danke|bitte|oui|non|si|attends|attendez|demande|regarde|aucune|sais|pas|je|on|il|elle|tu|vous|nous|quel|quelle|quoi|où|merci|désolée?|bonjour|salut|sí|espera|pregunta|pregúntale|mira|ni|no|sé|yo|te|lo|la|paso|mando|está|cuál|qué|gracias|hola|perdón|sim|não|sei|espera|pergunta|pergunte|olha|eu|ele|ela|mando|manda|tá|qual|obrigad[oa]|oi|já|vou|aspetta|chiedi|guarda|boh|so|non|mando|grazie|ciao|quale|да|нет|не|знаю|подожди|спроси|сейчас|щас|секунду|минуту|посмотри|какой|где|я|он|она|спасибо|привет|забыл[аи]?|скину|напишу|лови|geht|klappt|funktioniert|works|working|funciona|marche|funziona|работает|nie|tak|wiem|zaraz|zapytaj|hallo|weet|vraag|even)$/iu;

/** A question for something: not whether, but which. */
export const questionWords: RegExp =
  /(?<!\p{L})(?:what|what['’]?s|whats|which|wie|welches|welche|welcher|was|wat|anyone (?:know|got|remember)s?|who knows|remind me|do you (?:know|remember)|weiß (?:jemand|wer|einer)|wer weiß|quelqu['’]un (?:connaît|a|sait)|alguien (?:sabe|tiene)|alguém (?:sabe|tem)|qualcuno (?:sa|ha)|кто (?:знает|помнит)|quel|quelle|quoi|cuál|cual|qué|qual|quale|com['’]è|cos['’]è|какой|какая|каков|jakie|jaki|hvad|hva|vad|vilket|ne)(?!\p{L})/iu;
