/** Passwords on command lines, where a flag means a password only to some programs. */
import { type FlagRow, flagRows, placeRows } from './command-flags.ts';
import type { Finding, Hit, Rule, Span } from './rule.ts';
import { isPassword } from './values.ts';

/** How far the program may stand before its flag. */
const reach = 300;

const separators = { blank: '(?:[\\s=:]|\\\\\\r?\\n){1,8}', glued: '', either: '(?:[\\s=]|\\\\\\r?\\n){0,8}' };

/** A value in quotes may have blanks; without them it ends at one, and is no flag. */
const value = (lead: string): string =>
  `(?:${lead}\\\\{0,4}"([^"\\n\\\\]{2,200})(?=\\\\{0,4}")|${lead}'([^'\\n]{2,200})(?=')|` +
  `\\\\{0,4}["']${lead}([^"'\\n\\\\]{2,200})(?=\\\\{0,4}["'])|${lead}([^\\s"'\\\\<>|;&-][^\\s"'\\\\<>|;&]{1,200}))`;

const isArgument = (text: string): boolean => isPassword(text) && !/^\d+(?::\d+)*$/.test(text);

/** The groups that took part in a match, where they stand. */
function groupsOf(match: RegExpExecArray): readonly Span[] {
  // What ends a here-document is found to be compared, and is no value.
  const mark = match.indices?.groups?.mark;
  return (match.indices ?? [])
    .slice(1)
    .filter((pair) => !(pair && mark && pair[0] === mark[0]))
    .flatMap((pair) => (pair ? [{ start: pair[0], end: pair[1] }] : []));
}

function findingOf(text: string, spans: readonly Span[]): Finding | undefined {
  const [first, ...more] = spans.filter(({ start, end }) => isArgument(text.slice(start, end)));
  return first ? { ...first, more } : undefined;
}

function flagRule({ flags, starts, programs, form, lead = '' }: FlagRow): Rule {
  const argument = new RegExp(`(?:\\s|(?<=\\n))(?:${flags})${separators[form]}${value(lead)}`, 'dy');
  const program = new RegExp(programs);
  const dashed = starts === '' ? [' /p', ' /rp', ' /gp'] : starts.split(' ').map((start) => ` -${start}`);
  return {
    id: lead.endsWith(':') && starts.startsWith('u') ? 'user-flag' : 'password-flag',
    by: 'place',
    startsWord: false,
    keywords: dashed,
    check: () => true,
    find: ({ text, start }) => {
      argument.lastIndex = start;
      const match = argument.exec(text);
      return match && program.test(lineBefore(text, start)) ? findingOf(text, groupsOf(match)) : undefined;
    },
  };
}

/** The line up to a place, with the lines before that it goes on from. */
function lineBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - reach), at);
  let last = before.lastIndexOf('\n');
  while (last !== -1 && before[before[last - 1] === '\r' ? last - 2 : last - 1] === '\\')
    last = last === 0 ? -1 : before.lastIndexOf('\n', last - 1);
  return `${before.slice(last + 1)} `;
}

const placeRules: readonly Rule[] = placeRows.map(({ keywords, pattern }) => {
  const find = new RegExp(pattern, 'diy');
  return {
    id: 'password-argument',
    by: 'place',
    startsWord: false,
    check: () => true,
    keywords: keywords.map((one) => one.replace('\\n', '\n')),
    find: ({ text, start }: Hit): Finding | undefined => {
      find.lastIndex = start;
      const match = find.exec(text);
      return match ? findingOf(text, groupsOf(match)) : undefined;
    },
  };
});

/** `sqlplus scott/tiger@orcl`, `impacket-psexec ACME/bob:pw@host`: all of a line that look like that. */
const logins: Rule = {
  id: 'login-argument',
  by: 'place',
  startsWord: true,
  check: () => true,
  keywords: [
    'sqlplus',
    'sqlldr',
    'impdp',
    'expdp',
    'rman ',
    'sqlcl',
    'dgmgrl',
    'connect ',
    'userid=',
    'conn ',
    'impacket',
    'secretsdump',
    'psexec',
    'wmiexec',
    'smbexec',
    'atexec',
    'dcomexec',
    'mssqlclient',
    'ntlmrelayx',
    'getuserspns',
    'getnpusers',
    'getadusers',
    'lookupsid',
    'smbclient.py',
    'gettgt',
  ],
  find: ({ text, start }) => {
    const line = /^[^\n]{0,240}/.exec(text.slice(start, start + 240))?.[0] ?? '';
    const isOracle = /^(?:sql|imp|exp|rman|dgm|conn|user)/i.test(line) && !/^imp(?:acket)/i.test(line);
    const pattern = isOracle ? oracle : domainUser;
    const found = [...line.matchAll(pattern)].flatMap((match) => groupsOf(match));
    return findingOf(
      text,
      found.map((span) => ({ start: span.start + start, end: span.end + start })),
    );
  },
};

