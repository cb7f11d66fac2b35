/**
 * Which commands and tools change something outside the working copy or its recorded history, so that doing them again
 * does harm. Each program has a rule over its arguments; a word inside a quoted text never counts.
 */

import { eastAsianLetters } from '../../language/languages.ts';
import type { ToolCallPart } from '../../transcript/message.ts';
import { callArguments, type ToolKind, toolKind } from '../outcome.ts';
import { errorStrength } from './cues.ts';

/** True for a command (program first, see `effectiveCommands`) with an effect that outlasts the working copy. */
export function actsOutside([program = '', ...args]: readonly string[]): boolean {
  if (args.some((arg) => rehearsing.test(arg))) return false;
  const name = program.slice(program.lastIndexOf('/') + 1);
  const rule = rules.get(name) ?? (name === 'py' || /^python[\d.]*$/.test(name) ? python : undefined);
  return rule?.(args) ?? false;
}

const rehearsing = /^(?:--dry-?run(?:=.*)?|--help|--version|--check|--abort|--quit)$|^-h$/;

type Rule = (args: readonly string[]) => boolean;

const plain = (args: readonly string[]): readonly string[] => args.filter((arg) => !arg.startsWith('-'));
const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** The first word that is no flag is one of these. */
function first(verbs: string): Rule {
  const known = words(verbs);
  return (args) => known.has(plain(args)[0] ?? '');
}

/** One of the first three words that are no flags is one of these, or begins with one and a hyphen (`put-object`). */
function early(verbs: string): Rule {
  const known = words(verbs);
  return (args) =>
    plain(args)
      .slice(0, 3)
      .some((arg) => known.has(arg) || known.has(arg.split('-', 1)[0] ?? ''));
}

const script = /^(?:.*[:_-])?(?:publish|release|deploy|migrate|migration)(?:[:_-].*)?$/;
const reading = /status|list|show|check|dry|plan|history|lint|test/;
const named: Rule = (args) =>
  plain(args).some((arg) => script.test(arg) && !reading.test(arg)) && !plain(args).some((arg) => reading.test(arg));

const packages: Rule = (args) =>
  first('publish unpublish deprecate upload yank push version dist-tag')(args)
    ? plain(args).length > 1 || !/^(?:version|dist-tag)$/.test(plain(args)[0] ?? '')
    : /^(?:run|run-script|(?:deploy|release)\b.*)$/.test(plain(args)[0] ?? '') && named(args);

const listing = /^(?:-l|-n\d*|--(?:list|contains|points-at|merged|sort))/;

const git: Rule = (all) => {
  let at = 0;
  while (all[at]?.startsWith('-')) at += all[at] === '-C' || all[at] === '-c' ? 2 : 1;
  const [verb = '', ...args] = all.slice(at);
  if (verb === 'push') return !args.includes('-n');
  if (verb === 'tag') return !args.some((arg) => listing.test(arg)) && plain(args).length > 0;
  if (verb === 'reset') return args.includes('--hard');
  return /^(?:commit|merge|rebase|cherry-pick|revert|am)$/.test(verb);
};

const hubVerbs = words(
  'create merge close reopen comment edit review ready lock unlock delete upload run rerun cancel enable disable ' +
    'transfer pin unpin fork rename archive sync set remove add approve note update',
);

/** `gh api` reads unless it is told a method or given fields; a GraphQL query is sent as a field all the same. */
const hub: Rule = (args) => {
  const [topic = '', verb = ''] = plain(args);
  if (topic !== 'api') return !/^(?:auth|config|alias)$/.test(topic) && hubVerbs.has(verb);
  const method = flagValue(args, /^(?:-X|--method)$/, /^(?:-X|--method=)(?=\w)/);
  if (method) return writing.test(method);
  const sends = args.some((arg) => /^(?:-[fF]|--(?:raw-)?field|--input)/.test(arg));
  return sends && (!args.includes('graphql') || args.some((arg) => /\bmutation\b/.test(arg)));
};

const containers: Rule = (args) => {
  const [topic = '', ...rest] = plain(args);
  if (/^(?:push|rm|rmi|stop|kill)$/.test(topic)) return true;
  const isGroup = /^(?:system|volume|image|container|network|compose|builder|stack|service)$/.test(topic);
  return isGroup && rest.slice(0, 3).some((arg) => /^(?:prune|rm|remove|down|stop|push|kill)$/.test(arg));
};
const cluster: Rule = (args) =>
  first('apply create delete scale rollout patch edit replace drain cordon annotate label set')(args) &&
  !/^(?:status|history)$/.test(plain(args)[1] ?? '');

const writing = /^(?:POST|PUT|PATCH|DELETE)$/i;

/** The value of a flag, behind it or joined to it. */
function flagValue(args: readonly string[], apart: RegExp, joined: RegExp): string | undefined {
  const at = args.findIndex((arg) => apart.test(arg));
  if (at >= 0) return args[at + 1];
  return args.find((arg) => joined.test(arg))?.replace(joined, '');
}

const curl: Rule = (args) => {
  const joined = /^(?:-[a-zA-Z]*X|--(?:request|method)=)(?=\w)/;
  const method = flagValue(args, /^(?:-[a-zA-Z]*X|--request|--method)$/, joined);
  if (method) return writing.test(method);
  if (args.includes('-G') || args.includes('--get')) return false;
  return args.some((arg) => /^(?:-[a-zA-Z]*[dFT]$|-d.|--(?:data|form|json|upload-file|post-|body-)|-F.)/.test(arg));
};

const changesTables =
  /\b(?:insert\s+into|update\s+\S+\s+set|delete\s+from|drop\s+\w+|alter\s+\w+|truncate|create\s+(?:table|database|user|role))\b/i;
