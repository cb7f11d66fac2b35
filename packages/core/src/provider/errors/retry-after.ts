/** How long a provider asks to wait: in headers, in a member of the body, or in its words. */

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** One header, whatever holds it: `Headers`, a map, or an object in any case. */
export function headerIn(headers: object, name: string): string | undefined {
  const get: unknown = Reflect.get(headers, 'get');
  const value: unknown =
    typeof get === 'function'
      ? Reflect.apply(get, headers, [name])
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' || typeof first === 'number' ? String(first) : undefined;
}

/** Seconds that the headers ask to wait; a date is read against the date of the answer. */
export function secondsInHeaders(headers: object): number | undefined {
  const ms = Number.parseFloat(headerIn(headers, 'retry-after-ms') ?? '');
  if (ms >= 0) return wholeSeconds(ms);
  const after = headerIn(headers, 'retry-after') ?? '';
  if (/^\s*\d+(?:\.\d+)?\s*$/.test(after)) return wholeSeconds(Number(after) * 1_000);
  const wait = Date.parse(after) - Date.parse(headerIn(headers, 'date') ?? '');
  return wait >= 0 ? wholeSeconds(wait) : undefined;
}

/** "Please retry in 34s", "try again in 6m0s", "Please retry after 60 seconds", "try again in 250ms". */
export function secondsInText(text: string): number | undefined {
  const amount =
    /\b(?:retry|try again|wait)\b.{0,20}?\b(?:after|in|for)? ?((?:\d+(?:\.\d+)? ?(?:ms|[hms])[a-z]* ?)+)/i.exec(text);
  return amount?.[1] === undefined ? undefined : secondsOf(amount[1]);
}

/** `34s`, `1.5s`, `6m0s`, `60 seconds`, `250ms`. */
export function secondsOf(duration: string): number | undefined {
  const parts = [...duration.matchAll(/(\d+(?:\.\d+)?) ?(ms|[hms])/gi)];
  if (parts.length === 0) return undefined;
  return wholeSeconds(
    parts.reduce((sum, [, number, unit]) => sum + Number(number) * (unitMs[String(unit).toLowerCase()] ?? 0), 0),
  );
}

const wholeSeconds = (ms: number): number => Math.ceil(ms / 1_000);
