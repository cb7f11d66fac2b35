/** Whether the configuration of a repository makes Git run programs: it lies in the folder, and whoever made that wrote it. */

/** Keys whose value is a command, or leads to more configuration; sections that are nothing else. */
const running =
  /^(?:alias\..+|include\.path|includeif\..+|filter\..+\.(?:clean|smudge|process)|diff\..+\.(?:textconv|command)|diff\.external|merge\..+\.driver|core\.(?:fsmonitor|hookspath|sshcommand|gitproxy|pager|editor|askpass|attributesfile|worktree|alternaterefscommand)|pager\..+|gpg\..*program|credential\..*helper|interactive\.difffilter|sequence\.editor|uploadpack\.packobjectshook|extensions\.worktreeconfig|trailer\..+\.(?:command|cmd)|submodule\..+\.update|log\.showsignature|difftool\..+|mergetool\..+|protocol\..+|remote\..+\.(?:uploadpack|receivepack|vcs|promisor)|extensions\.partialclone)$/;

/** True where the text of a `.git/config` names a program that a reading command of Git would run; and where it cannot be read. */
export function gitConfigRuns(text: string): boolean {
  let section = '';
  for (const line of text.split(/\r\n|\n|\r/)) {
    const rest = line.trim();
    if (rest === '' || /^[#;]/.test(rest)) continue;
    const head = /^\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)$/.exec(rest);
    if (head) section = head[2] === undefined ? (head[1] ?? '') : `${head[1]}.${head[2]}`;
    const entry = head ? (head[3] ?? '').trim() : rest;
    if (entry === '') continue;
    const key = /^([A-Za-z][\w-]*)\s*(?:=|$|[#;])/.exec(entry)?.[1];
    // What continues a line before, or is broken, is not told apart here.
    if (key === undefined || /\\$/.test(entry)) return true;
    if (running.test(`${section}.${key}`.toLowerCase()) && !isOff(entry)) return true;
  }
  return false;
}

const isOff = (entry: string): boolean => /^fsmonitor\s*=\s*false$/i.test(entry);
