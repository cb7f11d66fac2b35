/** The object without the members that are undefined: optional members are left out, not set to undefined. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The members that are there. */
export function defined<const T extends object>(object: T): Defined<T> {
  const kept: Record<string, unknown> = {};
  for (const name in object) {
    const value: unknown = object[name];
    // An assignment to this name would set no member.
    if (name === '__proto__') return Object.fromEntries(Object.entries(object).filter(isDefined)) as Defined<T>;
    if (value !== undefined) kept[name] = value;
  }
  // Leaving out exactly the undefined members gives what `Defined` says.
  return kept as Defined<T>;
}

const isDefined = ([, value]: readonly [string, unknown]): boolean => value !== undefined;
