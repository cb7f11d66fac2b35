/** Tells from a name whether what stands behind it is a secret. */
import { words } from './rule.ts';
import type { Strength } from './values.ts';

/** What a password is called in names of fields. */
const passwordNouns: readonly string[] = words(
  'password|passwd|passphrase|passcode|pwd|pass|psk|passwort|kennwort|contraseña|contrasena|senha',
  'phrase_secrete|phrase_secrète|frase_secreta|clave_secreta|palavra_passe|palavra-passe|palavrapasse',
  'palavra passe|mot de passe|пароль|wachtwoord|mot_de_passe|motdepasse|mdp|mot-de-passe|parola_chiave',
  'hasło|haslo|parola|sifre|şifre|heslo|jelszo|jelszó|lösenord|losenord|passord|adgangskode|salasana',
  'chave_secreta|cle_secrete|clé_secrète|chiave_segreta|geheimwort|lozinka|mật khẩu|mat_khau|kata sandi|kata_sandi',
  'wlanschlüssel|wlanschluessel|wlan_schlüssel|wlan_schluessel|netzwerkschlüssel|clave_wifi|clave-wifi|clavewifi|clave_red',
  'netzwerkschluessel|netzwerk_schluessel|netzwerk_schlüssel|clave_acceso|claveacceso|clave_de_acceso|clave_correo|clavecorreo',
  'clave_admin|clave_usuario|clave_servidor|clave_maestra|clave_bd|frase_cifrado|frase_de_cifrado|frase_de_paso|frase_senha|frase-senha',
  'chave_acesso|chave_rede|chave_mestra|cle_acces|clé_accès|phrase_de_passe|phrase_passe',
  'парольнаяфраза|парольная фраза|парольная_фраза|кодовая_фраза|секретная_фраза|секретное_слово',
  'chave_wifi|chave-wifi|chavewifi|clé_wifi|cle_wifi|cléwifi|clewifi|chiave_wifi|chiavewifi',
  'पासवर्ड|كلمة المرور|كلمة السر|كلمة_المرور|סיסמה|รหัสผ่าน|κωδικός πρόσβασης|συνθηματικό',
);

/** What is asked of somebody who forgot a password. */
const answerNouns: readonly string[] = words(
  'security answer|security_answer|secret answer|secret_answer|sicherheitsantwort|respuesta secreta|respuesta_secreta',
  'respuesta de seguridad|réponse secrète|reponse_secrete|resposta secreta|resposta_secreta|risposta segreta',
);

/** The last words of names of secrets; a name is looked at only where one of them stands. */
export const coreWords: readonly string[] = [
  ...passwordNouns,
  ...answerNouns,
  ...words('secret|snmp_community|snmp-community|community_string|community_ro|community_rw|token|key|auth'),
  ...words('credential|credentials'),
];

type Named = readonly [word: string, strength: Strength];
const named = (strength: Strength, ...lines: readonly string[]): readonly Named[] =>
  words(...lines).map((word) => [word, strength]);

/** Names too short to be looked for alone, or the start of many a word: looked for with the sign behind them. */
export const shortNames: readonly Named[] = [
  ...named('strong', 'pw|psw'),
  ...named('medium', 'clave|skey'),
  ...named('weak', 'pat|session'),
  ...named('digits', 'пин|пин-код|пинкод|पिन'),
  ...named(
    'digits',
    'pin|otp|pincode|pin_code|mfa_code|alarm_code|door_code|gate_code|lock_code|safe_code|access_code|entry_code',
    'unlock_code|disarm_code|alarmcode|code_pin|codigo_pin',
  ),
];

/** The same in scripts that do not write spaces: they may stand anywhere in a sentence. */
export const eastAsianWords: readonly Named[] = [
  ...named(
    'strong',
    '密码|密碼|口令|비번|パスワード|暗証番号|パスフレーズ|共有キー|事前共有鍵|ネットワークキー|合言葉|비밀번호|암호|패스워드',
  ),
  ...named(
    'medium',
    '密钥|密鑰|秘钥|金鑰|令牌|凭证|凭据|憑證|授权码|授權碼|トークン|シークレット|キー|秘密鍵|認証情報|토큰|시크릿|키|비밀키',
  ),
  ...named('digits', '验证码|驗證碼|認証コード|인증번호|暗証'),
];

