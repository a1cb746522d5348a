/**
 * Failed pods in back-off: a sync visits only nodes that changed or are due, and decides as if it had visited all. Visits are counted: with
 * all pods failing, the number per failure must not depend on the number of nodes.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DaemonSet, Node, Pod } from '../../../../src/apiserver/kinds/index.ts';
import { type Backoffs, backoffsOf } from '../../../../src/controlplane/controllers/daemon-set/backoff.ts';
import { planPods as planAt, type Plan } from '../../../../src/controlplane/controllers/daemon-set/manage.ts';
import { createView, putPod, type View } from '../../../../src/controlplane/controllers/daemon-set/view.ts';

/** Where the clock is right. */
const planPods = (set: DaemonSet, view: View, backoffs: Backoffs, now: number): Plan => planAt(set, view, backoffs, { now, elapsed: now });

const TEMPLATE = { metadata: {}, spec: { containers: [] } } as unknown as View['template'];
const SET = { metadata: { uid: 'set' }, spec: {}, status: {} } as unknown as DaemonSet;
const WANTED = { hash: 'new', surges: false };
const fit = () => 'runs' as const;
const nodeOf = (name: string): Node => ({ metadata: { name } }) as unknown as Node;
const podOn = (node: string, turn: number, phase: string): Pod =>
  ({
    metadata: {
      uid: `${node}/${turn}`,
      name: `${node}-${turn}`,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { 'controller-revision-hash': 'new' },
    },
    spec: { nodeName: node },
    status: { phase },
  }) as unknown as Pod;

/** Nodes, each with a pod that runs, fails, is replaced, and runs again. */
function world(count: number) {
  const names = Array.from({ length: count }, (_, at) => `node-${at}`);
  const pods = new Map(names.map((name) => [name, podOn(name, 0, 'Running')]));
  const view = createView({ template: TEMPLATE, wanted: WANTED, fit }, names.map(nodeOf), pods.values(), 1);
  let turn = 0;
  const put = (name: string, pod: Pod): void => {
    const before = pods.get(name);
    if (before?.metadata.uid === pod.metadata.uid) putPod(view, before, pod);
    else {
      putPod(view, before, undefined);
      putPod(view, undefined, pod);
    }
    pods.set(name, pod);
  };
  return {
    names,
    view,
    fail(name: string): void {
      const { uid = '' } = pods.get(name)?.metadata ?? {};
      put(name, podOn(name, Number(uid.split('/')[1]), 'Failed'));
    },
    replace(name: string): void {
      put(name, podOn(name, ++turn, 'Running'));
    },
    /** The same, built from scratch. */
    anew: () => createView({ template: TEMPLATE, wanted: WANTED, fit }, names.map(nodeOf), pods.values(), 2),
  };
}

const reported = ({ toDelete, againMs }: Plan) => ({ toDelete: toDelete.map(({ metadata }) => metadata.name).toSorted(), againMs });

describe('failed pods in back-off', () => {
  it('are handled as if every sync visited all nodes', () => {
    const step = fc.record({ node: fc.nat(5), does: fc.constantFrom('fail', 'fail', 'replace', 'wait', 'lose'), ms: fc.nat(3000) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { names, view, fail, replace, anew } = world(6);
        let now = 0;
        let known: Backoffs = backoffsOf(undefined, 'set', 1);
        for (const { node, does, ms } of steps) {
          const name = names[node] ?? '';
          if (does === 'fail') fail(name);
          if (does === 'replace') replace(name);
          now += ms;
          const plan = planPods(SET, view, known, now);
          expect(reported(plan)).toEqual(reported(planPods(SET, anew(), known, now)));
          // A second call gives the same result.
          expect(reported(planPods(SET, view, known, now))).toEqual(reported(plan));
          // Sometimes a write is refused, and the pods to delete stay.
          if (does !== 'lose') for (const { spec } of plan.toDelete) replace(spec.nodeName ?? '');
          known = plan.backoffs;
        }
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it('of another set or generation are forgotten', () => {
    const { view, fail } = world(1);
    fail('node-0');
    const { backoffs } = planPods(SET, view, backoffsOf(undefined, 'set', 1), 0);
    expect(planPods(SET, view, backoffsOf(backoffs, 'set', 1), 10)).toMatchObject({ toDelete: [], againMs: 1000 });
    for (const [uid, generation] of [
      ['set', 2],
      ['other', 1],
    ] as const)
      expect(planPods(SET, view, backoffsOf(backoffs, uid, generation), 10).toDelete).toHaveLength(1);
  });

  it('cost a visit or two each, independent of the number of nodes', () => {
    /** All pods fail one after another, and again after each replacement, with a sync after each failure and each wait. */
    const looksAFailure = (count: number): number => {
      const { names, view, fail, replace } = world(count);
      let known: Backoffs = backoffsOf(undefined, 'set', 1);
      let [visited, failures] = [0, 0];
      for (let now = 0; now < 20_000; now += 20_000 / (4 * count)) {
        fail(names[failures % count] ?? '');
        failures++;
        const plan = planPods(SET, view, known, now);
        visited += plan.visited;
        known = plan.backoffs;
        for (const { spec } of plan.toDelete) replace(spec.nodeName ?? '');
      }
      return visited / failures;
    };
    const [few, many] = [looksAFailure(50), looksAFailure(1000)];
    expect(few).toBeLessThan(5);
    expect(many).toBeLessThan(5);
    expect(many / few).toBeLessThan(1.1);
  });
});
