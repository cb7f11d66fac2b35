/** Passwords in fields whose name says what they hold, and what else stands in such fields. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { redact } from '../../packages/core/src/redaction/redact.ts';

const passwords = [
  ...['hunter2', 'sunshine', 'Sommer2024', 'letmein', 'welcome', 'dragon', 'qwertz', 'зимний вечер'],
  ...['correct horse battery staple', 'old oak gate', 'Old oak gate', 'Blue Moon Rising', 'my dog has fleas'],
  ...['never on a sunday', 'drei Hasen im Klee', 'S3cr3t Pass!', 'Monkey Business', 'Zaunkönig', '春天的花'],
  ...['le chat dort', 'mi perro azul', 'o rato roeu', '花园里的猫', 'さくら', '푸른 바다', 'coração', 'open sesame'],
  ...['Der frühe Vogel', '12345678', 'три кота', 'la vie en rose', 'summer of 69', 'Müller', 'tr0mp3t'],
  ...['winter is coming', 'secret garden', 'coffee first', 'das Wetter ist schön', '春眠不觉晓'],
];

/** What the fields are called in one language. */
interface Names {
  readonly word: string;
  readonly user: string;
  readonly env: string;
  readonly camel: string;
  readonly head: string;
  readonly note: string;
}

const names = (line: string): Names => {
  const [word = '', user = '', env = '', camel = '', head = '', note = ''] = line.split(', ');
  return { word, user, env, camel, head, note };
};
const languages: Readonly<Record<string, Names>> = {
  English: names('password, user, DB_PASSWORD, dbPassword, Password, Role'),
  'short English': names('passwd, login, SMTP_PASS, smtpPassword, Passphrase, Host'),
  German: names('passwort, benutzer, DB_PASSWORT, dbPasswort, Passwort, Rolle'),
  'other German': names('kennwort, benutzer, DB_KENNWORT, dbKennwort, Kennwort, Rolle'),
  French: names('mot_de_passe, utilisateur, DB_MOT_DE_PASSE, motDePasse, Mot de passe, Rôle'),
  Spanish: names('contraseña, usuario, DB_CONTRASENA, contrasena, Contraseña, Rol'),
  Portuguese: names('senha, usuário, DB_SENHA, dbSenha, Senha, Função'),
  'other Portuguese': names('palavra_passe, utilizador, PALAVRA_PASSE, palavraPasse, Palavra-passe, Função'),
  Chinese: names('密码, 用户名, DB_密码, 密码, 密码, 角色'),
  'other Chinese': names('数据库密码, 账号, DB_密码, 登录密码, 数据库密码, 备注'),
};

