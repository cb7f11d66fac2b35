/** What a provider said, for a person to read. */
import { redact } from '../../redaction/redact.ts';

/** Longer texts of providers are cut: some send the whole request back. */
const shownChars = 300;

/** One line of what a provider said, with a bounded length and without the key that some of them repeat. */
export function saidLine(messages: readonly string[]): string {
  // Wrappers say little: "Provider returned error". The longest message is the one that knows what happened, unless it is
  // the same with its JSON around it.
  const plain = messages.filter((message) => !message.includes('{'));
  const longest = (plain.length > 0 ? plain : messages).toSorted((a, b) => b.length - a.length)[0] ?? '';
  const line = redact(longest).replaceAll(/\s+/g, ' ').replaceAll('"', "'").trim().replace(/\.$/, '');
  return line.length > shownChars ? `${line.slice(0, shownChars)}…` : line;
}
