/** Descriptions of CSIDrivers and their fields, in our words. Source: spec, "CSIDriver". */
import type { Texts } from '../../machinery/index.ts';

export const csiDriverTexts: Texts = {
  CSIDriver: { '': 'A storage driver of the cluster and its requirements; named as the driver.' },
  CSIDriverSpec: {
    '': 'The requirements of the driver.',
    attachRequired: 'Whether volumes must be attached before they are mounted, by a VolumeAttachment. Cannot be changed.',
    podInfoOnMount: 'Whether mount calls contain name, namespace and uid of the pod. Cannot be changed.',
    volumeLifecycleModes: 'Persistent (through claims), Ephemeral (inline, with the pod), or both; absent: Persistent. Cannot be changed.',
    storageCapacity: 'Whether the scheduler uses the capacity that it reports.',
    fsGroupPolicy: 'Whether the group of files is changed when mounting: ReadWriteOnceWithFSType, File or None. Cannot be changed.',
    tokenRequests: "Tokens of the pod's service account that it gets; audiences differ, and at most one is empty.",
    requiresRepublish: 'Whether mounted volumes are published periodically, to update their contents.',
  },
  TokenRequest: {
    '': 'A token for the driver.',
    audience: 'Its audience; empty: the API server.',
    expirationSeconds: 'Its validity in seconds.',
  },
};
