/** Shows what was found: hits with their passages, and the conversations that they belong to. */
import { newestSession } from '../../store/newest-session.ts';
import type { Store } from '../../store/store.ts';
import { searchFields } from '../../store/terms/fields.ts';
import type { Message, Role } from '../../transcript/message.ts';
import { rolesOfParts } from '../../transcript/origin.ts';
import { toolCalls, toolResults } from '../../transcript/text.ts';
import type { FoundConversation, SearchHit } from './answer.ts';
import { cleanPassage } from './clean-passage.ts';
import type { Marking } from './marks.ts';
import { passageOf } from './passage.ts';
import type { Ranked } from './rank.ts';

export interface HitOptions {
  readonly worth: readonly number[];
  readonly marking: Marking;
  readonly passageCharacters: number;
  readonly explain: boolean;
  readonly raw: boolean;
  /** Whose words were looked for; everybody's without. */
  readonly roles: readonly Role[] | undefined;
}

/** A ranked message as a hit. */
export function hitOf({ stored, reading, score, parts }: Ranked, options: HitOptions): SearchHit {
  const { id: messageId, sessionId, position, time, message } = stored;
  const tools = toolsOf(message);
  const passage = passageOf(reading, { ...options, characters: options.passageCharacters });
  return {
    messageId,
    sessionId,
    position,
    time,
    role: speakerOf(message, passage.text, options.roles),
    ...(message.name === undefined ? {} : { name: message.name }),
    ...(tools.length > 0 ? { tools } : {}),
    passage: options.raw ? passage : cleanPassage(passage, message),
    score,
    ...(options.explain ? { parts } : {}),
  };
}

/** Who says the text of a passage: the first of those asked for in whose parts it stands. */
function speakerOf(message: Message, text: string, roles: readonly Role[] | undefined): Role {
  const said = rolesOfParts(message);
  const found = message.parts.findIndex((part, at) => {
    const role = said[at] ?? message.role;
    if (roles && !roles.includes(role)) return false;
    return searchFields({ role, parts: [part] }).some((field) => field.text.includes(text));
  });
  return said[found] ?? message.role;
}

function toolsOf(message: Message): readonly string[] {
  const names = [...toolCalls(message), ...toolResults(message)].flatMap(({ name }) => (name ? [name] : []));
  return [...new Set(names)];
}

/** The conversations of hits, in the order of their best hits. */
export async function byConversation(
  store: Pick<Store, 'sessions'>,
  hits: readonly SearchHit[],
): Promise<readonly FoundConversation[]> {
  const bySession = Map.groupBy(hits, ({ sessionId }) => sessionId);
  const byRoot = new Map<string, FoundConversation>();
  for (const [sessionId, own] of bySession) {
    const session = await store.sessions.get(sessionId);
    if (!session) continue;
    const known = byRoot.get(session.rootId);
    if (known) {
      const merged = [...known.hits, ...own].sort((a, b) => b.score - a.score);
      byRoot.set(session.rootId, { ...known, hits: merged });
      continue;
    }
    const root = session.rootId === sessionId ? session : await store.sessions.get(session.rootId);
    const tip = await newestSession(store.sessions, sessionId);
    const title = tip.title ?? session.title ?? root?.title;
    byRoot.set(session.rootId, { root: root ?? session, tip, ...(title === undefined ? {} : { title }), hits: own });
  }
  return [...byRoot.values()].sort((a, b) => (b.hits[0]?.score ?? 0) - (a.hits[0]?.score ?? 0));
}
