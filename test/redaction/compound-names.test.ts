/** Secrets under names of several words, in files that put name and value beside each other in their own way. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redact } from '../../packages/core/src/redaction/redact.ts';

const masked = (cases: readonly (readonly [text: string, secret: string])[]): void => {
  for (const [text, secret] of cases) assert.ok(!redact(text).includes(secret), text);
};
const kept = (texts: readonly string[]): void => {
  for (const text of texts) assert.equal(redact(text), text);
};

test('S6: a key that two sides share is a password of words', () => {
  masked([
    ['site = "north"\nipsec_shared_key = "four owls on a fence"\nretries = 3\n', 'four owls'],
    ['wifi:\n  ssid: Barn\n  wifi_key: "cold soup tonight"\n', 'cold soup'],
    ['vault:\n  enable_secret: ladders against the wall\n  snmp_community: mackerel\n', 'ladders'],
    ['vault:\n  enable_secret: ladders against the wall\n  snmp_community: mackerel\n', 'mackerel'],
    ["APP_SECRET_KEY='a brown goat walked over seven hills'\nDEBUG=1\n", 'brown goat'],
    ['APP_PASSPHRASE="they row home with hollow drums"\nUSER_ID=7\n', 'they row home'],
  ]);
});

test('S6: what a password is of may stand behind its noun', () => {
  masked([
    ['{"senha_gerente": "chuva fina", "porta": 9}', 'chuva fina'],
    ['{"passwordUtente": "gufo calmo", "ruolo": "cassa"}', 'gufo calmo'],
    ['{"userName": "wen", "passWord": "秋水长天"}', '秋水长天'],
    ['[acesso]\nchave_secreta = Neblina\n', 'Neblina'],
    ['{"पासवर्ड": "ठंडी चाय"}', 'ठंडी चाय'],
    ['पासवर्ड: जलेबी\nशाखा: पुणे\n', 'जलेबी'],
    ['| Account | Security answer |\n|---|---|\n| bank | Uncle Bertram |\n', 'Uncle Bertram'],
  ]);
  kept([
    '{"senha_tamanho": "longa", "contrasena_longitud": "larga"}',
    '{"पासवर्ड": "अपना पासवर्ड दर्ज करें"}',
    'password:\n  mot_de_passe: facultatif\n  senha: opcional\n  пароль: обязательно\n  parola: facoltativa\n',
    'passwd:   files systemd\ngroup:    files systemd\n',
  ]);
});

test('S6: a number of four to eight digits is a secret where its name says what it opens', () => {
  masked([
    ['code_secret_portail: "2604"', '2604'],
    ['{"zutrittscode": "99173", "etage": 2}', '99173'],
    ['{"pinTessera": "40718263"}', '40718263'],
    ['codigo_alarma = 5512\n', '5512'],
    ['{"पिन": "7301"}', '7301'],
    ['  Key          Value\n  ---          -----\n  username     svc-print\n  pin          305511\n', '305511'],
  ]);
  kept([
    '{"code": "4041", "status_code": 5003, "zip_code": "90210"}',
    '{"error_code": "40412", "country_code": 4911, "barcode": 40041234, "pin_count": 4000}',
    'const pinned = 4096; pinMode(1300, 1);',
  ]);
});

test('S6: name and value stand beside each other in calls, attributes, lists, changes and lines of settings', () => {
  masked([
    ['user_pref("mail.smtp.password", "marigold");', 'marigold'],
    ['<feld name="passwort" wert="Nasser Hund"/>', 'Nasser Hund'],
    ['<campo nombre="clave_secreta" valor="Luna Rota"/>', 'Luna Rota'],
    ['["HOST=db1","DB_PASSWORD=grey wool socks","PORT=1"]', 'grey wool socks'],
    ['"ADMIN_TOKEN=quiet mule under ladder"', 'quiet mule'],
    ['@@ -1,3 +1,3 @@\n smtp:\n-  password: oatmeal\n+  password: oatmeal with honey\n   port: 25\n', 'oatmeal'],
    ['-password=oatmeal\n+password=rye bread crust\n', 'oatmeal'],
    ['connection barn\naddress mq.example.org:8883\nremote_username shed\nremote_password radish\n', 'radish'],
    ['kullanici = depo\nsifre = incir\nsunucu = 10.1.2.3\n', 'incir'],
    ['[wifi-security]\npsk=then hang your boots by the stove\n', 'your boots'],
  ]);
  kept([
    '--password WORD   the password of the account\n--port N          the port',
    '--mot-de-passe MOT   mot de passe du compte',
    't("form.password", "Password")\nt("form.password.hint", "Your password")',
    '-Set the password before starting.\n+Put the password in a file.',
    'DB_PASSWORT=HIER_PASSWORT_EINTRAGEN',
    'password = secret\ntoken = other\nname = value',
    'address the issue\npassword reset is slow\nuser experience is bad',
  ]);
});