const database: Rule = (args) => args.some((arg) => changesTables.test(arg));
const migrates: Rule = (args) =>
  /\b(?:db:)?(?:migrate|upgrade|downgrade|rollback|up|down|push|seed|reset|run|update)\b/.test(plain(args).join(' ')) &&
  !/status|dry|list|diff|generate|make|history|current|validate/.test(args.join(' '));
const python: Rule = (args) => {
  const [file = '', verb = ''] = plain(args);
  if (args[0] === '-m') return (rules.get(file) ?? (() => false))(args.slice(2));
  return /manage\.py$/.test(file) && /^(?:migrate|flush|loaddata)$/.test(verb);
};
const always: Rule = () => true;
const withTarget: Rule = (args) => plain(args).length > 0;
const clouds = early(
  'deploy apply create delete put update release push rm rb mb cp mv sync run publish start stop terminate remove set add promote rollback destroy scale invoke',
);
const stops: Rule = (args) => withTarget(args) && !args.some((arg) => /^-(?:0|l|L)$|^--list$/.test(arg));

/** Programs, and what they must be told to act outside. */
const table: readonly (readonly [programs: string, rule: Rule])[] = [
  ['git', git],
  ['gh glab', hub],
  ['npm pnpm yarn bun cargo twine gem poetry uv flit hatch lerna changeset', packages],
  ['make just task mise rake gradle gradlew mvn mvnw fastlane composer mix dotnet', named],
  ['docker podman', containers],
  ['helm', first('install upgrade uninstall rollback delete push')],
  ['kubectl', cluster],
  ['terraform tofu', first('apply destroy import')],
  ['pulumi', first('up destroy import')],
  ['cdk', first('deploy destroy')],
  ['serverless sls sam eb cap kamal', early('deploy remove rollback')],
  ['ansible-playbook', always],
  ['curl wget', curl],
  ['http https xh Invoke-RestMethod Invoke-WebRequest', (args) => args.some((arg) => writing.test(arg))],
  ['netlify fly flyctl heroku wrangler firebase gcloud aws az doctl supabase railway gsutil s3cmd', clouds],
  ['vercel', (args) => !/^(?:ls|list|logs|inspect|whoami|env|dev|build|pull|link|login)$/.test(plain(args)[0] ?? '')],
  ['psql mysql mariadb sqlite3 mongosh clickhouse-client duckdb', database],
  ['alembic prisma knex sequelize sequelize-cli typeorm drizzle-kit flyway liquibase goose dbmate diesel', migrates],
  ['sqlx migrate rails artisan', migrates],
  ['scp rsync sendmail mail mutt shutdown reboot', withTarget],
  ['kill pkill killall', stops],
  ['systemctl service launchctl pm2', early('start stop restart reload enable disable delete load unload')],
];

/** A Map, because a command line may say `constructor`. */
const rules: ReadonlyMap<string, Rule> = new Map(
  table.flatMap(([programs, rule]) => programs.split(' ').map((program): [string, Rule] => [program, rule])),
);

/** Words of a tool's name that change something for others, and words that only look. */
const acting = words(
  'send post publish create book order pay purchase buy cancel update delete refund transfer merge deploy submit ' +
    'schedule reschedule reply comment invite approve reject close reopen add remove modify charge issue trigger upload ' +
    'assign archive label star fork exchange return subscribe unsubscribe write edit move rename push run dismiss',
);
const looking = words(
  'get list search read fetch find describe show view query check count lookup calculate validate preview think status',
);
/** Things inside the agent's own reach. */
const ownThings = words(
  'directory folder file files todo todos plan memory memories note notes entity entities relation relations ' +
    'observation observations tab cell breakpoint canvas task tasks worktree wiki',
);
/** Verbs strong enough to act without an object. */
const aloneActing = words('send post publish deploy submit purchase pay refund');

/** Tools whose name says that they act on a service: `book_crossing`, `sendEmail`, `slack_post_message`. */
export function toolActsOutside(call: ToolCallPart, kind: ToolKind): boolean {
  if (kind !== 'web' && kind !== 'other') return false;
  const input = callArguments(call);
  const writes = typeof input.method === 'string' && writing.test(input.method);
  if (kind === 'web') return writes;
  const name = call.name.replace(/^mcp__.*?__/, '').replace(/^.*[./:](?=[^./:]+$)/, '');
  const parts = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_\s-]+/);
  const at = parts.findIndex((part) => acting.has(part) || looking.has(part));
  const verb = parts[at];
  if (verb === undefined || looking.has(verb) || at > 2) return writes;
  const object = parts[at + 1];
  if (object === undefined) return at > 0 || aloneActing.has(verb);
  // `issue_read` and `order_status` name a thing first.
  return !looking.has(object) && !(ownThings.has(object) && !owners.some((key) => key in input));
}

const answerChars = 300;
const leastValue = 4;

/** True where a service answers a call that acts by saying again what it was given, and nothing of a failure or of waiting. */
export function confirms(call: ToolCallPart, answer: string): boolean {
  const kind = toolKind(call);
  if ((kind !== 'web' && kind !== 'other') || answer.length > answerChars) return false;
  if (errorStrength(answer) > 0 || refusals.test(answer) || eastAsianLetters.test(answer)) return false;
  const values = Object.values(callArguments(call)).filter((value) => typeof value === 'string');
  return values.some((value) => value.length >= leastValue && answer.includes(value));
}

const refusals =
  /\b(?:not|no|never|cannot|can't|only|already|must|should|would|please|which|queued|pending|waiting|draft|approval)\b|\?/i;

/** Arguments that say of a file or task in a service whose it is. */
const owners = ['owner', 'repo', 'project', 'project_id', 'workspace', 'channel', 'team'];
