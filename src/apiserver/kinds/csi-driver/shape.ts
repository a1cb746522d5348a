/** The schema of CSIDrivers: fields, types, and the defaults that depend only on the object. */
import {
  atomicList,
  bool,
  type Complete,
  filled,
  type Infer,
  int64,
  obj,
  ptr,
  req,
  setList,
  str,
  field,
} from '../../../schema/shape/index.ts';
import { type ObjectOf, typeMeta } from '../../machinery/index.ts';

const complete: Complete = ({ volumeLifecycleModes }) =>
  volumeLifecycleModes === undefined ? { volumeLifecycleModes: ['Persistent'] } : undefined;

export const csiDriverSchema = obj('CSIDriver', 'A storage driver of the cluster and what it needs; named as the driver.', {
  ...typeMeta,
  spec: field(
    2,
    req(
      obj(
        'CSIDriverSpec',
        'What the driver needs.',
        {
          attachRequired: field(
            1,
            'Whether volumes must be attached before they are mounted: then VolumeAttachments are made for them. Cannot be changed.',
            filled(ptr(bool), true),
          ),
          podInfoOnMount: field(
            2,
            'Whether it is told name, namespace and uid of the pod when it mounts. Cannot be changed.',
            filled(ptr(bool), false),
          ),
          volumeLifecycleModes: field(
            3,
            'Persistent (through claims), Ephemeral (inline, with the pod), or both; absent: Persistent. Cannot be changed.',
            setList(str('VolumeLifecycleMode')),
          ),
          storageCapacity: field(4, 'Whether the scheduler looks at the capacity that it reports.', filled(ptr(bool), false)),
          fsGroupPolicy: field(
            5,
            'Whether the group of files is changed when mounting: ReadWriteOnceWithFSType, File or None. Cannot be changed.',
            filled(ptr(str('FSGroupPolicy')), 'ReadWriteOnceWithFSType'),
          ),
          tokenRequests: field(
            6,
            "Tokens of the pod's service account that it is given; audiences differ, and at most one is empty.",
            atomicList(
              obj('TokenRequest', 'A token that the driver wants.', {
                audience: field(1, 'For whom it is; empty: for the API server.', req(str())),
                expirationSeconds: field(2, 'How long it is good.', ptr(int64)),
              }),
            ),
          ),
          requiresRepublish: field(
            7,
            'Whether mounted volumes are published again from time to time, to bring their contents up to date.',
            filled(ptr(bool), false),
          ),
        },
        { complete },
      ),
    ),
  ),
});
export type CSIDriver = ObjectOf<'CSIDriver', Infer<typeof csiDriverSchema>>;
