/**
 * Every name that the packages export, by door. Adding one is a promise, removing one breaks somebody: change these lists
 * knowingly.
 */
export interface DoorNames {
  /** Functions, classes and values. */
  readonly values: readonly string[];
  readonly types: readonly string[];
}

/** A list of words. */
const words = (text: string): readonly string[] => text.split(/\s+/).filter(Boolean);

export const publicNames: Readonly<Record<string, DoorNames>> = {
  'packages/core/src/index.ts': {
    values: words(`
      PalimpsestError SummarizerError afterAnswer aiSdkSummarizer cacheRulesFor cacheTargetOf classifyFailure compress
      compressionDefaults conversationTokens createConversations createOutputBudget createOutputTools createRecord
      estimateTextTokens estimatingTokenizer exactTokenizer expand findSecrets formatNames fromOpenAiChat isAiSdkModel
      knownWindows loadEncoding markAnthropic markCompletions messageTokens modelInfo noRecovery normaliseUsage
      outputDefaults planBreakpoints priceOf readTranscripts recoveryFor redact repair spilledOutput toOpenAiChat
      tokenizerFor validate verifySummary writeTranscript
    `),
    types: words(`
      AiSdkModel AiSdkSummarizerOptions AnswerReading BackgroundReport BranchReport BranchRequest Breakpoint
      CacheLayout CacheOptions CacheTarget CacheTtl CachedModel CallOutcome ClaimType CompressFailure CompressOptions
      CompressReport CompressRequest CompressTool CompressionConfig CompressionOptions CompressionResult
      CompressionStart CompressionStartAnswer ContextCompression ContextRequest ContextShares ContextSize
      ConversationHooks ConversationNotice ConversationOptions ConversationProvider ConversationRecord
      ConversationRuntime ConversationWriter Encoding EncodingName ErrorCode Expanded Extra FailedCall FailureLimits
      FailureReason FailureSession Fate FilePart Finding FormatName Group Handoff HandoffLine HookCall ImagePart
      KeepRequest KnownWindows LearntWindow LeftOutLine LineReason LowerWindow MarkedMessage MarkedRequest MarkedText MemoryRecall
      MemoryRules MemoryUse Message MessageFate MissingFact ModelInfo NextStep Origin OtherPart OutputBudget
      OutputBudgetOptions OutputConfig OutputOptions OutputTool OutputToolsOptions OverTarget Part PinList PinReport
      PinRequest PinnedMessage PreparedContext ProviderFailure ReadAnswer ReadFinding ReadOptions ReadResult
      ReasoningPart Recall RecallRequest Recovery RecoveryState RecoveryStep Ref RepairOptions Repaired ReportedUsage
      ResultContent Role Rule Secret SessionContinue SessionEvent SessionMemory SourceSpan StrippedParts Summarizer
      SummaryAttempt SummaryCall SummaryCallReport SummaryChange SummaryCoverage SummaryProgress SummaryReply
      SummaryReport SummaryUsage TextPart Tokenizer ToolCallPart ToolOutput ToolResultPart Transcript UndoReport
      UndoRequest UnpinReport ValidateOptions Verification VerifyOptions WindowSource WrongClaim
    `),
  },
  'packages/core/src/engine.ts': {
    values: words(`
      BaseEngine ContextCompressor PalimpsestError badPlugin budgetsFor cacheLayouts compressList compressionDefaults
      contextEngineDefaults createChatCompressor createCompressor createLedger defineEngine engineListMaker
      engineState focusOn guardEngine inTime intentOf ledgerOf lifeOf lineEvidence messageCounter newRewritePlan noPressure
      notePressure nowhere outcomeOf ownListMaker parseTokenCount planCompressed planRewrite planSent
      plannedCompression reasonOf refAt resolveEngine rewriteOptionsFor stateKeys storyOf summaryModelShare
      summaryTokens templates thresholdTokens toolSchemaTokens unwrapHandoff
    `),
    types: words(`
      Action ActionType Ask Budgets CacheLife CompressListOptions CompressOptions CompressedRequest CompressionConfig
      CompressionHooks CompressionOptions CompressionResult Compressor CompressorOptions ContextEngine Decision
      EngineListOptions EngineModel EngineParts EnginePlaces EngineSource EngineState EngineStatus EngineTool
      EngineUsage Entry ErrorCode ErrorFact FailureKind FileFact GuardOptions HandoffOptions JsonObject JsonValue
      Ledger LedgerFacts LedgerOptions ListCompression ListMaker ListWork LoopMessage MadeList Message Named
      OwnListOptions PlanEntry PlannedRequest PressureNotice PressureReading PressureState Ref ResolvedEngine
      RewriteBasis RewriteDecision RewriteOptions RewritePlan SectionContent SessionStart SideEffect StoryRound
      Template TemplateSection Timers Told
    `),
  },
  'packages/core/src/ai-sdk.ts': {
    values: words(`
      adviceFor branch conversationsOf deferTools explainRecall keep palimpsestMiddleware pin pins prepareStep stop storeOf
      summarize tools transcriptOf undo unpin withPalimpsest
    `),
    types: words(`
      AiSdkSummarizerOptions AnyModel CallReport CallSettings DeferredTools MemoryPlace NamedCall Notice
      PrepareStepOptions RecallArguments RecallTool RecallTools SessionWriter StepContext StepInput SummaryWriter
      ToolsOptions WithPalimpsestOptions
    `),
  },
  'packages/core/src/store.ts': {
    values: words(`
      bytesText cleanTitle compressSession databaseEndings exportSession giveName importTranscripts isBrokenAnswer
      isEnvelope isInProject isOfDatabase keptForSession listPins memoryKinds memorySources messageBody newestSession openStore
      outputMeant outputsIn pinMessage placeLabel placeholderFor placesOf readStartAnswer redactPiece rescueStore
      restoreStore rules size storedCompressor sumUsage titleNumber transcriptWithKept unpinMessage writeEpisode
    `),
    types: words(`
      Activity AddUsageOptions AppendOptions Appended Candidate CandidateQuery CareFinding CareReport
      CompressSessionOptions ContinuationDraft Conversation ConversationFilter Deleted EpisodeFilter EpisodeStore
      ExportOptions ImportOptions ImportOutcome ImportedSession Instant LargestConversation Lease LeaseStore
      LostMessage MemoryAct MemoryActDraft MemoryActId MemoryActor MemoryChange MemoryDraft MemoryEntry MemoryEntryId
      MemoryFilter MemoryKind MemorySource MemoryStatus MemoryStore MessageId MessageStore MessageVectors MetaStore
      MissingVectors OutputHit OutputId OutputLines OutputScope OutputSearch OutputStore PinDraft PinList PinReport
      PinRequest PinRoom PinStore Pinned PinnedMessage RescueReport SavedOutput SearchFilter SearchIndex Session
      SessionCompression SessionDraft SessionId SessionRange SessionRelation SessionStore SessionUsage SimilarMessage
      Store StoreCare StoreOptions StoredEpisode StoredMessage StoredPin TakenBack TitleOrigin UnpinReport UsageEntry
      UsageFilter UsageRow UsageSpan UsageStore UsageTotals VectorModel VectorQuery VectorStore ViewRange
    `),
  },
  'packages/core/src/search.ts': {
    values: words(`
      aiSdkEmbedder conversationTitle createTurnRecall discover embedMessages expandSession expandedText filterRoles indexesOf
      isTitle isTitleStart lineageOf lineageTitle loadMiniLm modelExpander readAround readConversation readLineage
      recentConversations refOf search sessionNamed sessionSearchTool shownMessages sourceRanges spansOf summarizeGroups
      transcriptTitle
    `),
    types: words(`
      AiSdkEmbedderOptions AiSdkEmbeddingModel AroundMessage Discovery EmbedOptions EmbeddedMessages Embedder
      EmbeddingProgress ExpandToolOptions ExpandedMessage FoundConversation FoundGroup FoundMessage GroupSummary Lineage LoadPackage
      MiniLmOptions Passage QueryExpander ReadConversation RecallCandidate RecalledWord SearchAnswer SearchHit
      SearchOptions SearchScope SessionSearchOptions SessionSearchTool ShownMessage TurnRecall TurnRecallOptions
      TurnRecallReason TurnRecallReport TurnRecallRequest
    `),
  },
  'packages/core/src/memory.ts': {
    values: words(`
      builtInProvider claimsOfSaving createIdleCurator createMemory createMemoryProviders createMemoryTool
      createRememberTool createScrubber defaultMemoryLimits defaultProviderLimits fence judgeWrite memoryFileNames
      openMemoryFiles planCuration probeProvider readMemoryTexts reportUnsaved retireSource runCurator sanitize
      scanMemory scrub scrubbed sourceOfTool unfence worthKeeping writeMemoryTexts
    `),
    types: words(`
      BlockedEntry BuiltInParts CurationOptions CuratorOptions CuratorReport EditHold EntryName FinishedTurn
      HeldChanges HeldEntry HoldOptions
      IdleCuration IdleCurator IdleCuratorOptions LockOptions Memory MemoryAbout MemoryFile MemoryFiles
      MemoryFilesOptions MemoryLimits MemoryOperation MemoryOptions MemoryOutcome MemoryProvider MemoryProviders
      MemoryProvidersOptions MemoryRefusal MemorySnapshot MemoryTarget MemoryTexts MemoryTool MemoryToolOptions
      MemoryUsage MemoryVerdict MemoryWritten ProbeOptions ProbeResult ProviderCall ProviderLimits ProviderMessage
      ProviderNotes ProviderNotice ProviderQuery ProviderSession ProviderState ProviderStatus ProviderTool
      ProviderTurn ProviderWrite RecalledMemory Refusal RememberTool RememberToolOptions RetiredSource SaidTurn
      SavingClaim Scrubber Threat ThreatClass ThreatGrade ToolSourceOptions ToolSources WorthKeeping WriteOptions
      WriteVerdict WriterOptions
    `),
  },
  'packages/core/src/prompt.ts': {
    values: words(`assemblePrompt defaultToolShare planTools promptBudgets promptMaxShare scanAhead searchToolNames`),
    types: words(`
      AssembledPrompt PromptBlock PromptBudgets PromptFile PromptFinding PromptOptions ToolFinder ToolPlan
      ToolPlanOptions
    `),
  },
  'packages/core/src/formats.ts': {
    values: words(`
      carriesResults formats groupsOf isFromPerson messageHash messageText originOf readableText redactedMessage
      redactedPart toolCalls toolResults writableFormats
    `),
    types: words(''),
  },
  'packages/core/src/usage.ts': {
    values: words(`
      cacheShareOf costLabel costOf costRemarks costText dayName dayStart estimatePrice importUsage insights
      moneyLabel promptTokensIn promptTokensOf ratesFor savingsOf toolUse usualMostMessages
    `),
    types: words(`
      CacheRules DayUsage Insights InsightsOptions Price Rates Savings ToolUse ToolUseOptions ToolUses Usage
      UsageGroup UsageShape
    `),
  },
  'packages/core/src/settings.ts': {
    values: words(`
      PalimpsestError badConfig cacheLayouts checkKnownOptions compressionField count field flag formatNames graphemes
      group inside isJsonObject isObject knownKeys lazily listOf mapOf nearest nullable numberFrom oneOf outputField
      parseJson parseTokenCount parseWhen platformTimers problemLog resolveCompressionConfig snakeCase templateNames
      text unknownKey whenForms wrong
    `),
    types: words(`
      CacheLayout ErrorCode Field Fields FormatName JsonObject JsonValue KnownOptions Place TemplateName Timers
      WhenOptions
    `),
  },
  'packages/core/src/trajectories.ts': {
    values: words(`
      addMetrics addStats addSums compressTrajectory convertTrajectory emptySum isProvablyUnder metricsJson octavesOf
      percentileOf statsJson sumJson sumStats tokensAfter trajectoryDefaults trajectoryFormats trajectoryRecord
      trajectoryStats
    `),
    types: words(`
      CallLayout ConvertTrajectoryOptions ConvertedTrajectory Histogram MetricsSum Octave OverLimit ReasoningPlace
      SpeakerCounts TokenRange ToolCount TrajectoryFormat TrajectoryLayout TrajectoryLineStats TrajectoryMetrics
      TrajectoryMode TrajectoryOptions TrajectoryProtection
      TrajectoryRecordOptions TrajectoryRegion TrajectoryResult TrajectoryStats TrajectoryStatsOptions
      TrajectorySummarizer TrajectorySummaryRequest
    `),
  },
  'packages/core/src/tracing.ts': {
    values: words(`
      errorType failSpan genAi inModelCall inSpan isTraced namedModel openSpan usageAttributes
    `),
    types: words(`
      CallTokens NamedModel NamedSpan Span SpanAttributes SpanOf SpanScope SpanStart
    `),
  },
  'packages/core/src/wire.ts': {
    values: words(`
      createAnswerReader failureOf nextMessages overflowEvents overflowFailure readBody readFailure spliceBody withTurnOpening
    `),
    types: words(`
      AnswerReader AnswerReaderOptions Body BodyEntry BodyTool DialectName FailedAnswer NextMessage Overflow ProviderAct
      ReadAnswer ReadBodyOptions SpliceOptions TurnOpeningOptions WireEvent
    `),
  },
  'packages/core/src/testing.ts': {
    values: words(`
      checkEngine contractRules faithfulSummary guardEngine misbehaving misbehaviourNames misbehaviours promptText
      startFakeProvider systemText
    `),
    types: words(`
      BadReply CheckEngineOptions ContractFinding DialectName FakeProvider FakeProviderOptions FakeRequest Finish
      GuardOptions Misbehaviour MisbehaviourName MisbehaviourOptions RawReply Reply ReplyCall ReplyError ReplyUsage
      Script Wait
    `),
  },
  'packages/palimpsest/src/index.ts': {
    values: words(`
      chooseEngine chooseMemoryProvider compressTrajectoryFiles convertTrajectoryFiles createPluginRegistry hooksFromConfig loadSummarizer
      memoryProviderNames pluginPlaces providerQuestions resolveTrajectoryConfig sessionRecords setUpProvider
      shippedProvider simulate simulationPolicies trajectoryConfigDefaults trajectoryFileStats
    `),
    types: words(`
      BrokenLine ChooseEngineOptions ChooseProviderOptions ChosenEngine ChosenProvider CommandHooks
      CompressTrajectoryFilesOptions ConversionReport ConvertTrajectoryFilesOptions CostEstimate EngineFactory EngineHost HookCommand HookCommandOptions HooksConfig ImportPackage LoadSummarizerOptions LossyEvent MemoryProviderHost
      ModelChoice ModelRequest ModelTotals ModelUse OpenRegistry PlaceOptions PluginFolder PluginPlaces PluginRegistry PolicyOutcome
      ProviderBasis ProviderQuestion ProviderSetUp SimulatedCall Simulation SimulationOptions
      RecordSource SessionRecords SessionRecordsFilter SessionRecordsOptions TrajectoryFileStats
      TrajectoryFileStatsOptions
      TrajectoryConfig TrajectoryFileReport TrajectoryProgress TrajectoryQueueOptions TrajectoryReport TrajectorySettings
    `),
  },
};
