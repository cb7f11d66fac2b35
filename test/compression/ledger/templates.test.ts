import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  resolveTemplate,
  sectionContents,
  type Template,
  templates,
} from '../../../packages/core/src/compression/ledger/templates.ts';

const code = (run: () => unknown): { code: string; message: string } => {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof Error && 'code' in error);
    return { code: String(error.code), message: error.message };
  }
  return assert.fail('nothing was thrown');
};

test('S2: the three presets have their sections in order', () => {
  const headings = (name: keyof typeof templates): readonly string[] =>
    templates[name].sections.map(({ heading }) => heading);
  assert.equal(headings('handoff').length, 15);
  for (const name of ['handoff', 'progress'] as const)
    assert.equal(headings(name).indexOf('Earlier Summary'), headings(name).indexOf('Constraints & Preferences') + 1);
  assert.deepEqual(headings('progress').slice(3, 6), ['Progress: Done', 'Progress: In Progress', 'Progress: Blocked']);
  assert.deepEqual(headings('brief'), [
    'Task Context',
    'Key Decisions Resolved',
    'Active Files',
    'Pending Questions',
    'Remaining Work',
    'Index of Names',
  ]);
  for (const name of ['handoff', 'progress', 'brief'] as const) assert.equal(headings(name).at(-1), 'Index of Names');
});

test('S2: every preset has exactly one place for every kind of content', () => {
  for (const { name, sections } of Object.values(templates)) {
    const held = sections.flatMap(({ holds }) => holds);
    assert.deepEqual([...held].sort(), [...sectionContents].sort(), name);
  }
});

test('S2: a name is looked up, nothing means the full handoff', () => {
  assert.equal(resolveTemplate(undefined), templates.handoff);
  assert.equal(resolveTemplate('brief'), templates.brief);
});

test('S2: an unknown name is refused with the names there are', () => {
  for (const name of ['handof', '', 'constructor', 'toString']) {
    const error = code(() => resolveTemplate(name));
    assert.equal(error.code, 'BAD_OPTION');
    for (const known of Object.keys(templates)) assert.ok(error.message.includes(known));
    assert.ok(error.message.includes(`"${name}"`));
  }
});

test('S2: an own template is taken as it is', () => {
  const own: Template = { name: 'mine', sections: [{ heading: 'Everything', holds: ['task', 'actions'] }] };
  assert.equal(resolveTemplate(own), own);
});

test('S2: an own template without headings, or with content nobody knows, is refused', () => {
  assert.equal(code(() => resolveTemplate({ name: 'mine', sections: [] })).code, 'BAD_OPTION');
  assert.equal(
    code(() => resolveTemplate({ name: 'mine', sections: [{ heading: ' ', holds: [] }] })).code,
    'BAD_OPTION',
  );
  const wrong = JSON.parse('{"name":"mine","sections":[{"heading":"A","holds":["moods"]}]}');
  const error = code(() => resolveTemplate(wrong));
  assert.equal(error.code, 'BAD_OPTION');
  assert.ok(error.message.includes('moods') && error.message.includes('decisions'));
});

test('S2: the headings of a configured template tell what stands under them', () => {
  const own = resolveTemplate({
    sections: ['Current Task', 'Work so far', 'Open errors', 'Files', 'Next'].map((heading) => ({
      heading,
      instruction: '',
    })),
  });
  assert.deepEqual(
    own.sections.map(({ holds }) => holds),
    [['task'], ['actions'], ['blocked'], ['files'], ['remaining']],
  );
});

test('S2: no kind of content is held twice by a configured template', () => {
  const own = resolveTemplate({
    sections: [
      { heading: 'Files read', instruction: '' },
      { heading: 'Files changed', instruction: '' },
    ],
  });
  const held = own.sections.flatMap(({ holds }) => holds);
  assert.equal(new Set(held).size, held.length);
});
