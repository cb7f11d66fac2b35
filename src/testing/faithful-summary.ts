/** The script that stands in for a model that does its work well. */
import type { Reply } from './reply.ts';
import { type FakeRequest, promptText } from './request.ts';

/** Placeholder: the first lines of the prompt. */
export function faithfulSummary(request: FakeRequest): Reply {
  return { text: promptText(request).slice(0, 400) };
}
