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
function groupsOf(match: RegExpExecArray, from = 0): readonly Span[] {
  // What ends a here-document is found to be compared, and is no value.
  const mark = match.indices?.groups?.mark?.[0];
  return (match.indices ?? [])
    .slice(1)
    .flatMap((pair) => (pair && pair[0] !== mark ? [{ start: from + pair[0], end: from + pair[1] }] : []));
}

function passwordsOf(text: string, spans: readonly Span[]): Finding | undefined {
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

const flagRules: readonly Rule[] = [
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

/** One word of a command, in quotes or not. */
const word = '(?:"[^"\\n]{1,120}"|\'[^\'\\n]{1,120}\'|[^\\s"\'|;&]{1,120})';
/** The same where it is the secret: the quotes are no part of it. */
const secret = '\\\\{0,2}["\']?((?:[^\\s"\'|;&<>\\\\]|(?<=[^\\s&])&(?=[^\\s&])){3,200})';

/** Each group of a pattern is a password, but for `mark`, which ends a here-document. */
function argument(keywords: string, pattern: string): Rule {
  const find = new RegExp(pattern, 'diy');
  return placeRule('password-argument', keywords.replaceAll('\\n', '\n'), ({ text, start }) => {
    find.lastIndex = start;
    const match = find.exec(text);
    return match ? passwordsOf(text, groupsOf(match)) : undefined;
  });
}

const argumentRules: readonly Rule[] = [
  argument(
    'vault operator|vault unseal|bao operator',
    `(?:vault|bao)(?: operator)? (?:unseal|generate-root|rekey)(?:\\s+-[\\w-]+(?:=\\S+)?)*\\s+(?!-)${secret}`,
  ),
  argument(
    'createuser ',
    `createUser\\s+(?:-e\\s+\\S+\\s+)?\\S{1,60}\\s+(?:MD5|SHA(?:-?\\d+)?)\\s+(?:"([^"\\n]{3,120})"|([^\\s"]{3,120}))(?:\\s+(?:DES|AES\\S{0,5})\\s+(?:"([^"\\n]{3,120})"|([^\\s"]{3,120})))?`,
  ),
  argument(
    'btoa(|b64encode(|base64_encode(|encode64(|buffer.from(|getbytes(|encodetostring(|encoder().encode(',
    `(?:btoa|(?:urlsafe_|standard_)?b64encode|base64_encode|encode64|Buffer\\.from|GetBytes|EncodeToString|Encoder\\(\\)\\.encode)\\((?:\\[\\]byte\\()?b?(?:'[\\w.@+-]{1,60}:([^'\\n:/]{4,100})'|["\`][\\w.@+-]{1,60}:([^"\`\\n:/$]{4,100})["\`])`,
  ),
  argument(
    'ssh-keygen ',
    `ssh-keygen\\s[^\\n]{0,120}?-(?-i:[NP])\\s+(?:"([^"\\n]{3,200})"|'([^'\\n]{3,200})'|([^\\s"'-][^\\s"']{2,100}))`,
  ),
  // Whoever takes a user takes a password behind it; what means a port is a number, and a few programs mean other things.
  argument(
    ' -u ',
    `(?<!(?:mysql|maria|mycli|docker|podman|sudo|psql|pg_|ssh|scp|mkdir|tar |grep|chown|install|rsync|nmap|crontab|python|perl|git |cp )[^\\n]{0,120}) -u\\s+[^\\s"'/:-][^\\s/:]{0,60}\\s+-p\\s+(?![\\d./:~]+(?:\\s|$)|[./~])${secret}`,
  ),
  argument(
    'exp |imp |expdp |impdp |sqlldr |rman target ',
    `(?<![\\w.-])(?:expdp|impdp|exp|imp|sqlldr|rman target)\\s+[A-Za-z][\\w$]{0,30}/([^\\s"'/@\\\\=]{3,60})(?=(?:@[\\w.]{1,40})?\\s+\\w{2,20}=)`,
  ),
  argument(
    'kinit |openconnect |passwd |vncpasswd|cryptsetup |sudo -s|ssh-add |gpg |docker login|su - |smbpasswd',
    `[^\\n<]{3,160}<<-?\\s?["']?(?<mark>\\w{1,20})["']?[^\\n]{0,40}\\n(?:[\\w.-]{1,40}:)?([^\\s:][^\\n:]{2,100})(?:\\n(\\2)(?=\\n))?(?=(?:\\n[^\\n]{0,100}){0,2}\\n\\s{0,8}\\1(?:\\s|$))`,
  ),
  argument(
    'ssh-keygen ',
    `ssh-keygen\\s[^\\n]{0,120}?-(?-i:P)\\s+["']?[^\\n]{1,80}?\\s-(?-i:N)\\s+(?:"([^"\\n]{3,200})"|'([^'\\n]{3,200})'|([^\\s"'-][^\\s"']{2,100}))`,
  ),
  argument(
    'secret set|put-parameter|secrets versions add|create-secret|put-secret-value|keyvault secret',
    `(?:secret set|put-parameter|create-secret|put-secret-value|keyvault secret set)\\s[^\\n]{0,200}?\\s--(?:body|value|secret-string)[ =](?:"([^"\\n{$]{3,200})"|'([^'\\n{$]{3,200})'|([^\\s"'$<-][^\\s"']{2,100}))`,
  ),
  argument(
    'drush user:password|drush upwd|grub> password',
    `(?:drush (?:user:password|upwd)|grub> password)\\s+${word}\\s+(?:"([^"\\n]{3,120})"|'([^'\\n]{3,120})'|([^\\s"'-][^\\s"']{2,100}))`,
  ),
  argument('\\nuser ', `(?<=\\bftp\\b[^\\n]{0,80})\\nuser\\s+[^\\s]{1,60}\\s+${secret}(?=\\s*\\n)`),
  argument('rclone config', `rclone config (?:create|update)\\s[^\\n]{0,160}?\\spass(?:word)?[ =]${secret}`),
  argument('mc admin user', `mc admin user (?:add|svcacct add)\\s+\\S+\\s+\\S+\\s+${secret}`),
  argument('keymaterial=', `keymaterial=${secret}`),
  argument('bw unlock |bw login ', `bw (?:unlock|login\\s+\\S+@\\S+)\\s+(?!-)${secret}`),
  argument('pragma key|pragma rekey', `pragma (?:re)?key\\s?=\\s?["']([^"'\\n]{3,200})`),
  argument('set password', `set password(?: for \\S{1,100})?\\s?=\\s?(?:password\\()?'([^'\\n]{3,200})`),
  argument('smbclient ', `smbclient\\s+["']?(?:\\\\{2,4}|//)\\S{1,120}\\s+(?!-)${secret}(?=["']?\\s|$)`),
  argument('password-command|passcommand', `pass(?:word-)?command[ =]+["']?echo\\s+${secret}`),
  argument('sftp> open |ftp> open |open sftp://|open ftp://', `s?ftp> open\\s+[\\w.@-]{1,60}:([^\\s@:]{3,100})(?=@)`),
  argument('govc ', `govc\\s[^\\n]{0,80}?-u[ =]["']?[\\w.@\\\\-]{1,60}:([^\\s"'@]{3,100})(?=@)`),
  argument('snmp-server community', `snmp-server community ${secret}`),
  argument(
    'password 0 |password 7 |secret 0 |secret 5 |secret 8 |secret 9 |key 0 |key 7 |md5 |ascii-text ',
    `(?<=(?:username|enable|ospf|neighbor|tacacs|radius|isakmp|line|standby|server|authentication|message-digest-key)[^\\n]{0,80})(?:(?:password|secret|key) \\d|(?<=message-digest-key \\d{1,3} |authentication )md5|ascii-text) ${secret}`,
  ),
  argument(
    'tacacs-server key |radius-server key |isakmp key |pre-shared-key |wpa-psk ascii |authentication-key |shared-secret ',
    `(?:(?:tacacs|radius)-server key|isakmp key|pre-shared-key|wpa-psk ascii|authentication-key|shared-secret)(?: (?:0|7|local|remote|ascii|address \\S+ key))* (?!-)${secret}`,
  ),
  argument('bindpw', `(?<=(?:^|\\n)\\s{0,8})bindpw[ \\t:=]{1,8}${secret}(?=["']?\\s*(?:\\n|$))`),
  argument(
    'set value|value =',
    `(?:set )?value\\s?=\\s?'([^'\\n]{3,120})'(?=\\s+where\\s+\\w+\\s?=\\s?'[^'\\n]{0,40}(?:pass|secret|token|pwd))`,
  ),
  argument(']:587|]:465|]:25', `\\]:(?:587|465|25)\\s+[\\w.@+-]{1,80}:([^\\s:"']{3,120})(?=\\s*(?:\\n|$))`),
  argument('puk|puk2', `(?<![\\w])puk2?["']?(?:\\s?[:=]\\s?|\\s(?:is|ist|est|es)\\s|\\s)["']?(\\d{8})(?!\\d)`),
  argument('mysqladmin', `mysqladmin(?:\\s+${word}){0,8}?\\s+password\\s+${secret}`),
  argument(
    'rabbitmqctl',
    `rabbitmqctl(?:\\s+-\\w+\\s+\\S+)?\\s+(?:add_user|change_password|authenticate_user)\\s+${word}\\s+${secret}`,
  ),
  argument('mc alias|mc config host', `mc (?:alias set|config host add)\\s+${word}\\s+${word}\\s+${word}\\s+${secret}`),
  argument('isql ', `isql(?:\\s+-[a-z]+)*\\s+\\w+\\s+\\w+\\s+(?!-)${secret}`),
  argument(
    'net use',
    `net use\\s+(?:\\S{1,3}:\\s+|\\*\\s+)?\\\\{2,8}\\S{1,120}\\s+(?:/user:\\S{1,80}\\s+|/persistent:\\w+\\s+){0,2}(?!/|\\*)${secret}`,
  ),
  argument('net user', `net user\\s+${word}\\s+(?!/|\\*)${secret}(?=[^\\n]{0,80}/(?:add|domain|active)|\\s*$|\\s*\\n)`),
  argument('mosquitto_passwd', `mosquitto_passwd\\s+-\\w*b\\w*\\s+${word}\\s+${word}\\s+${secret}`),
  argument('wpa_passphrase', `wpa_passphrase\\s+${word}\\s+${secret}`),
  argument('nmcli', `nmcli\\s[^\\n]{0,120}?\\s(?:password|wifi-sec\\.psk|802-11-wireless-security\\.psk)\\s+${secret}`),
  argument('cf auth|cf login', `cf auth\\s+${word}\\s+(?!-)${secret}`),
  argument('add-authtoken |ngrok authtoken ', `(?:add-|ngrok )authtoken\\s+${secret}`),
  argument(
    'htpasswd ',
    `htpasswd(?:\\s+-\\w+)*\\s+-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}(?:\\s+-\\w+(?:\\s+\\d+)?)*(?:\\s+(?:""|''|[^\\s|;&"'-]{1,100})){1,3}\\s+${secret}(?=["']?\\s*(?:$|[\\n;|&>]))`,
  ),
  argument(
    'snyk auth|vault login|cargo login|rclone obscure|railway login|npx snyk auth',
    `(?:snyk auth|vault login|cargo login|rclone obscure|railway login)\\s+(?!-)(?:token=)?${secret}`,
  ),
  argument(
    'poetry config|composer config|bundle config',
    `(?:poetry|composer|bundle) config\\s+(?:-\\S+\\s+|set\\s+(?:--\\w+\\s+)?)*(?:pypi-token\\.\\S+\\s+|(?:http-basic|bearer|github-oauth|gitlab-token)\\.\\S+\\s+(?:${word}\\s+)?|\\S+\\s+[^\\s:]+:)${secret}`,
  ),
  argument('openssl passwd', `openssl passwd(?:\\s+-(?:1|5|6|apr1|crypt)|\\s+-salt\\s+\\S+)*\\s+(?!-)${secret}`),
  argument('_pw ', `_pw\\s+${secret}`),
  argument('qpdf', `qpdf\\s[^\\n]{0,80}?--encrypt\\s+${secret}["']?\\s+["']?([^\\s"']{3,100})`),
  argument('connect to', `connect to\\s+\\w+\\s+user\\s+\\w+\\s+using\\s+${secret}`),
  argument(
    '> auth |\\nauth |redis-cli auth|valkey-cli auth',
    `(?:>|\\n|(?:redis|valkey)-cli) ?auth\\s+(?:[\\w-]{1,40}\\s+)?${secret}(?=["']?\\s*(?:\\n|$|\\\\n))`,
  ),
  argument(
    'quote pass |> pass |\\npass |irc: pass ',
    `(?:quote|>|\\n|irc:) ?(?-i:PASS)\\s+:?${secret}(?=\\s*(?:\\n|$|\\\\n))`,
  ),
  argument(' login ', `(?<=(?:^|\\n|> )\\w{1,6}) login\\s+${word}\\s+"([^"\\n]{3,80})"(?=\\s*(?:\\n|$))`),
  argument('identify ', `(?<=nickserv[ :]{1,3})identify\\s+(?:\\w+\\s+)?${secret}`),
  argument(
    'expect ',
    `expect\\s+(?:-\\w+\\s+)?["{][^"}\\n]{0,40}(?:assword|assphrase|PIN)[^"}\\n]{0,20}["}]\\s*;?\\s*(?:\\{\\s*)?(?:\\\\?\\r?\\n\\s*)?send\\s+(?:--\\s+)?["{]((?:[^"\\\\}\\n]|\\\\[$\\[\\]]){3,100})`,
  ),
  argument(
    '<(echo |<(printf ',
    `<\\((?:echo|printf)(?:\\s+-\\w+)?(?:\\s+["']?%s(?:\\\\n)?["']?)?\\s+(?:["']?[\\w.@-]{1,60}\\\\n)?${secret}(?:\\\\n)?(?=["']?\\))`,
  ),
  argument(
    'set-wifi|networksetup -setairportnetwork',
    `networksetup -setairportnetwork\\s+\\w+\\s+${word}\\s+${secret}`,
  ),
  argument('smbpasswd|ldappasswd|zmprov', `(?:ldappasswd\\s[^\\n]{0,160}?-s|zmprov\\s+(?:sp|ca)\\s+\\S+)\\s+${secret}`),
  argument('samba-tool user|set-password|reset-password', `samba-tool user (?:create|add)\\s+\\S+\\s+(?!-)${secret}`),
  argument('--batch-passphrase|cryptsetup', `cryptsetup\\s[^\\n]{0,80}<<<\\s*${secret}`),
];

export const commandRules: readonly Rule[] = [...flagRules, ...argumentRules, logins, piped, hereString];
