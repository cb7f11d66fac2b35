/** What who runs a gateway is told of its work: a line for each compression, and counts of everything. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openToldLines } from '../../../packages/palimpsest/src/gateway/told-lines.ts';
import { agentOf } from './agents.ts';
import { fileOf, type Kept, keptGateway, readsFiles } from './support.ts';

const task = 'Please read every file in data/.';

/** The numbers of a page of metrics, by what stands before them. */
async function counts({ url }: Pick<Kept, 'url'>): Promise<ReadonlyMap<string, number>> {
  const page = await (await fetch(`${url}/metrics`)).text();
  const rows = page.split('\n').flatMap((line) => [/^palimpsest_gateway_(\S+) (\d+)$/.exec(line) ?? []]);
  return new Map(rows.flatMap(([, name, value]) => (name === undefined ? [] : [[name, Number(value)] as const])));
}

const sumOf = (all: ReadonlyMap<string, number>, name: string): number =>
  [...all].reduce((sum, [key, value]) => (key.startsWith(`${name}{`) ? sum + value : sum), 0);

describe('H1 who runs a gateway', () => {
  test('reads a line for each compression: which conversation, how much, and nothing that was said', async () => {
    await using kept = await keptGateway({ script: readsFiles(30) }, { contextLength: 12_000 });
    const agent = agentOf('anthropic', kept.url, task);
    const compressed: (readonly [string | null, string | null])[] = [];
    for (let step = 1; step <= 16; step++) {
      const { headers } = await agent.step(fileOf(step));
      if (headers.get('x-palimpsest-action') === 'compressed')
        compressed.push([headers.get('x-palimpsest-session'), headers.get('x-palimpsest-tokens-after')]);
    }
    assert.ok(compressed.length >= 1);
    const lines = kept.told.filter((line) => line.startsWith('conversation '));
    assert.equal(lines.length, compressed.length);
    for (const [at, line] of lines.entries()) {
      const [id = '', after] = compressed[at] ?? [];
      const tokens = Number(after).toLocaleString('en-US');
      assert.match(
        line,
        /^conversation \S{13} was compressed from about [\d,]+ to about [\d,]+ tokens \(anthropic, some-model\)$/,
      );
      assert.ok(line.includes(` ${id?.slice(0, 13)} `) && line.includes(`to about ${tokens} tokens`), line);
    }
    const all = await counts(kept);
    assert.equal(all.get('compressions_total{dialect="anthropic",writer="ledger"}'), compressed.length);
    assert.equal(all.get('actions_total{dialect="anthropic",action="compressed"}'), compressed.length);
    assert.equal(sumOf(all, 'actions_total'), 16);
    const [before = 0, after = 0] = ['before', 'after'].map((when) => sumOf(all, `compression_tokens_${when}_total`));
    assert.ok(after > 0 && after < before);
  });

  test('sees calls beside a conversation, and what was passed on, apart from its turns', async () => {
    await using kept = await keptGateway({ script: { text: 'Fine.' } });
    await agentOf('openai-chat', kept.url, task).step('');
    const title = {
      model: 'm',
      messages: [{ role: 'user', content: 'A title.' }],
      response_format: { type: 'json_object' },
    };
    await fetch(`${kept.url}/v1/chat/completions`, { method: 'POST', body: JSON.stringify(title) });
    await fetch(`${kept.url}/v1/chat/completions`, { method: 'POST', body: 'no json' });
    await fetch(`${kept.url}/v1/models`);
    const all = await counts(kept);
    for (const [labels, wanted] of [
      ['action="whole"', 1],
      ['action="passed",reason="side-call"', 1],
      ['action="passed",reason="unreadable"', 1],
      ['action="passed",reason="other-act"', 1],
    ] as const)
      assert.equal(all.get(`actions_total{dialect="openai-chat",${labels}}`), wanted, labels);
    assert.deepEqual(kept.told, []);
  });
});

describe('O2 who runs a gateway', () => {
  test('sees that a request was too long for its upstream and answered in short, in a line and in a count', async () => {
    await using kept = await keptGateway({ contextLength: 12_000, script: readsFiles(30) });
    const agent = agentOf('anthropic', kept.url, task);
    for (let step = 1; step <= 20; step++) assert.equal((await agent.step(fileOf(step))).status, 200);
    const refused = kept.provider.requests.filter(({ status }) => status === 400).length;
    const all = await counts(kept);
    assert.equal(
      sumOf(all, 'overflows_recovered_total'),
      all.get('actions_total{dialect="anthropic",action="recovered"}'),
    );
    assert.ok(sumOf(all, 'overflows_recovered_total') >= 1 && sumOf(all, 'overflows_recovered_total') <= refused);
    assert.match(
      kept.told.join('\n'),
      /^conversation \S{13} was too long for its upstream, and is sent again compressed from about [\d,]+ to about [\d,]+ tokens \(anthropic, some-model\)$/m,
    );
  });

  test('sees how often an original was sent after its shortened form was refused', async () => {
    let refused = 0;
    await using kept = await keptGateway(
      {
        script: (request) => {
          const isChanged = request.number > 4 && !JSON.stringify(request.body).includes('row 3 of part-1.csv');
          if (isChanged && refused++ === 0) return { error: { status: 400, message: 'messages: unexpected value' } };
          const input = { path: `data/part-${request.number}.csv` };
          return { text: `Now part ${request.number}.`, toolCalls: [{ name: 'read_file', input }] };
        },
      },
      { contextLength: 12_000 },
    );
    const agent = agentOf('anthropic', kept.url, task);
    for (let step = 1; step <= 16; step++) await agent.step(fileOf(step));
    const all = await counts(kept);
    assert.equal(all.get('originals_resent_total{dialect="anthropic"}'), 1);
    assert.equal(all.get('actions_total{dialect="anthropic",action="passed",reason="refused"}'), 1);
  });

  test('sees what was refused because nothing makes it short enough', async () => {
    await using kept = await keptGateway({}, { contextLength: 2_000 });
    await agentOf('anthropic', kept.url, `Please read this. ${fileOf(1).repeat(8)}`).step('');
    assert.equal((await counts(kept)).get('actions_total{dialect="anthropic",action="refused",reason="too-long"}'), 1);
  });
});

test('H1 of many compressions in a minute some are shown, and the rest are counted', () => {
  let clock = 0;
  const { lineFor, rest } = openToldLines(() => clock);
  const line = (): string | undefined =>
    lineFor(
      {
        action: 'compressed',
        sessionId: '0193a1b2-c3d4-7000-8000-000000000000',
        model: `\u001b[31m${'m'.repeat(500)}`,
        compression: { tokensBefore: 120_000, tokensAfter: 9_500, writer: 'model', startedAt: 0, endedAt: 1 },
      },
      { dialect: 'gemini' },
    );
  const shown = Array.from({ length: 15 }, line);
  assert.equal(shown.filter((one) => one !== undefined).length, 12);
  assert.match(
    shown[0] ?? '',
    /^conversation 0193a1b2-c3d4 was compressed from about 120,000 to about 9,500 tokens \(gemini, .{60}, summary by a model\)$/,
  );
  clock = 60_000;
  assert.match(line() ?? '', / \(3 more compressions are not shown here; \/metrics counts all of them\)$/);
  assert.equal(rest(), undefined);
  assert.equal(lineFor({ action: 'whole', sessionId: 's' }, { dialect: 'gemini' }), undefined);
});
