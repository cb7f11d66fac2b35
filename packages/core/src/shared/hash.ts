/**
 * A 64-bit content hash of a string as 16 hex digits, for recognising equal content (memos, duplicates, identity).
 * Not cryptographic: whoever must not be fooled compares the content too. Two rounds of 32-bit multiply-rotate over
 * UTF-16 units, finished with the mixer of MurmurHash3 (Austin Appleby, public domain).
 */
export function contentHash(text: string): string {
  let a = 0x9e3779b1 ^ text.length;
  let b = 0x85ebca77 ^ text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x9e3779b1);
    a ^= a >>> 15;
    b = Math.imul(b ^ unit, 0xc2b2ae3d);
    b = (b << 13) | (b >>> 19);
  }
  return hex(mix(a ^ Math.imul(b, 0x27d4eb2f))) + hex(mix(b ^ Math.imul(a, 0x165667b1)));
}

function mix(value: number): number {
  let h = value;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

const hex = (value: number): string => value.toString(16).padStart(8, '0');