const oracle =
  /(?<=[\s"'=])[A-Za-z][\w$]{0,30}\/(?:\\{0,4}"([^"\n\\]{2,60})\\{0,4}"|([^\s"'/@\\]{2,60}))(?=@[\w/]|["']?\s+as sysdba)|^sqlplus(?:\s+-\w+)*\s+\w{1,30}\/([^\s"'/@\\]{2,60})(?=\s|$|["'])/dgi;
const domainUser =
  /(?<=[\s"'])[\w.-]{1,60}\/[\w.$-]{1,60}:(?:'([^'\n]{2,80})'|"([^"\n]{2,80})"|([^\s"'@:]{2,80}))(?=@)/dg;

/** `echo secret | docker login --password-stdin` and the like. */
const piped: Rule = {
  id: 'piped-password',
  by: 'place',
  startsWord: false,
  check: isArgument,
  keywords: [
    '--password-stdin',
    'sudo -S',
    'chpasswd',
    '--with-token',
    '--stdin',
    '-passin stdin',
    '--passphrase-fd',
    'vncpasswd -f',
    'passwd --stdin',
    'cryptsetup',
    ...'kinit|passwd|smbpasswd|su |openconnect|ssh-add|secret-tool|htpasswd -i|net ads|realm join|adcli|pass insert|gh auth|oc login|ecryptfs|veracrypt'
      .split('|')
      .map((name) => `| ${name}`),
  ],
  find: ({ text, start }) => {
    const at = text[start] === '|' ? start + 1 : start;
    const line = lineBefore(text, at);
    const found = echoed.exec(line);
    const from = at - line.length + 1;
    return found
      ? findingOf(
          text,
          groupsOf(found).map((span) => ({ start: from + span.start, end: from + span.end })),
        )
      : undefined;
  },
};
const echoWord = '([^\\s"\'|\\\\$`]{3,200})';
/** `echo -e "pw\npw" |`, `printf '%s' 'two words' |` */
const echoed = new RegExp(
  `\\b(?:echo|printf)(?:\\s+-\\w+)?(?:\\s+["']?%s(?:\\\\n)?["']?)?\\s+` +
    `(?:\\\\{0,4}["']?(?:[\\w-]{1,40}:)?${echoWord}(?:\\\\n${echoWord}){0,1}(?:\\\\n${echoWord}){0,1}(?:\\\\n)?\\\\{0,4}["']?|'([^'\\n|]{3,200})'|"([^"\\n|$]{3,200})")` +
    `\\s*\\|[^|]{0,120}$`,
  'd',
);

const asks =
  /(?:passw|passphrase|--with-token|sudo -S|vpn|openconnect|token|kinit|gpg|login|luks|unlock|secret|pass insert|keepass|signin|\\bbw |\\bop )/i;

/** `openconnect … <<< 'secret'`: what a program reads that asks for a password. */
const hereString: Rule = {
  id: 'piped-password',
  by: 'place',
  startsWord: false,
  check: isArgument,
  keywords: ['<<<'],
  find: ({ text, start }) => {
    const match = /^<<<\s{0,3}\\{0,4}(?:"([^"\n\\]{3,200})"|'([^'\n]{3,200})'|([^\s"'$<>|;&()\\]{3,200}))/d.exec(
      text.slice(start, start + 240),
    );
    const [span] = match ? groupsOf(match) : [];
    return span && asks.test(lineBefore(text, start))
      ? { start: span.start + start, end: span.end + start }
      : undefined;
  },
};

export const commandRules: readonly Rule[] = [...flagRows.map(flagRule), ...placeRules, logins, piped, hereString];
