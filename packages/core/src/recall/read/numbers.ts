/**
 * Under which numbers the messages of a stored conversation are named: as they stand, or, where its client began with a
 * list that was compressed elsewhere, as the handoff in it says.
 */
import { createNumbering, type Inherited, mostOpening } from '../../compression/numbering.ts';
import { nowhere } from '../../compression/record.ts';
import type { Message } from '../../transcript/message.ts';
import { type Lineage, type ReadableStore, readLineage } from './lineage.ts';

/** Places here are numbers less one, as everywhere where messages are named. */
export interface LineageNumbers {
  /** One more than the largest place. */
  readonly size: number;
  /** Where in the lineage the message of a place stands; undefined for one that is not here. */
  indexOf(place: number): number | undefined;
  /** The place of the message at an index of the lineage. */
  placeOf(index: number): number;
  readonly inherited: Inherited | undefined;
}

/** Only the beginning of a conversation can say it, and that never changes. */
export async function lineageNumbers(store: ReadableStore, lineage: Lineage): Promise<LineageNumbers> {
  const { size } = lineage;
  const opening = await readLineage(store, lineage, { from: 0, to: mostOpening + 1 });
  const numbering = createNumbering();
  let inherited: Inherited | undefined;
  let handoffAt = 0;
  const places: number[] = [];
  const take = (message: Message, following: Message | undefined): void => {
    const { number, inherited: found } = numbering.take(message, following);
    if (found) [inherited, handoffAt] = [found, places.length];
    places.push(number - 1);
  };
  for (const [at, { message }] of opening.entries()) take(message, opening[at + 1]?.message);
  if (!inherited)
    return { size, indexOf: (place) => (place < size ? place : undefined), placeOf: (index) => index, inherited };
  // What is said behind the beginning is counted on, whatever it says.
  while (places.length < size) take(silent, undefined);
  const indexes = new Map(places.map((place, at) => [place, at]));
  indexes.set(nowhere, handoffAt);
  const largest = places.reduce((most, place) => Math.max(most, place), -1);
  return {
    size: largest + 1,
    inherited,
    indexOf: (place) => indexes.get(place),
    placeOf: (index) => places[index] ?? nowhere,
  };
}

const silent: Message = { role: 'assistant', parts: [] };
