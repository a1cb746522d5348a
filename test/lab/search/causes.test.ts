/** The cause of a failure, entry by entry. */
import { describe, expect, it } from 'vitest';
import { GIVES_UP } from '../../../src/controlplane/shared/index.ts';
import {
  causeText,
  collectCauses,
  isExpectation,
  isInvariant,
  isKnownLast,
  isLiveness,
  sketch,
  watchLiveness,
  type Cause,
} from '../../../src/lab/search/cause.ts';

const decided = (id: number, controller: string, key: string, why: string) =>
  ({ type: 'reconcile', id, at: 0, controller, key, why, writes: 1, process: 'm', failures: 0 }) as never;
const wrote = (causes: readonly number[], { actor = 'm', controller = 'job', kind = 'Pod', type = 'ADDED' } = {}) =>
  ({
    type: 'write',
    id: 0,
    at: 0,
    actor,
    controller,
    request: `create ${kind} n/p`,
    causes,
    change: { type, kind, key: 'n/p', object: {} },
  }) as never;
const failure = (parts: object) => ({ kind: 'invariant', message: 'm', detail: [], sinceStartMs: 0, ...parts }) as never;

describe('a cause', () => {
  it('is the invariant, with the write that broke it and its reason', () => {
    const { observe, failed, broken, whys } = collectCauses(new Set());
    observe(decided(1, 'job', 'n/a', '2 pods of "web" are missing'));
    observe(wrote([9, 1]));
    failed(failure({ invariant: 'job/x', message: 'it is broken' }), true);
    failed(failure({ invariant: 'job/x', message: 'again' }), true);
    failed(failure({ invariant: 'job/y', message: 'not by a write' }));
    failed(failure({ message: 'unnamed' }));
    failed(failure({ kind: 'step' }));
    failed(failure({ kind: 'limit', message: 'too long' }));
    failed(failure({ kind: 'contract', message: 'it wrote what it may not', controller: 'job' }));
    failed(failure({ kind: 'expectation', message: 'e', detail: ['d'], source: { line: 3, col: 5 } }));
    failed(failure({ kind: 'expectation', message: 'e' }));
    const full = {
      claim: 'job/x',
      message: 'it is broken',
      process: 'm',
      action: 'create Pod',
      controller: 'job',
      why: '… pods of … are missing',
    };
    expect(broken).toEqual([
      full,
      { claim: 'job/y', message: 'not by a write' },
      { claim: 'unnamed', message: 'unnamed' },
      { claim: 'the cluster settles', message: 'too long' },
      { claim: 'controllers fulfil their contract', message: 'it wrote what it may not', controller: 'job' },
      { claim: 'the expectation at line 3, column 5', message: 'e\nd' },
      { claim: 'the expectation', message: 'e' },
    ]);
    expect([...whys]).toEqual(['job: … pods of … are missing']);
    expect(broken.map(causeText)).toContain('job/x | job | create Pod | … pods of … are missing');
  });

  it('is none where somebody from outside wrote, and no write without a decision has a reason', () => {
    const { observe, failed, broken } = collectCauses(new Set());
    observe(wrote([], { actor: 'somebody' }));
    failed(failure({ invariant: 'x' }), true);
    expect(broken).toEqual([]);
    failed(failure({ kind: 'limit' }), true);
    observe(wrote([5]));
    failed(failure({ invariant: 'x' }), true);
    expect(broken.at(-1)).toEqual({ claim: 'x', message: 'm', process: 'm', action: 'create Pod', controller: 'job' });
  });

  it("knows what a user's controller has created, and what a built-in one has dropped", () => {
    const { observe, failed, broken } = collectCauses(new Set(['mine']));
    observe(wrote([], { controller: 'mine', kind: 'Pod' }));
    observe(wrote([], { controller: 'mine', kind: 'Job', type: 'MODIFIED' }));
    observe(wrote([], { controller: 'other', kind: 'Node' }));
    observe(decided(1, 'endpoints', 'n/s', `it failed: ${GIVES_UP}`));
    observe(decided(2, 'slices', 'n/s', GIVES_UP));
    observe(decided(3, 'endpoints', 'n/s', 'it goes on'));
    const about = (kind: string) => ({ kind, namespace: 'n', name: 'p' });
    for (const kind of ['Pod', 'Job', 'Node']) failed(failure({ invariant: kind, about: about(kind) }));
    failed(failure({ kind: 'expectation', about: about('Pod') }));
    failed(failure({ kind: 'limit' }));
    failed(failure({ kind: 'contract' }));
    const gaveUp = 'slices n/s';
    expect(broken).toEqual([
      { claim: 'Pod', message: 'm', own: true },
      { claim: 'Job', message: 'm' },
      { claim: 'Node', message: 'm' },
      { claim: 'the expectation', message: `m\n  ${gaveUp}: ${GIVES_UP}`, gaveUp, own: true },
      { claim: 'the cluster settles', message: `m\n  ${gaveUp}: ${GIVES_UP}`, gaveUp },
      { claim: 'controllers fulfil their contract', message: 'm' },
    ]);
  });

  it('is of one sort', () => {
    const sorts = [
      'job/x',
      'the expectation at line 1',
      'no livelock',
      'no starvation',
      'the cluster settles',
      'controllers fulfil their contract',
    ].map((claim) => [isInvariant({ claim }), isExpectation({ claim }), isLiveness({ claim }), isKnownLast({ claim })]);
    expect(sorts).toEqual([
      [true, false, false, false],
      [false, true, false, false],
      [false, false, true, false],
      [false, false, true, true],
      [false, false, false, false],
      [false, false, false, false],
    ]);
    expect(sketch('"web" has 3 of 5.5 pods, \'a b\' and Pod/web-x7 wait')).toBe('… has … of … pods, … and … wait');
  });

  it('that is a livelock comes after what a write broke, and before the rest', () => {
    const watch = watchLiveness(() => undefined, 0);
    const others: readonly Cause[] = [
      { claim: 'late', message: '' },
      { claim: 'by a write', message: '', action: 'create Pod' },
    ];
    expect(watch.among(others)).toBe(others);
    const object = (a: string) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'c', uid: 'u', resourceVersion: '1', creationTimestamp: '' },
      data: { a },
    });
    for (let at = 0; at < 16; at++)
      watch.observe({
        type: 'write',
        id: at,
        at,
        actor: 'm',
        controller: at % 2 === 0 ? 'two' : 'one',
        request: 'update ConfigMap c',
        causes: [],
        change: { type: 'MODIFIED', kind: 'ConfigMap', key: 'c', object: object(String(at % 2)), previous: object(String((at + 1) % 2)) },
      } as never);
    const among = watch.among(others);
    expect(among.map(({ claim, controller }) => [claim, controller])).toEqual([
      ['by a write', undefined],
      ['no livelock', 'one, two'],
      ['late', undefined],
    ]);
    expect(among[1]?.message.split('\n')).toEqual([
      'livelock: the cluster was in one state 8 times, with 2 writes between, 1ms long',
      '  one: update ConfigMap c',
      '  two: update ConfigMap c',
    ]);
  });
});
