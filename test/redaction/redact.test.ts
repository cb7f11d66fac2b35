import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { diceOf } from '../../bench/invented-texts.ts';
import { findSecrets, redact } from '../../packages/core/src/redaction/redact.ts';
import { rules } from '../../packages/core/src/redaction/rules.ts';
import { placeSamples } from './place-samples.ts';
import { secretOf, shapeSamples } from './secret-samples.ts';

const seeds = 12;
const dice = diceOf(20_240_711);
/** What a webhook is known by stands in an address: those have a place. */
const free = shapeSamples.filter(({ rule }) => !/webhook$/.test(rule));

/** Basic credentials and phrases are no random characters. */
const spoken = {
  basic: `Authorization: Basic ${btoa('bob:Tr0ub4dor')}`,
  docker: `{"auths":{"registry.example.com":{"auth":"${btoa('bob:Tr0ub4dor')}"}}}`,
  phrase: 'mnemonic: "walnut harbor copper ladder violin meadow pencil rocket summer island garden tunnel"',
};

describe('what is found', () => {
  for (const { rule, form } of free) {
    test(`S6: finds ${rule} (${form.slice(0, 24)})`, () => {
      for (let i = 0; i < seeds; i++) {
        const secret = secretOf(form, dice);
        const text = `before ${secret} behind`;
        assert.deepEqual(findSecrets(text), [{ start: 7, end: 7 + secret.length, rule }]);
        assert.match(redact(text), new RegExp(`^before \\[REDACTED:${rule}:[0-9a-f]{4}\\] behind$`));
      }
    });
  }

  for (const [number, { rule, form, write }] of placeSamples.entries()) {
    test(`S6: finds ${rule} in its place (${number + 1}: ${write('…').replace(/\s+/g, ' ').slice(0, 60)})`, () => {
      for (let i = 0; i < seeds; i++) {
        const secret = secretOf(form, dice);
        const text = write(secret);
        const found = findSecrets(text).map(({ start, end }) => text.slice(start, end));
        assert.deepEqual(found, [secret]);
        const [before = '', behind = ''] = text.split(secret);
        const clean = redact(text);
        assert.ok(clean.startsWith(before) && clean.endsWith(behind), 'nothing but the secret is masked');
      }
    });
  }

  test('S6: finds credentials of Basic authentication and phrases of words', () => {
    for (const text of Object.values(spoken)) assert.equal(findSecrets(text).length, 1, text);
  });

  test('S6: there is a sample for every rule, of at least 60 shapes', () => {
    const shown = new Set([...shapeSamples, ...placeSamples].map(({ rule }) => rule));
    const rest = rules
      .map(({ id }) => id)
      .filter((id) => !shown.has(id) && !/^(?:basic-credentials|recovery-phrase)$/.test(id));
    assert.deepEqual([...new Set(rest)], []);
    assert.ok(new Set(shapeSamples.map(({ rule }) => rule)).size >= 60);
  });

  test('S6: a key that was cut off behind 8 characters is still one', () => {
    for (const [prefix, end] of [
      ['sk-ant-api03-', '…'],
      ['ghp_', '...'],
      ['glpat-', '***'],
      ['xoxb-', ''],
      ['AKIA', '…'],
    ] as const) {
      const start = `${prefix}${secretOf('{U9}', dice)}`;
      assert.ok(!redact(`key ${start}${end}`).includes(start), start + end);
    }
  });

  test('S6: a key is found behind escapes, percent codes, colours and Chinese text', () => {
    const secret = secretOf('ghp_{a36}', dice);
    for (const before of ['\\n', '\\t', '\\u0022', 'token%3D', '%22', '\u001b[32m', '密钥', '"', '=', '(', '_']) {
      assert.ok(!redact(`x${before}${secret}`).includes(secret), before);
    }
  });
});

describe('placeholders', () => {
  test('S6: a secret has the same placeholder wherever it stands', () => {
    const secret = secretOf('{a32}', dice);
    const places = placeSamples.filter(({ form }) => form === '{a32}').map(({ write }) => redact(write(secret)));
    const shown = new Set(places.flatMap((text) => text.match(/\[REDACTED:[^\]]+\]/g) ?? []));
    assert.equal(shown.size, 1);
  });

  test('S6: a wrapped key has the same placeholder as the same key in one escaped line', () => {
    const lines = secretOf('MII{b61}\n{b64}\n{b40}==', dice);
    const pem = (body: string, end: string): string =>
      ['-----BEGIN PRIVATE KEY-----', body, '-----END PRIVATE KEY-----'].join(end);
    const [plain, escaped] = [redact(pem(lines, '\n')), redact(JSON.stringify(pem(lines, '\n')))];
    const of = (text: string): string | undefined => /\[REDACTED:[^\]]+\]/.exec(text)?.[0];
    assert.ok(of(plain));
    assert.equal(of(plain), of(escaped));
  });

  test('S6: different secrets nearly always have different placeholders', () => {
    const shown = Array.from({ length: 300 }, () => redact(secretOf('ghp_{a36}', dice)));
    assert.ok(new Set(shown).size >= 296, String(new Set(shown).size));
  });

  test('S6: a text without secrets comes back as the very same string', () => {
    const text = 'nothing to see here, not even a token';
    assert.equal(redact(text), text);
  });
});

