/** Maps of what was seen lately. */

/** How many entries are kept. */
const kept = 10_000;

/** Puts an entry into a map that forgets the oldest ones. */
export function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= kept) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
