/** Passwords on command lines, where a flag means a password only to some programs. */
import type { Hit, Rule, Span } from './rule.ts';
import { isPassword } from './values.ts';

/** How far the program may stand before its flag. */
const reach = 300;

interface Flag {
  readonly id: string;
  readonly keywords: readonly string[];
  /** From the flag on; group 1 is the secret and ends the match. */
  readonly argument: RegExp;
  readonly programs: RegExp;
}

const flags: readonly Flag[] = [
  {
    id: 'user-flag',
    keywords: [' -u', ' --user', ' --proxy-user'],
    argument: /\s(?:-u|--user|--proxy-user)[\s=]{0,3}\\{0,4}["']?[^\s:"'\\]{1,80}:([^\s"'\\]{1,200})/y,
    programs: /\b(?:curl|wget|https?|xh|hurl)\b/,
  },
  {
    id: 'password-flag',
    keywords: [' -p'],
    argument: /\s-p\\{0,4}["']?([^\s"'\\-][^\s"'\\]{1,200})/y,
    programs: /\b(?:mysql\w*|mariadb\w*)\b/,
  },
  {
    id: 'password-flag',
    keywords: [' -p', ' -a', ' -w'],
    argument: /\s-[paw]\s+\\{0,4}["']?([^\s"'\\-][^\s"'\\]{1,200})/y,
    programs:
      /\b(?:sshpass|(?:docker|podman|helm|az|oc|skopeo|buildah)\b.{0,200}\blogin|redis-cli|mongo\w*|ldap\w+|7z)\b/,
  },
  {
    id: 'password-flag',
    keywords: [' -pass', ' -passin', ' -passout'],
    argument: /\s-pass(?:in|out)?\s+\\{0,4}["']?pass:([^\s"'\\]{2,200})/y,
    programs: /\bopenssl\b/,
  },
  {
    id: 'password-flag',
    keywords: [' -U'],
    argument: /\s-U\s+\\{0,4}["']?[^\s%"'\\]{1,80}%([^\s"'\\]{2,200})/y,
    programs: /\b(?:smbclient|rpcclient|net|smbmap)\b/,
  },
  {
    id: 'password-flag',
    keywords: [' -b', ' -nb', ' -bn', ' -cb', ' -bc'],
    argument:
      /\s-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}(?:\s+[^\s|;&"']{1,100}){1,2}\s+["']?([^\s|;&"']{2,100})(?=["']?\s*(?:$|[\n;|&>]))/y,
    programs: /\bhtpasswd\b/,
  },
];

const isArgument = (value: string): boolean => isPassword(value) && !/^\d+(?::\d+)?$/.test(value);

const flagRules: readonly Rule[] = flags.map(({ id, keywords, argument, programs }) => ({
  ...{ id, by: 'place', keywords, startsWord: false, check: isArgument },
  find: ({ text, start }: Hit): Span | undefined => {
    argument.lastIndex = start;
    const secret = argument.exec(text)?.[1];
    if (secret === undefined || !programs.test(lineBefore(text, start))) return undefined;
    return { start: argument.lastIndex - secret.length, end: argument.lastIndex };
  },
}));

function lineBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - reach), at);
  return before.slice(before.lastIndexOf('\n') + 1);
}

/** `echo secret | docker login --password-stdin` and the like. */
const piped: Rule = {
  ...{ id: 'piped-password', by: 'place', startsWord: false, check: isArgument },
  keywords: ['--password-stdin', 'sudo -S', 'chpasswd', '--with-token'],
  find: ({ text, start }) => {
    const line = lineBefore(text, start);
    const found =
      /\b(?:echo|printf)(?:\s+-\w+)?\s+\\{0,4}["']?(?:[\w-]{1,40}:)?([^\s"'|\\]{3,200})\\{0,4}["']?\s*\|[^|]{0,120}$/.exec(
        line,
      );
    if (!found?.[1]) return undefined;
    const from = start - line.length + found.index + found[0].lastIndexOf(found[1], found[0].indexOf('|'));
    return { start: from, end: from + found[1].length };
  },
};

export const commandRules: readonly Rule[] = [...flagRules, piped];
