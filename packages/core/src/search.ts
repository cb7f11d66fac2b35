/** `@palimpsest/core/search`: what was said, found again by words, by meaning and by place. */

export { type AiSdkEmbedderOptions, type AiSdkEmbeddingModel, aiSdkEmbedder } from './provider/ai-sdk-model.ts';
export {
  type ExpandedMessage,
  type ExpandToolOptions,
  expandedText,
  expandSession,
} from './recall/expand-tool.ts';
export {
  conversationTitle,
  isTitle,
  isTitleStart,
  type Lineage,
  lineageOf,
  lineageTitle,
  readLineage,
  transcriptTitle,
} from './recall/read/lineage.ts';
export { sessionNamed } from './recall/read/named.ts';
export {
  type AroundMessage,
  type ReadConversation,
  readAround,
  readConversation,
  type ShownMessage,
  shownMessages,
} from './recall/read/read.ts';
export { indexesOf, refOf, sourceRanges, spansOf } from './recall/refs.ts';
export { modelExpander, type QueryExpander } from './recall/search/expansion.ts';
export type { FoundConversation, SearchAnswer, SearchHit, SearchOptions } from './recall/search/options.ts';
export type { Passage } from './recall/search/passage.ts';
export { search } from './recall/search/search.ts';
export { filterRoles, type SearchScope } from './recall/session-search/arguments.ts';
export {
  type Discovery,
  discover,
  type FoundGroup,
  type FoundMessage,
  recentConversations,
} from './recall/session-search/discover.ts';
export {
  type SessionSearchOptions,
  type SessionSearchTool,
  sessionSearchTool,
} from './recall/session-search/session-search.ts';
export {
  type GroupSummary,
  summarizeGroups,
} from './recall/session-search/summarize-groups.ts';
export type {
  RecallCandidate,
  RecalledWord,
  TurnRecall,
  TurnRecallOptions,
  TurnRecallReason,
  TurnRecallReport,
  TurnRecallRequest,
} from './recall/turn/options.ts';
export { createTurnRecall } from './recall/turn/turn-recall.ts';
export {
  type EmbeddedMessages,
  type Embedder,
  type EmbeddingProgress,
  type EmbedOptions,
  embedMessages,
} from './recall/vectors/embed-messages.ts';
export { type LoadPackage, loadMiniLm, type MiniLmOptions } from './recall/vectors/minilm/mini-lm.ts';
