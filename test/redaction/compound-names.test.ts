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

test('S6: fields of plain words in files of many kinds', () => {
  masked([
    ['admin_pw = "Blue Lagoon"\nadmin_user = "root"', 'Blue Lagoon'],
    ['LDAP_BIND_PW="one small step"', 'one small step'],
    ['smtp:\n  user: noreply\n  pass: lemon curd\n  host: mx1', 'lemon curd'],
    ['<entry key="db.password">lemon curd</entry>', 'lemon curd'],
    ['<setting name="SmtpPassword"><value>lemon curd</value></setting>', 'lemon curd'],
    ['<property name="contrasena" value="arroz con leche"/>', 'arroz con leche'],
    ['<param nom="mot_de_passe" valeur="soupe à l\'oignon"/>', "soupe à l'oignon"],
    ['<string name="wifi_password">lemon curd</string>', 'lemon curd'],
    ['"clave_wifi": "pan con tomate"', 'pan con tomate'],
    ['chave_wifi: pão com manteiga\nssid: Loja', 'pão com manteiga'],
    ['Host\tUser\tPassword\tPIN\nnas\tadmin\told boot\t4410', 'old boot'],
    ['Host\tUser\tPassword\tPIN\nnas\tadmin\told boot\t4410', '4410'],
    ['服务器,用户,密码\nweb1,root,山高水长\n', '山高水长'],
    ['| हिसाब | पासवर्ड |\n|---|---|\n| बैंक | ठंडी लस्सी |', 'ठंडी लस्सी'],
    ['sunucu: db1\nkullanici: ayse\nparola: kırmızı elma\n', 'kırmızı elma'],
    ['şifre = "mavi deniz"', 'mavi deniz'],
    ['username admin\npassword tulipgarden\nhost 10.0.0.4', 'tulipgarden'],
    ['remote_host 10.0.0.4\nremote_pass Gladiolus\n', 'Gladiolus'],
    ['snmp-server community walnut RO', 'walnut'],
    ['pref("network.proxy.password", "Gladiolus");', 'Gladiolus'],
    ['config.set("db.password", "purple rain");', 'purple rain'],
    ['props.setProperty("mail.password", "purple rain");', 'purple rain'],
    ['setOption("smtp_pass", "purple rain")', 'purple rain'],
    ['ENV: ["DB_PASS=purple rain","X=1"]', 'purple rain'],
    ['"Env": [\n  "POSTGRES_PASSWORD=purple rain",\n  "PATH=/usr/bin"\n]', 'purple rain'],
    ['-  password: old kettle\n+  password: $DB_PASSWORD\n', 'old kettle'],
    ['-DB_PASSWORD=old kettle\n+DB_PASSWORD=new kettle\n', 'new kettle'],
    ['- "password": "old kettle",\n+ "password": "new kettle",', 'new kettle'],
    ['root:\n  hasło: stary dąb\n  login: jan', 'stary dąb'],
    ['- Benutzer: kiosk\n- Passwort: Sommerwiese\n', 'Sommerwiese'],
    ['**Utilisateur** : luc\n**Mot de passe** : vent du nord\n', 'vent du nord'],
    ['Usuario: luz\nContraseña: viento del norte', 'viento del norte'],
    ['ID: kiosk\nPW: 푸른하늘', '푸른하늘'],
    ['[db]\nuser=app\nsenha=bolo de cenoura\n', 'bolo de cenoura'],
    ['db.senha=bolo de cenoura\ndb.host=x', 'bolo de cenoura'],
    ['ssid: Haus\nwpa_passphrase: sieben Zwerge tanzen', 'sieben Zwerge tanzen'],
    ['alarm_code: 4471', '4471'],
    ['codigo_puerta: "8820"', '8820'],
    ['"codePorte": "4471"', '4471'],
    ['Türcode: 4471#', '4471'],
    ['puk: 48120936', '48120936'],
    ['secret_question: pet\nsecret_answer: Mister Whiskers', 'Mister Whiskers'],
    ['{"user":"jo","passwordHint":"my cat","password":"fluffy paws"}', 'fluffy paws'],
    ['KEYSTORE_PASS=fluffy paws\nKEYSTORE_FILE=x', 'fluffy paws'],
    ['keystorePassword: "fluffy paws"', 'fluffy paws'],
    ['ansible_become_password: fluffy paws\nansible_user: bo', 'fluffy paws'],
    ['export WIFI_PSK="fluffy paws"', 'fluffy paws'],
    ['jwt_secret: "the moon is made of cheese"', 'the moon is made of cheese'],
    ['cookie_secret = "ten green bottles hanging"', 'ten green bottles'],
    ['new Client({ user: "x", secret: "ten green bottles" })', 'ten green bottles'],
    ['пользователь: olga\nпароль: утренний туман', 'утренний туман'],
    ['"пин": "4471"', '4471'],
  ]);
});

