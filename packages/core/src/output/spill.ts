/** Saves a text of a result whole, and says what stands for it. */
import { outcomeOf } from '../compression/outcome.ts';
import { readReport } from '../compression/result-report.ts';
import { PalimpsestError } from '../shared/errors.ts';
import type { SessionId } from '../store/ids.ts';
import type { OutputStore, SavedOutput } from '../store/output-store.ts';
import type { ToolResultPart } from '../transcript/message.ts';
import { type Envelope, openEnvelope } from './envelope.ts';
import { failureLines } from './failure-lines.ts';
import { noticeText } from './notice.ts';
import { previewOf } from './preview.ts';
import { type AnyResult, toolNameOf } from './tool-output.ts';

/** Where results are saved, and how much of them is shown. */
export interface SpillOptions {
  readonly outputs: OutputStore;
  readonly sessionId?: SessionId;
  readonly previewChars: number;
}

interface SpilledText {
  readonly type: 'spilled';
  /** What stands for it. */
  readonly text: string;
  /** Whether the call failed, where the result or the tool says so. */
  readonly isError: boolean | undefined;
}

/** A text that was saved, or why it was not. */
export type Spilled = SpilledText | { readonly type: 'failed'; readonly reason: string; readonly error: unknown };

/** The preview is at most this share of what it stands for, so that a notice is shorter than the text. */
const previewShare = 0.25;

/** Saves a text of a result. Never throws. */
export async function spill(text: string, result: AnyResult, options: SpillOptions): Promise<Spilled> {
  try {
    return await saveAndTell(text, result, options);
  } catch (error) {
    return { type: 'failed', reason: reasonOf(error), error };
  }
}

/** Behind the name of the tool, for the envelope that a text was taken out of. */
const envelopeMark = ' (envelope)';

/** True for the tool of an output that is an envelope: its text is an output of its own. */
export const isEnvelope = (tool: string | undefined): boolean => tool?.endsWith(envelopeMark) === true;

async function saveAndTell(text: string, result: AnyResult, options: SpillOptions): Promise<SpilledText> {
  const toolName = toolNameOf(result).slice(0, 200);
  const envelope = openEnvelope(text);
  const body = envelope?.text ?? text;
  const output = await save(body, toolName, options);
  const wrapping = envelope && (await save(text, toolName + envelopeMark, options));
  const isError = result.isError ?? saysFailure(text, result, envelope);
  const previewChars = Math.min(options.previewChars, Math.floor(text.length * previewShare));
  const outcome = outcomeOf(undefined, partOf(body, result, isError));
  const notice = noticeText({
    output,
    toolName,
    outcome,
    isError,
    failureLines: failureLines(body, outcome),
    preview: previewOf(body, previewChars),
    ...(envelope && wrapping ? { envelope: { id: wrapping.id, metadata: envelope.metadata } } : {}),
  });
  return { type: 'spilled', text: notice, isError };
}

/** Under its session where the store knows it; a session that begins later must not cost a result. */
async function save(text: string, tool: string, { outputs, sessionId }: SpillOptions): Promise<SavedOutput> {
  const about = tool === '' ? {} : { tool };
  const saved = await saveUnder(text, sessionId === undefined ? about : { ...about, sessionId });
  if (saved.characters === text.length) return saved;
  const message = `Expected the store to save ${text.length} characters, but it reports ${saved.characters}.`;
  throw new PalimpsestError('STORE_DAMAGED', message, { evidence: { id: saved.id } });

  async function saveUnder(content: string, under: { tool?: string; sessionId?: SessionId }): Promise<SavedOutput> {
    try {
      return await outputs.save(content, under);
    } catch (error) {
      const isNew = under.sessionId !== undefined && PalimpsestError.isInstance(error) && error.code === 'ID_UNKNOWN';
      if (!isNew) throw error;
      return outputs.save(content, about);
    }
  }
}

/** True when the tool says in fields of its own that it failed: the notice has no such fields. */
const saysFailure = (text: string, result: AnyResult, envelope: Envelope | undefined): true | undefined =>
  envelope?.isError || readReport(partOf(text, result, undefined), 'all').failed === true ? true : undefined;

const partOf = (text: string, result: AnyResult, isError: boolean | undefined): ToolResultPart => ({
  type: 'toolResult',
  callId: result.callId,
  name: toolNameOf(result),
  content: [{ type: 'text', text }],
  ...(isError === undefined ? {} : { isError }),
});

const reasonOf = (error: unknown): string => (PalimpsestError.isInstance(error) ? error.code : 'the store failed');
