/** A conversation as programs get it; `docs/guide/sessions.md` describes it. */
import { redact } from '@palimpsest/core';
import type { Session } from '@palimpsest/core/store';
import { timeStamp } from '../render/time.ts';
import type { TitledConversation } from './titles.ts';

/** One row of the list. Previews are redacted, as titles are: they are shown, and the messages keep what was said. */
export function conversationRow({ tip, root, sessions, title, preview }: TitledConversation): Record<string, unknown> {
  return {
    ...about(tip),
    rootId: root.id,
    title: title || null,
    preview: redact(preview),
    sessions,
    startedAt: timeStamp(root.startedAt),
    lastActiveAt: timeStamp(tip.lastActiveAt),
    sourceId: root.sourceId ?? null,
  };
}

/** One session of a chain. */
export function sessionRow(session: Session): Record<string, unknown> {
  return {
    ...about(session),
    rootId: session.rootId,
    title: session.title === undefined ? null : redact(session.title),
    titleFrom: session.titleFrom ?? null,
    sourceId: session.sourceId ?? null,
    sourcePath: session.sourcePath ?? null,
    startedAt: timeStamp(session.startedAt),
    lastActiveAt: timeStamp(session.lastActiveAt),
    endedAt: session.endedAt === undefined ? null : timeStamp(session.endedAt),
    endReason: session.endReason ?? null,
    toolCalls: session.toolCalls,
    usage: session.usage,
  };
}

const about = ({ id, relation, parentId, source, project, model, messages }: Session): Record<string, unknown> => ({
  id,
  relation,
  parentId: parentId ?? null,
  source,
  project: project ?? null,
  model: model ?? null,
  messages,
});
