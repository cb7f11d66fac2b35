/** What a person means by the title that is shown of a conversation. */

/** True for the title in any case. */
export const isTitle = (title: string, wanted: string): boolean => plain(title) === plain(wanted) && title !== '';

/** True for a text that ends in `…`, as where a table has cut it, and the title begins so. */
export function isTitleStart(title: string, wanted: string): boolean {
  const text = plain(wanted);
  const start = text.replace(/\s*(?:…|~|\.\.\.)$/, '');
  return start !== '' && start !== text && plain(title).startsWith(start);
}

const plain = (text: string): string => text.trim().toLowerCase();
