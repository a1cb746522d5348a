/** Owner references without uids in steps mean the present objects, in patches as in whole objects. */
import { expect, it } from 'vitest';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../support/scenarios.ts';

const STORY = `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: circle }
spec:
  cluster: { nodes: { count: 0 } }
  steps:
    - create: { apiVersion: v1, kind: ConfigMap, metadata: { name: a } }
    - create: { apiVersion: v1, kind: ConfigMap, metadata: { name: b, ownerReferences: [{ apiVersion: v1, kind: ConfigMap, name: a, blockOwnerDeletion: true }] } }
    - patch: { target: ConfigMap/a, type: merge, patch: { metadata: { ownerReferences: [{ apiVersion: v1, kind: ConfigMap, name: b, blockOwnerDeletion: true }] } } }
    - patch: { target: ConfigMap/a, type: json, patch: [{ op: add, path: /metadata/labels, value: { round: and-round } }] }
    - expect:
        - cel: object('ConfigMap/a').metadata.ownerReferences[0].uid == object('ConfigMap/b').metadata.uid
        - cel: object('ConfigMap/b').metadata.ownerReferences[0].uid == object('ConfigMap/a').metadata.uid
    - delete: { target: ConfigMap/a, propagationPolicy: Foreground }
    - when: settled
      expect: [{ absent: ConfigMap/a }, { absent: ConfigMap/b }]
`;

it('two that own and block each other go together, the one deleted first', () => {
  const scenario = scenarioIn(STORY);
  const gone: string[] = [];
  const { verdict, failures } = simulate(scenario, {
    onObjectChange: ({ type, object }) => {
      if (type === 'DELETED' && object.kind === 'ConfigMap') gone.push(object.metadata.name);
    },
  });
  expect(failures).toEqual([]);
  expect(verdict).toBe('held');
  expect(gone).toEqual(['a', 'b']);
});
