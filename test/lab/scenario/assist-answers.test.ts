/** Whole answers at a position of a scenario file: names with their meaning, and the meaning of the one under the cursor. `▮` is the cursor. */
import { expect, it } from 'vitest';
import { assistAt, type Assistance } from '../../../src/lab/scenario/index.ts';
import { vocabulary } from '../../../src/lab/vocabulary.ts';

const HEAD = 'apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: a }\nspec:\n';
const known = vocabulary();
function at(marked: string, head = HEAD): Assistance {
  const lines = ((head + marked).split('▮')[0] ?? '').split('\n');
  return assistAt((head + marked).replace('▮', ''), lines.length, (lines.at(-1)?.length ?? 0) + 1, known);
}
const bare = (name: string) => ({ name, says: '', required: false });

it.each<[string, string, Assistance]>([
  [
    'a member',
    '  unti▮',
    {
      from: 3,
      suggestions: [
        {
          name: 'until',
          says: 'How long the run lasts; absent: until the cluster is settled after the last step. Wants a duration such as 500ms or 1h30m.',
          required: false,
        },
      ],
    },
  ],
  [
    'a required member',
    '  steps:\n    - ask:\n        que▮',
    { from: 9, suggestions: [{ name: 'question', says: 'The question. Wants a text.', required: true }] },
  ],
  [
    'a member of one form of several',
    '  cluster:\n    nodes:\n      cou▮',
    { from: 7, suggestions: [{ name: 'count', says: 'How many. Wants a whole number from 0 to 100000.', required: true }] },
  ],
  [
    'a member of a target',
    '  steps:\n    - delete:\n        namesp▮',
    {
      from: 9,
      suggestions: [{ name: 'namespace', says: 'The namespace; default if absent, * for every namespace. Wants a text.', required: false }],
    },
  ],
  [
    'a parameter of a fault',
    '  steps:\n    - fault: { crash: scheduler, restart▮ }',
    {
      from: 34,
      suggestions: [
        {
          name: 'restartAfter',
          says: 'Restart after this long; absent: it stays down. Wants a duration such as 500ms or 1h30m.',
          required: false,
        },
      ],
    },
  ],
  [
    'a field of a kind',
    '  steps:\n    - apply:\n        kind: Pod\n        spec:\n          cont▮ainers: []',
    {
      from: 11,
      suggestions: [{ name: 'containers', says: 'Its containers; at least one. (list)', required: false }],
      hover: 'Its containers; at least one. (list)',
    },
  ],
  ['a gate', '  featureGates:\n    CronJobT▮', { from: 5, suggestions: [bare('CronJobTimeZone')] }],
  [
    'a gate that is whole',
    '  featureGates:\n    JobReadyPods▮: true',
    { from: 5, suggestions: [], hover: 'On or off. Wants true or false.' },
  ],
  [
    'true or false',
    '  featureGates: { JobReadyPods: f▮ }',
    { from: 33, suggestions: [bare('false')], hover: 'On or off. Wants true or false.' },
  ],
  [
    'one of the kinds',
    '  steps:\n    - delete: { target: { kind: StatefulS▮ } }',
    { from: 33, suggestions: [bare('StatefulSet')], hover: 'The kind, as in manifests. Wants a kind.' },
  ],
  [
    'one of the values of a field of a kind',
    '  steps:\n    - apply: { kind: Pod, spec: { restartPolicy: N▮ } }',
    {
      from: 50,
      suggestions: [bare('Never')],
      hover: 'Always, OnFailure or Never: whether terminated containers are restarted. (Always, Never, OnFailure)',
    },
  ],
  ['a value of no field', '  xyz: a▮', { from: 8, suggestions: [] }],
  [
    'a field of a kind that is not there',
    '  steps:\n    - expect:\n        - match:\n            kind: Nope\n            sp▮',
    { from: 13, suggestions: [] },
  ],
  ['a comment', '  # un▮', { from: 7, suggestions: [] }],
])('%s', (_, marked, assistance) => {
  expect(at(marked)).toEqual(assistance);
});

it('all members are offered where nothing is typed, without those that are there', () => {
  const { suggestions } = at('  title: a\n  ▮\n  seed: 1');
  const names = suggestions.map(({ name }) => name);
  expect(names.slice(0, 3)).toEqual(['teaches', 'startTime', 'until']);
  expect(names).not.toContain('title');
  expect(names).not.toContain('seed');
  expect(new Set(names).size).toBe(names.length);
});

it('a further item of a list is offered everything, and a value like a key is not taken for one', () => {
  expect(at('  steps:\n    - delete: Job/a\n    - del▮').suggestions.map(({ name }) => name)).toEqual(['delete']);
  expect(at('  steps:\n    - { note: before, bef▮').suggestions.map(({ name }) => name)).toEqual(['before']);
});

it('a text without a kind is taken for a scenario, one of another kind for its object', () => {
  expect(at('ki▮', '').suggestions.map(({ name, required }) => [name, required])).toEqual([['kind', true]]);
  expect(at('kind: Job\nspec:\n  paral▮', '').suggestions.map(({ name }) => name)).toEqual(['parallelism']);
  expect(at('kind: Nope\nspec:\n  paral▮', '').suggestions).toEqual([]);
});
