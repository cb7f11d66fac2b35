/**
 * The BERT encoder (Devlin et al. 2018, https://arxiv.org/abs/1810.04805) with the mean of its tokens as the vector of a
 * text (Reimers and Gurevych 2019, https://arxiv.org/abs/1908.10084): from weights to a model that a runtime can run.
 */
import { PalimpsestError } from '../../../shared/errors.ts';
import { isJsonObject, type JsonValue, parseJson } from '../../../shared/json.ts';

export interface BertShape {
  readonly layers: number;
  readonly heads: number;
  /** Numbers a token, and a text. */
  readonly width: number;
}

/** Names of what goes in (tokens, and 1 for those that are no padding) and of what comes out. */
export const bertDoors = { tokens: 'tokens', mask: 'mask', vectors: 'vectors' } as const;

/** Added to the attention for padding, so that nothing of it is heard. */
const silence = -10_000;

interface Parts {
  readonly graph: OnnxGraph;
  readonly shape: BertShape;
  /** Weights by name. */
  readonly weight: (name: string) => Value;
}

/** The model for texts of any number and length. Throws `BAD_OPTION` when weights are missing. */
export function bertModel(tensors: ReadonlyMap<string, Tensor>, shape: BertShape): Uint8Array {
  const graph = createOnnxGraph();
  const parts: Parts = { graph, shape, weight: (name) => weightOf(graph, tensors, name) };
  const mask = graph.toFloat(bertDoors.mask);
  const shown = graph.apply('Unsqueeze', [mask, graph.integers(1, 2)]);
  const hidden = graph.apply('Mul', [graph.apply('Sub', [graph.float(1), shown]), graph.float(silence)]);
  let state = embeddings(parts);
  for (let layer = 0; layer < shape.layers; layer++) state = encoderLayer(parts, state, { layer, hidden });
  const input = { type: 'int64', shape: ['texts', 'tokens'] } as const;
  return graph.model(
    [
      { ...input, name: bertDoors.tokens },
      { ...input, name: bertDoors.mask },
    ],
    { name: bertDoors.vectors, type: 'float', shape: ['texts', shape.width] },
    meanOfTokens(graph, state, mask),
  );
}

function weightOf(graph: OnnxGraph, tensors: ReadonlyMap<string, Tensor>, name: string): Value {
  const tensor = tensors.get(name);
  if (tensor?.type === 'F16') return graph.toFloat(graph.tensor('half', tensor.shape, tensor.bytes));
  if (tensor?.type === 'F32') return graph.tensor('float', tensor.shape, tensor.bytes);
  const message = `Expected the weights ${name} as F16 or F32, got ${tensor ? tensor.type : 'none'}; these are not the weights of the model.`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { name } });
}

/** Words, their places, and the kind of text (always the first). */
function embeddings({ graph, weight, ...parts }: Parts): Value {
  const [zero, one] = [graph.integer(0), graph.integer(1)];
  const length = graph.apply('Gather', [graph.apply('Shape', [bertDoors.tokens]), one]);
  const places = graph.apply('Range', [zero, length, one]);
  const words = graph.apply('Gather', [weight('embeddings.word_embeddings.weight'), bertDoors.tokens]);
  const position = graph.apply('Gather', [weight('embeddings.position_embeddings.weight'), places]);
  const kind = graph.apply('Gather', [weight('embeddings.token_type_embeddings.weight'), zero]);
  const sum = graph.apply('Add', [graph.apply('Add', [words, position]), kind]);
  return normal({ graph, weight, ...parts }, sum, 'embeddings.LayerNorm');
}

interface Layer {
  readonly layer: number;
  readonly hidden: Value;
}

function encoderLayer(parts: Parts, state: Value, { layer, hidden }: Layer): Value {
  const { graph } = parts;
  const name = `encoder.layer.${layer}`;
  const heard = linear(
    parts,
    attention(parts, state, { name: `${name}.attention.self`, hidden }),
    `${name}.attention.output.dense`,
  );
  const next = normal(parts, graph.apply('Add', [heard, state]), `${name}.attention.output.LayerNorm`);
  const inner = gelu(graph, linear(parts, next, `${name}.intermediate.dense`));
  const outer = graph.apply('Add', [linear(parts, inner, `${name}.output.dense`), next]);
  return normal(parts, outer, `${name}.output.LayerNorm`);
}

