/** Writes notes one by one, and corrects every fifth: `node writer.ts FOLDER NAME COUNT`. Tells what must be there in the end. */
import { openMemoryFiles } from '../../../../packages/core/src/memory/files/memory-files.ts';
import type { MemoryOperation } from '../../../../packages/core/src/memory/files/operations.ts';

const [folder = '', name = '', count = '0'] = process.argv.slice(2);
const files = openMemoryFiles({
  folder,
  check: () => undefined,
  limits: { memory: 1_000_000 },
  lock: { waitMs: 120_000 },
});
const expected: string[] = [];

async function write(operation: MemoryOperation): Promise<void> {
  const outcome = await files.apply('memory', [operation]);
  if (outcome.type === 'refused') throw new Error(`${JSON.stringify(operation)}: ${outcome.refusal.type}`);
}

/** Read without the lock, while others write. */
async function requireValid(): Promise<void> {
  const { entries } = await files.read('memory');
  const odd = entries.find(
    ({ text }) => !/^(?:writer \d note \d+(?: instead of .+)?|[a-z]+(?:~[a-z]+){4})$/.test(text),
  );
  if (odd || entries.length === 0) throw new Error(`The file is not valid: ${odd?.text}`);
}

for (let i = 0; i < Number(count); i++) {
  const last = expected.at(-1);
  const isCorrection = i % 5 === 4 && last !== undefined;
  const content = `writer ${name} note ${i}${isCorrection ? ` instead of ${last}` : ''}`;
  if (isCorrection) {
    await write({ action: 'replace', entry: { text: last }, content });
    expected.pop();
  } else await write({ action: 'add', content });
  expected.push(content);
  if (i % 10 === 0) await requireValid();
}
process.stdout.write(JSON.stringify(expected));
