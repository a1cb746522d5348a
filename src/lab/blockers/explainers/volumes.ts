/** A pod whose containers wait for volumes: a claim is not bound, or a volume is not attached to the node or still attached to another. */
import type { VolumeAttachment } from '../../../apiserver/kinds/index.ts';
import { isOf, type ObjectOf } from '../../../controlplane/runtime/index.ts';
import { claimsOf, uniqueVolumeName } from '../../../controlplane/shared/index.ts';
import type { Explainer, Situation, Wait } from '../contract.ts';
import { isDone, listed, nameOf } from '../words.ts';

export const volumes: Explainer = {
  name: 'volumes',
  kinds: ['Pod'],
  explain(pod, situation) {
    if (!isOf('Pod', pod) || isDone(pod) || pod.metadata.deletionTimestamp !== undefined) return [];
    const { nodeName = '' } = pod.spec;
    // A container that has started had its volumes.
    const started = [...(pod.status.initContainerStatuses ?? []), ...(pod.status.containerStatuses ?? [])].some(
      ({ state }) => state !== undefined && state.waiting === undefined,
    );
    return nodeName === '' || started ? [] : claimsOf(pod).flatMap((key) => ofClaim(key, nodeName, situation));
  },
};

function ofClaim(key: string, node: string, situation: Situation): readonly Wait[] {
  const { world } = situation;
  const claim = world.byKey('PersistentVolumeClaim', key);
  // The explainer of claims says why there is no volume.
  const [namespace, name = ''] = key.split('/');
  if (!isOf('PersistentVolumeClaim', claim))
    return [
      {
        text: `waits for claim ${name}, which does not exist`,
        leadsTo: [{ kind: 'PersistentVolumeClaim', name, ...(namespace === undefined ? {} : { namespace }) }],
      },
    ];
  const { volumeName = '' } = claim.spec;
  if (claim.status.phase !== 'Bound' || volumeName === '')
    return [{ text: `waits for claim ${claim.metadata.name} to be bound`, leadsTo: [nameOf(claim)] }];
  const attachments = attachmentsOf(volumeName, situation);
  const here = attachments.find(({ spec }) => spec.nodeName === node);
  if (here !== undefined)
    return here.status.attached ? [] : [{ text: `waits for volume ${volumeName} to be attached to ${node}`, leadsTo: [nameOf(here)] }];
  const [elsewhere] = attachments;
  if (elsewhere === undefined) return [];
  const { nodeName } = elsewhere.spec;
  const users = situation.world
    .list('Pod', namespace)
    .filter((pod) => isOf('Pod', pod) && !isDone(pod) && pod.spec.nodeName === nodeName && claimsOf(pod).includes(key));
  const used =
    users.length > 0
      ? `, where ${listed(users.map(({ metadata }) => metadata.name))} uses it`
      : isInUse(volumeName, nodeName, situation)
        ? ', which reports it in use'
        : '';
  return [
    {
      text: `waits for volume ${volumeName} to be detached from ${nodeName}${used}`,
      leadsTo: [...users.map(nameOf), nameOf(elsewhere), { kind: 'Node', name: nodeName }],
    },
  ];
}

/** Whether the last status of a node lists a volume as in use; such a volume stays attached for six minutes more. */
function isInUse(volumeName: string, nodeName: string, { world, names }: Situation): boolean {
  const node = world.get('Node', undefined, nodeName);
  const volume = world.get('PersistentVolume', undefined, volumeName);
  const csi = isOf('PersistentVolume', volume) ? volume.spec.csi : undefined;
  return (
    csi !== undefined &&
    isOf('Node', node) &&
    node.status.volumesInUse?.includes(uniqueVolumeName(names, csi.driver, csi.volumeHandle)) === true
  );
}

const attachmentsOf = (volume: string, { world }: Situation): readonly ObjectOf<'VolumeAttachment'>[] =>
  world.list('VolumeAttachment').flatMap((each) => (isOf('VolumeAttachment', each) && sourceOf(each) === volume ? [each] : []));

const sourceOf = ({ spec }: VolumeAttachment): string | undefined => spec.source.persistentVolumeName;
