/** Which part of a service a session reads and writes: nothing of one project shows in another. */
import { createHash } from 'node:crypto';
import type { ProviderSession } from '@palimpsest/core/memory';

export interface Partitioning {
  /** Whose memory it is, where the session does not say. */
  readonly user: string;
  /** Whether what is learned in a project stays there, or everything is one memory. */
  readonly scope: 'project' | 'person';
}

/** A name of letters, digits, `-` and `_`, at most 80 characters; another one for every person, and for every project of theirs. */
export function partitionOf({ userId, project }: ProviderSession, { user, scope }: Partitioning): string {
  const parts = [userId ?? user, ...(scope === 'project' && project !== undefined ? [project] : [])];
  const name = parts.map((part) => part.slice(-30).replaceAll(/[^a-zA-Z0-9_]+/g, '_')).join('-');
  if (parts.length === 1 && name === parts[0]) return name;
  return `${name}-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12)}`;
}

/** The name of a session or a turn as every service takes it. */
export const safeId = (id: string): string =>
  /^[a-zA-Z0-9_-]{1,80}$/.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 32);
