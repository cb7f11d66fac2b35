/** Passwords on command lines: behind flags that mean a password only to some programs, at places of their own, and piped in. */
import { type Finding, findingOf, placeRule, type Rule, type Span, words } from './rule.ts';
import { isPassword } from './values.ts';

/** How far the program may stand before its flag. */
const reach = 300;

const separators = { blank: '(?:[\\s=:]|\\\\\\r?\\n){1,8}', glued: '', either: '(?:[\\s=]|\\\\\\r?\\n){0,8}' };

/** A value in quotes may have blanks; without them it ends at one, and is no flag. */
const value = (lead: string): string =>
  `(?:${lead}\\\\{0,4}"([^"\\n\\\\]{2,200})(?=\\\\{0,4}")|${lead}'([^'\\n]{2,200})(?=')|` +
  `\\\\{0,4}["']${lead}([^"'\\n\\\\]{2,200})(?=\\\\{0,4}["'])|${lead}([^\\s"'\\\\<>|;&-][^\\s"'\\\\<>|;&]{1,200}))`;

const isArgument = (text: string): boolean => isPassword(text) && !/^\d+(?::\d+)*$/.test(text);

/** The groups that took part in a match, where they stand in a text of which it saw a part. */
export function groupsOf(match: RegExpExecArray, from = 0): readonly Span[] {
  // What ends a here-document is found to be compared, and is no value.
  const mark = match.indices?.groups?.mark?.[0];
  return (match.indices ?? [])
    .slice(1)
    .flatMap((pair) => (pair && pair[0] !== mark ? [{ start: from + pair[0], end: from + pair[1] }] : []));
}

export function passwordsOf(text: string, spans: readonly Span[]): Finding | undefined {
  return findingOf(spans.filter(({ start, end }) => isArgument(text.slice(start, end))));
}

interface FlagForm {
  /** `blank`: the value is the next word; `glued`: it follows at once; `either`. */
  readonly form: 'blank' | 'glued' | 'either';
  /** What stands in front of the password in the value: `user:`. */
  readonly lead?: string;
  /** How the flags begin, with a blank in front. @default each flag */
  readonly starts?: readonly string[];
}

/** A password behind one of some flags, where a program stands on the line in front of it that takes it so. */
function flagRule(flags: string, programs: string, { form, lead = '', starts }: FlagForm): Rule {
  const argument = new RegExp(`(?:\\s|(?<=\\n))(?:${flags})${separators[form]}${value(lead)}`, 'dy');
  const program = new RegExp(programs);
  const id = lead.endsWith(':') && flags.startsWith('-u') ? 'user-flag' : 'password-flag';
  const keywords = flags.split('|').filter((flag, _, all) => !all.some((one) => one !== flag && flag.startsWith(one)));
  return placeRule(id, starts ?? keywords.map((flag) => ` ${flag}`), ({ text, start }) => {
    argument.lastIndex = start;
    const match = argument.exec(text);
    return match && program.test(lineBefore(text, start)) ? passwordsOf(text, groupsOf(match)) : undefined;
  });
}

/** The line up to a place, with the lines before that it goes on from. */
function lineBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - reach), at);
  let last = before.lastIndexOf('\n');
  while (last !== -1 && before[before[last - 1] === '\r' ? last - 2 : last - 1] === '\\')
    last = last === 0 ? -1 : before.lastIndexOf('\n', last - 1);
  return `${before.slice(last + 1)} `;
}

/** Words that name no program alone: only at the start of a command. */
const command = (names: string): string => `(?:^|[\\s;&|("'\`$/])(?:${names})(?:\\.exe|\\.py)?\\s`;

