/** What a controller may return and read, with the words for what it may not. */
import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { declaredView, outcomeProblem } from '../../../src/lab/sandbox/contract.ts';

const KINDS = kindsFor(namesFor('k8s.io'));
const NOW = 1000;
const problem = (outcome: unknown): string | undefined => outcomeProblem(outcome, { kinds: KINDS, writes: ['Job'], now: NOW });
const withWrite = (write: unknown): string | undefined => problem({ why: 'it must', writes: [{ op: 'event' }, write] });
const JOB = { kind: 'Job', metadata: { name: 'a' } };

describe('an outcome', () => {
  it.each([
    ['has a reason and writes', { why: 'x', writes: [] }],
    ['may wake later', { why: 'x', writes: [], wakeAt: NOW + 1 }],
    [
      'may write what is declared, and read everything',
      {
        why: 'x',
        writes: [
          { op: 'create', object: JOB },
          { op: 'get', kind: 'Pod' },
          { op: 'list', kind: 'Pod' },
          { op: 'check', kind: 'Pod' },
          { op: 'create', object: { kind: 'Event', metadata: {} } },
        ],
      },
    ],
  ])('%s', (_, outcome) => {
    expect(problem(outcome)).toBeUndefined();
  });

  it('is named where it is none', () => {
    const other = [
      undefined,
      null,
      [],
      7,
      'x',
      { then: 1 },
      {},
      { why: ' ', writes: [] },
      { why: 7, writes: [] },
      { why: {}, writes: [] },
      { why: 'x' },
      { why: 'x', writes: 'y' },
      { why: 'x', writes: null },
    ];
    const late = [NaN, Infinity, '5', NOW, NOW - 1].map((wakeAt) => ({ why: 'x', writes: [], wakeAt }));
    expect([...other, ...late].map(problem)).toEqual([
      "answered nothing: expected { why, writes } (idle('…'), wakeAt(t, '…') and write('…', …) make them)",
      "answered null: expected { why, writes } (idle('…'), wakeAt(t, '…') and write('…', …) make them)",
      "answered a list: expected { why, writes } (idle('…'), wakeAt(t, '…') and write('…', …) make them)",
      "answered 7: expected { why, writes } (idle('…'), wakeAt(t, '…') and write('…', …) make them)",
      "answered \"x\": expected { why, writes } (idle('…'), wakeAt(t, '…') and write('…', …) make them)",
      'answered later: a decision is made at once, from what the cache holds (a write marked resume asks the server)',
      'gave no why: expected one sentence, found nothing',
      'gave no why: expected one sentence, found " "',
      'gave no why: expected one sentence, found 7',
      'gave no why: expected one sentence, found an object',
      "answered writes that are nothing: expected { why, writes } (idle('…'), wakeAt(t, '…') and write('…', …) make them)",
      "answered writes that are \"y\": expected { why, writes } (idle('…'), wakeAt(t, '…') and write('…', …) make them)",
      "answered writes that are null: expected { why, writes } (idle('…'), wakeAt(t, '…') and write('…', …) make them)",
      'wants to wake at NaN: expected milliseconds since the epoch',
      'wants to wake at Infinity: expected milliseconds since the epoch',
      'wants to wake at 5: expected milliseconds since the epoch',
      'answered a wakeAt that is now: expected an instant later than input.now',
      'answered a wakeAt that is 1 ms in the past: expected an instant later than input.now',
    ]);
    expect(problem(() => undefined)).toEqual(
      "answered function: expected { why, writes } (idle('…'), wakeAt(t, '…') and write('…', …) make them)",
    );
  });

  it('has writes of what exists and is declared', () => {
    const ops = ['create', 'update', 'patch', 'delete', 'deleteCollection', 'post'];
    expect(ops.map((op) => withWrite({ op, object: JOB, kind: 'Job' }))).toEqual(ops.map(() => undefined));
    expect(ops.map((op) => withWrite({ op, object: { kind: 'Pod', metadata: {} }, kind: 'Pod' }))).toEqual([
      'write 2 of "it must" creates Pod, which it does not declare: add \'Pod\' to its writes',
      'write 2 of "it must" updates Pod, which it does not declare: add \'Pod\' to its writes',
      'write 2 of "it must" patches Pod, which it does not declare: add \'Pod\' to its writes',
      'write 2 of "it must" deletes Pod, which it does not declare: add \'Pod\' to its writes',
      'write 2 of "it must" deleteCollections Pod, which it does not declare: add \'Pod\' to its writes',
      'write 2 of "it must" writes Pod, which it does not declare: add \'Pod\' to its writes',
    ]);
    expect(
      [
        undefined,
        null,
        [],
        'x',
        {},
        { op: 7 },
        { op: 'put' },
        { op: 'create' },
        { op: 'update', object: { kind: 'Job' } },
        { op: 'create', object: { kind: 'Job', metadata: null } },
        { op: 'create', object: { metadata: {} } },
        { op: 'patch', kind: 'Jobs' },
        { op: 'create', object: { kind: 7, metadata: {} } },
        { op: 'get' },
      ].map(withWrite),
    ).toEqual([
      'write 2 of "it must" is nothing: create(…), update(…), remove(…) make writes',
      'write 2 of "it must" is null: create(…), update(…), remove(…) make writes',
      'write 2 of "it must" is a list: create(…), update(…), remove(…) make writes',
      'write 2 of "it must" is "x": create(…), update(…), remove(…) make writes',
      'write 2 of "it must" is an object: create(…), update(…), remove(…) make writes',
      'write 2 of "it must" has op 7: expected one of create, update, patch, delete, deleteCollection, get, list, post, check, event',
      'write 2 of "it must" has op "put": expected one of create, update, patch, delete, deleteCollection, get, list, post, check, event',
      'write 2 of "it must" creates what is no object with kind and metadata',
      'write 2 of "it must" updates what is no object with kind and metadata',
      'write 2 of "it must" creates what is no object with kind and metadata',
      'write 2 of "it must" creates what is no object with kind and metadata',
      'write 2 of "it must" is of a kind that does not exist: "Jobs"; did you mean "Job"?',
      'write 2 of "it must" is of a kind that does not exist: 7',
      'write 2 of "it must" is of a kind that does not exist: nothing',
    ]);
  });
});

