/** The schema of CSINodes: fields, types, and the defaults that depend only on the object. */
import { always, type Infer, int32, list, mergeList, obj, ptr, published, req, str, field } from '../../../schema/shape/index.ts';
import { type ObjectOf, typeMeta } from '../../machinery/index.ts';

const csiNodeDriver = obj('CSINodeDriver', 'A driver on this node.', {
  name: field(1, 'The driver.', req(str())),
  nodeID: field(2, 'How the storage system calls the node.', req(str())),
  topologyKeys: field(3, 'Labels of nodes by which the driver tells where volumes can be reached.', always(list(str()))),
  allocatable: field(
    4,
    'What the node can take.',
    obj('VolumeNodeResources', 'How many volumes a node can take.', {
      count: field(1, 'Volumes of the driver that can be used on the node at a time; absent: no bound.', ptr(int32)),
    }),
  ),
});
export type CSINodeDriver = Infer<typeof csiNodeDriver>;

export const csiNodeSchema = obj('CSINode', 'The drivers of one node; named as the node, and written by its agent.', {
  ...typeMeta,
  spec: field(
    2,
    req(
      obj('CSINodeSpec', 'The drivers of the node.', {
        drivers: field(1, 'One entry a driver; may be empty.', published(mergeList(csiNodeDriver, 'name'))),
      }),
    ),
  ),
});
export type CSINode = ObjectOf<'CSINode', Infer<typeof csiNodeSchema>>;
