/** Keys and tokens of open standards: PEM and its relatives, JWT, age. */
import { looksRandom } from './looks.ts';
import { type Hit, prefixed, type Rule, type Span, shaped } from './rule.ts';

/** What may stand between two lines of a key: blanks, escaped line ends, quotes, line numbers, signs of a diff. */
const between = '(?:\\s|\\\\[nrt]|\\d{1,5}[→|:\\t]|[>|+",\'\\\\]){0,24}';
const keyLine = '[A-Za-z0-9+/=]';

const pemStart = /-{4,6} ?BEGIN (?:[A-Z0-9]|[ +]|%20){0,30}PRIVATE(?:[ +]|%20)KEY(?:(?:[ +]|%20)BLOCK)? ?-{4,5}/y;
const pemEnd = /-{4,6} ?END (?:[A-Z0-9]|[ +]|%20){0,30}PRIVATE/y;
/** The lines of a key that breaks off; each line is long, so that words behind it do not count. */
const openBody = new RegExp(
  `(?:${between}(?:Proc-Type|DEK-Info|Version|Comment): [^\\n\\\\]{0,100}){0,4}` +
    `(?:${between}${keyLine}{24,80}){0,400}(?:${between}${keyLine}{8,80}(?=\\s*(?:…|\\.{2}|\\[|<|$)))?`,
  'y',
);
/** A key of 16,384 bits has 12,500 characters. */
const longestKey = 24_000;

function pemBody({ text, start }: Hit): Span | undefined {
  pemStart.lastIndex = start;
  if (!pemStart.test(text)) return undefined;
  const from = pemStart.lastIndex;
  // The nearest dashes end the search, so that many beginnings cost no more than one.
  const dashes = text.indexOf('----', from);
  pemEnd.lastIndex = dashes;
  const closed = dashes !== -1 && dashes - from <= longestKey && pemEnd.test(text);
  openBody.lastIndex = from;
  const end = closed ? dashes : openBody.test(text) ? openBody.lastIndex : from;
  return trimmed(text, { start: from, end });
}

/** The lines before an end whose beginning was cut off: as far up as there are lines of keys. */
function pemRest({ text, start }: Hit): Span | undefined {
  pemEnd.lastIndex = start;
  if (!pemEnd.test(text)) return undefined;
  let from = start;
  while (from > Math.max(0, start - longestKey) && /[A-Za-z0-9+/=\s\\]/.test(text[from - 1] ?? '')) from--;
  // What breaks a line of keys off is text in front of it.
  const lead = firstKeyLine(text.slice(from, start));
  const before = text[from - 1] ?? '';
  if (lead === 0 && (before === '-' || (before === ':' && !/^[ \t]*\n/.test(text.slice(from, from + 40)))))
    return undefined;
  return trimmed(text, { start: from + lead, end: start });
}

/** Where the lines of keys begin that reach to the end of a text. */
function firstKeyLine(text: string): number {
  let at = text.length;
  for (const line of text.split('\n').toReversed()) {
    if (line.trim() !== '' && !/^\s*[A-Za-z0-9+/=\\]{16,}\s*$/.test(line) && at < text.length - 80) break;
    at -= line.length + 1;
  }
  return Math.max(0, at + 1);
}

/** The hexadecimal lines of a static key of OpenVPN. */
const staticKey = /-----BEGIN OpenVPN Static key V1-----\s{1,4}((?:[0-9a-f]{16,64}\s{1,4}){1,40})/y;