const passwords = new Set([...passwordNouns, ...answerNouns]);

/** Languages that put what a password is of behind its noun: `senha_supervisor`, `motDePasseAdmin`. */
const leading = /^(?:contrase[nñ]a|senha|palavrapasse|motdepasse|mdp|parola|clavesecreta|chavesecreta)$/;

/** Words that may follow: which one it is, or how it is written. */
const endings =
  /^(?:s|\d{1,3}|v\d|value|val|prod|production|dev|development|test|staging|stage|live|local|main|primary|secondary|new|old|current|raw|plain|b64|base64|base|env|default|string|str|text|hex|admin|root|user|db|read|write|wi|fi|wifi|wlan|vpn|smtp|ftp|ssh|mysql|ldap|d[aeou]|del|des|supervisor|operator|guest|owner|manager|service|router|server|switch|portal|mail|email|vault|backup|utente|usuario|utilisateur|benutzer|gast|invitado|convidado|cliente)$/;

/** Words that make a name one of something else: a number of tokens, the name of a field, a key that is no secret. */
const otherwise = new Set(
  (
    'max min num count counts total limit limits page next prev cursor continuation sync cancel cancellation public primary foreign ' +
    'partition cache sort type types name names label labels placeholder hint length len policy regex pattern format field fields error ' +
    'errors message messages title url uri path paths file files dir hash hashed digest usage budget prompt completion input output ' +
    'reasoning stop eos bos pad unk special design css color theme vocab lexer parser syntax no has is with without require required ' +
    'campo champ tamanho longitud longueur lunghezza ruta caminho chemin percorso arquivo archivo fichier política politica esquecida ' +
    'olvidada oubliée oublie confirma confirmar confirmacao confirmation conferma anterior antiga vieja caducada expirada obligatoria ' +
    'use show hide toggle help tooltip desc description caption forgot reset change verify validate check handle on get set fetch create delete remove update id ids idx index'
  ).split(' '),
);

/** What stands in front of `key` in names of secrets. */
const keyKinds =
  /(?:api|application|access|secret|private|auth|encryption|encrypt|signing|master|account|service|shared|storage|deploy|license|licence|subscription|jwt|hmac|webhook|admin|consumer|server|cipher|aes|crypto|write|integration|ingestion|session|functions|app|client|bot|wallet|signer)$/;

/** Keys that open nothing: of lists, tables, caches, and the public half of a pair. */
const otherKeys =
  /(?:^|[^a-z])(?:pub|row|map|react|item|list|group|object|blob|s3|hash|dedupe|dedup|lookup|idempotency|cipher|host|known|trace|span|query|state|route|redis|config|feature|flag|entity|node|asset|bucket|build|content|digest|finger|i18n|translation|locale|signature|sig|verify|verification|peer|block|tree|parent|child|session|request|document|record|event|change|diff)(?:ed|s)?$|pub(?:lic)?$/;

/** Secrets that a person may have made up; others name an object that holds one. */
const ownSecrets =
  /(?:jwt|session|app|client|shared|signing|cookie|api|webhook|consumer|csrf|hmac|oauth|totp|master|enable|radius|tacacs|ipsec|vpn|wifi|wlan|hotspot)$/;
/** Keys that are passwords by another name: two sides know them, and people make them up. */
const sharedKeys = /(?:shared|wpa2?|wpa3|wifi|wlan|wireless|hotspot|network|wep|vpn|ipsec|pairing)$/;

const passKinds = /(?:^|db|user|my|smtp|root|ssh|store|key|mail|ftp|redis|mysql|pg|sudo|proxy|http|rpc)$/;

const known = new Map<string, Strength | undefined>();
const mostKnown = 4_000;

