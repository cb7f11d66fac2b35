/** Which flags of which programs take a password. What means a port or a path to other programs is not among them. */

export interface FlagRow {
  /** Sources of expressions: the flags, as they are written. */
  readonly flags: string;
  /** Beginnings of the flags, without their dash, of at least one character. */
  readonly starts: string;
  /** The programs, or what must stand on the line in front of the flag. */
  readonly programs: string;
  /** `blank`: the value is the next word; `glued`: it follows at once; `either`. */
  readonly form: 'blank' | 'glued' | 'either';
  /** What stands in front of the password in the value: `user:`. */
  readonly lead?: string;
}

/** Words that name no program alone: only at the start of a command. */
const command = (names: string): string => `(?:^|[\\s;&|("'\`$/])(?:${names})(?:\\.exe|\\.py)?\\s`;

export const flagRows: readonly FlagRow[] = [
  {
    flags: '-u|--user|--proxy-user|-U|-a|--auth|-x',
    starts: 'u -user -proxy-user a -auth',
    form: 'either',
    lead: '[^\\s:"\'\\\\]{1,80}:',
    programs: command('curl|wget|https?|xh|hurl|httpie|etcdctl|aria2c|siege|ab|lynx|elinks'),
  },
  {
    flags: '-p',
    starts: 'p',
    programs: command('\\w*mysql\\w*|mariadb\\w*|xtrabackup|mycli|mydumper|myloader'),
    form: 'glued',
  },
  { flags: '-p|-hp', starts: 'p hp', programs: command('7za?|7zr|7zz|rar|unrar|arj|upx|\\S*7z'), form: 'glued' },
  {
    flags: '-p|-pw|-P',
    starts: 'p',
    form: 'either',
    programs: command('sshpass'),
  },
  {
    flags: '-pw|-pwfile',
    starts: 'pw',
    form: 'blank',
    programs: command('plink|pscp|psftp|putty|kitty|klink|sshfs|vcredit|winscp'),
  },
  {
    flags: '-p|--pass|--pw',
    starts: 'p -pass -pw',
    form: 'blank',
    programs: `(?:${command(
      'ncftp\\w*|mycli|litecli|pgcli|stegseek|steghide|x11vnc|pdfunite|pdftk|govc|esxcli|mongo\\w*|cqlsh|beeline|twine|winexe|evil-winrm|crackmapexec|cme|nxc|netexec|smbmap|bloodhound\\S*|ldapdomaindump|certipy|kerbrute|hydra|medusa|patator|useradd|usermod|psexec\\w*|winrs|winrm|cmdkey|rdesktop|vncdo|iscsiadm|jfrog|jf|wput|sqoop\\S*|nifi\\S*|clickhouse\\S*|arangosh|rpk|couchbase-cli|cbq|couchdb|ldap\\w+|snowsql|cypher-shell|neo4j\\S*|cockroach|tabcmd|curlftpfs|sqlmap|wpscan|freerdp|pdftotext|mqttx?|solr|hive|kafka\\S*|ansible-vault|gpg2?|s3fs|btmgmt|pgbench|onedrive|duplicati\\S*',
    )}|(?:docker|podman|helm|az|oc|skopeo|buildah|nerdctl|crane|cf|ibmcloud|kubectl|rosa|regctl|oras|cosign|flux|rancher|linkerd|harbor|gcloud|tkn|odo|vercel|eb)\\b.{0,200}\\blogin\\b|\\bregistry login|\\bsecurity\\s+(?:unlock|create|lock|set)-keychain\\b)`,
  },
  {
    flags: '-upw|-opw|-passwd|-pwd|-user-pw|-owner-pw',
    starts: 'upw opw pass pwd user-pw owner-pw',
    programs: command('pdf\\w+|qpdf|x11vnc|vnc\\w*|ds\\w+|adb|xpdf'),
    form: 'blank',
  },
  {
    flags: '-p|-P|-w|--pw',
    starts: 'p w -pw',
    form: 'blank',
    // Who names a user gives a password: but for programs to which the letter means something else.
    programs:
      '^(?!.*\\b(?:mysql\\w*|maria\\w*|docker|podman|sudo|psql|pg_\\w+|ssh|scp|sftp|ps|mkdir|tar|grep|chown|install|rsync|nmap|crontab|python3?|perl|git|cp|influx|redis-cli|mosquitto_\\w+|clickhouse\\S*|cqlsh|curl|wget|lsof|netstat|ss)\\s).*\\s(?:-[uUl]|--?user(?:name)?|--login|--account)[ =][^\\s-]\\S*\\s',
    lead: '(?![\\d./:~]+(?:\\s|$)|[./~$])',
  },
  {
    flags: '-k|--api-key|-s',
    starts: 'k -api-key',
    programs: `\\bnuget\\b.{0,120}\\bpush\\b|${command('choco')}.{0,60}(?:push|apikey)|\\b(?:openssl)\\b.{0,40}\\b(?:enc|aes\\S*|des\\S*)\\b`,
    form: 'blank',
  },
  { flags: '-K', starts: 'k', programs: '\\bopenssl\\b.{0,40}\\b(?:enc|aes\\S*|des\\S*)\\b', form: 'blank' },
  {
    flags: '-P',
    starts: 'p',
    form: 'either',
    programs: command(
      'bcp|sqlcmd|osql|isql|tsql|ipmi\\w*|zip|unzip|zipcloak|mosquitto_\\w+|bsqldb|freebcp|defncopy|security\\s+import|fence_\\w+|racadm|unoconv|pdfcrack|fcrackzip|wpa_cli|dcmtk|bacula|aria2c|lftp|vsftp|ncat|ldifde',
    ),
  },
  {
    flags: '-a|-w|--pass',
    starts: 'a w',
    programs: command(
      'redis-cli|valkey-cli|keydb-cli|redis-benchmark|ldap\\w+|vsql|nzsql|mongo\\w*|vertica|gsql|wsadmin|admintools',
    ),
    form: 'either',
  },
  { flags: '-w', starts: 'w', programs: '\\bsecurity\\s+add-(?:generic|internet)-password\\b', form: 'blank' },
  { flags: '-[AXc]', starts: 'a x c', programs: command('snmp\\w+'), form: 'blank' },
  {
    flags: '-t|--token',
    starts: 't',
    programs: '\\b(?:codecov|coveralls|codacy\\S*|codeclimate)\\b',
    form: 'blank',
  },
  {
    flags: '-storepass|-keypass|-srcstorepass|-deststorepass|-srckeypass|-destkeypass|-new',
    starts: 'storepass keypass srcstorepass deststorepass srckeypass destkeypass new',
    programs: '\\b(?:keytool|jarsigner)\\b',
    form: 'blank',
  },
  {
    flags: '-pass|-passin|-passout|-password',
    starts: 'pass',
    programs: '\\bopenssl\\b',
    form: 'blank',
    lead: 'pass:',
  },
  {
    flags: '-U|--user',
    starts: 'u -user',
    programs: command('smbclient|rpcclient|net|smbmap|smbget|smbcacls|smbspool|smbtree|winexe|wmic|nmblookup'),
    form: 'either',
    lead: '[^\\s%"\']{1,80}%',
  },
  { flags: '-u', starts: 'u', programs: command('lftp'), form: 'blank', lead: '[^\\s,"\']{1,80},' },
  {
    flags: '-t|--token|-token',
    starts: 't -token',
    programs: command(
      'influx\\w*|doctl|consul|nomad|gitea|tea|glab|hub|fly|flyctl|sentry-cli|surge|ngrok|railway|snyk|pulumi|vault|boundary|jf|gh|okteto|civo|linode-cli|telegraf|buildkite-agent',
    ),
    form: 'blank',
  },
  {
    flags: '-b',
    starts: 'b',
    programs: command('curl'),
    form: 'blank',
    lead: '[^\\s"\'=]{0,20}(?:session|sid|token|auth)\\w{0,12}=',
  },
  {
    flags: '/p:|/pass:|/password:|/gp:|/pw:|/rp |/p |/password ',
    starts: '',
    form: 'glued',
    programs: command(
      '\\w*freerdp\\w*|mstsc|cmdkey|wmic|schtasks|psexec\\w*|net|winrs|signtool|rasdial|at|sc|tsdiscon|dsadd|dsmod|netdom|djoin|csvde|winscp|tscon|eventcreate|tasklist|taskkill|systeminfo|getmac|driverquery|openfiles|bcdedit',
    ),
  },
];

