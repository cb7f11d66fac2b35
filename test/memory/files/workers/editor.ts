/**
 * A person with an editor that knows no lock: opens the file, goes on for a while, and saves the whole of it by rename:
 * `node editor.ts PATH SEED`, until its input ends. Tells what must be there in the end.
 */
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const [path = '', seed = '1'] = process.argv.slice(2);
let state = Number(seed);
const random = (below: number): number => {
  state = (state * 48_271) % 2_147_483_647;
  return state % below;
};
let isRunning = true;
process.stdin.on('end', () => {
  isRunning = false;
});
process.stdin.resume();

const letters = 'bcdfghjklmnpqrstvwxz';
const word = (): string => Array.from({ length: 4 + random(8) }, () => letters[random(letters.length)]).join('');
const wish = (): string => Array.from({ length: 5 }, word).join('~');

/** Undefined while the file has no name: an editor would try again. */
function opened(): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

const inode = (): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino;

/** Until somebody else wrote the file once more, or there is nobody left. */
async function written(): Promise<void> {
  const before = inode();
  while (isRunning && inode() === before) await pause(1);
}

const kept: string[] = [];
let saves = 0;
while (isRunning) {
  const text = opened();
  if (text === undefined) continue;
  const wanted = wish();
  const old = random(3) === 0 ? kept[random(kept.length)] : undefined;
  const isThere = old !== undefined && text.includes(old);
  const edited = isThere ? text.replace(old, wanted) : `${text}${text === '' ? '' : '\n§\n'}${wanted}`;
  for (let writes = 1 + random(30); writes > 0 && isRunning; writes--) await written();
  writeFileSync(`${path}.swp`, edited);
  renameSync(`${path}.swp`, path);
  if (isThere) kept.splice(kept.indexOf(old), 1);
  kept.push(wanted);
  saves++;
}
process.stdout.write(JSON.stringify({ kept, saves }));
