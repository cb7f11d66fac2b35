/** Words that stand where passwords stand and are none: labels, types, and what is said of a password. */

const wordSet = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.join(' ').split(' '));

/** What a program, a form or a schema calls a value. */
const labels: ReadonlySet<string> = wordSet(
  'string str text number int integer bool boolean any unknown null nil none undefined true false required optional hidden masked',
  'password passwd pass pwd passphrase secret secrets token tokens key keys apikey api_key auth credential credentials varchar char',
  'bytes buffer object array void never default empty missing invalid valid yes no on off enabled disabled basic bearer jwt oauth',
  'oauth2 sha1 sha256 sha512 md5 hmac bcrypt argon2 base64 hex utf8 utf-8 file env stdin prompt keychain vault public private',
  'access refresh id username user login email new old current confirm show hide forgot reset change changed updated input output',
  'e-mail e-mails wi-fi on-line off-line pop-up log-in sign-in check-in field label value values type name example test testing sensitive encrypted plain plaintext value1 const let var function async',
  'await return new this self typeof ssh-key ssh https http tls ssl cookie session header headers query not n/a na tbd pending todo',
  'same see ask some random anything something whatever nothing manual auto inherit system managed external internal local remote',
  'redacted filtered protected removed stored saved expired wrong incorrect correct ok failed success error denied anonymous guest sample demo',
);

/** The word for a password, and what forms write beside it, in the languages of interfaces. */
const passwordWords = wordSet(
  'passwort kennwort passphrase passwörter kennwörter benutzername contraseña contrasena contraseñas clave usuario senha senhas usuário',
  'chave palavra-passe wachtwoord wachtwoorden wachtwoordzin hasło haslo heslo jelszó parola parole lozinka geslo salasana lösenord adgangskode',
  'kodeord passord lykilorð parool slaptažodis şifre sifre parolă пароль пароли лозинка парола κωδικός सिफ्रे sandi',
  'رمز سیسما סיסמה סיסמא รหัสผ่าน पासवर्ड কলমা குறியீடு 密码 密碼 口令 パスワード 暗証番号 비밀번호 암호 패스워드',
  'mdp motdepasse identifiant utilisateur code pin codice segreto segreta secreto secreta secrète geheim geheimnis schlüssel jeton jetons',
  'पिन كلمة ficha señal llave токен ключ секрет token sleutel klucz avain nyckel nøgle nøkkel anahtar',
);

/** What a schema says of a field, in the languages of interfaces. */
const fieldWords: ReadonlySet<string> = wordSet(
  'mandatory compulsory forbidden allowed disallowed obligatory erforderlich obligatorisch notwendig pflichtfeld freiwillig verboten erlaubt leer keins keine',
  'aktiv inaktiv aktiviert deaktiviert obligatoire facultatif facultative optionnel optionnelle requis requise interdit autorisé vide aucun aucune désactivé',
  'activé obligatorio obligatoria opcional requerido requerida necesario necesaria prohibido permitido vacío vacía ninguno ninguna desactivado activado',
  'obrigatório obrigatória necessário necessária proibido permitida vazio vazia nenhum nenhuma desativado ativado facoltativo facoltativa obbligatorio',
  'obbligatoria opzionale richiesto richiesta vietato consentito vuoto vuota nessuno nessuna verplicht optioneel vereist leeg geen wymagane wymagany opcjonalne',
  'opcjonalny puste brak obligatorisk valfri tom krävs påkrævet valgfri zorunlu isteğe gerekli boş yok povinné volitelné kötelező обязательно обязательный',
  'обязателен обязательное необязательно пусто нет да oui non sí sim não ja nein evet hayır आवश्यक वैकल्पिक مطلوب اختياري',
);

/**
 * What is said of a password and is none. The endings below add the rest: `hashed`, `gespeichert`, `olvidada`.
 */
