/** How people say a password, by language: `the password of the key is …`, `neues Kennwort: …`, `パスワードは…です`. */

export interface SaidLanguage {
  /** The fixed words that one of the nouns must hold; a short one with a blank in front and a sign behind. */
  readonly words: string;
  /** The same of the PINs. */
  readonly pinWords: string;
  /** What a password is called, as sources of expressions. */
  readonly nouns: string;
  /** What a number of a few digits is called that opens something. */
  readonly pins: string;
  /** What may follow the noun: what the password is of or for. */
  readonly of: string;
  /** Between the noun and the password: `is`, `was`. */
  readonly is: string;
  /** Before what it was changed into: `to`. */
  readonly to: string;
  /** Between a password and the noun: `X as the password`. */
  readonly role: string;
  /** What a user is called, in front of a password: `user X, password Y`. */
  readonly users: string;
  /** What is said of a password behind `is`, beyond the words of `plain-words.ts`: `wrong`, `expired`, `too short`. */
  readonly not?: string;
}

/** English, whose short words are looked for in other ways too. */
export const english: SaidLanguage = {
  words: 'password|passphrase|passcode|pass phrase| pw | pw:| pwd:|pw is |pwd is |pw was ',
  pinWords: 'pin |pin:|code is|code was|code: |code |combination|otp |otp:|passcode ',
  nouns: 'password|passphrase|passcode|pass ?phrase|pw|pwd',
  pins: 'pin|pin code|code (?:for|to|of) the (?:[a-z]{3,12} )?(?:door|gate|lock|safe|alarm|garage|box|vault|entrance|building)|(?:one-time|verification|security|access|login|alarm|door|gate|entry|unlock|recovery|2fa|mfa|otp|auth\\w*|sms|backup|safe|vault|lock|garage|shed|locker|padlock|building|office|bike) (?:pass)?code(?: (?:I|we|you|they)(?:[’\\x27]ve)? (?:just )?(?:got|received|have|sent)(?: you| me)?)?|otp|passcode|(?:padlock |lock |safe )?combination',
  of: 'for|of|to|on|at|in|vom|von|für',
  is: "is|ist|was|are|reads|says|remains|is now|was set to|is set to|is still|used to be|has been|will be|'s|should be",
  to: '(?:(?:was|is|has been|got)(?: just| now| recently| then)? (?:changed|reset|set|updated|switched|rotated) )?(?:to|as|of)',
  role: 'as',
  users: 'user(?:name)?|login|account',
};

