/** In how many messages a term occurs. */
import type { DatabaseSync } from 'node:sqlite';
import { integer, quoted } from './rows.ts';

export interface TermCounter {
  /** Messages in the index. */
  messages(): number;
  /** Messages with a term. */
  of(term: string): number;
}

/** Counting stops here; how far back the newest of them reach tells how many there are in all. */
const mostCounted = 5_000;
/** Counts remembered until the next message. */
const mostKnown = 10_000;

const countMessages = 'select count(*) as messages, max(seq) as newest from search_documents';
const countTerm = `select count(*) as counted, min(rowid) as oldest from (
  select rowid from search_terms where search_terms match ? order by rowid desc limit ${mostCounted}
)`;
const newestMessage = 'select max(seq) as newest from search_documents';

/** Counts messages exactly where they are few, and estimates where they are many. */
export function termCounter(db: DatabaseSync): TermCounter {
  const statements = {
    messages: db.prepare(countMessages),
    newest: db.prepare(newestMessage),
    term: db.prepare(countTerm),
  };
  let counted = { newest: -1, messages: 0 };
  const messages = (): number => {
    const newest = integer(statements.newest.get()?.newest);
    // Counting all rows reads all of them: what came since the last time is few.
    if (counted.newest < 0 || newest < counted.newest || newest > counted.newest * 1.05) {
      counted = { newest, messages: integer(statements.messages.get()?.messages) };
    }
    return counted.messages + (newest - counted.newest);
  };
  const known = new Map<string, number>();
  let knownFor = -1;
  const count = (term: string, newest: number): number => {
    const row = statements.term.get(quoted(term));
    const found = integer(row?.counted);
    if (found < mostCounted) return found;
    const reach = Math.max(1, newest - integer(row?.oldest) + 1);
    return Math.max(found, Math.round((found / reach) * messages()));
  };
  return {
    messages,
    of(term) {
      const newest = integer(statements.newest.get()?.newest);
      // One search asks for the same terms several times.
      if (newest !== knownFor || known.size >= mostKnown) known.clear();
      knownFor = newest;
      const counted = known.get(term) ?? count(term, newest);
      known.set(term, counted);
      return counted;
    },
  };
}
