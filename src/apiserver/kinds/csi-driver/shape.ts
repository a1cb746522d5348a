/** The schema of CSIDrivers: fields, types, and the defaults that depend only on the object. */
import { atomicList, bool, type Complete, filled, type Infer, int64, obj, ptr, req, setList, str } from '../../../schema/shape/index.ts';
import { type ObjectOf, typeMeta } from '../../machinery/index.ts';

const complete: Complete = ({ volumeLifecycleModes }) =>
  volumeLifecycleModes === undefined ? { volumeLifecycleModes: ['Persistent'] } : undefined;

export const csiDriverSchema = obj('CSIDriver', {
  ...typeMeta,
  spec: req(
    obj(
      'CSIDriverSpec',
      {
        attachRequired: filled(ptr(bool), true),
        podInfoOnMount: filled(ptr(bool), false),
        volumeLifecycleModes: setList(str('VolumeLifecycleMode')),
        storageCapacity: filled(ptr(bool), false),
        fsGroupPolicy: filled(ptr(str('FSGroupPolicy')), 'ReadWriteOnceWithFSType'),
        tokenRequests: atomicList(obj('TokenRequest', { audience: req(str()), expirationSeconds: ptr(int64) })),
        requiresRepublish: filled(ptr(bool), false),
      },
      { complete },
    ),
  ),
});
export type CSIDriver = ObjectOf<'CSIDriver', Infer<typeof csiDriverSchema>>;
