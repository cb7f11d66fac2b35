/** `@palimpsest/core/search`: what was said, found again by words, by meaning and by place. */

export { type AiSdkEmbedderOptions, type AiSdkEmbeddingModel, aiSdkEmbedder } from './provider/ai-sdk-embedder.ts';
export { type ExpandedMessage, expandSession } from './recall/expand-tool.ts';
export { conversationTitle, transcriptTitle } from './recall/read/conversation-title.ts';
export { isTitle, isTitleStart } from './recall/read/find-conversation.ts';
export { type Lineage, lineageOf, readLineage } from './recall/read/lineage.ts';
export { type AroundMessage, type ReadConversation, readAround, readConversation } from './recall/read/read.ts';
export { type ShownMessage, shownMessages } from './recall/read/shown-message.ts';
export { indexesOf, refOf } from './recall/refs.ts';
export type { FoundConversation, SearchAnswer, SearchHit } from './recall/search/answer.ts';
export type { SearchOptions } from './recall/search/options.ts';
export type { Passage } from './recall/search/passage.ts';
export { search } from './recall/search/search.ts';
export type { SearchScope } from './recall/session-search/arguments.ts';
export { filterRoles } from './recall/session-search/definition.ts';
export { type Discovery, discover } from './recall/session-search/discover.ts';
export type { FoundGroup, FoundMessage } from './recall/session-search/found-group.ts';
export { recentConversations } from './recall/session-search/recent.ts';
export {
  type SessionSearchOptions,
  type SessionSearchTool,
  sessionSearchTool,
} from './recall/session-search/session-search.ts';
export {
  type GroupSummary,
  summarizeGroups,
} from './recall/session-search/summarize-groups.ts';
export { sourceRanges, spansOf } from './recall/source-ranges.ts';
export {
  type EmbeddedMessages,
  type EmbeddingProgress,
  type EmbedOptions,
  embedMessages,
} from './recall/vectors/embed-messages.ts';
export type { Embedder } from './recall/vectors/embedder.ts';
export { type LoadPackage, loadMiniLm, type MiniLmOptions } from './recall/vectors/minilm/mini-lm.ts';