export const flagRules: readonly Rule[] = [
  flagRule(
    '-u|--user|--proxy-user|-a|--auth',
    command('curl|wget|https?|xh|hurl|httpie|etcdctl|aria2c|siege|ab|lynx|elinks'),
    { form: 'either', lead: '[^\\s:"\'\\\\]{1,80}:' },
  ),
  flagRule('-p', command('\\w*mysql\\w*|mariadb\\w*|xtrabackup|mycli|mydumper|myloader'), { form: 'glued' }),
  flagRule('-p|-hp', command('7za?|7zr|7zz|rar|unrar|arj|upx|\\S*7z'), { form: 'glued' }),
  flagRule('-p|-pw|-P', command('sshpass'), { form: 'either' }),
  flagRule('-pw|-pwfile', command('plink|pscp|psftp|putty|kitty|klink|sshfs|vcredit|winscp'), { form: 'blank' }),
  flagRule(
    '-p|--pass|--pw',
    `(?:${command(
      'ncftp\\w*|mycli|litecli|pgcli|stegseek|steghide|x11vnc|pdfunite|pdftk|govc|esxcli|mongo\\w*|cqlsh|beeline|twine|winexe|evil-winrm|crackmapexec|cme|nxc|netexec|smbmap|bloodhound\\S*|ldapdomaindump|certipy|kerbrute|hydra|medusa|patator|useradd|usermod|psexec\\w*|winrs|winrm|cmdkey|rdesktop|vncdo|iscsiadm|jfrog|jf|wput|sqoop\\S*|nifi\\S*|clickhouse\\S*|arangosh|rpk|couchbase-cli|cbq|couchdb|ldap\\w+|snowsql|cypher-shell|neo4j\\S*|cockroach|tabcmd|curlftpfs|sqlmap|wpscan|freerdp|pdftotext|mqttx?|solr|hive|kafka\\S*|ansible-vault|gpg2?|s3fs|btmgmt|pgbench|onedrive|duplicati\\S*',
    )}|(?:docker|podman|helm|az|oc|skopeo|buildah|nerdctl|crane|cf|ibmcloud|kubectl|rosa|regctl|oras|cosign|flux|rancher|linkerd|harbor|gcloud|tkn|odo|vercel|eb)\\b.{0,200}\\blogin\\b|\\bregistry login|\\bsecurity\\s+(?:unlock|create|lock|set)-keychain\\b)`,
    { form: 'blank' },
  ),
  flagRule('-upw|-opw|-passwd|-pwd|-user-pw|-owner-pw', command('pdf\\w+|qpdf|x11vnc|vnc\\w*|ds\\w+|adb|xpdf'), {
    form: 'blank',
  }),
  // Who names a user gives a password: but for programs to which the letter means something else.
  flagRule(
    '-p|-P|-w|--pw',
    '^(?!.*\\b(?:mysql\\w*|maria\\w*|docker|podman|sudo|psql|pg_\\w+|ssh|scp|sftp|ps|mkdir|tar|grep|chown|install|rsync|nmap|crontab|python3?|perl|git|cp|influx|redis-cli|mosquitto_\\w+|clickhouse\\S*|cqlsh|curl|wget|lsof|netstat|ss)\\s).*\\s(?:-[uUl]|--?user(?:name)?|--login|--account)[ =][^\\s-]\\S*\\s',
    { form: 'blank', lead: '(?![\\d./:~]+(?:\\s|$)|[./~$])' },
  ),
  flagRule(
    '-k|--api-key',
    `\\bnuget\\b.{0,120}\\bpush\\b|${command('choco')}.{0,60}(?:push|apikey)|\\b(?:openssl)\\b.{0,40}\\b(?:enc|aes\\S*|des\\S*)\\b`,
    { form: 'blank' },
  ),
  flagRule('-K', '\\bopenssl\\b.{0,40}\\b(?:enc|aes\\S*|des\\S*)\\b', { form: 'blank' }),
  flagRule(
    '-P',
    command(
      'bcp|sqlcmd|osql|isql|tsql|ipmi\\w*|zip|unzip|zipcloak|mosquitto_\\w+|bsqldb|freebcp|defncopy|security\\s+import|fence_\\w+|racadm|unoconv|pdfcrack|fcrackzip|wpa_cli|dcmtk|bacula|aria2c|lftp|vsftp|ncat|ldifde',
    ),
    { form: 'either' },
  ),
  flagRule(
    '-a|-w',
    command(
      'redis-cli|valkey-cli|keydb-cli|redis-benchmark|ldap\\w+|vsql|nzsql|mongo\\w*|vertica|gsql|wsadmin|admintools',
    ),
    { form: 'either' },
  ),
  flagRule('-w', '\\bsecurity\\s+add-(?:generic|internet)-password\\b', { form: 'blank' }),
  flagRule('-A|-X|-c', command('snmp\\w+'), { form: 'blank' }),
  flagRule('-t|--token', '\\b(?:codecov|coveralls|codacy\\S*|codeclimate)\\b', { form: 'blank' }),
  flagRule(
    '-storepass|-keypass|-srcstorepass|-deststorepass|-srckeypass|-destkeypass|-new',
    '\\b(?:keytool|jarsigner)\\b',
    { form: 'blank' },
  ),
  flagRule('-pass|-passin|-passout|-password', '\\bopenssl\\b', { form: 'blank', lead: 'pass:' }),
  flagRule(
    '-U|--user',
    command('smbclient|rpcclient|net|smbmap|smbget|smbcacls|smbspool|smbtree|winexe|wmic|nmblookup'),
    { form: 'either', lead: '[^\\s%"\']{1,80}%' },
  ),
  flagRule('-u', command('lftp'), { form: 'blank', lead: '[^\\s,"\']{1,80},' }),
  flagRule(
    '-t|--token|-token',
    command(
      'influx\\w*|doctl|consul|nomad|gitea|tea|glab|hub|fly|flyctl|sentry-cli|surge|ngrok|railway|snyk|pulumi|vault|boundary|jf|gh|okteto|civo|linode-cli|telegraf|buildkite-agent',
    ),
    { form: 'blank' },
  ),
  flagRule('-b', command('curl'), { form: 'blank', lead: '[^\\s"\'=]{0,20}(?:session|sid|token|auth)\\w{0,12}=' }),
  flagRule(
    '/p:|/pass:|/password:|/gp:|/pw:|/rp |/p |/password ',
    command(
      '\\w*freerdp\\w*|mstsc|cmdkey|wmic|schtasks|psexec\\w*|net|winrs|signtool|rasdial|at|sc|tsdiscon|dsadd|dsmod|netdom|djoin|csvde|winscp|tscon|eventcreate|tasklist|taskkill|systeminfo|getmac|driverquery|openfiles|bcdedit',
    ),
    { form: 'glued', starts: [' /p', ' /rp', ' /gp'] },
  ),
];
/** `sqlplus scott/tiger@orcl`, `impacket-psexec ACME/bob:pw@host`: all of a line that look like that. */
const logins: Rule = {
  ...placeRule(
    'login-argument',
    words(
      'sqlplus|sqlldr|impdp|expdp|rman |sqlcl|dgmgrl|connect |userid=|conn |impacket|secretsdump|psexec|wmiexec|smbexec',
      'atexec|dcomexec|mssqlclient|ntlmrelayx|getuserspns|getnpusers|getadusers|lookupsid|smbclient.py|gettgt',
    ),
    ({ text, start }) => {
      const line = /^[^\n]{0,240}/.exec(text.slice(start, start + 240))?.[0] ?? '';
      const isOracle = /^(?:sql|imp|exp|rman|dgm|conn|user)/i.test(line) && !/^impacket/i.test(line);
      const found = line.matchAll(isOracle ? oracle : domainUser);
      return passwordsOf(
        text,
        [...found].flatMap((match) => groupsOf(match, start)),
      );
    },
  ),
  startsWord: true,
};

