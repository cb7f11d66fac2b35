/** Credentials that only their place gives away, each in that place; made at run time like those of the shapes. */

/** A place and a form of what stands there; `write` gives the text around a secret. */
export interface PlaceSample {
  readonly rule: string;
  readonly form: string;
  readonly write: (secret: string) => string;
}

const place = (rule: string, form: string, ...texts: ((secret: string) => string)[]): readonly PlaceSample[] =>
  texts.map((write) => ({ rule, form, write }));

/** A password as a person makes one. */
const password = 'Q{L4}{d3}!{L3}';
const token = '{a32}';

const pem = (kind: string, lines: string): string => `-----BEGIN ${kind}-----\n${lines}\n-----END ${kind}-----`;

export const placeSamples: readonly PlaceSample[] = [
  place(
    'named-secret',
    password,
    (secret) => `DB_PASSWORD=${secret}`,
    (secret) => `export PGPASSWORD=${secret}\n`,
    (secret) => `spring.datasource.password=${secret}`,
    (secret) => `db:\n  user: app\n  password: ${secret}\n  port: 5432`,
    (secret) => `{"user": "app", "password": "${secret}"}`,
    (secret) => `{\\"password\\": \\"${secret}\\"}`,
    (secret) => `const config = { user: 'app', password: '${secret}' };`,
    (secret) => `db_password = "${secret}"`,
    (secret) => `$config['db_pass'] => '${secret}'`,
    (secret) => `let passphrase: string = "${secret}";`,
    (secret) => `pool.connect(user="app", passwd="${secret}")`,
    (secret) => `psql --password ${secret} --host db`,
    (secret) => `keytool -storepass ${secret} -list`,
    (secret) => `Server=db;Database=app;User Id=sa;Pwd=${secret};Encrypt=true`,
    (secret) => `<add key="SmtpPassword" value="${secret}" />`,
    (secret) => `<password>${secret}</password>`,
    (secret) => `- name: REDIS_PASSWORD\n  value: "${secret}"`,
    (secret) => `{"name": "ADMIN_PASSWORD", "value": "${secret}"}`,
    (secret) => `os.getenv("MYSQL_PASSWORD", "${secret}")`,
    (secret) => `const password = process.env.DB_PASSWORD || '${secret}';`,
    (secret) => `The root password is ${secret}.`,
    (secret) => `数据库密码是 ${secret}，请不要告诉别人`,
    (secret) => `登录密码：${secret}`,
    (secret) => `管理者のパスワードは ${secret} です`,
    (secret) => `비밀번호: ${secret}`,
  ),
  place(
    'named-secret',
    token,
    (secret) => `API_KEY="${secret}"`,
    (secret) => `x-api-key: ${secret}`,
    (secret) => `curl -H 'X-Auth-Token: ${secret}' https://api.example.com`,
    (secret) => `{"clientSecret":"${secret}"}`,
    (secret) => `aws_secret_access_key = ${secret}{}`.replace('{}', ''),
    (secret) => `//registry.example.com/:_authToken=${secret}`,
    (secret) => `headers.set("api-key", "${secret}")`,
    (secret) => `deploy --token=${secret}`,
    (secret) => `users:\n- name: admin\n  user:\n    token: ${secret}\n`,
    (secret) => `SECRET_KEY_BASE: ${secret}`,
    (secret) => `the access token is ${secret} for now`,
    (secret) => `访问令牌：${secret}`,
    (secret) => `APIキー: ${secret}`,
    (secret) => `액세스 토큰은 ${secret} 입니다`,
  ),
  place('bearer-token', token, (secret) => `curl -H "Authorization: Bearer ${secret}" https://api.example.com/v1`),
  place(
    'authorization',
    token,
    (secret) => `Authorization: ${secret}`,
    (secret) => `{"authorization": "token ${secret}"}`,
  ),
  place('request-signature', '{h64}', (secret) => `AWS4-HMAC-SHA256 SignedHeaders=host, Signature=${secret}`),
  place('digest-response', '{h32}', (secret) => `Digest username="app", nonce="1", response="${secret}"`),
  place(
    'url-password',
    'p{a11}',
    (secret) => `postgres://app:${secret}@db.example.com:5432/app`,
    (secret) => `redis://:${secret}@cache:6379/0`,
    (secret) => `"mongodb+srv://app:${secret}@cluster0.example.net/?retryWrites=true"`,
    (secret) => `git clone https://bob:${secret}@git.example.com/app.git`,
    (secret) => `POST /login?user=bob&password=${secret}&next=1`,
  ),
  place('url-user', '{a40}', (secret) => `git clone https://${secret}@git.example.com/app.git`),
  place('jdbc-password', 'p{a9}', (secret) => `jdbc:oracle:thin:scott/${secret}@//db:1521/XE`),
  place(
    'url-parameter',
    token,
    (secret) => `GET https://api.example.com/v1/list?access_token=${secret}&page=2`,
    (secret) => `https://account.blob.example.net/c/f?sv=2023-01-03&sig=${secret}&se=2024`,
    (secret) => `https://maps.example.com/js?v=3&key=${secret}`,
    (secret) => `redirect=https%3A%2F%2Fapp.example.com%2Fcb%3Faccess_token%3D${secret}%26state%3D1`,
  ),
  place('oauth-code', '{a24}', (secret) => `GET /callback?code=${secret}&state=xyz HTTP/1.1`),
  place('session-cookie', '{a26}', (secret) => `Cookie: theme=dark; sessionid=${secret}; lang=en`),
  place('netrc-password', password, (secret) => `machine api.example.com login bob password ${secret}`),
  place('pgpass', password, (secret) => `db.example.com:5432:app:app:${secret}`),
  place(
    'sql-password',
    password,
    (secret) => `CREATE USER app IDENTIFIED BY '${secret}';`,
    (secret) => `CREATE ROLE app WITH PASSWORD '${secret}';`,
  ),
  place('server-password', password, (secret) => `requirepass ${secret}\nmaxmemory 1gb`),
  place('secure-string', password, (secret) => `ConvertTo-SecureString "${secret}" -AsPlainText -Force`),
  place('user-flag', password, (secret) => `curl -s -u bob:${secret} https://api.example.com`),
  place(
    'password-flag',
    password,
    (secret) => `mysql -u root -p${secret} app`,
    (secret) => `sshpass -p '${secret}' ssh host`,
    (secret) => `docker login -u bob -p ${secret} registry.example.com`,
    (secret) => `redis-cli -h cache -a ${secret} ping`,
    (secret) => `openssl rsa -in key.pem -passin pass:${secret} -out out.pem`,
    (secret) => `smbclient //host/share -U bob%${secret}`,
    (secret) => `htpasswd -b .htpasswd bob ${secret}`,
  ),
  place('piped-password', password, (secret) => `echo "${secret}" | docker login -u bob --password-stdin`),
  place(
    'azure-storage-key',
    '{b86}==',
    (secret) => `AccountName=app;AccountKey=${secret};EndpointSuffix=core.example.net`,
  ),
  place('slack-webhook', 'T{U8}/B{U8}/{a24}', (secret) => `https://hooks.slack.com/services/${secret}`),
  place('discord-webhook', '{a68}', (secret) => `https://discord.com/api/webhooks/123456789012345678/${secret}`),
  place(
    'teams-webhook',
    '{u}@{u}/IncomingWebhook/{h32}/{u}',
    (secret) => `https://app.webhook.office.com/webhookb2/${secret}`,
  ),
  place('zapier-webhook', '{d7}/{l7}', (secret) => `https://hooks.zapier.com/hooks/catch/${secret}/`),
  place(
    'private-key',
    'MII{b61}\n{b64}\n{b64}\n{b40}==',
    (secret) => pem('RSA PRIVATE KEY', secret),
    (secret) => pem('PRIVATE KEY', secret),
    (secret) => pem('EC PRIVATE KEY', secret),
    (secret) => pem('ENCRYPTED PRIVATE KEY', secret),
    (secret) => pem('PGP PRIVATE KEY BLOCK', secret),
    (secret) => `-----BEGIN DSA PRIVATE KEY-----\n${secret}\n[truncated]`,
    (secret) => `${secret}\n-----END RSA PRIVATE KEY-----`,
  ),
  place('private-key', 'b3BlbnNzaC1rZXktdjE{b51}\n{b70}\n{b30}==', (secret) => pem('OPENSSH PRIVATE KEY', secret)),
  place(
    'putty-key',
    '{b64}\n{b64}\n{b40}==',
    (secret) => `PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 3\n${secret}\nPrivate-MAC: 12`,
  ),
].flat();
