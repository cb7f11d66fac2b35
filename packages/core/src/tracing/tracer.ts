/**
 * The port to OpenTelemetry. `@opentelemetry/api` keeps the provider that a program registers at one place of the global object, which
 * all its versions of one major number share; it is read there. So nothing is imported, no bundler and no installation needs
 * the package, and where nobody has registered a provider a span costs the look for it.
 */

/** What a span may carry. What is undefined is left out. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** The part of a span of OpenTelemetry that is used here. */
export interface Span {
  setAttributes(attributes: SpanAttributes): unknown;
  setStatus(status: { readonly code: number }): unknown;
  /** @param at - When it ended. @default now */
  end(at?: Date): void;
}

/** How a span begins. */
export interface SpanStart {
  /** What was asked of this process, what it does itself, and what it asks of others. @default 'internal' */
  readonly kind?: 'server' | 'internal' | 'client';
  readonly attributes?: SpanAttributes;
  /** Milliseconds since 1970. @default now */
  readonly startedAt?: number;
}

/** Who makes the spans, as backends show it. */
export interface SpanScope {
  readonly name: string;
  readonly version: string;
}

/** The spans of the library itself. */
export const coreScope: SpanScope = { name: '@palimpsest/core', version: '0.1.0' };

/** True where the program has registered a provider: whatever is only made for spans is made then. */
export const isTraced = (): boolean => registered()?.trace !== undefined;

/** Begins a span under the active one; whoever began it ends it. Undefined where nobody listens: then `span` is not asked for. */
export function openSpan(span: () => NamedSpan): Span | undefined {
  const known = registered();
  if (!known?.trace) return undefined;
  const { name, scope = coreScope, ...start } = span();
  return tracerOf(known, scope)?.startSpan(name, optionsOf(start));
}

/** A span by its name. */
export interface NamedSpan extends SpanStart {
  readonly name: string;
  /** @default the library's */
  readonly scope?: SpanScope;
}

/** How work is done in a span. */
export interface SpanOf extends NamedSpan {
  /** Headers in lower case, of the one who asked: a trace that they name is continued. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Does the work in a span, which is the active one for everything that the work awaits, and ends with it; an error is noted by its kind,
 * never by its words. `span` is asked for only where somebody listens.
 */
export function inSpan<T>(span: () => SpanOf, work: (span: Span | undefined) => Promise<T>): Promise<T> {
  const known = registered();
  if (!known?.trace) return work(undefined);
  const { name, scope = coreScope, headers, ...start } = span();
  const doing = async (one: Span): Promise<T> => {
    try {
      return await work(one);
    } catch (error) {
      failSpan(one, errorType(error));
      throw error;
    } finally {
      one.end();
    }
  };
  const parent = headers && parentIn(known, headers);
  const tracer = tracerOf(known, scope);
  if (!tracer) return work(undefined);
  const options = optionsOf(start);
  return parent === undefined
    ? tracer.startActiveSpan(name, options, doing)
    : tracer.startActiveSpan(name, options, parent, doing);
}

/** Marks a span as failed. `type` is a name of few: never a message. */
export function failSpan(span: Span | undefined, type: string): void {
  span?.setAttributes({ 'error.type': type });
  span?.setStatus({ code: statusError });
}

/** What kind of error it is: its code, else the name of its class. */
export function errorType(error: unknown): string {
  const { kind, code, name } = Object(error) as Readonly<Record<string, unknown>>; // whatever was thrown may have them
  const names = [code === 'SUMMARY_FAILED' ? kind : undefined, code, name];
  return names.find((one): one is string => typeof one === 'string' && /^[\w.-]{1,60}$/.test(one)) ?? '_OTHER';
}

/** The span that everything belongs to now, with what it carries where its SDK shows that. */
export function activeSpan(): (Span & { readonly attributes?: SpanAttributes }) | undefined {
  return registered()?.context?.active().getValue(spanKey);
}

// What the package has registered, as its versions 1.x lay it out. A test compares all of it with the package.

const registryKey = Symbol.for('opentelemetry.js.api.1');
const spanKey = Symbol.for('OpenTelemetry Context Key SPAN');
const kinds = { internal: 0, server: 1, client: 2 } as const;
const statusError = 2;

interface Registry {
  readonly trace?: { getTracer(name: string, version: string): Tracer };
  readonly context?: { active(): Context };
  readonly propagation?: { extract(context: Context, carrier: object, getter: Getter): Context };
}

interface Context {
  getValue(key: symbol): (Span & { readonly attributes?: SpanAttributes }) | undefined;
}

interface Getter {
  get(carrier: Readonly<Record<string, string>>, key: string): string | undefined;
  keys(carrier: Readonly<Record<string, string>>): string[];
}

interface SpanOptions {
  readonly kind: number;
  readonly attributes: SpanAttributes;
  readonly startTime?: Date;
}

interface Tracer {
  startSpan(name: string, options: SpanOptions): Span;
  startActiveSpan<T>(name: string, options: SpanOptions, work: (span: Span) => T): T;
  startActiveSpan<T>(name: string, options: SpanOptions, context: Context, work: (span: Span) => T): T;
}

// The package alone writes there.
const registered = (): Registry | undefined => Reflect.get(globalThis, registryKey) as Registry | undefined;

const tracerOf = (registry: Registry | undefined, { name, version }: SpanScope): Tracer | undefined =>
  registry?.trace?.getTracer(name, version);

const optionsOf = ({ kind = 'internal', attributes = {}, startedAt }: SpanStart): SpanOptions => ({
  kind: kinds[kind],
  attributes,
  ...(startedAt === undefined ? {} : { startTime: new Date(startedAt) }),
});

const getter: Getter = { get: (carrier, key) => carrier[key.toLowerCase()], keys: (carrier) => Object.keys(carrier) };

/** What the registered propagator reads in headers; undefined where there is none. */
function parentIn({ context, propagation }: Registry, headers: Readonly<Record<string, string>>): Context | undefined {
  return context && propagation?.extract(context.active(), headers, getter);
}
