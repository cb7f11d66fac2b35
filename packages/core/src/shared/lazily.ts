/**
 * A value that is made when it is first asked for, and kept: a table or a pattern that takes long to make costs a program
 * nothing at its start, and one that never needs it nothing at all. The engine parses a pattern where `new RegExp` is run,
 * and a class such as `\p{L}` in it takes it longer than a hundred lines of code.
 */
export function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
