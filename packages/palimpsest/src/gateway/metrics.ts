/** What the gateway counts, in the text format of Prometheus. Labels take their values from lists, so that no client can add one. */
import type { GatewayDialect } from '../config/gateway.ts';
import type { Told, ToldAction, UpstreamFailure } from './middle.ts';

/** What is counted, and the page that shows it. */
export interface Metrics {
  readonly answered: (route: string, status: number) => void;
  /** `by` is 1 where an answer begins, and -1 where it ends. */
  readonly open: (by: 1 | -1) => void;
  readonly bytes: (direction: 'request' | 'answer', bytes: number) => void;
  readonly firstByte: (ms: number) => void;
  readonly upstreamFailed: (dialect: GatewayDialect, kind: UpstreamFailure['kind']) => void;
  readonly refused: (code: string) => void;
  readonly middleFailed: () => void;
  /** Told once for each try, as soon as it is prepared. */
  readonly prepared: (dialect: GatewayDialect, told: Told) => void;
  /** Told once for each request: what was done with it in the end. */
  readonly done: (dialect: GatewayDialect, done: Done) => void;
  readonly page: () => string;
}

/** What was done with a request: the action, or that it was answered after its upstream refused it as too long. */
export interface Done {
  readonly action: ToldAction | 'recovered';
  readonly reason?: string | undefined;
}

/** The type that the page of `/metrics` has. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

const bucketsSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const;

/** Counters that begin at zero. */
export function openMetrics(): Metrics {
  const counted = { requests: counter(), failures: counter(), refused: counter() };
  const handled = { actions: counter(), compressions: counter(), before: counter(), after: counter() };
  const refusals = { recovered: counter(), resent: counter() };
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
    prepared: (dialect, { action, reason, compression }) => {
      const label = `dialect="${dialect}"`;
      if (action === 'passed' && reason === 'refused') refusals.resent.add(label, 1);
      if (!compression) return;
      handled.compressions.add(`${label},writer="${compression.writer}"`, 1);
      handled.before.add(label, compression.tokensBefore);
      handled.after.add(label, compression.tokensAfter);
    },
    done: (dialect, { action, reason }) => {
      const why = reason === undefined ? '' : `,reason="${reason}"`;
      handled.actions.add(`dialect="${dialect}",action="${action}"${why}`, 1);
      if (action === 'recovered') refusals.recovered.add(`dialect="${dialect}"`, 1);
    },
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
        ...metric(
          'actions_total',
          ['counter', 'Requests, by what was done with them; side calls are passed with the reason side-call.'],
          handled.actions.lines(),
        ),
        ...metric(
          'compressions_total',
          ['counter', 'Compressions, by who wrote the handoff.'],
          handled.compressions.lines(),
        ),
        ...metric(
          'compression_tokens_before_total',
          ['counter', 'Tokens of requests before they were compressed.'],
          handled.before.lines(),
        ),
        ...metric(
          'compression_tokens_after_total',
          ['counter', 'Tokens of the same requests after it.'],
          handled.after.lines(),
        ),
        ...metric(
          'overflows_recovered_total',
          ['counter', 'Requests that an upstream refused as too long and answered in short.'],
          refusals.recovered.lines(),
        ),
        ...metric(
          'originals_resent_total',
          ['counter', 'Requests sent again as they came because an upstream refused the shortened one.'],
          refusals.resent.lines(),
        ),
        '',
      ].join('\n'),
  };
}

interface Counter {
  readonly add: (labels: string, by: number) => void;
  readonly lines: () => readonly Sample[];
}

/** What follows the name of a metric, and its value. */
type Sample = readonly [rest: string, value: number];

function counter(): Counter {
  const values = new Map<string, number>();
  return {
    add: (labels, by) => void values.set(labels, (values.get(labels) ?? 0) + by),
    lines: () => [...values].map(([labels, value]) => [`{${labels}}`, value]),
  };
}

function metric(
  name: string,
  [type, help]: readonly [type: string, help: string],
  samples: readonly Sample[],
): readonly string[] {
  const whole = `palimpsest_gateway_${name}`;
  return [
    `# HELP ${whole} ${help}`,
    `# TYPE ${whole} ${type}`,
    ...samples.map(([rest, value]) => `${whole}${rest} ${value}`),
  ];
}
