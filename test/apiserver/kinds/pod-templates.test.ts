/** Pods of one template are read together where they differ only in what is their own. */
import { expect, it } from 'vitest';
import type { ObjectInput } from '../../../src/apiserver/machinery/index.ts';
import { setup } from '../handlers/setup.ts';

const CONTAINERS = Object.freeze([Object.freeze({ name: 'c', image: 'c:1' })]);

/** A pod of the template that runs where a field of the node has a value. */
const pinned = (key: string, value: string) => {
  const terms = [{ matchFields: [{ key, operator: 'In', values: [value] }] }];
  const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } };
  const metadata = { generateName: 'd-' };
  const body: ObjectInput = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: CONTAINERS, affinity: { nodeAffinity } } };
  return { verb: 'create', kind: 'Pod', namespace: 'default', body } as const;
};

it('the pods of a DaemonSet, each pinned to a node by its name, share their containers; another field is refused for each', () => {
  const { ok, refused } = setup();
  const made = ['node-0', 'node-1'].map((node) => ok(pinned('metadata.name', node))['spec'] as { readonly containers: unknown });
  expect(made[0]?.containers).toBe(made[1]?.containers);
  expect(made[1]).toMatchObject(pinned('metadata.name', 'node-1').body['spec'] as object);
  for (const uid of ['u-0', 'u-1']) expect(refused(pinned('metadata.uid', uid)).message).toContain('not a valid field selector key');
});