function attention(
  parts: Parts,
  state: Value,
  { name, hidden }: { readonly name: string; readonly hidden: Value },
): Value {
  const { graph, shape } = parts;
  const size = shape.width / shape.heads;
  const byHead = (kind: string, order: readonly number[]): Value => {
    const split = graph.apply('Reshape', [
      linear(parts, state, `${name}.${kind}`),
      graph.integers(0, 0, shape.heads, size),
    ]);
    return graph.apply('Transpose', [split], { integers: { perm: order } });
  };
  const fits = graph.apply('MatMul', [byHead('query', [0, 2, 1, 3]), byHead('key', [0, 2, 3, 1])]);
  const scaled = graph.apply('Mul', [fits, graph.float(1 / Math.sqrt(size))]);
  const shares = graph.apply('Softmax', [graph.apply('Add', [scaled, hidden])], { integers: { axis: -1 } });
  const heard = graph.apply('MatMul', [shares, byHead('value', [0, 2, 1, 3])]);
  const together = graph.apply('Transpose', [heard], { integers: { perm: [0, 2, 1, 3] } });
  return graph.apply('Reshape', [together, graph.integers(0, 0, shape.width)]);
}

function linear({ graph, weight }: Parts, value: Value, name: string): Value {
  const turned = graph.apply('Transpose', [weight(`${name}.weight`)], { integers: { perm: [1, 0] } });
  return graph.apply('Add', [graph.apply('MatMul', [value, turned]), weight(`${name}.bias`)]);
}

function normal({ graph, weight }: Parts, value: Value, name: string): Value {
  const attributes = { integers: { axis: -1 }, floats: { epsilon: 1e-12 } };
  return graph.apply('LayerNormalization', [value, weight(`${name}.weight`), weight(`${name}.bias`)], attributes);
}

/** x · Φ(x), by the error function: https://arxiv.org/abs/1606.08415 */
function gelu(graph: OnnxGraph, value: Value): Value {
  const error = graph.apply('Erf', [graph.apply('Mul', [value, graph.float(Math.SQRT1_2)])]);
  const half = graph.apply('Mul', [value, graph.float(0.5)]);
  return graph.apply('Mul', [half, graph.apply('Add', [graph.float(1), error])]);
}

/** The mean of the tokens that are no padding, brought to length 1. */
function meanOfTokens(graph: OnnxGraph, state: Value, mask: Value): Value {
  const counted = graph.apply('Unsqueeze', [mask, graph.integers(2)]);
  const axis = graph.integers(1);
  const total = { integers: { keepdims: 0 } };
  const sum = graph.apply('ReduceSum', [graph.apply('Mul', [state, counted]), axis], total);
  const mean = graph.apply('Div', [sum, graph.apply('ReduceSum', [counted, axis], total)]);
  return graph.apply('LpNormalization', [mean], { integers: { axis: -1, p: 2 } });
}

/** Builds a computation as an ONNX model: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto */
/** Element types with their numbers in the format. */
const elementTypes = { float: 1, int64: 7, half: 10 } as const;

type ElementType = keyof typeof elementTypes;

/** The name of a value in the model. */
type Value = string;

/** What goes in or comes out; a dimension that varies has a name. */
interface Door {
  readonly name: string;
  readonly type: ElementType;
  readonly shape: readonly (string | number)[];
}

/** Settings of an operation: numbers with a fraction apart from whole ones, since the format tells them apart. */
interface Attributes {
  readonly integers?: Readonly<Record<string, number | readonly number[]>>;
  readonly floats?: Readonly<Record<string, number>>;
}

/** A model in the making: each call adds to it and names what it gives. */
interface OnnxGraph {
  tensor(type: ElementType, shape: readonly number[], bytes: Uint8Array): Value;
  integers(...values: readonly number[]): Value;
  integer(value: number): Value;
  float(value: number): Value;
  apply(operation: string, inputs: readonly Value[], attributes?: Attributes): Value;
  /** Converts to numbers of 32 bits. */
  toFloat(value: Value): Value;
  /** The bytes of the finished model, which gives `result` under the name of `output`. */
  model(inputs: readonly Door[], output: Door, result: Value): Uint8Array;
}

/** Versions of the format and of its set of operations: the oldest that have all that is used here. */
const formatVersion = 8;
const operationsVersion = 17;

