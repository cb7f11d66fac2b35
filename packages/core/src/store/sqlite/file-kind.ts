/** What tells the files of an SQLite database, by their first bytes and by their names. */

/** What SQLite adds to the name of a database for the files that it keeps beside it. */
export const databaseEndings = ['-wal', '-shm', '-journal'] as const;

/** What the first bytes of a database are (sqlite.org/fileformat.html#the_database_header). */
export const databaseMagic = 'SQLite format 3\0';

/** Of a write-ahead log with checksums in either byte order, and of a rollback journal. */
const otherMagics = ['377f0682', '377f0683', 'd9d505f920a163d7'];

/** The first number in the index of a write-ahead log (sqlite.org/walformat.html#the_wal_index_header). */
const indexVersion = 3_007_000;

/** True for the first 16 bytes of a database, of its log, of the log's index or of its journal. */
export function isOfDatabase(head: Buffer): boolean {
  if (head.toString('latin1', 0, databaseMagic.length) === databaseMagic) return true;
  if (otherMagics.some((magic) => head.toString('hex').startsWith(magic))) return true;
  return head.length >= 8 && [head.readUInt32LE(0), head.readUInt32BE(0)].includes(indexVersion);
}
