/** Where the metrics of an output stand. */
import { basename, dirname, join } from 'node:path';

/** `a/b.jsonl.gz` → `a/b_metrics.json`. */
export function metricsPath(output: string): string {
  const name = basename(output).replace(/(?:\.(?:jsonl|json|ndjson))?(?:\.(?:gz|zst))?$/i, '');
  return join(dirname(output), `${name}_metrics.json`);
}