const saidOfPasswords = wordSet(
  // English
  'a an the this that these those it its he she they we you i your yours my our their his her wrong right same too very not never always',
  'also only still now already just really being been be was were will would should must may might can cannot could needs need has have had',
  'does do did in on at by for from with without within to of as if when where while until unless because since so and or but then than at',
  'weak strong short long longer shorter safe unsafe secure insecure public case-sensitive case sensitive good bad ok okay fine known',
  'unknown unique random visible invisible important mandatory necessary compulsory available unavailable blank null clear cleartext',
  'plain-text identical different equal ready gone dead due lost stale active inactive obsolete hashed salted kept set unset sent read',
  'written given shown hidden held found built bound cut put left meant about after against all almost another any before below above',
  'between both either else elsewhere enough ever every exactly except few first here how however instead into least less like likely',
  'many maybe more most much neither next nobody nor nothing off often once one otherwise out over own per perhaps please possible',
  'probably quite rather second simply somewhere soon sometimes such there therefore through under up usually what whatever which who',
  'whose why yet authentication authenticator authorization policy manager management reset prompt change field fields column box hash',
  'hashes protection protected hint history strength length minimum maximum min max characters character chars digits letters attempt',
  'attempts failed failure success successful mismatch accepted rejected denied match matches matched mismatched again later today',
  'option flag parameter argument setting settings variable property attribute entry data database file account admin-only login logon',
  'provided supplied given expected used using use uses enter type choose select pick see ask check verify get try via reset leave keep',
  'generated auto-generated user-defined based-on client-side server-side read-only write-only built-in one-time time-limited rate-limited',
  'temporary temporal provisional provisoire provisorio provisoria provvisoria temporaneo temporário temporária tymczasowe tijdelijk initiale inicial iniziale',
  'broken stolen forgotten taken chosen stolen leaked dumb stupid silly easy hard tricky simple complex common terrible awful ridiculous garbage rubbish',
  'trivial ancient guessable annoying tied embedded baked hardwired company corporate personal confidential shared literal literally whichever fake dummy bogus',
  // German
  'einfach schwer leicht komplex schwach stark schlecht gut blöd doof lächerlich trivial üblich persönlich vertraulich privat öffentlich fest optional änderbar',
  'facile difficile simple complexe fort forte faible personnel personnelle confidentiel confidentielle secret secrète bidon nul nulle bête idiot standard',
  'pessoal pessoais intransferível intransferible intrasferibile confidenciais fácil difícil sencilla sencillo simples compleja complejo complexa fuerte débil segura seguro personal confidencial secreta privada pública ridícula tonta boba',
  'forte debole sicura sicuro lunga breve semplice complessa personale riservata segreta banale stupida standard',
  'простой сложный слабый сильный надёжный надежный секретный личный общий обычный дурацкий стандартный',
  'dasselbe derselbe dieselbe vorläufig vorläufiges temporär temporäres',
  'der die das den dem des ein eine einen einem einer es er sie wir ihr ich du mein dein sein ihre unser falsch richtig korrekt gleich zu sehr',
  'vergeben nicht nie immer auch nur noch jetzt schon wurde wird war ist sind muss müssen soll sollte darf kann hat haben leer gültig ungültig sicher',
  'unsicher kurz lang geheim bekannt unbekannt erforderlich notwendig nötig pflicht weg neu alt im in am an auf aus bei mit ohne von vor',
  'nach zum zur für und oder aber wenn weil dass wie was wo hier dort dann ja nein bitte siehe eingeben ändern zurücksetzen vergessen',
  // French
  'le la les un une des du de ce cette il elle on nous vous je tu mon ma ton ta son sa notre votre leur faux bon mauvais correct incorrect',
  'invalide valide trop pas jamais toujours aussi encore déjà doit doivent peut est sont était sera vide obligatoire requis requise expiré',
  'expirée même dans sur sous par pour avec sans chez et ou mais si quand car que qui où ici là oui non voir saisir changer oublié',
  // Spanish, Portuguese, Italian
  'el los las una unos o a os as um uma el ella ellos yo tú mi tu su nuestro vuestro este esta ese esa é está estão es son era fue será debe',
  'deben puede ha han incorrecta incorrecto correcta correcto inválida inválido válida válido muy no nunca siempre también todavía ya vacía',
  'vacío obligatoria obligatorio necesaria necesario caducada misma mismo demasiado corta corto en con sin por para del al y e u ni pero si',
  'cuando porque que quien donde aquí sí não muito nunca sempre também ainda já vazia vazio obrigatória necessária mesma mesmo curta curto',
  'em com sem pelo pela do da dos das no na nos nas ao à mas se quando onde aqui sim errada errado sbagliata sbagliato errata troppo corta',
  'il lo gli uno di da in con su per tra fra non mai sempre anche ancora già deve può è sono era sarà vuota scaduta stessa ver introduce',
  // Dutch, Polish
  'het een dit dat deze zijn was wordt werd moet kan heeft niet nooit altijd ook nog al leeg verplicht verlopen onjuist ongeldig geldig te',
  'kort lang hetzelfde van voor met zonder naar bij en of maar jest nie musi zawsze też już jeszcze puste wymagane błędne nieprawidłowe takie',
  // Russian
  'не неверный неверен неправильный правильный верный слишком уже всё еще ещё тоже пустой обязателен обязательно должен был будет такой же в на с',
);

