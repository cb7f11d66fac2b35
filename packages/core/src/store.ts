/** `@palimpsest/core/store`: where conversations are kept: opening, importing, exporting, compressing and repairing. */

export { readStartAnswer } from './conversation/call-hooks.ts';
export {
  type CompressSessionOptions,
  compressSession,
  type SessionCompression,
} from './conversation/compress/compress-session.ts';
export {
  keptForSession,
  storedCompressor,
  transcriptWithKept,
} from './conversation/compress/stored.ts';
export { writeEpisode } from './conversation/episodes.ts';
export {
  listPins,
  type PinList,
  type PinnedMessage,
  type PinReport,
  type PinRequest,
  type PinRoom,
  pinMessage,
  type UnpinReport,
  unpinMessage,
} from './conversation/pins.ts';
export { isEnvelope } from './output/spill.ts';
export { bytesText, size } from './output/text.ts';
export { type OutputScope, outputMeant, outputsIn, placesOf } from './output/tools/find-output.ts';
export { placeholderFor, placeLabel } from './redaction/placeholder.ts';
export { redactPiece } from './redaction/redact.ts';
export { rules } from './redaction/rules.ts';
export type { EpisodeFilter, EpisodeStore, StoredEpisode } from './store/episode-store.ts';
export { type ExportOptions, exportSession } from './store/export-session.ts';
export type { Instant, MessageId, SessionId } from './store/ids.ts';
export type { ImportOutcome } from './store/import-place.ts';
export { type ImportedSession, type ImportOptions, importTranscripts } from './store/import-transcript.ts';
export {
  type MemoryAct,
  type MemoryActDraft,
  type MemoryActId,
  type MemoryActor,
  type MemoryChange,
  type MemoryDraft,
  type MemoryEntry,
  type MemoryEntryId,
  type MemoryFilter,
  type MemoryKind,
  type MemorySource,
  type MemoryStatus,
  type MemoryStore,
  memoryKinds,
  memorySources,
} from './store/memory-store.ts';
export { messageBody } from './store/message-body.ts';
export type {
  Appended,
  AppendOptions,
  MessageStore,
  SessionRange,
  StoredMessage,
  ViewRange,
} from './store/message-store.ts';
export { openStore, rescueStore, restoreStore, type StoreOptions } from './store/open-store.ts';
export type { PinDraft, Pinned, PinStore, StoredPin } from './store/pin-store.ts';
export {
  type Candidate,
  type CandidateQuery,
  isInProject,
  type MessageVectors,
  type MissingVectors,
  type SearchFilter,
  type SearchIndex,
  type SimilarMessage,
  type VectorModel,
  type VectorQuery,
  type VectorStore,
} from './store/search-index.ts';
export {
  type ContinuationDraft,
  type Conversation,
  type ConversationFilter,
  type Deleted,
  isBrokenAnswer,
  type Lease,
  type LeaseStore,
  newestSession,
  type Session,
  type SessionDraft,
  type SessionRelation,
  type SessionStore,
  type TakenBack,
  type TitleOrigin,
} from './store/session-store.ts';
export { databaseEndings, giveName, isOfDatabase } from './store/sqlite/file.ts';
export type {
  CareFinding,
  CareReport,
  LostMessage,
  MetaStore,
  OutputHit,
  OutputId,
  OutputLines,
  OutputSearch,
  OutputStore,
  RescueReport,
  SavedOutput,
  Store,
  StoreCare,
} from './store/store.ts';
export { cleanTitle, titleNumber } from './store/title.ts';
export {
  type Activity,
  type AddUsageOptions,
  type LargestConversation,
  type SessionUsage,
  sumUsage,
  type UsageEntry,
  type UsageFilter,
  type UsageRow,
  type UsageSpan,
  type UsageStore,
  type UsageTotals,
} from './store/usage-store.ts';
