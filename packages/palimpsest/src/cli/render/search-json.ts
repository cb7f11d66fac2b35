/** What was found, for programs; `docs/guide/search.md` describes it. */
import type { Discovery, FoundGroup, FoundMessage, GroupSummary } from '@palimpsest/core/search';
import { timeStamp } from './time.ts';

export interface SearchAbout {
  readonly query: string;
  readonly store: string;
  /** For each group; empty where no model is asked. */
  readonly summaries: readonly GroupSummary[];
  readonly model: string | undefined;
  readonly notes: readonly string[];
}

/** The document of `--json`. */
export function searchJson(found: Discovery, { query, store, summaries, model, notes }: SearchAbout): object {
  return {
    command: 'search',
    query,
    store,
    conversations: found.groups.map((group, i) => groupJson(group, summaries[i])),
    found: found.searched,
    corrected: found.corrected,
    relaxed: found.relaxed,
    model: model ?? null,
    notes,
  };
}

function groupJson({ root, tip, title, hits, more }: FoundGroup, summary: GroupSummary | undefined): object {
  return {
    session: tip.id,
    rootId: root.id,
    relation: root.relation,
    parentId: root.parentId ?? null,
    title: title || null,
    source: tip.source,
    project: tip.project ?? null,
    model: tip.model ?? null,
    startedAt: timeStamp(root.startedAt),
    lastActiveAt: timeStamp(tip.lastActiveAt),
    ...summaryJson(summary),
    messages: hits.map(hitJson),
    more,
  };
}

function summaryJson(summary: GroupSummary | undefined): object {
  if (summary === undefined) return {};
  if (summary.type === 'failed') return { summary: null, noSummary: summary.why };
  const { text, changes, cut } = summary;
  return { summary: text, summaryChanges: changes, summaryCut: cut };
}

function hitJson({ stored, hit, speaker, tools, passage }: FoundMessage): object {
  const { sessionId, position, time, name, score } = hit;
  return {
    id: stored.id,
    session: sessionId,
    position,
    time: timeStamp(time),
    speaker,
    ...(name === undefined ? {} : { name }),
    tools,
    passage,
    score: Math.round(score * 1_000) / 1_000,
  };
}
