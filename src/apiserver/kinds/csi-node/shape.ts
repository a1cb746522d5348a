/** The schema of CSINodes: fields, types, and the defaults that depend only on the object. */
import { always, type Infer, int32, list, mergeList, obj, ptr, published, req, str } from '../../../schema/shape/index.ts';
import { type ObjectOf, typeMeta } from '../../machinery/index.ts';

const csiNodeDriver = obj('CSINodeDriver', {
  name: req(str()),
  nodeID: req(str()),
  topologyKeys: always(list(str())),
  allocatable: obj('VolumeNodeResources', { count: ptr(int32) }),
});
export type CSINodeDriver = Infer<typeof csiNodeDriver>;

export const csiNodeSchema = obj('CSINode', {
  ...typeMeta,
  spec: req(obj('CSINodeSpec', { drivers: published(mergeList(csiNodeDriver, 'name')) })),
});
export type CSINode = ObjectOf<'CSINode', Infer<typeof csiNodeSchema>>;
