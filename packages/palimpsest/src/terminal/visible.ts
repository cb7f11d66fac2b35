/** Text that others wrote, made harmless for a terminal. */

const unsafe = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The text with every control character but tabs and line breaks written as its code. */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(unsafe, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}