/** How words end that say something of a password. */
const endingsOf: readonly RegExp[] = [
  /^[a-z]{4,}(?:ing|able|ible|ive|ical|less|ful|ly|ment|tion|sion|ness|ary|ient)$/i,
  /^[a-zà-ÿ]{3,}(?:ables?|ibles?)$/i,
];
/**
 * What Spanish, Portuguese and Italian say was done with a password, by the stems of the verbs: the ending alone has
 * many a noun too (`limonada`, `soldado`, `gelato`).
 */
const romanceParticiple =
  /^(?:des|re|in|en|auto|não-)?(?:compart\p{L}*|guard|salv|armazen|almacen|cifr|criptograf|encript|codific|ger|gener|envi|mand|alter|cambi|mud|troc|modific|defin|establec|restaur|inici|bloque|ativ|activ|expir|caduc|venc|esquec|olvid|us|utiliz|exig|requer|ped|solicit|inform|digit|introduc|inser|err|equivoc|repet|proteg|ocult|escond|revog|revoc|public|vaz|filtr|comprometid?|rotacion|atualiz|actualiz|cri|cre|configur|limit|valid|verific|confirm|rechaz|recus|acept|aceit|neg|permit|prohib|proib|comunic|distribu|perd|recib|receb|recuper|copi|peg|asign|atribu|administr|gestion|model|guardad|dad|fornec|propor|apag|borr|elimin|desactualiz|anot|apunt|registr|cadastr|escolh|eleg|combin|pas|trat|mostr|imprim|escap|transmit|hash|lig|asoci|associ|vincul|reutiliz|robad?|roub|deriv|calcul|nombr|ofusc|mascar|enmascar|trunc|gestit|impost|conservat|condivis|memorizz|modificat|scad|dimentic|richiest|generat|inviat|cambiat|blocc|protett|crittograf|cifrat|salvat|usat|sbagli|accettat|rifiut|scelt|creat|archivi|digitat|inserit|visualizz|comunicat|fornit|assegnat)(?:ad|id|at|ut|it)?[oae]s?$/iu;

/** How words end that tell what was done with a password. */
const participles: readonly RegExp[] = [
  /^[a-z]{3,}ed$/i,
  /^ge[a-zäöüß]{4,}(?:t|en)$|^[a-zäöüß]{3,}(?:bar|lich|isch|iert|los|ung|ungen|halten|schrieben|laufen|setzt|sperrt|legt|ändert)$/i,
  /^(?:dé|ré|re|in|non-?)?(?:chiffr|hach|sal|enregistr|stock|sauvegard|gard|envoy|chang|modifi|réinitialis|initialis|expir|oubli|bloqu|activ|gén[ée]r|cré|partag|communiqu|utilis|employ|exig|demand|refus|rejet|accept|vérifi|valid|confirm|masqu|cach|protég|sécuris|mémoris|affich|limit|autoris|supprim|révoqu|publi|ajout|configur|attribu|donn|laiss|copi|coll|encod|crypt|divulgu|périm|erron|renouvel|test|sauvegard|récup[ée]r|calcul|dériv|attach|associ|réserv|impos|form|compos|not|devin|vol|chargé|transmis|pass|tap|saisi|déclar|nomm|appel|écras|tronqu|fix|personnalis)ées?$|^(?:dé|ré|re|in|non-?)?(?:chiffr|hach|sal|enregistr|stock|sauvegard|gard|envoy|chang|modifi|initialis|expir|oubli|bloqu|activ|gén[ée]r|cré|partag|communiqu|utilis|employ|exig|demand|refus|rejet|accept|vérifi|valid|confirm|masqu|cach|protég|sécuris|mémoris|affich|limit|autoris|supprim|révoqu|publi|ajout|configur|attribu|donn|laiss|copi|coll|encod|crypt|divulgu|périm|erron|renouvel|test|récup[ée]r|calcul|dériv|attach|associ|réserv|impos|compos|not|devin|vol|tap|déclar|nomm|fix|personnalis)és?$/i,
  romanceParticiple,
];

