/** Whether volumes for claims can be provisioned for a node. Models: v1.24 volumebinding checkVolumeProvisions, hasEnoughCapacity. */
import type { Node } from '../../../../apiserver/kinds/index.ts';
import { isReachable, isSufficient } from '../../../../apiserver/decisions/index.ts';
import type { SchedulerView } from '../view.ts';
import { classNameOf, type Claim, type StorageClass, type TopologyTerm } from './objects.ts';
import { requestOf } from './matching.ts';

export type Provisioning = 'possible' | 'impossible' | 'no capacity' | { readonly error: string };

function isAllowed(terms: readonly TopologyTerm[] | undefined, node: Node): boolean {
  if (terms === undefined || terms.length === 0) return true;
  const { labels = {} } = node.metadata;
  return terms.some(
    ({ matchLabelExpressions = [] }) =>
      matchLabelExpressions.length > 0 &&
      matchLabelExpressions.every(({ key, values }) => labels[key] !== undefined && values.includes(labels[key])),
  );
}

/** Whether there is capacity for a claim on a node. Drivers that do not publish capacity always have enough. */
function roomFor(claim: Claim, { metadata, provisioner }: StorageClass, { cache }: SchedulerView): (node: Node) => boolean {
  if (claim.spec.resources?.requests?.['storage'] === undefined) return () => true;
  if (cache.get('CSIDriver', undefined, provisioner)?.spec?.storageCapacity !== true) return () => true;
  const wanted = requestOf(claim);
  const segments = cache.list('CSIStorageCapacity').filter((one) => one.storageClassName === metadata.name && isSufficient(one, wanted));
  return (node) => segments.some((one) => isReachable(one, node.metadata.labels));
}

/** Whether one claim can be provisioned on a node. */
export function provisioningFor(claim: Claim, view: SchedulerView): (node: Node) => Provisioning {
  const name = classNameOf(claim, view.names);
  if (name === '') return () => 'impossible';
  const found = view.cache.get('StorageClass', undefined, name);
  if (found === undefined) return () => ({ error: `failed to find storage class "${name}"` });
  if (found.provisioner === '' || found.provisioner === view.names.key('', 'no-provisioner')) return () => 'impossible';
  const hasRoom = roomFor(claim, found, view);
  return (node) => (!isAllowed(found.allowedTopologies, node) ? 'impossible' : hasRoom(node) ? 'possible' : 'no capacity');
}
