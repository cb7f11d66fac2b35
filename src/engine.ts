/**
 * The public entry `palimpsest/engine`: the engine that keeps a context inside its window, for a loop of your own, and
 * what it takes to write another one.
 */

export { ContextCompressor, type LoopMessage } from './compression/context-compressor.ts';
export type { CompressorOptions } from './compression/engine.ts';
export type { CompressionResult, Ref } from './compression/result.ts';
export { type CompressionConfig, type CompressionOptions, compressionDefaults } from './config/compression.ts';
export { BaseEngine } from './context/base-engine.ts';
export { contextEngineDefaults, defineEngine, type EngineParts, engineState } from './context/define-engine.ts';
export type {
  CompressOptions,
  ContextEngine,
  EngineModel,
  EngineState,
  EngineStatus,
  EngineTool,
  EngineUsage,
  SessionStart,
} from './context/engine.ts';
export { guardEngine } from './plugins/guard/guard-engine.ts';
export type { GuardOptions } from './plugins/guard/guarded.ts';
export type { Timers } from './provider/deadlines.ts';
export { type ErrorCode, PalimpsestError } from './shared/errors.ts';
export type { JsonObject, JsonValue } from './shared/json.ts';
export type { Message } from './transcript/message.ts';
