/**
 * Where the spans of `palimpsest serve` go: to the SDK that `node --import` has started before us, else to one that is started here where
 * the environment names an exporter, as the specification of OpenTelemetry has it. Its package is installed by who wants that.
 */

import { PalimpsestError } from '@palimpsest/core';
import { isTraced } from '@palimpsest/core/tracing';
import { type ImportPackage, importFrom, optionalClass } from '../../memory-providers/optional-package.ts';
import type { Terminal } from '../terminal.ts';

/** Spans on their way out of this process. */
export interface Traces {
  /** For a person: where they go, or what is missing. */
  readonly notes: readonly string[];
  /** Sends what is left, for a few seconds at most. */
  readonly stop: () => Promise<void>;
}

/** The package that sends them, and with which it was tested. */
const packageName = '@opentelemetry/sdk-node';
const testedVersion = '0.301.0';

/** What we use of it. */
type Sdk = new (options: object) => { start(): void; shutdown(): Promise<void> };

/** Longer than a collector takes, and no longer than a person waits. */
const longestStopMs = 5_000;

/** Loads the package where the environment asks for it. What is missing is told, and stops nothing. */
export async function startTraces(
  { env }: Pick<Terminal, 'env'>,
  importPackage: ImportPackage = importFrom([]),
): Promise<Traces> {
  const nothing = { notes: [], stop: async () => undefined };
  const asked = askedBy(env);
  if (asked === undefined) return nothing;
  if (isTraced()) return { ...nothing, notes: ['Spans go to the OpenTelemetry SDK that this process began with.'] };
  try {
    const sdk = await startSdk(env, importPackage);
    return { notes: [`Spans are sent to ${placeOf(env)} (${asked}).`], stop: () => stopped(sdk.shutdown()) };
  } catch (error) {
    if (!PalimpsestError.isInstance(error)) throw error;
    const why = error.message.replace(/: npm install [^:]*$/, '');
    return {
      ...nothing,
      notes: [
        `${asked} is set, but no spans are sent. ${why}: npm install ${packageName}@${testedVersion} beside palimpsest.`,
      ],
    };
  }
}

/** The variable that asks for spans; undefined where none does. */
function askedBy(env: Terminal['env']): string | undefined {
  const { OTEL_SDK_DISABLED: disabled = '', OTEL_TRACES_EXPORTER: exporter = '' } = env;
  if (disabled.toLowerCase() === 'true' || exporter === 'none') return undefined;
  const names = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_TRACES_EXPORTER'];
  return names.find((name) => (env[name] ?? '') !== '');
}

/** Never with a path, a query or a password: who reads a terminal need not know them. */
function placeOf(env: Terminal['env']): string {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own, OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_TRACES_EXPORTER: by } = env;
  const address = own || all || '';
  if (by !== undefined && by !== '' && !by.includes('otlp')) return `the exporter ${by}`;
  return URL.canParse(address) ? new URL(address).host : 'the usual place of the exporter';
}

async function startSdk(env: Terminal['env'], importPackage: ImportPackage): Promise<InstanceType<Sdk>> {
  const Sdk = (await optionalClass(importPackage, packageName, 'NodeSDK')) as Sdk; // declared so by the package
  const sdk = new Sdk({
    serviceName: env.OTEL_SERVICE_NAME || 'palimpsest',
    // Spans alone: what is counted stands at /metrics.
    metricReaders: [],
    logRecordProcessors: [],
    // The usual ones tell the arguments of the process, and a key may be among them.
    ...(env.OTEL_NODE_RESOURCE_DETECTORS ? {} : { resourceDetectors: [{ detect: () => resourceIn(env) }] }),
  });
  sdk.start();
  return sdk;
}

/** `OTEL_RESOURCE_ATTRIBUTES`: names and values, such as `deployment.environment.name=home,host.name=attic`. */
function resourceIn({ OTEL_RESOURCE_ATTRIBUTES: text = '' }: Terminal['env']): { readonly attributes: object } {
  const pairs = text.split(',').flatMap((pair) => {
    const [, name, value] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    return name === undefined || value === undefined ? [] : [[name, decoded(value)] as const];
  });
  return { attributes: Object.fromEntries(pairs) };
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** A collector that does not answer must not keep the process. */
async function stopped(done: Promise<void>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, longestStopMs);
  await Promise.race([done.catch(() => undefined), late]);
  clearTimeout(timer);
}
