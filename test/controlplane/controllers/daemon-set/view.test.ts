/** A view that is updated node by node and pod by pod equals one computed from scratch, after any changes. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Node, Pod } from '../../../../src/apiserver/kinds/index.ts';
import type { Fit } from '../../../../src/controlplane/controllers/daemon-set/pod.ts';
import { createView, putNode, putPod, type View } from '../../../../src/controlplane/controllers/daemon-set/view.ts';

const TEMPLATE = { metadata: {}, spec: { containers: [] } } as unknown as View['template'];
const fit = ({ metadata }: Node): Fit => (metadata.labels?.['fit'] ?? 'leaves') as Fit;
const nodeOf = (name: string, is: Fit): Node => ({ metadata: { name, labels: { fit: is } }, spec: {}, status: {} }) as unknown as Node;

interface Seed {
  readonly uid: string;
  readonly node: string;
  readonly hash: string;
  readonly ready: boolean;
  readonly dying: boolean;
  readonly phase: string;
}
const podOf = ({ uid, node, hash, ready, dying, phase }: Seed): Pod =>
  ({
    metadata: {
      uid,
      name: uid,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { 'controller-revision-hash': hash },
      ...(dying ? { deletionTimestamp: '2026-01-01T00:01:00Z' } : {}),
    },
    spec: { nodeName: node },
    status: {
      phase,
      ...(ready ? { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: `2026-01-01T00:00:0${uid}Z` }] } : {}),
    },
  }) as unknown as Pod;

const names = fc.constantFrom('a', 'b', 'c');
const step = fc.oneof(
  fc.record({ node: names, is: fc.option(fc.constantFrom<Fit>('runs', 'stays', 'leaves')) }),
  fc.record({
    uid: fc.constantFrom('1', '2', '3', '4', '5'),
    node: names,
    hash: fc.constantFrom('new', 'old'),
    ready: fc.boolean(),
    dying: fc.boolean(),
    phase: fc.constantFrom('Pending', 'Running', 'Failed'),
    gone: fc.boolean(),
  }),
);

const NOW = Date.parse('2026-01-01T00:00:05Z');
const plain = (view: View): unknown => ({
  counts: [
    view.desired,
    view.current,
    view.misplaced,
    view.updated,
    view.serving.size,
    view.serving.ready,
    view.serving.available(2000, NOW),
  ],
  calls: [...view.calls].toSorted(),
  failing: view.failing.since(undefined).toSorted(),
  hashes: Object.fromEntries(view.hashes),
  stages: Object.entries(view.stages).map(([stage, nodes]) => [
    stage,
    nodes.size,
    nodes.oldest(2000, NOW, Infinity).toSorted(),
    nodes.lacking(2000, NOW).toSorted(),
  ]),
});

it.each([true, false])('with surge: %s', (surges) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const wanted = { hash: 'new', surges };
      const view = createView({ template: TEMPLATE, wanted, fit }, [], [], 1);
      const nodes = new Map<string, Node>();
      const pods = new Map<string, Pod>();
      for (const one of steps) {
        if ('is' in one) {
          const node = one.is === null ? undefined : nodeOf(one.node, one.is);
          if (node === undefined) nodes.delete(one.node);
          else nodes.set(one.node, node);
          putNode(view, one.node, node);
          continue;
        }
        const before = pods.get(one.uid);
        const after = one.gone ? undefined : podOf(one);
        if (after === undefined) pods.delete(one.uid);
        else pods.set(one.uid, after);
        if (before !== undefined || after !== undefined) putPod(view, before, after);
      }
      expect(plain(view)).toEqual(plain(createView({ template: TEMPLATE, wanted, fit }, nodes.values(), pods.values(), 1)));
    }),
    { numRuns: 300, seed: 1 },
  );
});
