/** One form for all spellings of a word: lower case, no accents, the usual width. */

const beyondAscii = /[^\0-\x7f]/;

/** A text in lower case, without accents, and with usual characters in the place of full-width and half-width ones. */
export function fold(text: string): string {
  if (!beyondAscii.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
    .replaceAll('ı', 'i');
}