const forms: Readonly<Record<string, (password: string, names: Names) => string>> = {
  JSON: (password, { user, word }) => JSON.stringify({ host: 'db', [user]: 'app', [word]: password }),
  'JSON only field': (password, { word }) => JSON.stringify({ [word]: password }),
  'JSON pretty': (password, { word }) => JSON.stringify({ db: { [word]: password, port: 5432 } }, null, 2),
  'JSON camel': (password, { camel }) => JSON.stringify({ [camel]: password, retries: 3 }),
  'JSON escaped': (password, { user, word }) =>
    JSON.stringify({ body: JSON.stringify({ [user]: 'a', [word]: password }) }),
  YAML: (password, { user, word }) => `db:\n  host: x\n  ${user}: app\n  ${word}: ${password}\n  port: 5432\n`,
  'YAML alone': (password, { word }) => `db:\n  ${word}: ${password}\n`,
  'YAML quoted': (password, { user, word }) => `db:\n  ${user}: app\n  ${word}: "${password}"\n`,
  'YAML single': (password, { word }) => `${word}: '${password}'\n`,
  'YAML list': (password, { word }) =>
    `users:\n  - name: bob\n    ${word}: ${password}\n  - name: ann\n    ${word}: tulip99x\n`,
  'one line': (password, { word }) => `${word}: ${password}`,
  XML: (password, { word }) => `<config><user>app</user><${word}>${password}</${word}></config>`,
  'XML lines': (password, { word }) => `<server>\n  <host>db</host>\n  <${word}>${password}</${word}>\n</server>`,
  attribute: (password, { word }) => `<datasource user="app" ${word}="${password}" />`,
  'property element': (password, { word }) => `<property name="${word}" value="${password}"/>`,
  CSV: (password, { user, word }) => `${user},${word},role\nbob,${password},admin\nann,tulip99x,viewer\n`,
  'CSV alone': (password, { user, word }) => `${user},${word}\nbob,${password}\n`,
  'CSV quotes': (password, { user, word }) => `"${user}","${word}"\n"bob","${password}"\n`,
  'CSV semicolon': (password, { user, word }) => `id;${user};${word};mail\n1;bob;${password};b@x.org\n`,
  TSV: (password, { user, word }) => `host\t${user}\t${word}\ndb1\tbob\t${password}\n`,
  Markdown: (password, { head }) => `| NAS | Login | ${head} |\n| --- | --- | --- |\n| a | admin | ${password} |\n`,
  'Markdown middle': (password, { head, note }) =>
    `| Service | ${head} | ${note} |\n|---|---|---|\n| mail | \`${password}\` | admin |\n| web | tulip99x | dev |\n`,
  'Markdown pairs': (password, { head }) => `| Field | Value |\n|---|---|\n| Host | db1 |\n| ${head} | ${password} |\n`,
  'Markdown list': (password, { head }) => `- **Host:** db1\n- **${head}:** ${password}\n`,
  'HTML table': (password, { head }) =>
    `<table><tr><th>User</th><th>${head}</th></tr><tr><td>bob</td><td>${password}</td></tr></table>`,
  env: (password, { env }) => `DB_HOST=x\n${env}=${password}\nDB_PORT=1\n`,
  'env quoted': (password, { env }) => `DB_HOST="x"\n${env}="${password}"\n`,
  'env alone': (password, { env }) => `${env}="${password}"\n`,
  export: (password, { env }) => `export DB_HOST=x\nexport ${env}='${password}'\n`,
  compose: (password, { env }) => `    environment:\n      - DB_USER=app\n      - ${env}=${password}\n`,
  INI: (password, { word }) => `[db]\nuser = app\n${word} = ${password}\n`,
  'INI tight': (password, { word }) => `[db]\nhost=x\n${word}=${password}\n`,
  properties: (password, { word }) => `db.user=app\ndb.${word}=${password}\n`,
  TOML: (password, { word }) =>
    `[db]\nuser = "app"\n${/[^\w]/.test(word) ? `"${word}"` : word} = "${password}"\nport = 5432\n`,
  'TOML single': (password, { word }) => `[db]\n${/[^\w]/.test(word) ? `"${word}"` : word} = '${password}'\n`,
  JS: (password, { word }) =>
    `const db = { host: 'x', user: 'app', ${/[^\w]/.test(word) ? `'${word}'` : word}: '${password}' };\n`,
  Python: (password, { camel, word }) =>
    `conn = connect(host="x", user="app", ${/[^\x21-\x7e]/.test(word) ? camel : word}="${password}")\n`,
  'Python setting': (password, { env }) => `USER = "app"\n${env} = "${password}"\n`,
  'Python dict': (password, { word }) => `DB = {'user': 'app', '${word}': '${password}'}\n`,
  PHP: (password, { word }) => `$c = ['user' => 'app', '${word}' => '${password}'];\n`,
  'JSON in JSON': (password, { word }) => JSON.stringify(JSON.stringify({ user: 'a', [word]: password })),
  'CSV with blanks': (password, { user, word }) => `${user}, ${word}, role\nbob, ${password}, admin\n`,
  'CSV of Windows': (password, { user, word }) => `${user},${word},role\r\nbob,${password},admin\r\n`,
  'an entry of a Deployment': (password, { env }) => `env:\n  - name: ${env}\n    value: "${password}"\n`,
  'a section of XML': (password, { word }) => `<login><${word}><![CDATA[${password}]]></${word}></login>`,
  'an element over lines': (password, { word }) => `<login>\n<${word}>\n  ${password}\n</${word}>\n</login>`,
  'an attribute of a user': (password, { word }) => `<user name="bob" ${word}="${password}" roles="admin"/>`,
  'Markdown without outer signs': (password, { user, head }) => `${user} | ${head}\n--- | ---\nbob | ${password}\n`,
  'Markdown rows without a head': (password, { user, head }) =>
    `| | |\n|---|---|\n| ${user} | bob |\n| ${head} | ${password} |\n`,
  'INI with a remark': (password, { word }) => `[db]\n; login\n${word}=${password} ; old\n`,
  'TOML in three quotes': (password, { word }) => `[db]\n"${word}" = """${password}"""\n`,
  'inline TOML': (password, { word }) => `db = { host = "db1", "${word}" = "${password}" }\n`,
};