/** How each language says it, English first. */
export const saidLanguages: readonly SaidLanguage[] = [
  english,
  {
    words: 'passwort|kennwort|passphrase|losung',
    pinWords: 'pin |pin:|code |code: |geheimzahl|einmalpasswort|tan: |tan ist',
    nouns: '[a-zäöü-]{0,20}(?:passwort|kennwort|passphrase)(?:abfrage|eingabe|feld)?|zugangsdaten|losung',
    pins: 'pin|code (?:für|von|vom|zu|zum|zur) (?:(?:der|die|das|den|dem) )?[a-zäöüß]{0,10}(?:tür|tor|safe|tresor|garage|alarm|schloss|keller|anlage)|(?:zugangs|zugriffs|sicherheits|tür|tor|alarm|bestätigungs|freischalt|entsperr|aktivierungs|verifizierungs|notfall|einmal|pin-|safe)code|[a-zäöü]{2,12}-pin|tan|geheimzahl|einmalpasswort',
    of: 'für|von|vom|des|der|zu|zum|zur',
    is: 'ist|is|sei|war|wäre|wäre dann|lautet|lautete|heißt|ist jetzt|ist nun|lautet jetzt|bleibt',
    to: 'auf|in|als|von|zu',
    role: 'als',
    users: '(?:benutzer|nutzer)(?:name)?|konto|login',
    not: 'inaktiv|erfolgreich|veraltet|leer|(?:ver|be|er|ent)\\p{Ll}{3,}(?:t|en)|\\p{Ll}{3,}(?:iert|bar|haft)',
  },
  {
    words: 'mot de passe|mdp|phrase secr|phrase de passe',
    pinWords: 'pin |code pin|code secret|code d|code de |code du |code wifi|digicode',
    nouns: 'mot de passe|mdp|phrase secrète|phrase de passe',
    pins: "pin|code (?:pin|secret|de la porte|du coffre|du garage|de l'entrée|d’accès|d'accès|de sécurité|de vérification|du portail|de l'alarme|de l’alarme|wifi)|digicode",
    of: "de|du|des|pour|d’|d'|à|sur",
    is: "est|était|devient|c'est|c’est|sera|est désormais|est maintenant|reste",
    to: '(?:a été |est )?(?:(?:changé|modifié|remplacé|réinitialisé)e? )?(?:en|à|par|sur|de)',
    role: 'comme',
    users: 'utilisateur|identifiant|compte|login',
    not: 'nécessaire|erronée?|incorrecte?|faible|trop|\\p{Ll}{3,}(?:atoire|aire)',
  },
  {
    words: 'contraseña|contrasena|clave|la pass|frase de contr|frase secreta|frase de cifrado|frase de paso',
    pinWords: 'pin |código',
    nouns: 'contraseña|contrasena|clave|la pass|frase de contraseña|frase secreta|frase de cifrado|frase de paso',
    pins: 'pin|código (?:pin|de acceso|de seguridad|de verificación|secreto|(?:de la|del) (?:puerta|alarma|portal|caja|garaje))',
    of: 'de|del|para|en|al',
    is: 'es|era|será|es ahora|ahora es|sigue siendo',
    to: '(?:(?:se |ha sido |fue )?(?:cambi\\p{L}+|actualiz\\p{L}+|restable\\p{L}+|modific\\p{L}+) )?(?:a|en|por|de)',
    role: 'como|de',
    users: 'usuario|cuenta|login',
    not: 'mala?|débil|(?:sospech|peligr|cuidad|dud|numer|ambici|defectu|engañ|valios|hermos)[a-z]{0,2}os[ao]|\\p{Ll}{3,}(?:iv[ao]|ble|atori[ao]|sari[ao])',
  },
  {
    words: 'senha|palavra-passe|palavra passe|frase secreta',
    pinWords: 'pin |código',
    nouns: 'senha|palavra-passe|palavra passe|frase secreta',
    pins: 'pin|código (?:pin|de acesso|de segurança|de verificação|(?:da|do) (?:porta|alarme|portão|cofre))',
    of: 'de|do|da|dos|das|para|no|na',
    is: 'é|era|será|agora é|ficou|continua',
    to: '(?:(?:foi |é )?(?:alterad|mudad|redefinid|trocad|atualizad)a )?(?:para|a|em|por|de)',
    role: 'como',
    users: 'usuário|utilizador|conta|login',
    not: 'má|mau|fraca?|inválida?|(?:perig|suspeit|cuidad|duvid|numer|engan)os[ao]|\\p{Ll}{3,}(?:iv[ao]|vel|atóri[ao])',
  },
  {
    words: 'parola d|passphrase|password|frase segreta',
    pinWords: 'pin |codice',
    nouns: "parola d['’]ordine|passphrase|password|frase segreta",
    pins: 'pin|codice (?:pin|di accesso|di sicurezza|di verifica|segreto|(?:del|della|dello) (?:cancello|porta|portone|allarme|cassaforte|box))',
    of: 'di|del|della|dello|per|dei|al',
    is: 'è|era|sarà|adesso è|ora è|resta',
    to: 'in|a|con',
    role: 'come',
    users: 'utente|account|login',
    not: 'debole|forte|sicur[ao]|lung[ao]|\\p{Ll}{3,}(?:evole|abile|ibile|atori[ao])',
  },
  {
    words: 'wachtwoord|wachtzin',
    pinWords: 'pincode|code is|code: |code ',
    nouns: '[a-z-]{0,12}wachtwoord|wachtwoordzin|wachtzin',
    pins: 'pincode|(?:toegangs|alarm|beveiligings|verificatie|deur|bevestigings)code',
    of: 'van|voor|op',
    is: 'is|was|luidt|is nu|blijft',
    to: 'in|naar|op',
    role: 'als',
    users: 'gebruiker(?:snaam)?|account',
    not: 'mislukt|worden|ver\\p{Ll}{3,}d|ge\\p{Ll}{3,}(?:d|t|en)|on(?:juist|geldig|bekend|veilig)|zwak|correct',
  },
  {
    words: 'hasło|haslo|hasła|hasłem',
    pinWords: 'pin |kod pin|kod dost|kod do ',
    nouns: 'hasło|haslo|hasła|hasłem',
    pins: 'pin|kod (?:pin|dostępu|do \\w+)',
    of: 'do|dla|od|na',
    is: 'to|jest|było|brzmi|to teraz',
    to: 'na|jako',
    role: 'jako',
    users: 'użytkownik|login|konto',
    not: 'został[oa]?|zostać|nigdy|proszę|złe|takie|\\p{Ll}{3,}(?:ne|owe|one|ane|ite|łe)',
  },
  {
    words: 'lösenord|adgangskode|passord|salasana',
    pinWords: 'koden |kod |pin ',
    nouns: '[a-zåäö-]{0,12}lösenord(?:et)?|adgangskoden?|passordet|passord|salasana',
    pins: '(?:port|larm|dörr|säkerhets|åtkomst|pin-?)koden?|pin',
    of: 'för|till|for|til|på',
    is: 'är|er|var|on|blev',
    to: 'till|til',
    role: 'som',
    users: 'användare|bruger|bruker|konto',
    not: 'fel|inte|ikke|redan|allerede|för|for|tomt?|galt?|krävs|kort|utgånget|utgått|udløbet|forkert|ugyldig|gyldig|blevet|uændret|väärä|virheellinen|tyhjä|liian|pakollinen|vanhentunut|svagt?|svakt?|sterkt?|starkt?|skulle|inaktivt?|\\p{Ll}{3,}(?:igt?|iskt?|erat|erade|erad|ande|ende|ändrat|aktiv|ert|lig|krævet|krevd)',
  },
  {
    words: 'şifre|parola',
    pinWords: 'pin ',
    nouns: 'şifre(?:si|m|miz|yi|ni|sini|mi|mizi)?|parola(?:sı|m|yı|sını|mı)?',
    pins: 'pin(?: kodu(?:nu|m|nuz)?)?',
    of: 'için',
    is: '',
    to: '',
    role: '',
    users: 'kullanıcı',
    not: 'olarak|için|istemek|ile|hiç|olmadan|olmaksızın|yanlış|hatalı|geçersiz|gerekli|zorunlu|boş|zayıf|\\p{Ll}{2,}(?:mış|miş|muş|müş|iyor|ıyor|ilir|malı|meli|acak|ecek|emedi|amadı|ildi|ıldı)',
  },
  {
    words: 'парол|пасс|кодовая фраза|секретная фраза',
    pinWords: 'пин|код доступа|код подтв|код безоп|код из',
    nouns: 'парол(?:ь|я|ю|ем)|пасс|кодовая фраза|секретная фраза',
    pins: 'пин(?:-?код)?|код (?:доступа|подтверждения|безопасности|из смс)',
    of: 'от|для|к|на|в|у',
    is: 'это|был|теперь|будет|такой',
    to: 'на|в|как',
    role: 'как|в качестве',
    users: 'логин|пользователь|юзер',
    not: 'неверн\\p{L}*|слаб\\p{L}*|пуст\\p{L}*|истёк|истек|устарел\\p{L}*|\\p{Ll}{3,}(?:ен|ена|ано|ено|ный|ным|ое|ая|ий|ить|ать|ется)',
  },
  {
    words: 'пароль|паролі',
    pinWords: 'пін',
    nouns: 'пароль|паролі?',
    pins: 'пін(?:-?код)?',
    of: 'від|для|до',
    is: 'це|був|тепер',
    to: 'на',
    role: 'як',
    users: 'логін|користувач',
    not: 'невірн\\p{L}*|закінчився|порожн\\p{L}*|хибн\\p{L}*|\\p{Ll}{3,}(?:ний|ним|ено|ано|ити|ати|ється)',
  },
  {
    words: 'heslo|hesla|heslem',
    pinWords: 'pin kód',
    nouns: 'hesl(?:o|a|em|u)',
    pins: 'pin(?: kód)?',
    of: 'k|ke|pro|od|do|na',
    is: 'je|bylo|bude|teraz je|teď je',
    to: 'na|za',
    role: 'jako',
    users: 'uživatel|používateľ|účet|login',
    not: 'nebyl[oa]|byl[oa]|bolo|příliš|již|není|nelze|musí|\\p{Ll}{3,}(?:eno|ěno|ito|áno|ané|ené|né|vé|to|lo)',
  },
  {
    words: 'jelszó|jelszav',
    pinWords: 'pin-kód|pin kód',
    nouns: '[a-záéíóöőúüű-]{0,12}jelsz(?:ó|ava|avam|avat)',
    pins: 'pin(?:-?kód)?',
    of: '',
    is: 'most|az',
    to: 'erre',
    role: '',
    users: 'felhasználó(?:név)?',
    not: 'hibás|érvénytelen|üres|kötelező|miatt|nem|túl|lejárt|rossz|helytelen',
  },
  {
    words: 'parola|parolă',
    pinWords: 'codul pin',
    nouns: 'parol[aă]',
    pins: 'pin',
    of: 'de|la|pentru|de la',
    is: 'este|era|e|va fi',
    to: 'în|la',
    role: 'ca',
    users: 'utilizator|cont',
    not: 'incorect\\p{L}*|greșit\\p{L}*|invalid\\p{L}*|prea|goal\\p{L}*|necesar\\p{L}*|obligatori\\p{L}*|expirat\\p{L}*|slab\\p{L}*',
  },
  {
    words: 'κωδικός|κωδικό|συνθηματικό',
    pinWords: 'κωδικός pin',
    nouns: 'κωδικ(?:ός|ό)(?: πρόσβασης)?|συνθηματικό',
    pins: 'pin',
    of: 'για|του|της',
    is: 'είναι|ήταν',
    to: 'σε',
    role: 'ως',
    users: 'χρήστης',
    not: 'λάθος|λανθασμέν\\p{L}*|άκυρ\\p{L}*|κεν\\p{L}*|υποχρεωτικ\\p{L}*|απαιτείται|πολύ|εσφαλμέν\\p{L}*|αδύναμ\\p{L}*',
  },
  {
    words: 'mật khẩu',
    pinWords: 'mã pin',
    nouns: 'mật khẩu',
    pins: '(?:mã )?pin',
    of: 'của|cho',
    is: 'là|bây giờ là|mới là',
    to: 'thành|sang',
    role: 'làm',
    users: 'tài khoản|người dùng',
    not: 'không|quá|chưa|sai|trống|bắt|hợp|đã|phải|cần|yếu',
  },
  {
    words: 'kata sandi|sandi|kata laluan',
    pinWords: 'kode pin',
    nouns: 'kata sandi|sandi|kata laluan',
    pins: 'pin',
    of: 'untuk|dari',
    is: 'adalah|ialah|sekarang',
    to: 'menjadi|ke',
    role: 'sebagai',
    users: 'pengguna|akun',
    not: 'salah|terlalu|tidak|kosong|wajib|harus|lewat|valid|sudah|belum|lemah|diperlukan',
  },
];

