import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { diceOf } from '../../bench/invented-texts.ts';
import { findSecrets, redact } from '../../packages/core/src/redaction/redact.ts';
import { rules } from '../../packages/core/src/redaction/rules.ts';
import { secretOf, shapeSamples } from './secret-samples.ts';

const dice = diceOf(99);
/** As shells and template strings write it. */
const variable = (name: string): string => `$${'{'}${name}}`;
const hex = (length: number): string => secretOf(`{h${length}}`, dice);

const ordinary: Readonly<Record<string, readonly string[]>> = {
  types: [
    'interface Login { password: string; token?: Token | undefined; secret: Buffer }',
    'function login(password: string, token: AccessToken): Promise<void> {',
    'def connect(user: str, password: str = None, api_key: Optional[str] = None):',
    'password: z.string().min(8), apiKey: z.string().optional(),',
    'type Credentials = { apiKey: ApiKey; auth: AuthOptions };',
    'passwordField: PasswordField, tokenType: TokenType.Identifier,',
  ],
  variables: [
    'const token = getToken();',
    'token = user.access_token',
    'const apiKey = process.env.API_KEY;',
    'API_KEY = os.environ["API_KEY"]',
    'password=os.getenv("DB_PASSWORD"), host=host)',
    'connect(user=user, password=password, token=token)',
    'this.secret = options.secret;',
    `password: ${variable('DB_PASSWORD')}`,
    'TOKEN=$(cat /run/token)',
    'export API_KEY=$OTHER_KEY',
    `secret: $${'{{'} secrets.DEPLOY_TOKEN }}`,
    'password: "{{ vault_password }}"',
    'PASSWORD=%DB_PASSWORD%',
    `redis://:${variable('password')}@localhost:6379`,
    'f"postgres://{user}:{password}@{host}/{name}"',
    'if (password === expected) return token;',
    'X509Credential = exports.rememberX509Credential = exports.findX509OAuthError;',
    'password=DB_PASSWORD,',
  ],
  numbers: [
    'max_tokens=4096',
    'token_count: 123',
    'tokens: 512,',
    '"total_tokens": 18234',
    'passed: 12, pass: 12',
    'keys = 3',
  ],
  stopgaps: [
    'api_key="YOUR_API_KEY"',
    'OPENAI_API_KEY=sk-your-key-here',
    'ANTHROPIC_API_KEY=sk-ant-xxxxxxxxxxxxxxxxxxxxxxxx',
    'token: <token>',
    'password: ********',
    'PASSWORD=changeme',
    'Authorization: Bearer <token>',
    `Authorization: Bearer ${variable('token')}`,
    'Authorization: Bearer YOUR_TOKEN',
    'postgres://user:password@localhost:5432/app',
    'secret = "[REDACTED]"',
  ],
  labels: [
    'password: "Password is required"',
    "label: 'API key', type: 'password', name: 'token'",
    '<input type="password" name="password" placeholder="Password">',
    'message: "invalid token: expected a number"',
    '"secret": "my-app-secret"',
    'secretKeyRef:\n  name: db-secret\n  key: password',
    '"auth": "basic"',
    'The token is expired, so the password is wrong.',
    'the key is the name of the column',
    'Bearer authentication is described below',
    'basic usage of the library',
    '"grade":"pass","passed":[1]',
    '--- PASS: TestFerryCmd_HasPierFlag (0.00s)',
    '密码不能为空，请重新输入密码',
    'パスワードを入力してください',
    '비밀번호를 입력하세요',
    'kubectl create secret generic db-secret',
    'sort by the primary key = id, foreign_key: user_id',
  ],
  hashes: [
    `commit ${hex(40)}`,
    `index ${hex(7)}..${hex(7)} 100644`,
    `sha256:${hex(64)}`,
    `"integrity": "sha512-${secretOf('{b86}', dice)}=="`,
    `${hex(64)}  package.tar.gz`,
    `"etag": "${hex(32)}"`,
    secretOf('request {u} took 3 ms', dice),
    secretOf('"sessionId":"{u}","uuid":"{u}"', dice),
    `nextPageToken: "${secretOf('{a40}', dice)}"`,
    `password_hash: ${hex(40)}`,
    `public_key: ${secretOf('{b44}', dice)}`,
  ],
  ids: [
    secretOf('toolu_01{a22}', dice),
    secretOf('call_{a24}', dice),
    secretOf('chatcmpl-{a29}', dice),
    secretOf('msg_01{a22} req_011{a21} resp_{h48} fc_{h48} rs_{h48}', dice),
    'claude-sonnet-4-5-20250929 gpt-4o-2024-08-06 gemini-2.5-pro deepseek-r1',
    'sk-estimator-html-doc-link task-runner-for-the-weekly-report risk-assessment-of-the-project',
  ],
  bytes: [
    `data:image/png;base64,iVBORw0KGgo${secretOf('{b400}', dice)}`,
    `background:url(data:font/woff2;base64,d09GMg${secretOf('{b400}', dice)})`,
    secretOf('{b4000}', dice),
    '.btn{color:#a1b2c3;padding:4px 8px}.key-token:hover{background:#fff}',
    '!function(e,t){var n=e.token,r=t.key;return n&&r?n.auth=r.secret:void 0}(a,b);',
  ],
};

describe('ordinary text', () => {
  for (const [kind, texts] of Object.entries(ordinary)) {
    test(`S6: masks no ${kind}`, () => {
      for (const text of texts) assert.deepEqual(findSecrets(text), [], text.slice(0, 120));
    });
  }

  test('S6: a prefix alone, with a stopgap, or within a word is no key', () => {
    for (const { rule, form } of shapeSamples) {
      const start = /^[^{]*/.exec(form)?.[0] ?? '';
      if (start.length < 3) continue;
      assert.deepEqual(findSecrets(`see ${start} in the guide`), [], `${rule}: ${start}`);
      assert.deepEqual(findSecrets(`see ${start}${'x'.repeat(24)}`), [], `${rule}: ${start}xxxx`);
      const named = findSecrets(`abc${secretOf(form, dice)}`).filter((found) => found.rule === rule);
      const mayBeInside = rules.some(({ id, startsWord }) => id === rule && startsWord === false);
      if (!mayBeInside) assert.deepEqual(named, [], `${rule} within a word`);
    }
  });

  test('S6: a diff, a listing and a stack trace stay as they are', () => {
    const text = [
      'diff --git a/src/token.ts b/src/token.ts',
      `index ${hex(9)}..${hex(9)} 100644`,
      '-  const token = parse(input, { maxTokens: 100 });',
      '+  const token = parse(input, { maxTokens: 200, secret: undefined });',
      'drwxr-xr-x 2 root root 4096 May  1 10:22 password-store',
      '    at TokenStore.get (/app/src/auth/token-store.ts:42:13)',
    ].join('\n');
    assert.equal(redact(text), text);
  });
});
