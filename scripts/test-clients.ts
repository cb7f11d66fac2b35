/**
 * Runs real clients of others against a scripted provider on this machine, straight, through the gateway and by `palimpsest run` (`npm run
 * test:clients [NAME…]`), and Codex with the MCP server. Each is installed once into the cache, and works in a home of its own. Ends with 1
 * where one fails.
 */
import { parseArgs } from 'node:util';
import type { Client } from './clients/client.ts';
import { clients } from './clients/clients.ts';
import { endFaults, mcpFaults, pairFaults, runFaults } from './clients/compare.ts';
import { installClient } from './clients/install.ts';
import { type ClientRun, hasGateway, runClient, type Way } from './clients/run-client.ts';
import { makeScenario, type Scenario } from './clients/scenario.ts';

interface Setting {
  readonly scenario: Scenario;
  readonly ways: readonly Way[];
  readonly timeoutMs: number;
  readonly isLoud: boolean;
  /** True for a window that does not hold the conversation. */
  readonly isTight: boolean;
}

/** Everything that is wrong with one client; empty where all is well. */
async function testClient(
  client: Client,
  { scenario, ways, timeoutMs, isLoud, isTight }: Setting,
): Promise<readonly string[]> {
  const modules = installClient(client);
  const runs: ClientRun[] = [];
  const faults: string[] = [];
  for (const way of ways) {
    if (way === 'run' && client.command === undefined) continue;
    if (way === 'mcp' && (client.mcp === undefined || isTight)) continue;
    const run = await runClient({ client, modules, scenario, way, timeoutMs });
    if (way !== 'mcp') runs.push(run);
    // Where a window is too small for the whole, a client alone may fail, and what goes on is not what came.
    const faultsOf = way === 'mcp' ? mcpFaults : runFaults;
    const all = isTight ? (way === 'direct' ? [] : endFaults(run, scenario)) : faultsOf(run, scenario);
    faults.push(...all.map((fault) => `${way}: ${fault}`));
    console.log(`${client.name} ${client.version} ${way}: ${summaryOf(run)}`);
    if (isLoud) console.log(detailsOf(run));
  }
  const [direct, ...others] = runs;
  if (direct && !isTight) for (const other of others) faults.push(...pairFaults(direct, other));
  return faults;
}

function summaryOf({ code, seconds, requests, sent }: ClientRun): string {
  const bytes = sent.reduce((sum, one) => sum + one.bytes, 0);
  return `exit ${code}, ${requests.length} requests, ${Math.round(bytes / 1_024)} KB sent, ${seconds.toFixed(1)} s`;
}

function detailsOf({ stdout, stderr, sent }: ClientRun): string {
  const lines = sent.map(
    ({ method, path, bytes, status, sha256 }) => `  ${method} ${path} ${bytes} ${status} ${sha256.slice(0, 12)}`,
  );
  return [...lines, '  stdout:', stdout, '  stderr:', stderr].join('\n');
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    steps: { type: 'string', default: '2' },
    'result-chars': { type: 'string', default: '200' },
    'context-length': { type: 'string' },
    'timeout-seconds': { type: 'string', default: '60' },
    details: { type: 'boolean', default: false },
  },
});
const unknown = positionals.filter((name) => !clients.some((client) => client.name === name));
if (unknown.length > 0) {
  console.error(`Expected names of ${clients.map(({ name }) => name).join(', ')}; got ${unknown.join(', ')}.`);
  process.exit(2);
}
const contextLength = values['context-length'];
const setting: Setting = {
  scenario: makeScenario({
    toolSteps: Number(values.steps),
    resultChars: Number(values['result-chars']),
    ...(contextLength === undefined ? {} : { contextLength: Number(contextLength) }),
  }),
  ways: hasGateway() ? ['direct', 'gateway', 'run', 'mcp'] : ['direct'],
  timeoutMs: Number(values['timeout-seconds']) * 1_000,
  isLoud: values.details,
  isTight: contextLength !== undefined,
};
if (setting.ways.length === 1)
  console.log('There is no `palimpsest serve` here: only the way without a gateway is run.');
const wanted = clients.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
for (const client of wanted) {
  const faults = await testClient(client, setting);
  for (const fault of faults) console.error(`${client.name}: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
  console.log(`${client.name}: ${faults.length === 0 ? 'passed' : 'failed'}`);
}
