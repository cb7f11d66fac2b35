/** What leads to a list that was chosen: without its points it tells nothing, with them it says what they are. */
import type { Corpus, LineStats } from './corpus.ts';
import { leadsIn } from './cues.ts';

/** Points this near behind it are its list. */
const reach = 3;

/** The assistant's lines that lead to one of the chosen, of the newest message first. Linear in their messages' lines. */
export function leadsTo(chosen: ReadonlySet<LineStats>, { messageLines }: Corpus): readonly LineStats[] {
  const messages = new Set([...chosen].filter(({ told }) => told.length > 0).map(({ lastMessage }) => lastMessage));
  return [...messages]
    .sort((a, b) => b - a)
    .flatMap((message) => {
      const own = (messageLines[message] ?? []).filter(({ speaker }) => speaker === 'assistant');
      return own.filter(
        (line, i) =>
          line.lastMessage === message &&
          !chosen.has(line) &&
          leadsIn(line.text) &&
          own.slice(i + 1, i + 1 + reach).some((next) => chosen.has(next)),
      );
    });
}
