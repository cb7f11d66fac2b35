/** Whether a rule or the newest request of the user is reported as missing when it was dropped, and only then. */
import { withoutAsk } from './faithful.ts';
import { type Base, type Fact, type Language, textOf } from './lines.ts';
import type { SessionRecord } from './record.ts';
import type { CheckedBase, Verify } from './score.ts';

export const droppedTypes = ['rule', 'newest request, open', 'newest request, answered'] as const;

/** An answered request may be left out of a summary more easily than one that nobody closed. */
export type DroppedType = (typeof droppedTypes)[number];

/** One ask that a summary states in full, and what was said when it did not. */
export interface DroppedAsk {
  readonly type: DroppedType;
  readonly language: Language;
  readonly base: string;
  readonly quote: string;
  /** Reported when it was dropped. */
  readonly isMissed: boolean;
  /** Reported although it stands there. */
  readonly isFalselyMissed: boolean;
}

/** Drops one rule and the newest request of a summary, one after the other. */
export function checkDropped(checked: CheckedBase, record: SessionRecord, verify: Verify): readonly DroppedAsk[] {
  const { base, verification } = checked;
  const last = record.facts.asks.at(-1);
  const stated = base.lines.flatMap(({ facts }) => facts).filter((fact) => isWhole(fact, record));
  const rule = stated.find(({ type }) => type === 'constraint');
  const request = stated.find(({ ref }) => ref === last?.ref);
  return [rule, request === rule ? undefined : request].flatMap((fact): readonly DroppedAsk[] => {
    if (fact === undefined || isSaidTwice(fact, base)) return [];
    const without = verify(withoutAsk(base, fact.ref), base.messages);
    return [
      {
        type: fact.ref !== last?.ref ? 'rule' : last.answer ? 'newest request, answered' : 'newest request, open',
        language: base.language,
        base: base.name,
        quote: String(fact.fields.quote),
        isMissed: without.missing.some(({ ref }) => ref === fact.ref),
        isFalselyMissed: verification.missing.some(({ ref }) => ref === fact.ref),
      },
    ];
  });
}

/** Only what was quoted to its last word can be said to stand there. */
const isWhole = ({ ref, fields }: Fact, record: SessionRecord): boolean =>
  record.facts.asks.some((ask) => ask.ref === ref && ask.text.trim() === fields.quote);

/** A quote that an other line holds too is not dropped. */
function isSaidTwice({ ref, fields }: Fact, base: Base): boolean {
  const rest = withoutAsk(base, ref);
  return textOf(base.lines) === rest || rest.includes(String(fields.quote));
}
