/** What people are told; nothing of it reaches the model. */
import type { ConversationSettings } from './options.ts';
import type { ConversationNotice } from './request.ts';

/** Tells whoever listens, and whoever asked. */
export function note(
  { settings }: { readonly settings: Pick<ConversationSettings, 'onNotice'> },
  { notices }: { readonly notices: ConversationNotice[] },
  notice: ConversationNotice,
): void {
  notices.push(notice);
  try {
    const heard: unknown = settings.onNotice?.(notice);
    if (heard instanceof Promise) heard.catch(() => undefined);
  } catch {
    // A listener that fails must not cost a message; the notice is in the result as well.
  }
}