/** Scripts that put no blanks between words. `to` stands in front of a password, `end` behind it. */
export interface SaidScript {
  readonly nouns: string;
  readonly pins: string;
  /** Directly behind the noun: then an ASCII word is a password, and a quoted one. */
  readonly is: string;
  /** What a change says: then also words of the script are a password, up to the next sign. */
  readonly changed: string;
  /** Behind the noun, with words of the script as the group. */
  readonly own: string;
  /** The beginnings of what is said of a password and is none. */
  readonly not: string;
}

export const saidScripts: readonly SaidScript[] = [
  {
    nouns: '密码|密碼|口令|密钥|密鑰|暗号|密語|密语|口令词',
    pins: '验证码|驗證碼|校验码|密码|密碼|门禁码|取件码|动态码|PIN码|PIN碼',
    is: '(?:现在|現在|目前|依然|还|還|就|都|应该|應該|暂时)?(?:[输填用写]的是|是|为|為|叫|就是|改为|改為|设为|設為|换成|換成|改成|設成|设成)(?:了)?[:：]?',
    changed: '(?:我|已|已经|已經|你|他|都|被|刚|剛)?(?:设|設|改|换|換|重置|更新|定)(?:成|为|為|到)(?:了)?[:：]?',
    own: '(?:现在|現在|目前)?(?:就是|是|叫|改成|改为|换成|设成|设为|改為|換成|設為)(?:了)?[:：]?([\\p{Script=Han}\\d]{2,12})(?:了)?(?=[，。,.!！；;、）)\\s]|$)',
    not: '必|什么|什麼|错|錯|空|多少|不|正|由|用|需|存|否|一样|一樣|和|加|默认|默認|随机|隨機|固定|我|你|他|谁|誰|为了|因|在|最|通|唯|可|字|强|強|弱|简|簡|复杂|複雜',
  },
  {
    nouns: 'パスワード|パス(?=[:：])|パスフレーズ|合言葉|暗証番号|ログインパス',
    pins: '暗証番号|認証コード|確認コード|PINコード|ワンタイムパスワード|セキュリティコード|PIN',
    is: '(?:は|が|を|には|も)(?:[:：])?(?:新しく|今|現在|全部|とりあえず)?',
    changed: '(?!)',
    own: '(?:は|が)([\\p{Script=Hiragana}\\p{Script=Katakana}ー]{4,14}?)(?:です|だよ|だ|になり|に変更|に設定|でお願い)',
    not: '必|暗|空|誰|何|別|同|不|正|間|違|変|忘|ど|あ|こ|そ|半|英|数|大|小|最|設|入|表|保|再',
  },
  {
    nouns: '비밀번호|암호|비번|패스워드|패스프레이즈',
    pins: 'PIN은|PIN이|PIN번호|PIN코드|인증번호|핀번호|핀 ?코드|비밀번호|비번|인증 ?코드',
    is: '(?:는|은|가|이|를|을)?[ ]?(?:이제|지금|현재|그냥)?[ ]?',
    changed: '(?!)',
    own: '(?:는|은|가|이)\\s?(?:이제 |지금 )?([가-힣]{2,6}(?: ?[가-힣]{2,6}){0,2}?)(?:입니다|이에요|예요|이야|야(?!\\s?[하해했할합되돼됩됐])|임)(?=[.,!\\s]|$)',
    not: '필|틀|없|같|다|무|어|얼마|언제|왜|누구|누가|몇|자주|매[일주월년번]|항상|절대|설|변|저|일|올|잘|안|모|확|입|재',
  },
];
