/** What names of files tell: that they hold credentials, that something obeys them, that a change there outlives the session. */

const secretNames: readonly RegExp[] = [
  /^\.env(?:\.(?!(?:example|sample|template|dist|defaults?)$).*)?$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:\..+)?(?<!\.pub)$/,
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg|tfvars|tfstate)$/,
  /^\.(?:netrc|pgpass|npmrc|yarnrc\.yml|pypirc|htpasswd|git-credentials|vault-token|my\.cnf|dockercfg|s3cfg|boto)$/,
  /^_netrc$/,
  /^(?:credentials|secrets?|service[-_]?account[\w-]*|client_secret[\w-]*)(?:\.(?:json|ya?ml|toml|ini|env|txt))?$/,
  /^(?:auth|application_default_credentials)\.json$/,
  /^(?:shadow|gshadow|sudoers)$/,
  /_history$/,
];

const secretFolders: ReadonlySet<string> = new Set([
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.password-store',
]);

/** True for a file that holds credentials, as far as its path tells; in any spelling of capitals. */
export function isSecretName(path: string): boolean {
  const parts = path.toLowerCase().split(/[/\\]/);
  const name = parts.at(-1) ?? '';
  if (parts.slice(0, -1).some((part) => secretFolders.has(part))) return !name.endsWith('.pub');
  if (secretNames.some((pattern) => pattern.test(name))) return true;
  if (/\/\.git\/(?:config|credentials)$/.test(path)) return true;
  return /\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:environ|mem|maps|cmdline)$/.test(path) || /\/gcloud\//.test(path);
}

/** Of a path in the project, what a shell, an editor, a hook or Palimpsest obeys without being asked. */
const guarded =
  /(?:^|\/)(?:\.envrc|\.husky|\.vscode|\.idea|\.devcontainer|\.git(?:modules|attributes)?|\.pre-commit-config\.yaml|palimpsest\.(?:ya?ml|json)|\.claude|\.agents|\.palimpsest|\.codex|\.mcp\.json|\.npmrc|\.yarnrc(?:\.yml)?|\.pnp\.cjs)(?:\/|$)/i;

export const guardedName = (within: string): boolean => guarded.test(within.replaceAll('\\', '/'));

/** In the home of a person. */
const lastingInHome: readonly (readonly [RegExp, string])[] = [
  [/^\.ssh(?:\/|$)/, 'changes who may log in as you'],
  [
    /^\.(?:bash(?:rc|_profile|_login|_logout|_aliases)|profile|zsh(?:rc|env)|zprofile|zlogin|zlogout|kshrc|cshrc|tcshrc|login|inputrc|xprofile|xinitrc|pam_environment)$/,
    'changes what every shell of yours runs',
  ],
  [/^\.config\/(?:fish|zsh|nushell)(?:\/|$)/, 'changes what every shell of yours runs'],
  [/^\.(?:gitconfig|config\/git(?:\/|$))/, 'changes what Git runs for you everywhere'],
  [/^\.config\/(?:systemd|autostart)(?:\/|$)/, 'changes what starts by itself'],
  [/^Library\/LaunchAgents(?:\/|$)/, 'changes what starts by itself'],
  [/^\.(?:agents|claude)\/skills(?:\/|$)/, 'changes what agents are told in every project'],
  [/^\.(?:local\/)?bin(?:\/|$)/, 'changes a program that you run by its name'],
];

const lastingAnywhere: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\/)\.git\/(?!index$|COMMIT_EDITMSG$)/, 'changes what Git itself keeps and runs'],
  [/(?:^|\/)\.git$/, 'changes what Git itself keeps and runs'],
  [/(?:^|\/)authorized_keys2?$/, 'changes who may log in'],
  [/^\/(?:etc|boot|sys|proc|lib|lib64|sbin|bin)(?:\/|$)/, 'changes the system'],
  [/^\/(?:usr\/(?:bin|sbin|lib|local\/bin)|Library|System)(?:\/|$)/, 'changes the system'],
  [/^\/dev\/(?!null$|stdout$|stderr$|shm\/)/, 'writes to a device'],
  [/^\/var\/spool\/cron(?:\/|$)/, 'changes what runs at set times'],
];

/** What a change to a real path does beyond the project, as the end of "it …". */
export function lastingPlace(path: string, { home }: { readonly home: string | undefined }): string | undefined {
  const plain = path.replaceAll('\\', '/');
  const start = `${home?.replaceAll('\\', '/')}/`;
  const inHome = home !== undefined && plain.startsWith(start) ? plain.slice(start.length) : undefined;
  const found =
    (inHome === undefined ? undefined : lastingInHome.find(([pattern]) => pattern.test(inHome))) ??
    lastingAnywhere.find(([pattern]) => pattern.test(plain));
  return found?.[1];
}
