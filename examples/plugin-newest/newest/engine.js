// A context engine in one small file without imports: `createEngine` gets everything it needs.

/** How many groups (a call with its results, or a message) stay as they are, unless `plugins.options.newest.groups` is set. */
const defaultGroups = 12;
const mostCharacters = 300;

/** @param {import('palimpsest').EngineHost} host */
export function createEngine({ name, options, defineEngine, groupsOf, messageText, isFromPerson }) {
  const keep = typeof options.groups === 'number' ? Math.max(1, options.groups) : defaultGroups;
  return defineEngine({
    name,
    // Like the built-in engine with large windows: long before the window is full.
    threshold: 0.5,
    hasContentToCompress: (messages) => groupsOf(messages).length > keep + 4,
    async compress(messages) {
      const opening = messages.findIndex(({ role }) => role !== 'system');
      const groups = groupsOf(messages);
      const first = groups.at(-keep);
      // Returning the same list means that there is nothing to do.
      if (opening < 0 || !first || first.start <= opening + 1) return messages;
      const middle = messages.slice(opening, first.start);
      const tail = messages.slice(first.start);
      // The newest request stays word for word, wherever it is.
      const request = tail.some(isFromPerson) ? undefined : middle.findLast(isFromPerson);
      const asked = middle.filter((message) => isFromPerson(message) && message !== request).map(messageText);
      const before = middle
        .filter(({ origin }) => origin === 'summary')
        .flatMap((message) => listed(messageText(message)));
      const rows = [...before, ...asked.map(oneLine)];
      const text = ['[CONTEXT SUMMARY] Earlier messages were left out. What the user has asked for so far:', ...rows];
      const summary = { role: 'user', origin: 'summary', parts: [{ type: 'text', text: text.join('\n') }] };
      const smaller = [...messages.slice(0, opening), summary, ...(request ? [request] : []), ...tail];
      return smaller.length < messages.length ? smaller : messages;
    },
  });
}

/** The rows of a list that an earlier compression made. */
const listed = (text) => text.split('\n').filter((line) => line.startsWith('- '));

const oneLine = (text) => `- ${text.replaceAll(/\s+/g, ' ').slice(0, mostCharacters)}`;
