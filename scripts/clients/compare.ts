/** What must hold of one run of a client, and of two: a list of what does not. Pure. */
import type { ClientRun } from './run-client.ts';
import { earlier, type Scenario } from './scenario.ts';
import type { Passed } from './tap.ts';

/** What is wrong with how a run ended. */
export function endFaults({ code, stdout, stderr }: ClientRun, scenario: Scenario): string[] {
  const faults: string[] = [];
  if (code !== 0)
    faults.push(
      `expected it to end with 0, it ended with ${code ?? 'a signal, or was too slow'}: ${tail(stderr || stdout)}`,
    );
  if (!stdout.includes(scenario.finalText))
    faults.push(`expected the final text on standard output, got: ${tail(stdout)}`);
  return faults;
}

/** What is wrong with a run by itself. */
export function runFaults(run: ClientRun, scenario: Scenario): string[] {
  const { requests, sent, came } = run;
  const faults = endFaults(run, scenario);
  const bodies = requests.map(({ body }) => JSON.stringify(body));
  for (const mark of scenario.marks) {
    if (!bodies.some((body) => body.includes(mark)))
      faults.push(`expected the result with "${mark}" to come back to the model`);
  }
  const failed = requests.filter(({ status }) => status !== undefined && status >= 400);
  for (const { method, path, status } of failed) faults.push(`${method} ${path} was answered ${status}`);
  return [...faults, ...bodyFaults(sent, came)];
}

/** What is wrong with a run with the MCP server, of which a tool was called. */
export function mcpFaults(run: ClientRun, scenario: Scenario): readonly string[] {
  const isFound = run.requests.some(({ body }) => JSON.stringify(body).includes(earlier.text));
  const missing = `expected what the MCP server found to come back to the model: ${JSON.stringify(earlier.text)}`;
  return [...runFaults(run, scenario), ...(isFound ? [] : [missing])];
}

/** Bodies that came to the provider otherwise than the client sent them: by their SHA-256, whatever the order of arrival. */
function bodyFaults(sent: readonly Passed[], came: readonly Passed[]): string[] {
  const missing = without(sent, came);
  const added = without(came, sent);
  return [
    ...missing.map(({ path, bytes, sha256 }) => `sent and never came: ${path}, ${bytes} bytes, ${sha256.slice(0, 12)}`),
    ...added.map(
      ({ path, bytes, sha256 }) => `came and was never sent: ${path}, ${bytes} bytes, ${sha256.slice(0, 12)}`,
    ),
  ];
}

/** Of requests that have a body; a probe without one may be answered on the way. */
function without(these: readonly Passed[], those: readonly Passed[]): readonly Passed[] {
  const left = those.map(keyOf);
  return these.filter((one) => {
    if (one.bytes === 0) return false;
    const at = left.indexOf(keyOf(one));
    if (at < 0) return true;
    left.splice(at, 1);
    return false;
  });
}

const keyOf = ({ method, path, sha256 }: Passed): string => `${method} ${path} ${sha256}`;

/** What differs between the run without and the run with a gateway: what a person reads, and how often the model is asked. */
export function pairFaults(direct: ClientRun, gateway: ClientRun): string[] {
  const faults: string[] = [];
  if (direct.stdout !== gateway.stdout)
    faults.push(`expected the same text as without a gateway (${tail(direct.stdout)}), got ${tail(gateway.stdout)}`);
  const [before, after] = [direct.requests.length, gateway.requests.length];
  if (before !== after) faults.push(`expected ${before} requests as without a gateway, got ${after}`);
  return faults;
}

const tail = (text: string): string => JSON.stringify(text.trim().slice(-600));