/** Without what a line end leaves at the ends, escaped or not. */
function trimmed(text: string, { start, end }: Span): Span | undefined {
  const body = text.slice(start, end);
  const lead = /^(?:\s|\\[nrt]|["'+,\\])*/.exec(body)?.[0].length ?? 0;
  const bare = body.slice(lead).replace(/(?<!\s|\\[nrt])(?:\s|\\[nrt]|["'+,\\]){1,40}$/, '');
  return bare === '' ? undefined : { start: start + lead, end: start + lead + bare.length };
}

/** Has a line of key material: words and code between two markers are none. */
function isKeyBody(body: string): boolean {
  if (/^(?:MI[A-Za-z0-9]|b3Bl)[A-Za-z0-9+/=]{5}/.test(body)) return true;
  const lines = body.slice(0, 2_000).match(/[A-Za-z0-9+/=]{16,80}/g) ?? [];
  return lines.some((line) => looksRandom(line, 16));
}

/** What systems keep of a password: a guess at it can be tried at home. */
const cryptHash =
  '\\$(?:[1567]|apr1|y)\\$[\\w./$=,]{1,40}\\$[\\w./]{20,100}|\\$2[aby]\\$\\d\\d\\$[\\w./]{53}|\\$argon2(?:id?|d)\\$[\\w=,]{2,8}\\$[\\w=,]{4,40}\\$[\\w+/]{8,100}\\$[\\w+/]{16,200}';

const puttyEnd = '(?:\\r?\\n|\\\\r\\\\n|\\\\n)';
const puttyLines = new RegExp(
  `Private-Lines: \\d{1,3}${puttyEnd}((?:[A-Za-z0-9+/=]{1,80}${puttyEnd}){0,200}[A-Za-z0-9+/=]{1,80})(?=${puttyEnd}|$)`,
  'y',
);

/** `-----BEGIN PRIVATE`, `RSA `, `EC P`, `OPENSSH`, `ENCRYPTED`, `DSA ` in base64, as Kubernetes and CI carry keys. */
const encodedStarts =
  'LS0tLS1CRUdJTiBQUklWQVRF LS0tLS1CRUdJTiBSU0Eg LS0tLS1CRUdJTiBFQyBQ LS0tLS1CRUdJTiBPUEVOU1NI LS0tLS1CRUdJTiBFTkNSWVBURUQ LS0tLS1CRUdJTiBEU0Eg';

export const keyRules: readonly Rule[] = [
  {
    id: 'private-key',
    by: 'shape',
    keywords: ['-----BEGIN ', '---- BEGIN '],
    startsWord: false,
    find: pemBody,
    check: isKeyBody,
  },
  {
    id: 'private-key',
    by: 'shape',
    keywords: ['-----END ', '---- END '],
    startsWord: false,
    find: pemRest,
    check: isKeyBody,
  },
  {
    id: 'static-key',
    by: 'shape',
    keywords: ['-----BEGIN OpenVPN'],
    startsWord: false,
    find: ({ text, start }) => {
      staticKey.lastIndex = start;
      const body = staticKey.exec(text)?.[1];
      return body === undefined
        ? undefined
        : trimmed(text, { start: staticKey.lastIndex - body.length, end: staticKey.lastIndex });
    },
  },
  shaped('password-hash', '$1$ $5$ $6$ $y$ $7$ $2a$ $2b$ $2y$ $apr1$ $argon2', cryptHash),
  shaped(
    'password-hash',
    '{SHA} {SSHA} {MD5} {SMD5} {CRYPT} {SHA256} {SSHA256} {SHA512} {SSHA512}',
    '\\{(?:S?SHA(?:256|512)?|S?MD5|CRYPT)\\}[\\w+/=.$]{16,200}',
    { startsWord: false },
  ),
  shaped('ntlm-hash', 'aad3b435b51404eeaad3b435b51404ee:', 'aad3b435b51404eeaad3b435b51404ee:([0-9a-f]{32})', {
    startsWord: false,
  }),
  prefixed('docker-config', 'eyJhdXRocyI6', { chars: '[A-Za-z0-9+/=]', least: 30 }),
  shaped('rsa-key-value', '<RSAKeyValue>', '<RSAKeyValue>.{0,1500}?<P>(.{20,3000})(?=</D>)'),
  { id: 'putty-key', by: 'shape', keywords: ['Private-Lines:'], find: puttyLines },
  prefixed('encoded-private-key', encodedStarts, { chars: '[A-Za-z0-9+/=]', least: 40 }),
  shaped('age-key', 'AGE-SECRET-KEY-1', 'AGE-SECRET-KEY-1[0-9A-Za-z]{40,60}', { startsWord: false }),
  shaped('jwt', 'eyJ', '(?<![\\w-])eyJ[\\w-]{8,400}\\.eyJ[\\w-]{4,4000}(?:\\.[\\w-]{0,4000})?', { startsWord: false }),
  shaped('jwe', 'eyJ', '(?<![\\w-])eyJ[\\w-]{8,400}\\.[\\w-]{0,800}(?:\\.[\\w-]{8,4000}){3}', { startsWord: false }),
];