describe('a cache', () => {
  const reads: string[] = [];
  const noting =
    (name: string) =>
    (kind: string, ...rest: readonly unknown[]) => {
      reads.push([name, kind, ...rest].join(' '));
      return name;
    };
  const names = ['get', 'byKey', 'by', 'countBy', 'controlledBy', 'list', 'size'] as const;
  const cache = {
    ...Object.fromEntries(names.map((name) => [name, noting(name)])),
    kinds: () => ['Job', 'Pod', 'Node', 'Secret'],
    now: 5,
  } as never;
  const viewOf = declaredView({
    name: 'mine',
    reconciles: 'Job',
    watches: [{ kind: 'Pod' }],
    aggregates: [{ kind: 'Node' }],
    writes: [],
    reconcile: () => undefined,
  } as never);

  it('reads what is declared, and nothing else', () => {
    const view = viewOf(cache) as unknown as Record<string, (...given: readonly unknown[]) => unknown>;
    for (const name of names) {
      expect(view[name]?.('Job', 1, 2)).toBe(name);
      expect(() => view[name]?.('Secret')).toThrow("mine reads Secret and does not watch it: add watch('Secret') to its watches");
    }
    expect(reads).toEqual(names.map((name) => `${name} Job 1 2`));
    expect([view['kinds']?.(), view['now']]).toEqual([['Job', 'Pod', 'Node'], 5]);
  });

  it('has one view as long as it is the same', () => {
    const other = { ...(cache as object) } as never;
    const first = viewOf(cache);
    expect([viewOf(cache) === first, viewOf(other) === first, viewOf(cache) === first]).toEqual([true, false, false]);
    const nothing = declaredView({ name: 'none', writes: [] } as never)(cache) as unknown as {
      list(kind: string): unknown;
      kinds(): readonly string[];
    };
    expect(nothing.kinds()).toEqual([]);
    expect(() => nothing.list('Job')).toThrow('none reads Job');
  });
});
