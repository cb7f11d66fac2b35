/** Reads the safetensors format: https://huggingface.co/docs/safetensors */
import { PalimpsestError } from '../../../shared/errors.ts';
import { isJsonObject, type JsonValue, parseJson } from '../../../shared/json.ts';

/** A tensor as it lies in the file: numbers from the lowest byte on, the last dimension side by side. */
export interface Tensor {
  /** Such as `F16`. */
  readonly type: string;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

const lengthBytes = 8;

/** The tensors of a file by name. Throws `BAD_OPTION` for what is no such file. */
export function readSafetensors(file: Uint8Array, path: string): ReadonlyMap<string, Tensor> {
  if (file.length < lengthBytes) throw noWeights(path);
  const headerEnd = lengthBytes + Number(new DataView(file.buffer, file.byteOffset).getBigUint64(0, true));
  const header =
    headerEnd > file.length ? undefined : parseJson(new TextDecoder().decode(file.subarray(lengthBytes, headerEnd)));
  if (!isJsonObject(header)) throw noWeights(path);
  const body = file.subarray(headerEnd);
  const tensors = Object.entries(header).flatMap(([name, entry]): readonly [string, Tensor][] => {
    const tensor = tensorOf(entry, body);
    return tensor ? [[name, tensor]] : [];
  });
  return new Map(tensors);
}

/** Undefined for what describes no tensor, such as notes on the file. */
function tensorOf(entry: JsonValue, body: Uint8Array): Tensor | undefined {
  if (!isJsonObject(entry) || typeof entry.dtype !== 'string') return undefined;
  const [shape, [from, to]] = [numbersOf(entry.shape), numbersOf(entry.data_offsets)];
  return from === undefined || to === undefined
    ? undefined
    : { type: entry.dtype, shape, bytes: body.subarray(from, to) };
}

const numbersOf = (value: JsonValue | undefined): readonly number[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'number') : [];

const noWeights = (path: string): PalimpsestError =>
  new PalimpsestError(
    'BAD_OPTION',
    `Expected the weights of a model in safetensors format at ${path}; install its package again.`,
    {
      evidence: { path },
    },
  );