const oracle =
  /(?<=[\s"'=])[A-Za-z][\w$]{0,30}\/(?:\\{0,4}"([^"\n\\]{2,60})\\{0,4}"|([^\s"'/@\\]{2,60}))(?=@[\w/]|["']?\s+as sysdba)|^sqlplus(?:\s+-\w+)*\s+\w{1,30}\/([^\s"'/@\\]{2,60})(?=\s|$|["'])/dgi;
const domainUser =
  /(?<=[\s"'])[\w.-]{1,60}\/[\w.$-]{1,60}:(?:'([^'\n]{2,80})'|"([^"\n]{2,80})"|([^\s"'@:]{2,80}))(?=@)/dg;

/** `echo secret | docker login --password-stdin` and the like. */
const piped = placeRule(
  'piped-password',
  [
    ...words('--password-stdin|sudo -S|chpasswd|--with-token|--stdin|-passin stdin|--passphrase-fd|vncpasswd -f'),
    ...words('passwd --stdin|cryptsetup'),
    ...words(
      'kinit|passwd|smbpasswd|su |openconnect|ssh-add|secret-tool|htpasswd -i|net ads|realm join|adcli|pass insert',
      'gh auth|oc login|ecryptfs|veracrypt',
    ).map((name) => `| ${name}`),
  ],
  ({ text, start }) => {
    const at = text[start] === '|' ? start + 1 : start;
    const line = lineBefore(text, at);
    const found = echoed.exec(line);
    return found ? passwordsOf(text, groupsOf(found, at - line.length + 1)) : undefined;
  },
);
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
const hereString = placeRule('piped-password', '<<<', ({ text, start }) => {
  const match = /^<<<\s{0,3}\\{0,4}(?:"([^"\n\\]{3,200})"|'([^'\n]{3,200})'|([^\s"'$<>|;&()\\]{3,200}))/d.exec(
    text.slice(start, start + 240),
  );
  return match && asks.test(lineBefore(text, start)) ? passwordsOf(text, groupsOf(match, start)) : undefined;
});

export const pipedRules: readonly Rule[] = [logins, piped, hereString];
