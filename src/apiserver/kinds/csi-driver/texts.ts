/** Descriptions of CSIDrivers and their fields, in our words. Source: spec, "CSIDriver". */
import type { Texts } from '../../machinery/index.ts';

export const csiDriverTexts: Texts = {
  CSIDriver: { '': 'A storage driver of the cluster and what it needs; named as the driver.' },
  CSIDriverSpec: {
    '': 'What the driver needs.',
    attachRequired:
      'Whether volumes must be attached before they are mounted: then VolumeAttachments are made for them. Cannot be changed.',
    podInfoOnMount: 'Whether it is told name, namespace and uid of the pod when it mounts. Cannot be changed.',
    volumeLifecycleModes: 'Persistent (through claims), Ephemeral (inline, with the pod), or both; absent: Persistent. Cannot be changed.',
    storageCapacity: 'Whether the scheduler looks at the capacity that it reports.',
    fsGroupPolicy: 'Whether the group of files is changed when mounting: ReadWriteOnceWithFSType, File or None. Cannot be changed.',
    tokenRequests: "Tokens of the pod's service account that it is given; audiences differ, and at most one is empty.",
    requiresRepublish: 'Whether mounted volumes are published again from time to time, to bring their contents up to date.',
  },
  TokenRequest: {
    '': 'A token that the driver wants.',
    audience: 'For whom it is; empty: for the API server.',
    expirationSeconds: 'How long it is good.',
  },
};