/** What a whole name promises; undefined for a name of something else. `core` is one of the words above. */
export function strengthOf(name: string, core: string): Strength | undefined {
  const key = `${core} ${name}`;
  if (known.has(key)) return known.get(key);
  const strength = judged(name, core);
  if (known.size >= mostKnown) known.clear();
  known.set(key, strength);
  return strength;
}

function judged(name: string, given: string): Strength | undefined {
  const core = given.replaceAll(/[ _-]/g, '');
  const parts = wordsOf(
    (core === given ? name.replace(/([pP]ass)W(?=ord|ort)/, '$1w') : name.toLowerCase().replaceAll(given, core))
      .replace(/mot_?de_?passe/i, 'motdepasse')
      .replace(/palavra_?passe/i, 'palavrapasse'),
  );
  // The core may be the end of a word (`apikey`, `PGPASSWORD`), and what follows a word of its own.
  const at = parts.findLastIndex((word) => word === core || word === `${core}s` || word.endsWith(core));
  const word = parts[at];
  if (word === undefined) return undefined;
  const mayFollow = leading.test(core)
    ? (after: string) => !otherwise.has(after)
    : (after: string) => endings.test(after);
  if (!parts.slice(at + 1).every(mayFollow)) return undefined;
  const before = parts.slice(0, at);
  const joined = before.join('') + (word.endsWith(core) ? word.slice(0, -core.length) : '');
  if (before.some((one) => otherwise.has(one)) && !/^(?:admin|user)?(?:new|old|default)?$/.test(joined))
    return undefined;
  if (core.includes('community')) return 'strong';
  if (core === 'key') return keyStrength(joined, before.length > 0 && word === core);
  if (core === 'pass') return passKinds.test(joined) || (before.length > 0 && word === core) ? 'strong' : undefined;
  if (core === 'auth') return word === core ? 'weak' : undefined;
  if (core === 'credential' || core === 'credentials')
    return /(?:bind|security|ldap|simple)$/.test(joined) ? 'strong' : 'medium';
  if (passwords.has(given)) return joined.endsWith('1') ? undefined : 'strong';
  return core === 'secret' && (ownSecrets.test(joined) || (before.length === 0 && word === core)) ? 'strong' : 'medium';
}

/** A key of an unknown kind is one where its value leaves no doubt. */
function keyStrength(joined: string, isWordOfItsOwn: boolean): Strength | undefined {
  if (sharedKeys.test(joined)) return 'strong';
  if (keyKinds.test(joined)) return 'medium';
  return isWordOfItsOwn && !otherKeys.test(joined) ? 'weak' : undefined;
}

/** `DB_PASSWORD_2`, `clientSecret`, `x-api-key`, `spring.datasource.password` → their words in lower case. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean);

/** A number that opens something: `code_secret_alarme`, `doorCode`, `pinFirma`, `puk`. */
export function isNameOfCode(name: string): boolean {
  const parts = wordsOf(name);
  if (parts.some((one) => otherwise.has(one))) return false;
  if (parts.some((one) => pinWord.test(one))) return true;
  return (
    codeOf.test(parts.join('')) || (parts.some((one) => codeWord.test(one)) && parts.some((one) => opens.test(one)))
  );
}
const pinWord = /^(?:pin|puk|otp|pincode|pinkod|пин|пинкод|пук)$/;
const codeWord = /^(?:code|codes|código|codigo|codice|kod|код|combination|combo|combinación|combinaison)$/;
const opens =
  /^(?:secret[ao]?|secrète|segret[ao]|alarme?|alarma|allarme|access|accès|acces|acceso|acesso|accesso|entry|entrance|door|gate|garage|lock|padlock|safe|vault|unlock|disarm|arm|panel|porte|portail|coffre|puerta|portón|caja|cofre|porta|portão|portone|cancello|cassaforte|сейфа?|двери|доступа|сигнализации|кодовый|домофона|kasa|kapı|dostępu)$/;
const codeOf =
  /(?:zugangs|zutritts|tür|tuer|tor|alarm|entsperr|freischalt|sicherheits|tresor|safe|schloss|deur|toegangs|kluis|port|dörr|larm|dør|door|gate|access|entry|unlock|lock|safe)(?:code|kod|koden|kode)$/;
