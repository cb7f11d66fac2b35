/**
 * What is left of what a person said in a conversation of hundreds of short requests, 65 of which say in passing what
 * matters later (a host, a date, a name): compressed once at its end, and in a loop that compresses whenever its window
 * fills. A program of its own:
 *
 *     node bench/long-trace.ts [--seed N] [--window N] [--targets 8000,16000,32000] [--only PART] [--show] [--text]
 *
 * A fact is kept when its value stands in the person's words in what a model sees at the end, a request when words that
 * it alone has do; of nods ("ok", "go on") nothing is asked. `--show` prints what is lost, `--text` the handoff, `--only`
 * runs the ways whose name and size have a part.
 */
import { parseArgs } from 'node:util';
import { longTraceDefaults, longTraceTable, measureLongTrace } from './long-trace/report.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(longTraceDefaults.seed) },
    window: { type: 'string', default: String(longTraceDefaults.window) },
    targets: { type: 'string', default: longTraceDefaults.targets.join() },
    only: { type: 'string', default: longTraceDefaults.only },
    show: { type: 'boolean', default: false },
    text: { type: 'boolean', default: false },
  },
});

const result = await measureLongTrace({
  seed: Number(values.seed),
  window: Number(values.window),
  targets: values.targets.split(',').map(Number),
  only: values.only,
});
for (const { way, handoff, facts, requests } of result.ways) {
  if (values.text) console.log(handoff);
  if (!values.show) continue;
  console.log(`\n${way.name} ${way.size}`);
  for (const turn of requests.lost) console.log(`${facts.lost.includes(turn) ? 'FACT' : 'lost'} ${turn.asked.message}`);
}
console.log(`${result.requests} requests, ${result.tokens} tokens\n\n${longTraceTable(result)}`);