describe('S6: a password in a named field is masked, in six languages', () => {
  for (const [form, write] of Object.entries(forms)) {
    test(`S6: in ${form}`, () => {
      const leaks = Object.entries(languages).flatMap(([language, own]) =>
        passwords.filter((one) => redact(write(one, own)).includes(one)).map((one) => `${language}: ${one}`),
      );
      assert.deepEqual(leaks, []);
    });
  }
});

/** Labels, messages, remarks, types and stopgaps. */
const others = [
  ...['Password', 'Your password', 'Enter your password', 'Password is required', 'New password'],
  ...['must be at least 8 characters', 'required', 'string', 'optional', 'true'],
  ...['false', 'null', 'changeme', '********', '<password>'],
  ...['{{ vault.password }}', 'your-password-here', 'see vault', 'stored in the vault', 'none'],
  ...['n/a', 'Forgot password?', 'Show password', 'The password of the user', 'The password used to log in'],
  ...['Password for the database user', 'Passwords do not match', 'Invalid', 'wrong password', 'hashed with bcrypt'],
  ...['Used for login', 'Minimum eight characters', 'A strong secret', 'at least one digit', 'hidden'],
  ...['text', 'VARCHAR', 'String', 'sha256', 'bcrypt'],
  ...['op://vault/db/password', 'file:/run/secrets/db', '/run/secrets/db_password', 'prompt', 'auto'],
  ...['default', 'empty', 'yes', 'no', 'Choose something memorable'],
  ...['user.password', 'undefined', 'The secret phrase of the key', 'is too short', 'cannot be blank'],
  ...['does not match', 'Database login password', 'TODO', '[hidden]', '(none)'],
  ...['DB_PASSWORD', '$DB_PASSWORD', 'disabled', 'changed last week', 'Must differ from the old one'],
  ...['Leave empty to keep', 'Only needed for TLS', 'The user secret', 'Account password', 'Confirm'],
  ...['Eight or more letters', 'Passwort', 'Dein Passwort', 'Bitte Passwort eingeben', 'Passwort vergessen?'],
  ...[
    'mindestens 8 Zeichen',
    'Das Passwort ist zu kurz',
    'Passwort des Benutzers',
    'Kennwort',
    'Mindestens acht Zeichen',
  ],
  ...[
    'Votre mot de passe',
    'Saisissez votre mot de passe',
    'Tu contraseña',
    'Introduce tu contraseña',
    'al menos ocho caracteres',
  ],
  ...['¿Olvidaste tu contraseña?', 'enviada por correo', 'Clave del usuario', 'Senha', 'Sua senha'],
  ...['Digite sua senha', 'pelo menos oito caracteres', 'Esqueceu a senha?', 'enviada por email', 'Senha do usuário'],
  ...['密码', '必填', '字符串', '可选', '默认'],
  ...['无', '强度'],
];

describe('S6: what is no password in such a field stays, in six languages', () => {
  for (const [form, write] of Object.entries(forms)) {
    test(`S6: in ${form}`, () => {
      const masked = Object.entries(languages).flatMap(([language, own]) =>
        others
          .filter((one) => /\[REDACTED/.test(redact(write(one, own).replace('tulip99x', 'none'))))
          .map((one) => `${language}: ${one}`),
      );
      assert.deepEqual(masked, []);
    });
  }
});
