/** Texts made to be slow: what every rule begins with, again and again, and never what it ends with. */
import { rules } from '../../packages/core/src/redaction/rules.ts';

const starts: Readonly<Record<string, string>> = {
  'a.': 'a.',
  'key=': 'key=',
  'apikey=': 'apikey=',
  'password=': 'password=',
  'password: ': 'password: ',
  'password="': 'password="',
  'token:"': 'token:\\"',
  'BEGIN of a key': '-----BEGIN RSA PRIVATE KEY-----',
  'BEGIN without dashes behind': '-----BEGIN RSA PRIVATE KEY----- AAAA',
  'END of a key': '-----END RSA PRIVATE KEY-----',
  'key lines and END': `${'QUJD'.repeat(16)}\n-----END RSA PRIVATE KEY-----`,
  'JWT starts': 'eyJ',
  'JWT starts and dots': 'eyJ.',
  'JWT starts and dashes': 'eyJ-',
  'JWT heads': 'eyJhbGciOiJI.',
  'sk- in one word': 'sk-',
  'sk- with a few letters': 'sk-a1B2-',
  addresses: '://',
  'addresses with users': '://a:b',
  parameters: '?token=',
  'parameters of an address': '&key=aB3dE6gH9',
  cookies: 'Cookie: sid=',
  flags: ' -u a:b',
  'mysql flags': ' -p ab',
  'mysql and flags': 'mysql -p ',
  'docker and flags': 'docker login -p',
  'htpasswd flags': ' -b a b c',
  bearer: 'Bearer ',
  'bearer and a word': 'Bearer abcdefgh ',
  'names in quotes': '"password","',
  'names of values': 'name: PASSWORD\n',
  tags: '<password>',
  placeholders: '[REDACTED:secret:ab12]',
  'placeholders in the way': 'password=[REDACTED:secret:ab12] ',
  'Chinese names': '密码是',
  'Chinese names and blanks': '密码 是 ',
  'words of a phrase': 'phrase abandon ',
  escapes: '\\n',
  'quotes and escapes': '\\"',
  'zeros in base64': 'A',
  'open brackets': '[',
  digits: '1',
  'hexadecimal digits': '0a',
  'hexadecimal and a region': `${'0a'.repeat(16)}-us`,
  base64: 'QUJDREVGR0g',
  piped: 'echo ab | sudo -S ',
};

/** A text of about `length` characters and its name, for each of those above. */
export function* hostileStarts(length: number): Generator<readonly [name: string, text: string]> {
  for (const [name, unit] of Object.entries(starts)) yield [name, filled(unit, length)];
}

/** The same, and for every keyword of every rule alone and with company. */
export function* hostileTexts(length: number): Generator<readonly [name: string, text: string]> {
  yield* hostileStarts(length);
  for (const keyword of new Set(rules.flatMap(({ keywords }) => keywords))) {
    for (const behind of ['', ' ', 'aB3dE6g_', '="x'])
      yield [`keyword ${keyword}${behind}`, filled(`${keyword}${behind}`, length)];
  }
}

/** Whole pieces, so that texts of all lengths end alike. */
const filled = (unit: string, length: number): string => unit.repeat(Math.floor(length / unit.length));
