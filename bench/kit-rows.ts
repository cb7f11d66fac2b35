/** The rows of the evaluation kit, checked as they come in. */
import { isJsonObject, type JsonObject, type JsonValue } from '../packages/core/src/shared/json.ts';

/** A share of needles that one result kept; null where there were too few to say. */
export interface NeedleRow {
  readonly adapter: string;
  /** Tokens, or `summary` for the size of the real summary. */
  readonly budget: string;
  readonly session: string;
  readonly project: string;
  readonly tokens: number;
  /** Tokens over the budget. */
  readonly over: number;
  readonly ms: number | null;
  readonly strict: number | null;
  readonly lenient: number | null;
  readonly inContext: number | null;
  readonly farStrict: number | null;
  /** Needles kept, and how many there were, by kind. */
  readonly kinds: ReadonlyMap<string, readonly [number, number]>;
}

export const measures = ['strict', 'lenient', 'inContext', 'farStrict'] as const;
export type Measure = (typeof measures)[number];

/** A mean with its 95 % interval, as shares. */
export interface Interval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** One budget and adapter over all cases, or its difference to another adapter on the same cases. */
export interface Summary extends Readonly<Record<Measure, Interval | null>> {
  readonly budget: string;
  readonly adapter: string;
  /** Whom a difference is taken to; absent for a mean. */
  readonly reference?: string;
}

/** What became of one planted sentence. */
export interface PlantedRow {
  readonly adapter: string;
  readonly budget: string;
  readonly session: string;
  readonly role: string;
  readonly kind: string;
  readonly key: boolean;
  readonly meaning: boolean;
  readonly tokens: number;
  readonly over: number;
}

/** What one result tells of a case. */
export interface StoryRow {
  readonly adapter: string;
  /** Tokens, or `summary` for the size of the real summary. */
  readonly budget: string;
  readonly session: string;
  readonly tokens: number;
  /** Statements told, and how many there were, by kind. */
  readonly kinds: ReadonlyMap<string, readonly [number, number]>;
  /** Shares of the tokens that read as sentences, and that are bare names. */
  readonly prose: number;
  readonly names: number;
}

/** How much of one of our results is bare names. */
export interface NamesRow {
  readonly budget: number;
  readonly status: string;
  readonly nameTokens: number;
  readonly tokens: number;
}

export const needleRows = (json: JsonValue): readonly NeedleRow[] => listOf(json, 'rows').map(needleRow);
export const plantedRows = (json: JsonValue): readonly PlantedRow[] => listOf(json, 'rows').map(plantedRow);
export const storyRows = (json: JsonValue): readonly StoryRow[] =>
  (Array.isArray(json) ? json : wrong('a list', json)).map(storyRow);
export const summaries = (json: JsonValue): readonly Summary[] => listOf(json, 'summaries').map(summary);
export const differences = (json: JsonValue): readonly Summary[] => listOf(json, 'differences').map(summary);

export function namesRow(value: JsonValue): NamesRow {
  const row = objectOf(value);
  const { budget, nameTokens, tokens } = row;
  return { budget: number(budget), status: text(row.status), nameTokens: number(nameTokens), tokens: number(tokens) };
}

function needleRow(value: JsonValue): NeedleRow {
  const row = objectOf(value);
  const kinds = Object.entries(objectOf(row.kinds)).map(([kind, pair]) => [kind, pairOf(pair)] as const);
  return {
    adapter: text(row.adapter),
    budget: String(row.budget),
    session: text(row.session),
    project: text(row.project),
    tokens: number(row.tokens),
    over: number(row.over),
    ms: maybe(row.ms),
    strict: maybe(row.strict),
    lenient: maybe(row.lenient),
    inContext: maybe(row.inContext),
    farStrict: maybe(row.farStrict),
    kinds: new Map(kinds),
  };
}

function plantedRow(value: JsonValue): PlantedRow {
  const row = objectOf(value);
  return {
    adapter: text(row.adapter),
    budget: String(row.budget),
    session: text(row.session),
    role: text(row.role),
    kind: text(row.kind),
    key: row.key === true,
    meaning: row.meaning === true,
    tokens: number(row.tokens),
    over: number(row.over),
  };
}

function storyRow(value: JsonValue): StoryRow {
  const row = objectOf(value);
  const kinds = listOf(row, 'shares')
    .map(objectOf)
    .map((share) => {
      return [text(share.kind), [number(share.told), number(share.n)]] as const;
    });
  return {
    adapter: text(row.adapter),
    budget: String(row.budget),
    session: text(row.session),
    tokens: number(row.tokens),
    kinds: new Map(kinds),
    prose: number(row.prose),
    names: number(row.names),
  };
}

function summary(value: JsonValue): Summary {
  const row = objectOf(value);
  return {
    budget: String(row.budget),
    adapter: text(row.adapter),
    strict: interval(row.strict),
    lenient: interval(row.lenient),
    inContext: interval(row.inContext),
    farStrict: interval(row.farStrict),
    ...(typeof row.reference === 'string' ? { reference: row.reference } : {}),
  };
}

function interval(value: JsonValue | undefined): Interval | null {
  if (value === null || value === undefined) return null;
  const { mean, low, high } = objectOf(value);
  return { mean: number(mean), low: number(low), high: number(high) };
}

function listOf(json: JsonValue, key: string): readonly JsonValue[] {
  const list = objectOf(json)[key];
  return Array.isArray(list) ? list : wrong(`a list "${key}"`, list);
}

function pairOf(value: JsonValue): readonly [number, number] {
  const [kept, of] = Array.isArray(value) ? value : [];
  return [number(kept), number(of)];
}

const objectOf = (value: JsonValue | undefined): JsonObject =>
  isJsonObject(value) ? value : wrong('an object', value);
const number = (value: JsonValue | undefined): number => (typeof value === 'number' ? value : wrong('a number', value));
const maybe = (value: JsonValue | undefined): number | null => (typeof value === 'number' ? value : null);
const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : wrong('a text', value));

function wrong(expected: string, value: JsonValue | undefined): never {
  throw new Error(`expected ${expected} from the evaluation kit, got ${String(JSON.stringify(value)).slice(0, 60)}`);
}
