/** The port to the health of a store: what is wrong with it, what can be rebuilt, and copies of it. */

/** Something that a check looked at. */
export interface CareFinding {
  readonly check: 'integrity' | 'foreign keys' | 'index' | 'views' | 'content' | 'leases' | 'file';
  readonly ok: boolean;
  /** One sentence for a person: what was found, and what to do. */
  readonly message: string;
  /** True for what `repair` can put right without touching a message. */
  readonly repairable: boolean;
}

/** What a check found. */
export interface CareReport {
  readonly findings: readonly CareFinding[];
  readonly ok: boolean;
  /** Where the store is, as a person would look for it. */
  readonly where: string;
  /** Bytes on disk, and the schema's version. */
  readonly bytes: number;
  readonly version: number;
  readonly messages: number;
  readonly sessions: number;
}

/** Checks, repairs and copies a store. */
export interface StoreCare {
  /** Looks at everything; changes nothing. */
  check(onProgress?: (done: number, all: number) => void): Promise<CareReport>;
  /** Rebuilds what can be rebuilt (indexes, views, counts), never a message. */
  repair(onProgress?: (done: number, all: number) => void): Promise<CareReport>;
  /** A consistent copy while others write. Refuses a file that exists. Returns its bytes. */
  backup(path: string): Promise<number>;
}