/** An empty model. */
function createOnnxGraph(): OnnxGraph {
  const nodes: Fields[] = [];
  const tensors: Fields[] = [];
  let count = 0;

  function node(
    operation: string,
    inputs: readonly Value[],
    [output, attributes]: readonly [Value, Attributes],
  ): Value {
    const names = [...inputs.map((input) => textField(1, input)), textField(2, output), textField(4, operation)];
    nodes.push(messageField(1, ...names, ...attributeFields(attributes)));
    return output;
  }

  const graph: OnnxGraph = {
    tensor(type, shape, bytes) {
      const name = `t${count++}`;
      const sizes = shape.map((size) => integerField(1, size));
      const about = [integerField(2, elementTypes[type]), textField(8, name), bytesField(9, bytes)];
      tensors.push(messageField(5, ...sizes, ...about));
      return name;
    },
    integers: (...values) => graph.tensor('int64', [values.length], int64Bytes(values)),
    integer: (value) => graph.tensor('int64', [], int64Bytes([value])),
    float: (value) => graph.tensor('float', [], new Uint8Array(Float32Array.of(value).buffer)),
    apply: (operation, inputs, attributes = {}) => node(operation, inputs, [`v${count++}`, attributes]),
    toFloat: (value) => graph.apply('Cast', [value], { integers: { to: elementTypes.float } }),
    model(inputs, output, result) {
      node('Identity', [result], [output.name, {}]);
      const doors = [...inputs.map((input) => doorField(11, input)), doorField(12, output)];
      const body = messageField(7, ...nodes, textField(2, 'model'), ...tensors, ...doors);
      return joined(integerField(1, formatVersion), body, messageField(8, integerField(2, operationsVersion)));
    },
  };
  return graph;
}

const attributeTypes = { float: 1, integer: 2, integers: 7 } as const;

function attributeFields({ integers = {}, floats = {} }: Attributes): readonly Fields[] {
  const attribute = (name: string, type: keyof typeof attributeTypes, values: readonly Fields[]): Fields =>
    messageField(5, textField(1, name), integerField(20, attributeTypes[type]), ...values);
  return [
    ...Object.entries(integers).map(([name, value]) =>
      typeof value === 'number'
        ? attribute(name, 'integer', [integerField(3, value)])
        : attribute(
            name,
            'integers',
            value.map((one) => integerField(8, one)),
          ),
    ),
    ...Object.entries(floats).map(([name, value]) => attribute(name, 'float', [floatField(2, value)])),
  ];
}

function doorField(field: number, { name, type, shape }: Door): Fields {
  const sizes = shape.map((size) =>
    messageField(1, typeof size === 'string' ? textField(2, size) : integerField(1, size)),
  );
  const tensor = messageField(1, integerField(1, elementTypes[type]), messageField(2, ...sizes));
  return messageField(field, textField(1, name), messageField(2, tensor));
}

const int64Bytes = (values: readonly number[]): Uint8Array =>
  new Uint8Array(BigInt64Array.from(values, (value) => BigInt(value)).buffer);

// Writes Protocol Buffers, as far as a model needs it: https://protobuf.dev/programming-guides/encoding/

/** The fields of a message, one behind the other; a field may lie in several pieces. */
type Fields = readonly Uint8Array[];

const wireTypes = { varint: 0, bytes: 2, fixed32: 5 } as const;

/** A whole number, of 64 bits where it is negative. */
const integerField = (field: number, value: number): Fields => [
  Uint8Array.from([...varint(field * 8 + wireTypes.varint), ...varint(value)]),
];

/** A number of 32 bits with a fraction. */
function floatField(field: number, value: number): Fields {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value, true);
  return [Uint8Array.from(varint(field * 8 + wireTypes.fixed32)), bytes];
}

const textField = (field: number, value: string): Fields => bytesField(field, new TextEncoder().encode(value));

/** Bytes as they are; large ones are not copied here. */
const bytesField = (field: number, value: Uint8Array): Fields => [
  Uint8Array.from([...varint(field * 8 + wireTypes.bytes), ...varint(value.length)]),
  value,
];

/** A message inside a message. */
function messageField(field: number, ...fields: readonly Fields[]): Fields {
  const pieces = fields.flat();
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return [Uint8Array.from([...varint(field * 8 + wireTypes.bytes), ...varint(length)]), ...pieces];
}

/** All fields in one piece of memory. */
function joined(...fields: readonly Fields[]): Uint8Array {
  const pieces = fields.flat();
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

function varint(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return [...bytes, Number(rest)];
}

// Reads the safetensors format: https://huggingface.co/docs/safetensors

/** A tensor as it lies in the file: numbers from the lowest byte on, the last dimension side by side. */
interface Tensor {
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
