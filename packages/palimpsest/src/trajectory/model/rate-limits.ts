/** What the headers of an answer say of limits: how long to wait, and how much is left until when. Pure. */

/** What is left of a limit. */
export interface Allowance {
  /** `requests`, or a kind of tokens such as `tokens`, `input-tokens`, `output-tokens`; a span of time may follow, as in `requests-day`. */
  readonly kind: string;
  readonly left: number;
  /** When it is full again, in milliseconds since 1970. */
  readonly until: number;
}

/** What the headers of an answer say. */
export interface LimitNews {
  /** Milliseconds that nothing may be sent; undefined where nothing is said. */
  readonly waitMs: number | undefined;
  readonly allowances: readonly Allowance[];
}

/** Statuses of a server that has too much to do. */
const busy = new Set([429, 503, 529]);

/** Reads `retry-after`, `retry-after-ms`, `x-ratelimit-remaining-*`, `x-ratelimit-reset-*` and `anthropic-ratelimit-*`. */
export function limitNews(headers: Headers, status: number, now: number): LimitNews {
  const told = Date.parse(headers.get('date') ?? '');
  // The clock of the server and ours may differ.
  const clock = { now, server: Number.isNaN(told) ? now : told };
  return { waitMs: busy.has(status) ? waitIn(headers, clock) : undefined, allowances: allowancesIn(headers, clock) };
}

interface Clocks {
  readonly now: number;
  readonly server: number;
}

function waitIn(headers: Headers, { server }: Clocks): number | undefined {
  const ms = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (ms >= 0) return ms;
  const after = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(after)) return Number(after) * 1_000;
  const wait = Date.parse(after) - server;
  return wait >= 0 ? wait : undefined;
}

function allowancesIn(headers: Headers, clock: Clocks): readonly Allowance[] {
  const left = new Map<string, number>();
  const until = new Map<string, number>();
  for (const [name, value] of headers) {
    const { kind, what } = limitName(name);
    if (what === 'remaining' && /^\d+(?:\.\d+)?$/.test(value.trim())) left.set(kind, Number(value));
    if (what === 'reset') {
      const at = resetAt(value.trim(), clock);
      if (at !== undefined) until.set(kind, at);
    }
  }
  return [...left].flatMap(([kind, amount]) => {
    const end = until.get(kind);
    return end === undefined || end <= clock.now ? [] : [{ kind, left: amount, until: end }];
  });
}

/** `x-ratelimit-remaining-tokens` and `anthropic-ratelimit-tokens-remaining` are the same; without a kind it is of requests. */
function limitName(name: string): { readonly kind: string; readonly what: string } {
  const [, rest = ''] = /^(?:x-|anthropic-)?ratelimit-(.+)$/.exec(name) ?? [];
  const words = rest.split('-');
  const what = words.find((word) => word === 'remaining' || word === 'reset') ?? '';
  const kind = words.filter((word) => word !== what).join('-');
  return { kind: kind === '' ? 'requests' : kind, what };
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `6m0s`, `250ms`, seconds, seconds or milliseconds since 1970, or a date. */
function resetAt(value: string, { now, server }: Clocks): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(value)) {
    const number = Number(value);
    if (number >= 1e12) return now + number - server;
    return number >= 1e9 ? now + number * 1_000 - server : now + number * 1_000;
  }
  if (/^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(value)) {
    const parts = [...value.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)];
    return now + parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (unitMs[String(unit)] ?? 0), 0);
  }
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : now + date - server;
}
