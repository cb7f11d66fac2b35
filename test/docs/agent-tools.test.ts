/** The guide of the agent's tools names those that a request offers, with what they take: all of them, and no others. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isJsonObject, type JsonObject } from '@palimpsest/core/settings';
import { inProject } from '../chat/chat-once.ts';
import { offeredTools } from '../chat/week/tool-use.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'guide', 'agent-tools.md'), 'utf8');

/** What the schema, or the row of the table, says of an argument. */
interface Told {
  readonly isNeeded: boolean;
  /** The values that it may have, or the text that should name them. */
  readonly values: readonly unknown[];
}

type Arguments = Readonly<Record<string, Told>>;

/** The tables below the headings of tools. */
function guided(): Readonly<Record<string, Arguments>> {
  const sections = page.split(/^### `/m).slice(1);
  return Object.fromEntries(
    sections.map((section) => {
      const [name = ''] = section.split('`');
      const [own = ''] = section.split(/^#/m);
      const rows = [...own.matchAll(/^\| (`[^|]+?) \|(.*)\|$/gm)];
      return [
        name,
        Object.fromEntries(
          rows.flatMap(([, names = '', text = '']) =>
            [...names.matchAll(/`([\w.]+)`/g)].map(([, one = '']) => [
              one,
              { isNeeded: /^ needed\b/.test(text), values: valuesIn(text) },
            ]),
          ),
        ),
      ];
    }),
  );
}

const valuesIn = (text: string): readonly string[] => [...text.matchAll(/`(\w+)`/g)].map(([, value = '']) => value);

/** What a schema takes; members of what stands in a list with its name in front. */
function argumentsOf({ properties, required }: JsonObject, prefix = ''): Arguments {
  const needed = Array.isArray(required) ? required : [];
  const members = isJsonObject(properties) ? Object.entries(properties) : [];
  return Object.fromEntries(
    members.flatMap(([name, schema]) => {
      const items = isJsonObject(schema) && isJsonObject(schema.items) ? schema.items : {};
      return [
        [prefix + name, { isNeeded: needed.includes(name), values: enumOf(schema) }] as const,
        ...Object.entries(argumentsOf(items, `${prefix}${name}.`)),
      ];
    }),
  );
}

const enumOf = (schema: unknown): readonly unknown[] =>
  isJsonObject(schema) && Array.isArray(schema.enum) ? schema.enum : [];

const sorted = <T>(record: Readonly<Record<string, T>>): readonly (readonly [string, T])[] =>
  Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1));

test('K1, Y3: the guide names every tool that the agent has and every argument, says which are needed, and names no others', () =>
  inProject(async ({ fake, ask }) => {
    await ask('Good morning.');
    await ask('Good morning.', { env: { PALIMPSEST_PROMPT_TOOL_SHARE: '0' } });
    assert.equal(fake.requests.length, 2);
    const offered = Object.fromEntries(
      fake.requests.flatMap((request) =>
        [...offeredTools(request)].map(([name, schema]) => [name, argumentsOf(schema)]),
      ),
    );
    const told = guided();
    assert.deepEqual(Object.keys(told).sort(), Object.keys(offered).sort());
    for (const [name, taken] of Object.entries(told)) {
      // A member of an element that is not needed need not be told apart.
      assert.deepEqual(
        sorted(taken).map(([argument]) => argument),
        sorted(offered[name] ?? {}).map(([argument]) => argument),
        name,
      );
      for (const [argument, { isNeeded, values }] of sorted(taken)) {
        if (argument.startsWith('operations.')) continue;
        const real = offered[name]?.[argument];
        assert.equal(isNeeded, real?.isNeeded, `${name}: ${argument}`);
        assert.deepEqual(
          real?.values.filter((value) => !values.includes(value)),
          [],
          `${name}: ${argument}`,
        );
      }
    }
    const listed = [...page.matchAll(/^\| (\[`[^|]+) \|.*$/gm)].flatMap(([, names = '']) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, one = '']) => one),
    );
    assert.deepEqual(listed.toSorted(), Object.keys(offered).sort());
  }));
