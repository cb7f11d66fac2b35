/** What a program is given of an answer: all of it, but for the blocks of ours that the model repeats in its text. */
import { createScrubber, type Scrubber, scrub } from '../memory/fence/scrubber.ts';
import type { GenerateResult, StreamPart } from './interface.ts';

/** The same answer where there is nothing to take out. Every part stays, and what is no text of the answer stays as it is. */
export function shownAnswer(answer: GenerateResult): GenerateResult {
  let hasFence = false;
  const content = answer.content.map((part) => {
    const text = part.type === 'text' ? scrub(part.text) : undefined;
    if (part.type !== 'text' || text === undefined || text === part.text) return part;
    hasFence = true;
    return { ...part, text };
  });
  return hasFence ? { ...answer, content } : answer;
}

/** The parts of a stream as they are shown. */
export interface ShownParts {
  /** What stands for the next part: the part itself, behind text that was held back, or nothing while it could be a block. */
  next(part: StreamPart): readonly StreamPart[];
  /** Text that was held back when the stream ended without saying so. */
  rest(): readonly StreamPart[];
}

export function createShownParts(): ShownParts {
  const open = new Map<string, Scrubber>();
  const scrubberFor = (id: string): Scrubber => {
    const scrubber = open.get(id) ?? createScrubber();
    open.set(id, scrubber);
    return scrubber;
  };
  const closed = (id: string): readonly StreamPart[] => {
    const delta = open.get(id)?.flush() ?? '';
    open.delete(id);
    return delta === '' ? [] : [{ type: 'text-delta', id, delta }];
  };
  const rest = (): readonly StreamPart[] => [...open.keys()].flatMap(closed);
  return {
    next(part) {
      switch (part.type) {
        case 'text-delta': {
          const delta = scrubberFor(part.id).push(part.delta);
          if (delta === part.delta) return [part];
          return delta === '' && part.providerMetadata === undefined ? [] : [{ ...part, delta }];
        }
        case 'text-end':
          return [...closed(part.id), part];
        case 'error':
        case 'finish':
          return [...rest(), part];
        default:
          return [part];
      }
    },
    rest,
  };
}