test('S6: what a schema, a form or a log says in such a field stays', () => {
  kept([
    '{"password": {"type": "string", "description": "The password of the user in plain text"}}',
    '{"senha": {"obrigatório": true}}',
    'passwortFeld: "Bitte hier eingeben"',
    '{"passwordLabel":"Password","passwordHint":"At least 8 letters"}',
    '"forgot_password": "Forgot your password?"',
    '"auth.password": "Пароль"',
    '"login.password.placeholder": "Introduce tu contraseña"',
    'password_min_length = 8\npassword_history = 24',
    'token_type: bearer\nexpires_in: 3600',
    'secret_name: my-db-secret\nnamespace: prod',
    'secretRef: db-creds',
    'key: value\nname: test',
    'code: 2000',
    'exit_code: 1234',
    'postal_code: "90210"',
    '"error_code": 5001',
    'zip_code = 12345',
    'status_code: 2040',
    'area_code: 4151',
    '"country_code": "0049"',
    'code_version: 2024',
    'promo_code: 20241',
    '"pin": true, "pinned": false',
    'pin_memory: true, num_pins: 4096',
    'access_code_length: 1024',
    '"community": "open source"',
    'community: friendly and open\n',
    'The community is great.',
    'snmp_community: public',
    'shared_key: $KEY',
    'wifi_key: <your key>',
    'network_key: optional',
    '"security_answer": "required"',
    'mot_de_passe: requis',
    'contraseña: requerida',
    'parola: obbligatoria',
    'wachtwoord: verplicht',
    'hasło: wymagane',
    'şifre: gerekli',
    'passwort: ja',
    'password_enabled: true',
    'clave: opcional',
    'user_pref("signon.rememberSignons.password", false);',
    't("password", "Enter password")',
    'setError("password", "Password is too short")',
    'expect(screen.getByLabelText("password"), "missing")',
    'log.info("password", "changed")',
    'register("password", { required: true })',
    'config.get("password", "default")',
    '- password: string\n+ password: SecretString\n',
    '-  password: {{ .Values.pw }}\n+  password: {{ .Values.password }}',
    '["PASSWORD=$PASSWORD","TOKEN=$TOKEN"]',
    '["--password=<password>","--token=<token>"]',
    'args: ["password=required"]',
    'user string\npassword string\nhost string',
    'username required\npassword required',
    'address = fields.Char()\npassword = fields.Char()',
    'username: str\npassword: str\nhost: str = "x"',
    "password = input('Enter your password: ')",
    'password = getpass.getpass()',
    'name = form.name\npassword = form.password\nhost = example.com',
    '| Feld | Pflicht |\n|---|---|\n| Passwort | ja |\n| PIN | nein |',
    '| Option | Description |\n|---|---|\n| password | The password to use |\n| pin | four digits |',
    'Key               Value\n---               -----\npassword          string\npin               integer',
  ]);
});
