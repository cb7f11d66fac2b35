/**
 * The language models of the AI SDK as its types name them. Older versions of the interface (v2, v3) differ in parts that are
 * handed through as they came, so that everything here is written against the newest one.
 */
import type { LanguageModel, ModelMessage } from 'ai';

/** Any model object that `generateText` takes. */
export type AnyModel = Exclude<LanguageModel, string>;

/** A model of the newest version. */
export type Model = Extract<AnyModel, { readonly specificationVersion: 'v4' }>;

/** What a call asks for. */
export type CallOptions = Parameters<Model['doGenerate']>[0];

/** The messages of a call. */
export type Prompt = CallOptions['prompt'];

/** One of them. */
export type PromptMessage = Prompt[number];

/** A prompt of a model, or the messages of a program, whose parts are written a little differently. */
export type GivenMessages = Prompt | readonly ModelMessage[];

/** One of them. */
export type GivenMessage = GivenMessages[number];

/** An answer. */
export type GenerateResult = Awaited<ReturnType<Model['doGenerate']>>;

/** An answer that comes in parts. */
export type StreamResult = Awaited<ReturnType<Model['doStream']>>;

/** One of its parts. */
export type StreamPart = StreamResult['stream'] extends ReadableStream<infer Part> ? Part : never;

/** A piece of what a model said. */
export type Content = GenerateResult['content'][number];
