/** Whether a run may begin, or go on from where an earlier one stopped. */
import { PalimpsestError } from '@palimpsest/core';
import { isObject, parseJson } from '@palimpsest/core/settings';
import type { FilePlan } from '../read/find-inputs.ts';
import type { InputIdentity, Journal, JournalStart } from './journal.ts';
import { metricsPath } from './metrics-path.ts';
import { journalAt, partialOf, type RunPaths, sizeAt, smallText } from './partial-output.ts';

/** What was asked for. */
export interface ResumeOptions {
  readonly plan: FilePlan;
  readonly paths: RunPaths;
  readonly start: JournalStart;
  readonly resume: boolean;
  readonly force: boolean;
  /** True where metrics are written beside the outputs. */
  readonly hasMetrics: boolean;
}

/**
 * The journal to go on with; undefined to begin. Throws `BAD_OPTION` for an unfinished run that nobody asked to go on with, for one
 * with other options or inputs, and for an output that is there and may not be replaced.
 */
export async function journalToResume(options: ResumeOptions): Promise<Journal | undefined> {
  const { plan, paths, start, resume, force, hasMetrics } = options;
  const old = await journalAt(paths.journal);
  if (!resume) {
    if (!force) await refuseUnfinished(plan, paths, old);
  } else if (old) requireSame(old.start, start);
  const done = new Set(resume && old ? old.done.map(({ file }) => file) : []);
  if (force || (resume && old?.start.force)) return resume ? old : undefined;
  for (const [at, { output }] of plan.files.entries()) {
    if (done.has(at) || (await sizeAt(output)) === undefined) continue;
    throw badOption(`${output} already exists: name another output, or use --force to replace it`);
  }
  if (hasMetrics && !(resume && old)) await refuseOtherMetrics(plan);
  return resume ? old : undefined;
}

/** Metrics of an earlier run may be replaced, and nothing else of that name. */
async function refuseOtherMetrics({ files }: FilePlan): Promise<void> {
  for (const path of files.map(({ output }) => metricsPath(output))) {
    if ((await sizeAt(path)) === undefined) continue;
    const value = parseJson((await smallText(path, mostMetricsBytes)) ?? '');
    if (isObject(value) && isObject(value.summary) && isObject(value.processing)) continue;
    throw badOption(
      `${path}, where the metrics would stand, is there and holds something else: name another output, or use --force to replace it`,
    );
  }
}

const mostMetricsBytes = 1_048_576;

async function refuseUnfinished(plan: FilePlan, paths: RunPaths, old: Journal | undefined): Promise<void> {
  for (const { output } of plan.files) {
    const partial = partialOf(output);
    if (!old && (await sizeAt(partial)) === undefined) continue;
    const place = old ? paths.journal : partial;
    throw badOption(
      `an earlier run was not finished (${place}): use --resume to go on with it, or --force to start anew`,
    );
  }
}

function requireSame(before: JournalStart, now: JournalStart): void {
  const names = new Set([...Object.keys(before.options), ...Object.keys(now.options)]);
  for (const name of names) {
    const [was, is] = [before.options[name], now.options[name]];
    if (was === is) continue;
    throw changed(`${name} was ${was ?? 'not known'} and is ${is ?? 'not known'} now`);
  }
  for (const [at, was] of before.inputs.entries()) {
    const is = now.inputs[at];
    if (!is || is.name !== was.name)
      throw changed(`the inputs were others: expected ${was.name}, got ${is?.name ?? 'no more'}`);
    const what = differenceOf(was, is);
    if (what !== undefined) throw changed(`${is.name} has ${what}`);
  }
  const more = now.inputs[before.inputs.length];
  if (more) throw changed(`${more.name} was no input then`);
}

function differenceOf(was: InputIdentity, is: InputIdentity): string | undefined {
  if (was.output !== is.output) return `the output ${is.output} now, and had ${was.output}`;
  if (was.size !== is.size) return `${is.size} bytes now, and had ${was.size}`;
  if (was.head !== is.head) return 'another beginning now';
  return was.modifiedMs === is.modifiedMs ? undefined : 'been written to since';
}

const changed = (what: string): PalimpsestError =>
  badOption(
    `the earlier run cannot be gone on with: ${what}. Use what it was started with, or --force without --resume to start anew`,
  );

const badOption = (message: string): PalimpsestError => new PalimpsestError('BAD_OPTION', message);
