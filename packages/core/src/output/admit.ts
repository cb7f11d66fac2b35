/** Which texts of which results have to go, and in which order. */
import { isMcpResult } from './envelope.ts';
import { limitOf, type OutputLimits, type ToolLimits } from './limits.ts';
import type { Shortener } from './shorten.ts';
import { type AnyResult, charsOf, type HeldText, isForeign, textsOf, toolNameOf } from './tool-output.ts';
import { isOwnTool, pageFrameChars } from './tools/names.ts';

/** What results are held to, and what makes them shorter. */
export interface Admission {
  readonly limits: OutputLimits;
  readonly tools: ToolLimits;
  readonly shorten: Shortener;
}

/** A result within the limit of its tool: its largest texts go first. */
export async function admitResult<R extends AnyResult>(result: R, admission: Admission): Promise<R> {
  if (isLeftAlone(result, admission)) return result;
  const inEnvelope = (): boolean =>
    chars > admission.limits.mcpResult && textsOf(result).some(({ text }) => isMcpResult(text));
  let chars = charsOf(result);
  const limit = limitOf(toolNameOf(result), admission.limits, { ...admission.tools, inEnvelope });
  let admitted = result;
  for (const held of chars > limit ? largestTexts(result) : []) {
    if (chars <= limit) break;
    const shorter = await admission.shorten(admitted, held, chars - limit);
    admitted = shorter.result;
    chars -= shorter.saved;
  }
  return admitted;
}

/** Results that fit together: the largest go first, and those of pinned tools only when nothing else is left. */
export async function admitResults<R extends AnyResult>(
  results: readonly R[],
  admission: Admission,
): Promise<readonly R[]> {
  const admitted: R[] = [];
  for (const result of results) admitted.push(await admitResult(result, admission));
  const limit = admission.limits.turn;
  let chars = admitted.reduce((sum, result) => sum + charsOf(result), 0);
  for (const { at, held } of chars > limit ? largestOf(admitted, admission) : []) {
    const result = admitted[at];
    if (chars <= limit || result === undefined) break;
    const shorter = await admission.shorten(result, held, chars - limit);
    admitted[at] = shorter.result;
    chars -= shorter.saved;
  }
  return admitted.some((result, at) => result !== results[at]) ? admitted : results;
}

/**
 * Results of the provider's own tools go back as they came. Our tools hold themselves to a page, and saving a page of what
 * is saved would never end.
 */
function isLeftAlone(result: AnyResult, { limits }: Admission): boolean {
  if (isForeign(result)) return true;
  return isOwnTool(toolNameOf(result)) && charsOf(result) <= limits.page + pageFrameChars;
}

interface Candidate {
  readonly at: number;
  readonly held: HeldText;
}

function largestOf(results: readonly AnyResult[], admission: Admission): readonly Candidate[] {
  const { pinned } = admission.tools.config;
  return results
    .map((result, at) => ({
      result,
      at,
      isPinned: Number(pinned.includes(toolNameOf(result))),
      chars: charsOf(result),
    }))
    .filter(({ result }) => !isLeftAlone(result, admission))
    .sort((one, other) => one.isPinned - other.isPinned || other.chars - one.chars || one.at - other.at)
    .flatMap(({ result, at }) => largestTexts(result).map((held) => ({ at, held })));
}

const largestTexts = (result: AnyResult): readonly HeldText[] =>
  textsOf(result).toSorted((one, other) => other.text.length - one.text.length || one.at - other.at);
