/** Who attaches the volumes of a node is stated by an annotation of the node. */
import { expect, test } from 'vitest';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { attachDetachKey, attachesItself } from '../../../src/controlplane/shared/index.ts';
import { nodeOf } from '../../support/objects.ts';

const names = namesFor('k8s.io');

test('a node attaches its volumes itself only where the annotation is false', () => {
  const node = nodeOf('a');
  const withValue = (value: string): boolean =>
    attachesItself({ ...node, metadata: { ...node.metadata, annotations: { [attachDetachKey(names)]: value } } }, names);
  expect([withValue('false'), withValue('true'), withValue('')]).toEqual([true, false, false]);
  expect(attachesItself(node, names)).toBe(false);
});