/** Judges each word once, as far as it has room: texts say the same few words again and again. */
export function remembered<T>(judge: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const judged = judge(text);
    if (known.size >= 4_000) known.clear();
    if (text.length <= 64) known.set(text, judged);
    return judged;
  };
}

const wordOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+$/u, '');

/** True for a word of an interface or a schema, in any language that interfaces have. */
export const isLabel: (text: string) => boolean = remembered((text) => {
  const word = text.toLowerCase().replace(/[:：*?!.]+$/, '');
  return labels.has(word) || passwordWords.has(word) || fieldWords.has(word) || stopgap.test(word);
});

/** True for what a password is called. */
export const isPasswordNoun = (text: string): boolean => passwordWords.has(text.toLowerCase());

/** `mypassword`, `your_token`: what stands for a secret in examples. */
const stopgap = /^(?:my|your|the|some|our|user|enter|insert|db)[-_]?(?:pass|passwd|password|pwd|secret|token|key)$/;

/** True for a word that is known to be said of passwords, or calls one by name. */
export const isKnownSaid: (text: string) => boolean = remembered((text) => {
  const word = wordOf(text);
  return saidOfPasswords.has(word) || isLabel(word);
});

/** The same by the ends of words too. */
export const isSaidOfPasswords: (text: string) => boolean = remembered(
  (text) => isKnownSaid(text) || [...endingsOf, ...participles].some((ending) => ending.test(wordOf(text))),
);

/** True for a word that only forms, messages and descriptions have beside a password, never the password itself. */
export const isInterfaceWord: (text: string) => boolean = remembered((text) => {
  const word = wordOf(text);
  return interfaceWords.has(word) || (isLabel(word) && !everydayLabels.has(word));
});

const interfaceWords = wordSet(
  'your yours must should shall is are was were be been isnt cannot please enter choose select using used uses invalid wrong incorrect',
  'required optional minimum maximum characters character chars digits letters length match matches wrong expired account least provided',
  'ihr ihre dein bitte muss eingeben wählen ist votre veuillez saisir doit est tu su debe introduce escriba por es sua seu deve digite é',
  'mindestens höchstens zeichen stellen caractères caracteres caratteri minimo mínimo almeno tekens minstens znaków tecken tegn karakter',
  'введите укажите повторите подтвердите ваш обязательно обязательный обязательное обязателен поле строка пустой пустое забыли неверный',
  'tests suites passed failed authentication authorization field parameter argument option variable returns return hashed encrypted stored supplied generated',
);
/** Labels that are words of every day: a passphrase may hold them. */
const everydayLabels = wordSet(
  'na on off no yes new old any none not same see ask some random nothing never pass key keys code test let this show hide change plain',
  'public private local access file text number correct ok guest cookie manual hidden remote session query sample anything something whatever value name type input wrong clave chave system',
);

/** Words that belong to forms and remarks only beside others: `winter is coming`, `secret garden`. */
const undecided =
  /^(?:is|are|was|were|be|been|ist|est|es|é|por|tu|su|secrets?|secret[oa]|secrète|segret[oa]|geheim|llave|ficha|señal)$/i;
/** Said of passwords, and of what passphrases tell of too. */
const adjective = /^(?:old|new|good|bad|long|short|lost|first|fine|hidden|strong)$/i;
/** Words of grammar, which both have; shorter ones need no list. */
const smallWord =
  /^(?:never|always|every|very|only|also|still|just|even|once|more|most|when|where|that|this|them|they|have|will|with|from|into|over|other|nothing|nicht|immer|jamais|toujours|nunca|siempre|sempre)$/i;
