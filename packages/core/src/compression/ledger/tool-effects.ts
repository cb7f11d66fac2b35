/** Which tools, by their names, change something for others, so that calling them again does harm. */
import type { ToolCallPart } from '../../transcript/message.ts';
import { callArguments, type ToolKind } from '../outcome.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const writing = /^(?:POST|PUT|PATCH|DELETE)$/i;

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

/** Tools whose name says that they act on a service: `book_reservation`, `sendEmail`, `slack_post_message`. */
export function toolActsOutside(call: ToolCallPart, kind: ToolKind): boolean {
  if (kind === 'web') return writing.test(methodOf(call));
  if (kind !== 'other') return false;
  const name = call.name.replace(/^mcp__.*?__/, '').replace(/^.*[./:](?=[^./:]+$)/, '');
  const parts = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_\s-]+/);
  const at = parts.findIndex((part) => acting.has(part) || looking.has(part));
  const verb = parts[at];
  if (verb === undefined || looking.has(verb) || at > 2) return writing.test(methodOf(call));
  const objects = parts.slice(at + 1);
  if (objects.length === 0) return at > 0 || aloneActing.has(verb);
  // `issue_read` and `order_status` name a thing first.
  return !looking.has(objects[0] ?? '') && !(ownThings.has(objects[0] ?? '') && !looksShared(call));
}

const methodOf = (call: ToolCallPart): string => {
  const { method } = callArguments(call);
  return typeof method === 'string' ? method : '';
};

/** A file or task in a service says whose it is. */
function looksShared(call: ToolCallPart): boolean {
  const input = callArguments(call);
  return ['owner', 'repo', 'project', 'project_id', 'workspace', 'channel', 'team'].some((key) => key in input);
}
