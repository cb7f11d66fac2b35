/** The text format of Prometheus. */

/** A number for each set of labels. */
export interface Counter {
  readonly add: (labels: string, by: number) => void;
  readonly lines: () => readonly Sample[];
}

/** What follows the name of a metric, and its value. */
export type Sample = readonly [rest: string, value: number];

export function counter(): Counter {
  const values = new Map<string, number>();
  return {
    add: (labels, by) => void values.set(labels, (values.get(labels) ?? 0) + by),
    lines: () => [...values].map(([labels, value]) => [`{${labels}}`, value]),
  };
}

/** A metric with its help, and its samples. */
export function metric(
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
