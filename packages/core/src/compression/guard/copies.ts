/** What an engine of others is shown: copies that cannot be changed, which are known again when they come back. */

/** Shows lists to an engine, and takes its lists back. */
export interface Copies<M> {
  /** The list in frozen copies; the same message always gets the same copy. */
  shown(messages: readonly M[]): readonly M[];
  /** The message that a copy was made of; undefined for one that was not. */
  original(message: unknown): M | undefined;
}

export function createCopies<M>(): Copies<M> {
  const copies = new WeakMap<object, unknown>();
  const originals = new WeakMap<object, M>();
  const copyOf = (message: M): M => {
    if (typeof message !== 'object' || message === null) return message;
    const known = copies.get(message);
    // Made below from this very message.
    if (known !== undefined) return known as M;
    const copy = frozenCopy(message);
    copies.set(message, copy);
    if (typeof copy === 'object' && copy !== null) originals.set(copy, message);
    return copy;
  };
  return {
    shown: (messages) => Object.freeze(messages.map(copyOf)),
    original: (message) => (typeof message === 'object' && message !== null ? originals.get(message) : undefined),
  };
}

/** A deep copy of plain values that nobody can change; bytes are copied, since they cannot be frozen. Takes any depth. */
export function frozenCopy<T>(value: T): T {
  const copies = new Map<object, object>();
  const copyOf = (inner: unknown): unknown => {
    if (typeof inner !== 'object' || inner === null) return inner;
    const known = copies.get(inner);
    if (known) return known;
    if (inner instanceof Uint8Array) return inner.slice();
    const copy = Array.isArray(inner) ? [] : {};
    copies.set(inner, copy);
    return copy;
  };
  const root = copyOf(value);
  // A Map hands out what is added while it is walked.
  for (const [source, copy] of copies) {
    for (const key of Object.keys(source)) put(copy, key, copyOf(Reflect.get(source, key)));
    Object.freeze(copy);
  }
  // A copy has the shape of what it was made of.
  return root as T;
}

/** Assigned, a key `__proto__` would be lost. */
function put(copy: object, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(copy, key, { value, enumerable: true });
  else Reflect.set(copy, key, value);
}
