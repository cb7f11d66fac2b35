/** Large numbers in few characters. */

const units = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const;

/** `950`, `1.2k`, `34.5M`, `1.2G`; what rounds to a thousand of a unit is one of the next. */
export function shortCount(count: number): string {
  const [size, unit] = units.find(([least]) => count >= least * 0.9995) ?? [1, ''];
  if (unit === '') return String(Math.round(count));
  const scaled = count / size;
  return `${scaled.toFixed(scaled < 99.95 ? 1 : 0)}${unit}`;
}
