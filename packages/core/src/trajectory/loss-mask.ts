/** Which tokens of a record a loss is computed for, and where each of its turns comes from. */
import { isJsonObject, type JsonObject, type JsonValue } from '../shared/json.ts';
import type { Told } from './assemble-turns.ts';
import type { Turn } from './turn.ts';
import type { NewFields, NewTurn } from './write.ts';

/** Tokens from the first to before the last, counted over the texts of all turns behind each other. */
export type TokenRange = readonly [from: number, to: number];

/** The ranges of the turns that bear labels: those of the model that stand word for word as they were. */
export function lossRanges(
  turns: readonly Turn[],
  made: readonly NewTurn[],
  tokens: readonly number[],
): readonly TokenRange[] {
  const ranges: [number, number][] = [];
  let at = 0;
  for (const [index, turn] of made.entries()) {
    const end = at + (tokens[index] ?? 0);
    const bears = turn.type === 'kept' && turns[turn.at]?.speaker === 'gpt';
    const last = ranges.at(-1);
    if (bears && last?.[1] === at) last[1] = end;
    else if (bears && end > at) ranges.push([at, end]);
    at = end;
  }
  return ranges;
}

/** How the summaries of a record came to be. */
export type SummarySource = 'ledger' | 'model' | 'ledger after the model failed';

/** Where what is new in a record comes from: by turn of the new record, the turns of the original that it stands for. */
export function provenanceOf(
  made: readonly NewTurn[],
  told: readonly (Told & { readonly source: SummarySource })[],
  originalTurns: number,
): JsonObject {
  const summaries = told.map(({ from, to, text, source }) => ({
    turn: made.findIndex((turn) => turn.type === 'made' && turn.pieces.includes(text)),
    stands_for: { start_idx: from, end_idx: to },
    written_by: source,
  }));
  const clipped = made.flatMap((turn, at) => (turn.type === 'changed' ? [{ turn: at, original_turn: turn.at }] : []));
  return { original_turns: originalTurns, summaries, ...(clipped.length === 0 ? {} : { changed: clipped }) };
}

/** Takes away what an earlier run told in a record, known by its form. */
export function withoutEarlier(record: JsonValue): NewFields {
  if (!isJsonObject(record)) return {};
  const { loss_mask: mask, provenance } = record;
  const isMask = Array.isArray(mask) && mask.every(isRange);
  const isProvenance = isJsonObject(provenance) && 'original_turns' in provenance && 'summaries' in provenance;
  return { ...(isMask && { loss_mask: undefined }), ...(isProvenance && { provenance: undefined }) };
}

const isRange = (value: JsonValue): boolean =>
  Array.isArray(value) && value.length === 2 && value.every((at) => typeof at === 'number');
