/** Commands that take a password at a place of its own. */
import { groupsOf, passwordsOf } from './commands.ts';
import { placeRule, type Rule } from './rule.ts';

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

export const argumentRules: readonly Rule[] = [
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
