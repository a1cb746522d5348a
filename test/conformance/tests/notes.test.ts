/** Notes of recordings: faults on machines and on candidates of elections. */
import { describe, expect, it } from 'vitest';
import { readNotes, toScenario, type RecordedCase, type Story } from '../index.ts';

const read = (...notes: (readonly [number, string])[]): Story => readNotes(notes.map(([t, note]) => ({ t, note })));
const faults = (story: Story): readonly unknown[] => [...story.faults.values()];

describe('a note about a machine', () => {
  it.each([
    ['node agent of n-0 goes silent: no Lease renewals, no status posts, no pod handling', { nodeDown: 'n-0' }],
    ['node agent of n-0 killed (SIGKILL): no more Lease renewals', { nodeDown: 'n-0' }],
    ['node agent of n-0 is back', { nodeUp: 'n-0' }],
    ['node agent of n-0 posts Ready=False', { nodeNotReady: 'n-0' }],
    ['node agent of n-0 posts Ready=True', { nodeReady: 'n-0' }],
  ])('%s', (note, fault) => {
    const story = read([1, note]);
    expect(faults(story)).toEqual([fault]);
    expect([...story.machines]).toEqual(['n-0']);
  });

  it('adds the machine to the cluster unless a request creates it', () => {
    const nodesOf = (actions: RecordedCase['actions']['actions']): unknown => {
      const {
        spec: { cluster },
      } = toScenario({
        name: 'case',
        actions: { namespace: 'ns', durationSeconds: 9, actions: [...actions, { t: 2, note: 'node agent of n-0 is back' }] },
        trace: [],
      });
      return (cluster as { readonly nodes: readonly { readonly name: string }[] }).nodes.map(({ name }) => name);
    };
    expect(nodesOf([])).toEqual(['node-0', 'node-1', 'node-2', 'n-0']);
    expect(nodesOf([{ t: 1, method: 'POST', path: '/api/v1/nodes', body: { kind: 'Node', metadata: { name: 'n-0' } } }])).toEqual([
      'node-0',
      'node-1',
      'node-2',
    ]);
  });
});

describe('notes about candidates', () => {
  it('are about the current leader', () => {
    const story = read(
      [4, 'second scheduler started (pid 1)'],
      [10, 'leader SIGKILLed (pid 2)'],
      [31, 'first scheduler restarted (pid 3)'],
      [37, 'leader SIGTERMed (graceful)'],
      [50, 'leader SIGKILLed (pid 3)'],
    );
    expect(story.atFirst).toEqual([{ crash: 'scheduler-1' }]);
    expect(faults(story)).toEqual([
      { restart: 'scheduler-1' },
      { crash: 'scheduler' },
      { restart: 'scheduler' },
      { stop: 'scheduler-1' },
      { crash: 'scheduler' },
    ]);
    expect(story.cluster).toEqual({ schedulers: 2, controllerManagers: 1 });
  });

  it('do not start processes that existed from the start', () => {
    const story = read(
      [0.003, 'second kube-scheduler candidate started'],
      [42, 'second kube-scheduler candidate stopped (SIGTERM, never leader)'],
    );
    expect(story.atFirst).toEqual([]);
    expect(faults(story)).toEqual([{ stop: 'scheduler-1' }]);
  });
});

it('a controller manager in a note has leader election, so that its next process waits for the lease', () => {
  const story = read([7, 'controller manager killed (SIGKILL)'], [14, 'controller manager started']);
  expect(faults(story)).toEqual([{ crash: 'controller-manager' }, { restart: 'controller-manager' }]);
  expect(story.cluster).toEqual({ controllerManagers: 1 });
  expect(story.ignored).toEqual([]);
});

it('other notes are returned unused', () => {
  const story = read([1, 'Node object deleted (agent dead): pod GC'], [2, 'leader SIGKILLed (pid 2)']);
  expect(faults(story)).toEqual([]);
  expect(story.ignored).toEqual(['Node object deleted (agent dead): pod GC', 'leader SIGKILLed (pid 2)']);
});
