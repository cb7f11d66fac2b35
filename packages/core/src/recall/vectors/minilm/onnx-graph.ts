/** Builds a computation as an ONNX model: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto */
import { bytesField, type Fields, floatField, integerField, joined, messageField, textField } from './protobuf.ts';

/** Element types with their numbers in the format. */
const elementTypes = { float: 1, int64: 7, half: 10 } as const;

export type ElementType = keyof typeof elementTypes;

/** The name of a value in the model. */
export type Value = string;

/** What goes in or comes out; a dimension that varies has a name. */
export interface Door {
  readonly name: string;
  readonly type: ElementType;
  readonly shape: readonly (string | number)[];
}

/** Settings of an operation: numbers with a fraction apart from whole ones, since the format tells them apart. */
export interface Attributes {
  readonly integers?: Readonly<Record<string, number | readonly number[]>>;
  readonly floats?: Readonly<Record<string, number>>;
}

/** A model in the making: each call adds to it and names what it gives. */
export interface OnnxGraph {
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
export function createOnnxGraph(): OnnxGraph {
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
