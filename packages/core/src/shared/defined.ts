/** An object without the members that are undefined: optional members are left out, not set to undefined. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The members that are there. */
export function defined<T extends object>(members: T): Defined<T> {
  // What was left out is optional in the type.
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;
}
