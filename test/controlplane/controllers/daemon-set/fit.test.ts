/** The eligible nodes of a set's pods, and the pods' tolerations. */
import { describe, expect, it } from 'vitest';
import type { Node } from '../../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../../src/apiserver/machinery/index.ts';
import { fitTest, daemonTolerations } from '../../../../src/controlplane/controllers/daemon-set/pod.ts';
import type { View } from '../../../../src/controlplane/controllers/daemon-set/view.ts';
import { nodeOf } from '../../../support/objects.ts';

const names = namesFor('k8s.io');
const fits = (spec: object, node: Node) =>
  fitTest({ metadata: {}, spec: { containers: [], ...spec } } as unknown as View['template'], names)(node);
const tainted = (key: string, effect: string): Node => ({ ...nodeOf('n'), spec: { taints: [{ key, effect }] } });

describe('a node', () => {
  it.each([
    ['without taints', nodeOf('n'), 'runs'],
    ['that keeps new pods off leaves those alone that are there', tainted('own', 'NoSchedule'), 'stays'],
    ['that puts pods out', tainted('own', 'NoExecute'), 'leaves'],
    ['that only would rather have none', tainted('own', 'PreferNoSchedule'), 'runs'],
    ['that is not ready', tainted('node.kubernetes.io/not-ready', 'NoExecute'), 'runs'],
    ['that is kept from new pods', tainted('node.kubernetes.io/unschedulable', 'NoSchedule'), 'runs'],
  ])('%s: %#', (_, node, fit) => {
    expect(fits({}, node)).toBe(fit);
  });

  it("with another name than the template's nodeName gets no pod", () => {
    expect(['n', 'm'].map((nodeName) => fits({ nodeName }, nodeOf('n')))).toEqual(['runs', 'leaves']);
  });
});

describe('the pods of a set tolerate', () => {
  const spec = (more: object) => ({ containers: [], ...more }) as unknown as Parameters<typeof daemonTolerations>[0];
  const keys = (more: object) =>
    daemonTolerations(spec(more), names).map(({ key, effect }) => `${key?.replace('node.kubernetes.io/', '') ?? ''} ${effect ?? ''}`);
  const ALWAYS = [
    'not-ready NoExecute',
    'unreachable NoExecute',
    'disk-pressure NoSchedule',
    'memory-pressure NoSchedule',
    'pid-pressure NoSchedule',
    'unschedulable NoSchedule',
  ];

  it('problems of their node, and of its network with hostNetwork', () => {
    expect(keys({})).toEqual(ALWAYS);
    expect(keys({ hostNetwork: true })).toEqual([...ALWAYS, 'network-unavailable NoSchedule']);
  });

  it('without limit what the template tolerates for a time', () => {
    const unreachable = { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' };
    const found = daemonTolerations(
      spec({
        tolerations: [
          { ...unreachable, tolerationSeconds: 30 },
          { key: 'own', operator: 'Exists' },
        ],
      }),
      names,
    );
    expect(found.slice(0, 2)).toEqual([unreachable, { key: 'own', operator: 'Exists' }]);
    expect(found).toHaveLength(ALWAYS.length + 1);
  });
});
