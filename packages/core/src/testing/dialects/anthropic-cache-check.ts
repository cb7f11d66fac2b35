/** Why Anthropic would reject the prompt-cache breakpoints of a body. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { listOf } from './dialect.ts';

const most = 4;

interface Mark {
  readonly path: string;
  readonly isLong: boolean;
}

/** The first reason in its own words (coder/mux#3112, cnighswonger/claude-code-cache-fix#44); undefined where there is none. */
export function cacheComplaint({ tools, system, messages, cache_control: automatic }: JsonObject): string | undefined {
  const marks = [...marksIn(tools, 'tools'), ...marksIn(system, 'system'), ...marksIn(messages, 'messages')];
  const all = automatic === undefined || automatic === null ? marks : [...marks, markOf(automatic, '')];
  if (all.length > most) return `A maximum of ${most} blocks with cache_control may be provided. Found ${all.length}.`;
  const short = all.findIndex(({ isLong }) => !isLong);
  const late = short < 0 ? undefined : all.slice(short).find(({ isLong }) => isLong);
  return (
    late &&
    `${late.path}cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: \`tools\`, \`system\`, \`messages\`.`
  );
}

const markOf = (control: JsonValue, path: string): Mark => ({
  path,
  isLong: isJsonObject(control) && control.ttl === '1h',
});

/** Blocks have marks, and so may those inside of their content. */
function marksIn(blocks: JsonValue | undefined, path: string): readonly Mark[] {
  return listOf(blocks).flatMap((block, at) => {
    if (!isJsonObject(block)) return [];
    const { cache_control: control, content } = block;
    const own = control === undefined || control === null ? [] : [markOf(control, `${path}.${at}.`)];
    return [...marksIn(content, `${path}.${at}.content`), ...own];
  });
}
