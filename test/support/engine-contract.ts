/** The contract suite of engines, as tests: what every engine must keep, whoever wrote it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Message } from '@palimpsest/core';
import type { ContextEngine } from '@palimpsest/core/engine';
import { type CheckEngineOptions, checkEngine } from '@palimpsest/core/testing';

/** One test for an engine; `make` gives a new one for each call. */
export function engineContract(
  title: string,
  make: () => ContextEngine<Message>,
  options: CheckEngineOptions = {},
): void {
  test(title, async () => {
    const findings = await checkEngine(make, options);
    const broken = findings.filter(({ holds, level }) => !holds && level === 'must');
    assert.deepEqual(
      broken.map(({ promise, problem }) => `${promise}: ${problem}`),
      [],
    );
    assert.ok(findings.length >= 10);
  });
}