/** Commands that have a password at a place of its own. Each group is one. */
export interface PlaceRow {
  readonly keywords: readonly string[];
  readonly pattern: string;
}

/** One word of a command, in quotes or not. */
const word = '(?:"[^"\\n]{1,120}"|\'[^\'\\n]{1,120}\'|[^\\s"\'|;&]{1,120})';
/** The same where it is the secret: the quotes are no part of it. */
const secret = '\\\\{0,2}["\']?((?:[^\\s"\'|;&<>\\\\]|(?<=[^\\s&])&(?=[^\\s&])){3,200})';

export const placeRows: readonly PlaceRow[] = [
  {
    keywords: ['vault operator', 'vault unseal', 'bao operator'],
    pattern: `(?:vault|bao)(?: operator)? (?:unseal|generate-root|rekey)(?:\\s+-[\\w-]+(?:=\\S+)?)*\\s+(?!-)${secret}`,
  },
  {
    keywords: ['createuser '],
    pattern: `createUser\\s+(?:-e\\s+\\S+\\s+)?\\S{1,60}\\s+(?:MD5|SHA(?:-?\\d+)?)\\s+(?:"([^"\\n]{3,120})"|([^\\s"]{3,120}))(?:\\s+(?:DES|AES\\S{0,5})\\s+(?:"([^"\\n]{3,120})"|([^\\s"]{3,120})))?`,
  },
  {
    keywords: [
      'btoa(',
      'b64encode(',
      'base64_encode(',
      'encode64(',
      'buffer.from(',
      'getbytes(',
      'encodetostring(',
      'encoder().encode(',
    ],
    pattern: `(?:btoa|(?:urlsafe_|standard_)?b64encode|base64_encode|encode64|Buffer\\.from|GetBytes|EncodeToString|Encoder\\(\\)\\.encode)\\((?:\\[\\]byte\\()?b?(?:'[\\w.@+-]{1,60}:([^'\\n:/]{4,100})'|["\`][\\w.@+-]{1,60}:([^"\`\\n:/$]{4,100})["\`])`,
  },
  {
    keywords: ['ssh-keygen '],
    pattern: `ssh-keygen\\s[^\\n]{0,120}?-(?-i:[NP])\\s+(?:"([^"\\n]{3,200})"|'([^'\\n]{3,200})'|([^\\s"'-][^\\s"']{2,100}))`,
  },
  {
    // Whoever takes a user takes a password behind it; what means a port is a number, and a few programs mean other things.
    keywords: [' -u '],
    pattern: `(?<!(?:mysql|maria|mycli|docker|podman|sudo|psql|pg_|ssh|scp|mkdir|tar |grep|chown|install|rsync|nmap|crontab|python|perl|git |cp )[^\\n]{0,120}) -u\\s+[^\\s"'/:-][^\\s/:]{0,60}\\s+-p\\s+(?![\\d./:~]+(?:\\s|$)|[./~])${secret}`,
  },
  {
    keywords: ['exp ', 'imp ', 'expdp ', 'impdp ', 'sqlldr ', 'rman target '],
    pattern: `(?<![\\w.-])(?:expdp|impdp|exp|imp|sqlldr|rman target)\\s+[A-Za-z][\\w$]{0,30}/([^\\s"'/@\\\\=]{3,60})(?=(?:@[\\w.]{1,40})?\\s+\\w{2,20}=)`,
  },
  {
    keywords: [
      'kinit ',
      'openconnect ',
      'passwd ',
      'vncpasswd',
      'cryptsetup ',
      'sudo -s',
      'ssh-add ',
      'gpg ',
      'docker login',
      'su - ',
      'smbpasswd',
    ],
    pattern: `[^\\n<]{3,160}<<-?\\s?["']?(?<mark>\\w{1,20})["']?[^\\n]{0,40}\\n(?:[\\w.-]{1,40}:)?([^\\s:][^\\n:]{2,100})(?:\\n(\\2)(?=\\n))?(?=(?:\\n[^\\n]{0,100}){0,2}\\n\\s{0,8}\\1(?:\\s|$))`,
  },
  {
    keywords: ['ssh-keygen '],
    pattern: `ssh-keygen\\s[^\\n]{0,120}?-(?-i:P)\\s+["']?[^\\n]{1,80}?\\s-(?-i:N)\\s+(?:"([^"\\n]{3,200})"|'([^'\\n]{3,200})'|([^\\s"'-][^\\s"']{2,100}))`,
  },
  {
    keywords: [
      'secret set',
      'put-parameter',
      'secrets versions add',
      'create-secret',
      'put-secret-value',
      'keyvault secret',
    ],
    pattern: `(?:secret set|put-parameter|create-secret|put-secret-value|keyvault secret set)\\s[^\\n]{0,200}?\\s--(?:body|value|secret-string)[ =](?:"([^"\\n{$]{3,200})"|'([^'\\n{$]{3,200})'|([^\\s"'$<-][^\\s"']{2,100}))`,
  },
  {
    keywords: ['drush user:password', 'drush upwd', 'grub> password'],
    pattern: `(?:drush (?:user:password|upwd)|grub> password)\\s+${word}\\s+(?:"([^"\\n]{3,120})"|'([^'\\n]{3,120})'|([^\\s"'-][^\\s"']{2,100}))`,
  },
  {
    keywords: ['\\nuser '],
    pattern: `(?<=\\bftp\\b[^\\n]{0,80})\\nuser\\s+[^\\s]{1,60}\\s+${secret}(?=\\s*\\n)`,
  },
  {
    keywords: ['rclone config'],
    pattern: `rclone config (?:create|update)\\s[^\\n]{0,160}?\\spass(?:word)?[ =]${secret}`,
  },
  { keywords: ['mc admin user'], pattern: `mc admin user (?:add|svcacct add)\\s+\\S+\\s+\\S+\\s+${secret}` },
  { keywords: ['keymaterial='], pattern: `keymaterial=${secret}` },
  { keywords: ['bw unlock ', 'bw login '], pattern: `bw (?:unlock|login\\s+\\S+@\\S+)\\s+(?!-)${secret}` },
  { keywords: ['pragma key', 'pragma rekey'], pattern: `pragma (?:re)?key\\s?=\\s?["']([^"'\\n]{3,200})` },
  {
    keywords: ['set password'],
    pattern: `set password(?: for \\S{1,100})?\\s?=\\s?(?:password\\()?'([^'\\n]{3,200})`,
  },
  {
    keywords: ['smbclient '],
    pattern: `smbclient\\s+["']?(?:\\\\{2,4}|//)\\S{1,120}\\s+(?!-)${secret}(?=["']?\\s|$)`,
  },
  { keywords: ['password-command', 'passcommand'], pattern: `pass(?:word-)?command[ =]+["']?echo\\s+${secret}` },
  {
    keywords: ['sftp> open ', 'ftp> open ', 'open sftp://', 'open ftp://'],
    pattern: `s?ftp> open\\s+[\\w.@-]{1,60}:([^\\s@:]{3,100})(?=@)`,
  },
  { keywords: ['govc '], pattern: `govc\\s[^\\n]{0,80}?-u[ =]["']?[\\w.@\\\\-]{1,60}:([^\\s"'@]{3,100})(?=@)` },
  { keywords: ['snmp-server community'], pattern: `snmp-server community ${secret}` },
  {
    keywords: [
      'password 0 ',
      'password 7 ',
      'secret 0 ',
      'secret 5 ',
      'secret 8 ',
      'secret 9 ',
      'key 0 ',
      'key 7 ',
      'md5 ',
      'ascii-text ',
    ],
    pattern: `(?<=(?:username|enable|ospf|neighbor|tacacs|radius|isakmp|line|standby|server|authentication|message-digest-key)[^\\n]{0,80})(?:(?:password|secret|key) \\d|(?<=message-digest-key \\d{1,3} |authentication )md5|ascii-text) ${secret}`,
  },
  {
    keywords: [
      'tacacs-server key ',
      'radius-server key ',
      'isakmp key ',
      'pre-shared-key ',
      'wpa-psk ascii ',
      'authentication-key ',
      'shared-secret ',
    ],
    pattern: `(?:(?:tacacs|radius)-server key|isakmp key|pre-shared-key|wpa-psk ascii|authentication-key|shared-secret)(?: (?:0|7|local|remote|ascii|address \\S+ key))* (?!-)${secret}`,
  },
  {
    keywords: ['bindpw'],
    pattern: `(?<=(?:^|\\n)\\s{0,8})bindpw[ \\t:=]{1,8}${secret}(?=["']?\\s*(?:\\n|$))`,
  },
  {
    keywords: ['set value', 'value ='],
    pattern: `(?:set )?value\\s?=\\s?'([^'\\n]{3,120})'(?=\\s+where\\s+\\w+\\s?=\\s?'[^'\\n]{0,40}(?:pass|secret|token|pwd))`,
  },
  {
    keywords: [']:587', ']:465', ']:25'],
    pattern: `\\]:(?:587|465|25)\\s+[\\w.@+-]{1,80}:([^\\s:"']{3,120})(?=\\s*(?:\\n|$))`,
  },
  {
    keywords: ['puk', 'puk2'],
    pattern: `(?<![\\w])puk2?["']?(?:\\s?[:=]\\s?|\\s(?:is|ist|est|es)\\s|\\s)["']?(\\d{8})(?!\\d)`,
  },
  { keywords: ['mysqladmin'], pattern: `mysqladmin(?:\\s+${word}){0,8}?\\s+password\\s+${secret}` },
  {
    keywords: ['rabbitmqctl'],
    pattern: `rabbitmqctl(?:\\s+-\\w+\\s+\\S+)?\\s+(?:add_user|change_password|authenticate_user)\\s+${word}\\s+${secret}`,
  },
  {
    keywords: ['mc alias', 'mc config host'],
    pattern: `mc (?:alias set|config host add)\\s+${word}\\s+${word}\\s+${word}\\s+${secret}`,
  },
  { keywords: ['isql '], pattern: `isql(?:\\s+-[a-z]+)*\\s+\\w+\\s+\\w+\\s+(?!-)${secret}` },
  {
    keywords: ['net use'],
    pattern: `net use\\s+(?:\\S{1,3}:\\s+|\\*\\s+)?\\\\{2,8}\\S{1,120}\\s+(?:/user:\\S{1,80}\\s+|/persistent:\\w+\\s+){0,2}(?!/|\\*)${secret}`,
  },
  {
    keywords: ['net user'],
    pattern: `net user\\s+${word}\\s+(?!/|\\*)${secret}(?=[^\\n]{0,80}/(?:add|domain|active)|\\s*$|\\s*\\n)`,
  },
  { keywords: ['mosquitto_passwd'], pattern: `mosquitto_passwd\\s+-\\w*b\\w*\\s+${word}\\s+${word}\\s+${secret}` },
  { keywords: ['wpa_passphrase'], pattern: `wpa_passphrase\\s+${word}\\s+${secret}` },
  {
    keywords: ['nmcli'],
    pattern: `nmcli\\s[^\\n]{0,120}?\\s(?:password|wifi-sec\\.psk|802-11-wireless-security\\.psk)\\s+${secret}`,
  },
  { keywords: ['cf auth', 'cf login'], pattern: `cf auth\\s+${word}\\s+(?!-)${secret}` },
  { keywords: ['add-authtoken ', 'ngrok authtoken '], pattern: `(?:add-|ngrok )authtoken\\s+${secret}` },
  {
    keywords: ['htpasswd '],
    pattern: `htpasswd(?:\\s+-\\w+)*\\s+-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}(?:\\s+-\\w+(?:\\s+\\d+)?)*(?:\\s+(?:""|''|[^\\s|;&"'-]{1,100})){1,3}\\s+${secret}(?=["']?\\s*(?:$|[\\n;|&>]))`,
  },
  {
    keywords: ['snyk auth', 'vault login', 'cargo login', 'rclone obscure', 'railway login', 'npx snyk auth'],
    pattern: `(?:snyk auth|vault login|cargo login|rclone obscure|railway login)\\s+(?!-)(?:token=)?${secret}`,
  },
  {
    keywords: ['poetry config', 'composer config', 'bundle config'],
    pattern: `(?:poetry|composer|bundle) config\\s+(?:-\\S+\\s+|set\\s+(?:--\\w+\\s+)?)*(?:pypi-token\\.\\S+\\s+|(?:http-basic|bearer|github-oauth|gitlab-token)\\.\\S+\\s+(?:${word}\\s+)?|\\S+\\s+[^\\s:]+:)${secret}`,
  },
  {
    keywords: ['openssl passwd'],
    pattern: `openssl passwd(?:\\s+-(?:1|5|6|apr1|crypt)|\\s+-salt\\s+\\S+)*\\s+(?!-)${secret}`,
  },
  { keywords: ['_pw '], pattern: `_pw\\s+${secret}` },
  { keywords: ['qpdf'], pattern: `qpdf\\s[^\\n]{0,80}?--encrypt\\s+${secret}["']?\\s+["']?([^\\s"']{3,100})` },
  { keywords: ['connect to'], pattern: `connect to\\s+\\w+\\s+user\\s+\\w+\\s+using\\s+${secret}` },
  {
    keywords: ['> auth ', '\\nauth ', 'redis-cli auth', 'valkey-cli auth'],
    pattern: `(?:>|\\n|(?:redis|valkey)-cli) ?auth\\s+(?:[\\w-]{1,40}\\s+)?${secret}(?=["']?\\s*(?:\\n|$|\\\\n))`,
  },
  {
    keywords: ['quote pass ', '> pass ', '\\npass ', 'irc: pass '],
    pattern: `(?:quote|>|\\n|irc:) ?(?-i:PASS)\\s+:?${secret}(?=\\s*(?:\\n|$|\\\\n))`,
  },
  {
    keywords: [' login '],
    pattern: `(?<=(?:^|\\n|> )\\w{1,6}) login\\s+${word}\\s+"([^"\\n]{3,80})"(?=\\s*(?:\\n|$))`,
  },
  { keywords: ['identify '], pattern: `(?<=nickserv[ :]{1,3})identify\\s+(?:\\w+\\s+)?${secret}` },
  {
    keywords: ['expect '],
    pattern: `expect\\s+(?:-\\w+\\s+)?["{][^"}\\n]{0,40}(?:assword|assphrase|PIN)[^"}\\n]{0,20}["}]\\s*;?\\s*(?:\\{\\s*)?(?:\\\\?\\r?\\n\\s*)?send\\s+(?:--\\s+)?["{]((?:[^"\\\\}\\n]|\\\\[$\\[\\]]){3,100})`,
  },
  {
    keywords: ['<(echo ', '<(printf '],
    pattern: `<\\((?:echo|printf)(?:\\s+-\\w+)?(?:\\s+["']?%s(?:\\\\n)?["']?)?\\s+(?:["']?[\\w.@-]{1,60}\\\\n)?${secret}(?:\\\\n)?(?=["']?\\))`,
  },
  {
    keywords: ['set-wifi', 'networksetup -setairportnetwork'],
    pattern: `networksetup -setairportnetwork\\s+\\w+\\s+${word}\\s+${secret}`,
  },
  {
    keywords: ['smbpasswd', 'ldappasswd', 'zmprov'],
    pattern: `(?:ldappasswd\\s[^\\n]{0,160}?-s|zmprov\\s+(?:sp|ca)\\s+\\S+)\\s+${secret}`,
  },
  {
    keywords: ['samba-tool user', 'set-password', 'reset-password'],
    pattern: `samba-tool user (?:create|add)\\s+\\S+\\s+(?!-)${secret}`,
  },
  { keywords: ['--batch-passphrase', 'cryptsetup'], pattern: `cryptsetup\\s[^\\n]{0,80}<<<\\s*${secret}` },
];
