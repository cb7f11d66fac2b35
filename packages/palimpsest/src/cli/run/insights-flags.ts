/** What `palimpsest insights` is asked for. */
import type { StoreFlags } from '../open-store.ts';
import type { TimeFlags } from '../when.ts';

/** The tables that can be shown whole. */
export const insightGroups = ['model', 'source', 'project', 'task', 'day', 'tool'] as const;

export type InsightGroup = (typeof insightGroups)[number];

export interface InsightsFlags extends StoreFlags, TimeFlags {
  readonly by?: InsightGroup;
  /** True for the usual file. */
  readonly html?: string | true;
  readonly force?: boolean;
  readonly json?: boolean;
}
