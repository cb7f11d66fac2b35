/** What the model that wrote a summary was shown: whatever it did not see is named here, so that nothing is cut silently. */
import type { Ref } from '../ref.ts';

/** How much of something was shown, of how much there is. */
export interface Shown {
  readonly read: number;
  readonly of: number;
}

/** A record that was shown with its middle left out. */
export interface ShortenedRecord {
  readonly ref: Ref;
  /** As the record is labelled, without the ref: `USER`, `TOOL RESULT bash → ok`. */
  readonly label: string;
  /** Characters that it has, and that were left out. */
  readonly characters: number;
  readonly leftOut: number;
}

/** A message of which nothing was shown. */
export interface SkippedMessage {
  readonly ref: Ref;
  /** The summary of an earlier compression, which is given as such; or nothing but thoughts, signatures or white space. */
  readonly why: 'earlier summary' | 'nothing to read';
}

/** An attachment that only a mark stands for, such as `image image/png`. */
export interface ShownAttachment {
  readonly ref: Ref;
  readonly what: 'image' | 'file' | 'base64';
}

/** Messages that one call of the model read. */
export interface PartRead {
  readonly from: Ref;
  readonly to: Ref;
  readonly messages: number;
  /** Tokens of their records. */
  readonly tokens: number;
}

/** What the model was shown of the messages. */
export interface SummaryCoverage {
  readonly messages: Shown;
  /** Without attachments, signatures and thoughts. */
  readonly characters: Shown;
  readonly tokens: Shown;
  readonly shortened: readonly ShortenedRecord[];
  readonly skipped: readonly SkippedMessage[];
  readonly attachments: readonly ShownAttachment[];
  /** One entry where everything fitted one call; several where parts were summarised first and then merged. */
  readonly parts: readonly PartRead[];
  /** The window that all this was fitted to; `assumed` when nobody knows the model's own. */
  readonly window: { readonly model: string; readonly tokens: number; readonly assumed: boolean };
  /**
   * Set where the summary was asked for as a continuation of the conversation's own request: the model had seen everything as it
   * was sent, and nothing was shortened for it.
   */
  readonly continued?: true;
  /** Whether the facts of the ledger were shown: they are left out where the window has no room for them. */
  readonly facts: 'shown' | 'none' | 'no room';
}
