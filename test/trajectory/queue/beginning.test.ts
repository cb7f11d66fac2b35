/** A queue in a database that is empty, begun by many at once. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openQueue } from '../../../packages/palimpsest/src/trajectory/queue/queue.ts';
import { noPostgresHere, type PostgresServer, startPostgres } from '../../support/postgres.ts';

const skip = noPostgresHere() ?? false;
let server: PostgresServer;
before(async () => {
  if (!skip) server = await startPostgres();
});
after(() => {
  if (!skip) server.remove();
});

describe('J2 a queue that is begun', { skip }, () => {
  it('is made once, where a run and workers begin in the same moment', async () => {
    for (const name of ['first', 'second', 'third', 'fourth']) {
      const url = server.database(name);
      const openings = Array.from({ length: 6 }, () => openQueue(url, { patienceSeconds: 20 }));
      const ends = await Promise.allSettled(openings);
      for (const end of ends) if (end.status === 'fulfilled') await end.value.close();
      assert.deepEqual(
        ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : [])),
        [],
      );
    }
  });
});
