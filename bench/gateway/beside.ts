/** What others notice of a compression: how late the events of their streams come, and how long their new requests wait. */
import { table } from '../../scripts/reference/markdown.ts';
import { firstRequest, listBody, longList } from './bodies.ts';
import { type Measured, quantile, run, type Subject, started, stream } from './load.ts';

const load = { lanes: 20, requests: 60, events: 40, gapMs: 20 };

/** The same streams alone and beside compressions, before a gateway of their own. */
export async function besideTable(upstreamUrl: string, rounds: number): Promise<string> {
  const plain = await started('plain', 'plain', upstreamUrl);
  const gateway = await started('gateway', 'kept', upstreamUrl, '200000');
  const rows: string[][] = [];
  for (const [title, subject, bytes] of [
    ['plain', plain, 0],
    ['gateway', gateway, 0],
    ['plain, beside bodies of 560 KB', plain, 560_000],
    ['gateway, beside compressions', gateway, 560_000],
  ] as const) {
    const all: Measured[] = [];
    const compressedMs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const others = run(subject, load, () => firstRequest(2_000));
      let isOver = false;
      const beside = bytes === 0 ? undefined : besides(subject, () => isOver);
      all.push(await others);
      isOver = true;
      compressedMs.push(...((await beside) ?? []));
    }
    const late = all.flatMap(({ lateMs }) => lateMs);
    const first = all.flatMap(({ firstByteMs }) => firstByteMs);
    const both = (list: readonly number[]): string =>
      [0.5, 0.99, 1].map((share) => quantile(list, share).toFixed(1)).join(' / ');
    rows.push([title, both(late), both(first), compressedMs.length === 0 ? '' : both(compressedMs)]);
  }
  for (const { child } of [plain, gateway]) child.disconnect();
  return table(
    [
      'p50 / p99 / longest, ms',
      'an event later than it should',
      'others, to the first byte',
      'the compressed one, to the first byte',
    ],
    rows,
  );
}

let conversations = 0;

/** Sends one long conversation after the other; gives how long each waited for its first byte. */
async function besides(subject: Subject, isOver: () => boolean): Promise<readonly number[]> {
  const waited: number[] = [];
  while (!isOver()) {
    const body = listBody(longList(`long-${++conversations}`, 560_000));
    const start = performance.now();
    let first: number | undefined;
    const action = await stream({ url: subject.url, body, events: 5, gapMs: 0 }, (at) => {
      first ??= at;
    });
    if (subject.name === 'gateway' && action !== 'compressed') throw new Error(`expected a compression, got ${action}`);
    waited.push((first ?? start) - start);
  }
  return waited;
}
