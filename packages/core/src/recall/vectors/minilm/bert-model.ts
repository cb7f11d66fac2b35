/**
 * The BERT encoder (Devlin et al. 2018, https://arxiv.org/abs/1810.04805) with the mean of its tokens as the vector of a
 * text (Reimers and Gurevych 2019, https://arxiv.org/abs/1908.10084): from weights to a model that a runtime can run.
 */
import { PalimpsestError } from '../../../shared/errors.ts';
import { createOnnxGraph, type OnnxGraph, type Value } from './onnx-graph.ts';
import type { Tensor } from './safetensors.ts';

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
