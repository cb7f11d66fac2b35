/** Counts of what was done with requests, from what the middle tells of them. */
import type { GatewayDialect } from '../config/gateway.ts';
import type { Told, ToldAction } from './middle.ts';
import { counter, metric } from './prometheus.ts';

export interface ActionMetrics {
  /** Told once for each try, as soon as it is prepared. */
  readonly prepared: (dialect: GatewayDialect, told: Told) => void;
  /** Told once for each request: what was done with it in the end. */
  readonly done: (dialect: GatewayDialect, done: Done) => void;
  readonly lines: () => readonly string[];
}

/** What was done with a request: the action, or that it was answered after its upstream refused it as too long. */
export interface Done {
  readonly action: ToldAction | 'recovered';
  readonly reason?: string | undefined;
}

/** Counters that begin at zero. */
export function openActionMetrics(): ActionMetrics {
  const [actions, compressions, before, after] = [counter(), counter(), counter(), counter()];
  const [recovered, resent] = [counter(), counter()];
  return {
    prepared: (dialect, { action, reason, compression }) => {
      const label = `dialect="${dialect}"`;
      if (action === 'passed' && reason === 'refused') resent.add(label, 1);
      if (!compression) return;
      compressions.add(`${label},writer="${compression.writer}"`, 1);
      before.add(label, compression.tokensBefore);
      after.add(label, compression.tokensAfter);
    },
    done: (dialect, { action, reason }) => {
      const why = reason === undefined ? '' : `,reason="${reason}"`;
      actions.add(`dialect="${dialect}",action="${action}"${why}`, 1);
      if (action === 'recovered') recovered.add(`dialect="${dialect}"`, 1);
    },
    lines: () =>
      (
        [
          [
            actions,
            'actions_total',
            'Requests, by what was done with them; side calls are passed with the reason side-call.',
          ],
          [compressions, 'compressions_total', 'Compressions, by who wrote the handoff.'],
          [before, 'compression_tokens_before_total', 'Tokens of requests before they were compressed.'],
          [after, 'compression_tokens_after_total', 'Tokens of the same requests after it.'],
          [
            recovered,
            'overflows_recovered_total',
            'Requests that an upstream refused as too long and answered in short.',
          ],
          [
            resent,
            'originals_resent_total',
            'Requests sent again as they came because an upstream refused the shortened one.',
          ],
        ] as const
      ).flatMap(([counted, name, help]) => metric(name, ['counter', help], counted.lines())),
  };
}
