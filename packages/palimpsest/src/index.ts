/** `palimpsest`: what the command line brings along for programs: plugins, hooks of a configuration, models by name, and a
 * transcript played again under other policies. */

export type { HookCommand, HooksConfig } from './config/config.ts';
export {
  type CommandHooks,
  type HookCommandOptions,
  hooksFromConfig,
} from './hooks/hooks-from-config.ts';
export {
  type ChooseProviderOptions,
  type ChosenProvider,
  chooseMemoryProvider,
  type MemoryProviderHost,
} from './memory-providers/choose-provider.ts';
export type { ImportPackage } from './memory-providers/optional-package.ts';
export type { ProviderBasis, ProviderQuestion } from './memory-providers/provider-host.ts';
export { memoryProviderNames, shippedProvider } from './memory-providers/provider-list.ts';
export { type ProviderSetUp, providerQuestions, setUpProvider } from './memory-providers/set-up.ts';
export { type LoadSummarizerOptions, loadSummarizer } from './models/load-model.ts';
export type { ModelChoice, ModelRequest } from './models/resolve-model.ts';
export { type ChooseEngineOptions, type ChosenEngine, chooseEngine } from './plugins/choose-engine.ts';
export {
  createPluginRegistry,
  type EngineFactory,
  type EngineHost,
  type OpenRegistry,
  type PluginRegistry,
} from './plugins/engine-host.ts';
export { type PlaceOptions, type PluginFolder, type PluginPlaces, pluginPlaces } from './plugins/load-plugin.ts';
export type { PolicyOutcome, SimulatedCall } from './simulate/outcome.ts';
export type { LossyEvent } from './simulate/replay.ts';
export { type Simulation, type SimulationOptions, simulate, simulationPolicies } from './simulate/simulate.ts';
export {
  type CompressTrajectoryFilesOptions,
  compressTrajectoryFiles,
  type TrajectoryFileReport,
  type TrajectoryReport,
} from './trajectory/compress-files.ts';
export type { BrokenLine } from './trajectory/consume.ts';
export {
  type ConversionReport,
  type ConvertTrajectoryFilesOptions,
  convertTrajectoryFiles,
} from './trajectory/convert-files.ts';
export type { CostEstimate } from './trajectory/model/estimate.ts';
export type { ModelTotals } from './trajectory/model/spending.ts';
export type { ModelUse } from './trajectory/model/summary-desk.ts';
export type { TrajectoryQueueOptions } from './trajectory/queue/queue-options.ts';
export type { RecordSource } from './trajectory/record-source.ts';
export type { TrajectoryProgress } from './trajectory/run-progress.ts';
export {
  type SessionRecords,
  type SessionRecordsFilter,
  type SessionRecordsOptions,
  sessionRecords,
} from './trajectory/session-records.ts';
export {
  resolveTrajectoryConfig,
  type TrajectoryConfig,
  type TrajectorySettings,
  trajectoryConfigDefaults,
} from './trajectory/settings/config.ts';
export {
  type TrajectoryFileStats,
  type TrajectoryFileStatsOptions,
  trajectoryFileStats,
} from './trajectory/stats-files.ts';
