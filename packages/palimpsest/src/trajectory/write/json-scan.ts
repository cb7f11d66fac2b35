/** Tells whether bytes that come in pieces are one JSON value (RFC 8259), without keeping them: a large record is never held whole. */

type State =
  | 'value'
  /** Behind an opening bracket, where its closing one may follow too. */
  | 'firstValue'
  | 'firstKey'
  | 'key'
  | 'colon'
  /** Behind a value. */
  | 'behind'
  | 'text'
  | 'escape'
  | 'hex'
  /** Within a number, or one of the three words. */
  | 'scalar'
  | 'broken';

const [quote, backslash, comma, colon, openList, closeList, openObject, closeObject] = [
  34, 92, 44, 58, 91, 93, 123, 125,
];
const escapes: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'));
const letterU = 117;
const isSpace = (byte: number): boolean => byte === 32 || byte === 10 || byte === 13 || byte === 9;
const isHex = (byte: number): boolean => /[\da-f]/i.test(String.fromCharCode(byte));
const scalars = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
const scalarSign = /[\w.+-]/;
/** Nobody means a longer number. */
const longestScalar = 1_000;

export class JsonScan {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  /** The brackets that are open. */
  readonly #open: number[] = [];
  #state: State = 'value';
  #isKey = false;
  #hexLeft = 0;
  #scalar = '';

  /** True once it is certain that this is no JSON, whatever follows. */
  get isBroken(): boolean {
    return this.#state === 'broken';
  }

  take(bytes: Uint8Array): void {
    try {
      this.#decoder.decode(bytes, { stream: true });
    } catch {
      this.#state = 'broken';
    }
    for (let at = 0; at < bytes.length && this.#state !== 'broken'; at++) this.#sign(bytes[at] ?? 0);
  }

  /** Whether what came is one whole value. */
  isWhole(): boolean {
    if (this.#state === 'scalar') this.#endScalar();
    try {
      this.#decoder.decode();
    } catch {
      this.#state = 'broken';
    }
    return this.#state === 'behind' && this.#open.length === 0;
  }

  #sign(byte: number): void {
    switch (this.#state) {
      case 'text':
        this.#inText(byte);
        return;
      case 'escape':
        this.#hexLeft = 4;
        this.#state = byte === letterU ? 'hex' : escapes.has(byte) ? 'text' : 'broken';
        return;
      case 'hex':
        if (!isHex(byte)) this.#state = 'broken';
        else if (--this.#hexLeft === 0) this.#state = 'text';
        return;
      case 'scalar':
        if (this.#addToScalar(byte)) return;
        this.#endScalar();
        if (!this.isBroken && !isSpace(byte)) this.#state = this.#next(byte);
        return;
      default:
        if (!isSpace(byte)) this.#state = this.#next(byte);
    }
  }

  #inText(byte: number): void {
    if (byte === backslash) this.#state = 'escape';
    else if (byte === quote) this.#state = this.#isKey ? 'colon' : 'behind';
    else if (byte < 32) this.#state = 'broken';
  }

  /** What follows a sign between values. */
  #next(byte: number): State {
    switch (this.#state) {
      case 'firstValue':
        return byte === closeList ? this.#close(openList) : this.#value(byte);
      case 'value':
        return this.#value(byte);
      case 'firstKey':
        return byte === closeObject ? this.#close(openObject) : this.#key(byte);
      case 'key':
        return this.#key(byte);
      case 'colon':
        return byte === colon ? 'value' : 'broken';
      case 'behind':
        return this.#behind(byte);
      default:
        return 'broken';
    }
  }

  #value(byte: number): State {
    this.#isKey = false;
    if (byte === quote) return 'text';
    if (byte === openList || byte === openObject) {
      this.#open.push(byte);
      return byte === openList ? 'firstValue' : 'firstKey';
    }
    this.#scalar = '';
    return this.#addToScalar(byte) ? 'scalar' : 'broken';
  }

  #key(byte: number): State {
    this.#isKey = true;
    return byte === quote ? 'text' : 'broken';
  }

  #behind(byte: number): State {
    const around = this.#open.at(-1);
    if (byte === comma && around !== undefined) return around === openList ? 'value' : 'key';
    if (byte === closeList) return this.#close(openList);
    return byte === closeObject ? this.#close(openObject) : 'broken';
  }

  #close(opened: number): State {
    return this.#open.pop() === opened ? 'behind' : 'broken';
  }

  #addToScalar(byte: number): boolean {
    const sign = String.fromCharCode(byte);
    if (!scalarSign.test(sign) || this.#scalar.length >= longestScalar) return false;
    this.#scalar += sign;
    return true;
  }

  #endScalar(): void {
    this.#state = scalars.test(this.#scalar) ? 'behind' : 'broken';
  }
}
