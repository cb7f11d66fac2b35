/** Any language model of the AI SDK as the model that writes summaries. */
import type { Summarizer } from '../compression/summarize/summarizer.ts';
import { type AiSdkSummarizerOptions, aiSdkSummarizer } from '../provider/ai-sdk-summarizer.ts';
import type { AnyModel } from './interface.ts';

/**
 * A summariser for `summarizer`, and for the `fallback` of another one: every summary it writes is checked against the record. Give it a model
 * that was not wrapped. Throws `BAD_OPTION` for what is no model object.
 */
export const summarize = (model: AnyModel, options?: AiSdkSummarizerOptions): Summarizer =>
  aiSdkSummarizer(model, options);
