/** What is to be done to what is remembered: pure, by rule, one act for each thing that is found. */
import { aText, checkKnownOptions } from '../../shared/options/known-options.ts';
import type { Instant } from '../../store/ids.ts';
import type { MemoryActDraft, MemoryEntry } from '../../store/memory-store.ts';
import type { MemoryLimits } from '../files/entries.ts';
import { actsFor } from './acts.ts';
import { judgeAlike } from './alike.ts';
import { fitLimits } from './capacity.ts';
import { claimsOfAll } from './claims.ts';
import { endOf } from './dates.ts';
import { type Doubt, type Finding, goneBy } from './findings.ts';
import { isForgotten, judgeMatters } from './matters.ts';
import { isOwnText } from './own-text.ts';
import { plainText } from './plain-text.ts';
import { judgeClaims } from './rivals.ts';
import { dayOf, rankOf, saidAt } from './trust.ts';

/** What a plan takes into account. */
export interface CurationOptions {
  /** Against which ends and ages are held: milliseconds since 1970 in UTC. */
  readonly now: Instant;
  /** Most characters of each target, in each scope. @default no limit */
  readonly limits?: MemoryLimits;
  /** What the person is called in entries: "Hana prefers …" is then said of the person. @default not known */
  readonly person?: string;
}

/** A plan, and what the rules could not decide. */
export interface Curation {
  readonly acts: readonly MemoryActDraft[];
  readonly doubts: readonly Doubt[];
}

/**
 * The acts that put entries in order, by rule and without a model. What has expired or is done is retired; of entries that
 * contradict each other one stays: the newer, but nothing from outside against what came from inside, and what a model or
 * tool noted against the person only where it tells of a change; of entries that say the same one stays; what is beyond the
 * limits goes by its worth, but never who the person is. Entries of different projects never meet, and what holds everywhere
 * meets none of a project. Only live entries count, and what is in doubt stays.
 *
 * No entry is touched by two of the acts. The same entries give the same acts, in whatever order they come.
 *
 * @throws BAD_OPTION for an option that nobody knows
 * @example
 * import { createMemory, planCuration } from '@palimpsest/core/memory';
 * import { openStore } from '@palimpsest/core/store';
 * await using store = await openStore({ path: 'store.db' });
 * const { entries } = createMemory({ store, folder: 'memories' });
 * const acts = planCuration(await entries.list(), { now: Date.now(), person: 'Hana' });
 * for (const act of acts) await entries.act(act);
 */
export function planCuration(entries: readonly MemoryEntry[], options: CurationOptions): readonly MemoryActDraft[] {
  checkKnownOptions('planCuration', options, { now: true, limits: true, person: aText });
  return curate(entries, options).acts;
}

/** The same with what was left in doubt, for whoever can ask. */
export function curate(entries: readonly MemoryEntry[], options: CurationOptions): Curation {
  const live = entries.filter(({ status }) => status === 'live');
  const findings: Finding[] = [...stale(live, options)];
  const gone = new Set(findings.flatMap(goneBy));
  // No entry is touched by two acts, so that each act can be taken back without another.
  const kept = new Set<MemoryEntry>();
  const take = (found: readonly Finding[]): void => {
    for (const finding of found) {
      const left = withoutGone(finding, { gone, kept });
      if (!left) continue;
      findings.push(left);
      for (const entry of goneBy(left)) gone.add(entry);
      if (left.type !== 'stale') kept.add(left.stays);
    }
  };
  const left = (): readonly MemoryEntry[] => live.filter((entry) => !gone.has(entry));
  const claims = claimsOfAll(left(), options);
  const claimed = new Set(claims.map(({ entry }) => entry));
  take(judgeMatters(left().filter((entry) => !claimed.has(entry))));
  const rivals = judgeClaims(claims);
  take(rivals.findings);
  const alike = judgeAlike(left());
  take(alike.findings);
  const doubts = [...rivals.doubts, ...alike.doubts].filter(
    ({ entries: pair }) => !pair.some((entry) => gone.has(entry)),
  );
  const acts = actsFor(findings);
  if (!options.limits) return { acts, doubts };
  return { acts: [...acts, ...fitLimits(left(), { limits: options.limits, kept })], doubts };
}

function stale(live: readonly MemoryEntry[], { now }: CurationOptions): readonly Finding[] {
  return live.flatMap((entry): readonly Finding[] => {
    if (rankOf(entry) > 0 && isOwnText(entry.text))
      return [
        { type: 'stale', goes: entry, reason: 'It repeats instructions of this program, which are no knowledge.' },
      ];
    const until = entry.until ?? endOf(plainText(entry), saidAt(entry));
    if (until !== undefined && until < now)
      return [{ type: 'stale', goes: entry, reason: `It held until ${dayOf(until)}, which has passed.` }];
    if (isForgotten(entry, now))
      return [
        {
          type: 'stale',
          goes: entry,
          reason: `It is working state of ${dayOf(saidAt(entry))} that nobody spoke of since.`,
        },
      ];
    return [];
  });
}

interface Fates {
  readonly gone: ReadonlySet<MemoryEntry>;
  /** Entries in whose favour something was decided. */
  readonly kept: ReadonlySet<MemoryEntry>;
}

function withoutGone(finding: Finding, { gone, kept }: Fates): Finding | undefined {
  const isFree = (entry: MemoryEntry): boolean => !gone.has(entry) && !kept.has(entry);
  if (finding.type === 'stale') return isFree(finding.goes) ? finding : undefined;
  if (gone.has(finding.stays)) return undefined;
  const goes = finding.goes.filter((entry) => isFree(entry) && entry !== finding.stays);
  return goes.length === 0 ? undefined : { ...finding, goes };
}