/** How a remark begins that says where a password is, or what was done with it. */
const remarkStart =
  /^(?:see|ask|same|like|as|in|on|at|from|files|compat|via|with|use|using|get|check|contact|reset|set|stored|kept|saved|held|given|sent|written|told|default|none|rotated|changed|expires|expired|unknown|siehe|wie|im|bei|aus|von|voir|dans|chez|demander|ver|véase|en|pedir|vedi|chiedi|zie|zobacz|см\.?)$/i;

/** `see vault`, `stored in the safe`: not the password but where it is, or what is said of it. */
export function isRemark(value: string, isInRecord = false): boolean {
  const words = value.split(' ');
  if (words.length < 3 && words.some((one) => /\d/.test(one) && /\p{L}/u.test(one))) return words.some(isDecisive);
  const first = words[0] ?? '';
  // Among many words of its own a label is one of them: `we sail at dawn with empty barrels`.
  const isDecided = words.some(words.length > 4 && isStory(value) ? isInstruction : isDecisive);
  if (namesPassword.test(value) || isDecided || endsAsLabel(words, isInRecord) || remarkStart.test(first)) return true;
  const { content, said } = weigh(words);
  if (isInRecord) return content === 0 || said > content || (said === content && isTelling(first));
  const isShort =
    words.length < 3 && words.some((one) => isGrammar(one) && !adjective.test(one) && !undecided.test(one));
  return 4 * content < words.length || said >= content || isShort;
}

const namesPassword = /mots? de passe|phrase secrète|parola d['’]ordine|palavras?.passe|[?？]$/i;

const isTelling = (word: string): boolean => isSaidOfPasswords(word) && !isGrammar(word);

/** A noun with a capital is none where the words before have none. */
const endsAsLabel = (words: readonly string[], isInRecord: boolean): boolean => {
  const last = words.at(-1) ?? '';
  if (isInRecord && /^(?:no|yes|on|off|ok)$/i.test(last)) return false;
  const isNoun = /^\p{Lu}/u.test(last) && words.some((one) => /^\p{Ll}/u.test(one));
  return isLabel(last) && !(isNoun && everydayLabels.has(last.toLowerCase()));
};

const isDecisive = (word: string): boolean => isInterfaceWord(word) && !undecided.test(word);

/** Said to whom fills in a form, and of nothing else. */
const isInstruction = (word: string): boolean =>
  isDecisive(word) && (!isLabel(word) || isPasswordNoun(word) || hardLabel.test(word)) && !possessive.test(word);
const hardLabel =
  /^(?:passw|pass$|pwd|secret|token|key|auth|cred|user|login|email|default|required|optional|must|id$|value|field)/i;
const possessive = /^(?:your|yours|ihr|ihre|dein|deine|votre|vos|ton|tu|tus|su|sua|seu|tuo|tua|jouw|ваш|твой)$/i;

/** True for words that tell something of their own, and hardly anything of a password. */
export function isStory(value: string): boolean {
  const { content, said } = weigh(value.split(' '));
  return said === 0 ? content >= 2 : content >= 3 && said === 1;
}

/** How many words of a text tell something of their own, and how many say something of a password. */
function weigh(words: readonly string[]): { readonly content: number; readonly said: number } {
  const telling = words.filter((one) => !isGrammar(one));
  const said = telling.filter(
    (one) => isKnownSaid(one) || participles.some((ending) => ending.test(wordOf(one))),
  ).length;
  return { content: telling.length - said, said };
}

/** True for a word that every sentence has. */
export const isGrammar = (word: string): boolean =>
  adjective.test(word) || smallWord.test(word) || undecided.test(word) || (word.length < 5 && isKnownSaid(word));

/** As labels and messages are written: a capital, small words behind it, and hardly one that tells anything else. */
export function isLabelSentence(value: string): boolean {
  if (!sentence.test(value)) return false;
  const words = value.split(' ');
  const { content, said } = weigh(words);
  return words.length < 3 || said > 0 || content < 2 || remarkStart.test(words[0] ?? '') || namesPassword.test(value);
}
const sentence = /^\p{Lu}[\p{L}'’]*(?: [\p{Ll}'’]+)+$/u;