/** Pieces of which secrets and what stands around them are made, in any order. */
const piece = fc.oneof(
  fc.constantFrom(...free.map(({ form }) => form)).map((form) => secretOf(form, diceOf(form.length))),
  fc.constantFrom(...placeSamples).map(({ form, write }) => write(secretOf(form, diceOf(form.length)))),
  fc.constantFrom(
    'password',
    'token',
    'key',
    '=',
    ': ',
    '"',
    "'",
    ' ',
    '\n',
    '\\n',
    '\\"',
    ',',
    'Bearer ',
    '://a:',
    '@b',
    '…',
  ),
  fc.constantFrom(
    '-----BEGIN PRIVATE KEY-----',
    '-----END PRIVATE KEY-----',
    '[REDACTED:secret:ab12]',
    '密码是',
    'sk-',
    '&',
  ),
  fc.string({ maxLength: 12 }),
);
const mixed = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

describe('laws', () => {
  test('S6: redacting twice is redacting once', () => {
    fc.assert(
      fc.property(mixed, (text) => assert.equal(redact(redact(text)), redact(text))),
      { numRuns: 1_500 },
    );
  });

  test('S6: finds are in order, do not overlap, and never reach into a placeholder', () => {
    fc.assert(
      fc.property(mixed, (text) => {
        let last = 0;
        for (const { start, end } of findSecrets(text)) {
          assert.ok(start >= last && end > start && end <= text.length);
          assert.ok(!text.slice(start, end).includes('[REDACTED:secret:ab12]'));
          last = end;
        }
      }),
      { numRuns: 500 },
    );
  });

  test('S6: what stands outside of the finds is kept character by character', () => {
    fc.assert(
      fc.property(mixed, (text) => {
        if (findSecrets(text).length === 0) assert.equal(redact(text), text);
        else assert.notEqual(redact(text), text);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a passphrase of words with blanks, in a field', () => {
  const told: readonly (readonly [text: string, secret: string])[] = [
    ['    environment:\n      - POSTGRES_PASSWORD=old oak gate\n      - POSTGRES_DB=app', 'old oak gate'],
    ['export DB_USER=app\nexport DB_PASSWORD=two small cats\n', 'two small cats'],
    ['mail.smtp.user=crm\nmail.smtp.password=never on a sunday\nmail.smtp.tls=true', 'never on a sunday'],
    ['users:\n  - name: bob\n    passwd: little red wagon\n    groups: [users]', 'little red wagon'],
    ['wifi:\n  ssid: Home\n  psk: three blind mice', 'three blind mice'],
    ['логин: sklad\nпароль: зимний вечер\nсервер: 10.12.0.4', 'зимний вечер'],
    ['用户名: report\n密码: 春天的花\n数据库: report_prod', '春天的花'],
    ['{ "아이디": "admin01", "비밀번호": "푸른 바다" }', '푸른 바다'],
    ['"Smtp": { "User": "app@example.org", "Pass": "Blue Moon Rising" }', 'Blue Moon Rising'],
    ['"SigningKey": "this is our very long signing sentence 2024"', 'this is our very long signing sentence 2024'],
    ['name,password,role\nanna,strawberry9,editor\nbob,old brown fox,viewer', 'old brown fox'],
    ['user;pw\nbob;old brown fox', 'old brown fox'],
    ['비밀번호: 푸른 바다\n아이디: admin', '푸른 바다'],
    ['{"user": "bob", "password": "Blue oak gate"}', 'Blue oak gate'],
    ['db:\n  user: app\n  password: Old oak gate', 'Old oak gate'],
    ['BENUTZER = "messung"\nPASSWORT = "Zaunkönig"', 'Zaunkönig'],
  ];
  for (const [text, secret] of told)
    test(`S6: masks the whole of it: ${text.slice(0, 60).replaceAll(/\s+/g, ' ')}`, () => {
      const found = findSecrets(text).map(({ start, end }) => text.slice(start, end));
      assert.ok(found.includes(secret), found.join(' | '));
    });

  const messages: readonly string[] = [
    'login.password=Your password\nlogin.user=Your name',
    'error.password=Password is too short\nerror.user=Unknown',
    'help.password=the word that opens the door\nhelp.user=nobody',
    'пароль: обязательное поле\nлогин: строка',
    '用户名: 登录账号\n密码: 不能为空',
    '{"비밀번호": "비밀번호를 입력하세요", "확인": "다시 입력"}',
    '{"비밀번호": "필수 항목"}',
    'user: x\npass: all tests green',
    'FAIL=two tests\nPASS=all the others\nCOUNT=3',
    '"password": "must be longer than in 2024"',
    '{"password": "Choose something memorable"}',
    '{"password": "Mindestens acht Zeichen"}',
    '{"password": "Eight or more letters"}',
    'password: Contact the helpdesk team\nuser: x',
    'PASSWORD = "Contraseña"\nUSER = "Usuario"',
    'username,password,note\nbob,not set,x\nal,see the safe,y\njo,new one sent by mail,z',
  ];
  for (const text of messages)
    test(`S6: leaves a message: ${text.slice(0, 60).replaceAll(/\s+/g, ' ')}`, () => assert.equal(redact(text), text));

  test('S6: a command behind a variable is no part of its value', () => {
    assert.match(redact('PGUSER=bob\nPGPASSWORD=harbor psql app'), /PGPASSWORD=\[REDACTED:[^\]]+\] psql app$/);
  });
});

describe('passwords in calls and commands, and names that are none', () => {
  const told: readonly (readonly [text: string, secret: string])[] = [
    ["jwt.sign({ sub: user.id }, 'shhh-its-tuesday', { expiresIn: '1h' })", 'shhh-its-tuesday'],
    ['jwt.decode(token, "thunder over malta", algorithms=["HS256"])', 'thunder over malta'],
    ["await page.getByLabel('Password').fill('snowglobe');", 'snowglobe'],
    ["page.get_by_placeholder('Passwort').first().type('Zaunpfahl7')", 'Zaunpfahl7'],
    ['requests.get(url, auth=("svc-report", "thunderstorm"))', 'thunderstorm'],
    ['keytool -list -storepass changeme99', 'changeme99'],
    ['keytool -importkeystore -srcstorepass tulip1899 -deststorepass wagon2021', 'wagon2021'],
  ];
  for (const [text, secret] of told)
    test(`S6: masks ${text.slice(0, 50)}`, () => assert.ok(!redact(text).includes(secret), redact(text)));

  const others: readonly string[] = [
    'DB_PASSWORD=changeme\nADMIN_PASSWORD=changeme123',
    "jwt.sign(payload, 'secret')",
    'jwt.verify(token, secret)',
    "jwt.verify(token, 'your-secret-key')",
    "await page.getByLabel('Password').fill('password');",
    "await page.getByLabel('Password').fill(user.password);",
    'requests.get(url, auth=("username", "password"))',
    'requests.get(url, auth=(user, secret))',
    'usuario: TU_USUARIO\ncontraseña: TU_CONTRASEÑA',
    '$ md5sum tokens.csv\n9e107d9d372bb6826bd81d3542a419d6  tokens.csv',
    'arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbC1dE',
    'class Credentials(BaseModel):\n    username: str\n    password: SecretStr',
  ];
  for (const text of others)
    test(`S6: leaves ${text.slice(0, 60).replaceAll(/\s+/g, ' ')}`, () => assert.equal(redact(text), text));
});

describe('passwords that a clause tells', () => {
  const told: readonly (readonly [text: string, secret: string])[] = [
    ['Use root / marigold to log in to the router.', 'marigold'],
    ['Guest wifi: network Harbour-Guest, pw seagullsarenoisy', 'seagullsarenoisy'],
    ['The passphrase of the disk, if you need it, would be turnip wagon silver noon.', 'turnip wagon silver noon'],
    ['it used to be oldbarn12, now the password is newbarn13', 'oldbarn12'],
    ['gente, troquei a senha do wifi, agora é cachorro quente', 'cachorro quente'],
    ["per aprirlo usa la parola d'ordine gatto sul tetto", 'gatto sul tetto'],
    ['Зайди под админом, пароль черёмуха, и посмотри логи', 'черёмуха'],
    ['Код от домофона 3815, звони в любое время', '3815'],
    ['Der API-Schlüssel, den wir bekommen haben, ist pL7vT2mQx9sWb4Kd.', 'pL7vT2mQx9sWb4Kd'],
  ];
  for (const [text, secret] of told)
    test(`S6: masks ${text.slice(0, 50)}`, () => assert.ok(!redact(text).includes(secret), redact(text)));

  const others: readonly string[] = [
    'Use admin / viewer to log in to the console.',
    'Use admin / password to log in.',
    'The passphrase of the key is stored in the safe.',
    'The passphrase for the key was chosen long before that',
    'It used to be optional, now the password is required.',
    'troquei a senha do wifi, agora é obrigatória',
    "usa la parola d'ordine che ti ho mandato ieri",
    'Зайди под админом, пароль неверный, и посмотри логи',
    'Код от 2024 года, код для проверки 12',
    'Der Schlüssel, den wir bekommen haben, ist Konfigurationsdatei-Eintrag.',
  ];
  for (const text of others) test(`S6: leaves ${text.slice(0, 60)}`, () => assert.equal(redact(text), text));
});
