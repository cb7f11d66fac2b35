/** What the gateway counts, in the text format of Prometheus. Labels take their values from lists, so that no client can add one. */
import type { GatewayDialect } from '../config/gateway.ts';
import { type ActionMetrics, openActionMetrics } from './action-metrics.ts';
import type { UpstreamFailure } from './middle.ts';
import { counter, metric } from './prometheus.ts';

/** What is counted, and the page that shows it. */
export interface Metrics extends Pick<ActionMetrics, 'prepared' | 'done'> {
  readonly answered: (route: string, status: number) => void;
  /** `by` is 1 where an answer begins, and -1 where it ends. */
  readonly open: (by: 1 | -1) => void;
  readonly bytes: (direction: 'request' | 'answer', bytes: number) => void;
  readonly firstByte: (ms: number) => void;
  readonly upstreamFailed: (dialect: GatewayDialect, kind: UpstreamFailure['kind']) => void;
  readonly refused: (code: string) => void;
  readonly middleFailed: () => void;
  readonly page: () => string;
}

/** The type that the page of `/metrics` has. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

const bucketsSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const;

/** Counters that begin at zero. */
export function openMetrics(): Metrics {
  const counted = { requests: counter(), failures: counter(), refused: counter() };
  const actions = openActionMetrics();
  // Told for each piece of a stream, so it must cost nothing.
  const bytes = { request: 0, answer: 0 };
  const firstByte = { buckets: bucketsSeconds.map(() => 0), count: 0, sum: 0 };
  let open = 0;
  let middleErrors = 0;
  return {
    answered: (route, status) => counted.requests.add(`route="${route}",status="${status}"`, 1),
    open: (by) => {
      open += by;
    },
    bytes: (direction, more) => {
      bytes[direction] += more;
    },
    firstByte: (ms) => {
      firstByte.count++;
      firstByte.sum += ms / 1_000;
      for (const [at, most] of bucketsSeconds.entries())
        if (ms / 1_000 <= most) firstByte.buckets[at] = (firstByte.buckets[at] ?? 0) + 1;
    },
    upstreamFailed: (dialect, kind) => counted.failures.add(`dialect="${dialect}",kind="${kind}"`, 1),
    refused: (code) => counted.refused.add(`code="${code}"`, 1),
    middleFailed: () => {
      middleErrors++;
    },
    prepared: actions.prepared,
    done: actions.done,
    page: () =>
      [
        ...metric('requests_total', ['counter', 'Answers, by route and status.'], counted.requests.lines()),
        ...metric('open', ['gauge', 'Requests that are being answered.'], [['', open]]),
        ...metric(
          'bytes_total',
          ['counter', 'Bytes of bodies that were passed on.'],
          [
            ['{direction="request"}', bytes.request],
            ['{direction="answer"}', bytes.answer],
          ],
        ),
        ...metric(
          'first_byte_seconds',
          ['histogram', 'From a whole request to the head of its answer.'],
          [
            ...bucketsSeconds.map((most, at) => [`_bucket{le="${most}"}`, firstByte.buckets[at] ?? 0] as const),
            ['_bucket{le="+Inf"}', firstByte.count],
            ['_sum', firstByte.sum],
            ['_count', firstByte.count],
          ],
        ),
        ...metric(
          'upstream_errors_total',
          ['counter', 'Upstreams that gave no whole answer.'],
          counted.failures.lines(),
        ),
        ...metric('refused_total', ['counter', 'Requests that the gateway refused.'], counted.refused.lines()),
        ...metric(
          'middle_errors_total',
          ['counter', 'Requests sent as they came because what should prepare them failed.'],
          [['', middleErrors]],
        ),
        ...actions.lines(),
        '',
      ].join('\n'),
  };
}
