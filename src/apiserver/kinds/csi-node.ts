/** CSINode: the storage drivers of one node. Models: v1.24 storage/v1 CSINode, pkg/registry/storage/csinode. */
import { always, field, type Infer, count32, list, mergeList, obj, ptr, published, req, str } from '../../schema/shape/index.ts';
import { append, isQualifiedName, repeats } from '../../schema/values/index.ts';
import { defineKind } from '../machinery/index.ts';
import type { FieldError, KindContext } from '../objects/index.ts';
import { kindFields, type ObjectOf } from '../structs/index.ts';
import {
  absentListErrors,
  duplicate,
  facetErrors,
  immutableText,
  invalid,
  ofEach,
  problemsAt,
  required,
  sameValue,
  shown,
} from '../validation/index.ts';

const csiNodeDriver = obj('CSINodeDriver', 'A driver on this node.', {
  name: field(1, 'The driver.', req(str()), { format: 'driver' }),
  nodeID: field(2, "The node's name in the storage system.", req(str()), { needed: true }),
  topologyKeys: field(3, 'Node labels that describe from where volumes are accessible.', always(list(str()))),
  allocatable: field(
    4,
    'The limits of the node.',
    obj('VolumeNodeResources', 'The maximum number of volumes of a node.', {
      count: field(1, 'The maximum number of volumes of the driver on the node; absent: no limit.', ptr(count32)),
    }),
  ),
});
type CSINodeDriver = Infer<typeof csiNodeDriver>;

const csiNodeSchema = obj(
  'CSINode',
  'The drivers of one node; named as the node, and written by its agent.',
  kindFields({
    spec: req(
      obj('CSINodeSpec', 'The drivers of the node.', {
        drivers: field(1, 'One entry for each driver; may be empty.', published(mergeList(csiNodeDriver, 'name'))),
      }),
    ),
  }),
);
type CSINode = ObjectOf<'CSINode', Infer<typeof csiNodeSchema>>;

const driversOf = (object: CSINode): readonly CSINodeDriver[] => object.spec.drivers ?? [];

const MAX_NODE_ID = 256;

const driverErrors = (object: CSINode): FieldError[] => {
  const isRepeated = repeats<string>();
  return ofEach(driversOf(object), 'spec.drivers', (driver, field) => {
    const { name, nodeID, topologyKeys } = driver;
    const errors = facetErrors(csiNodeDriver, driver, field, 'name', 'nodeID');
    if (nodeID.length > MAX_NODE_ID) errors.push(invalid(`${field}.nodeID`, nodeID, `must be ${MAX_NODE_ID} characters or less`));
    append(errors, facetErrors(csiNodeDriver, driver, field, 'allocatable'));
    if (isRepeated(name)) errors.push(duplicate(`${field}.name`, name));
    const isRepeatedKey = repeats<string>();
    for (const key of topologyKeys ?? []) {
      if (key === '') errors.push(required(field));
      if (isRepeatedKey(key)) errors.push(duplicate(field, key));
      append(errors, problemsAt(isQualifiedName(key), field, key));
    }
    return errors;
  });
};

/** Drivers may be added and removed; the others must not change. */
const changeErrors = (object: CSINode, _: KindContext, old: CSINode): FieldError[] =>
  driversOf(old).flatMap((before) =>
    driversOf(object)
      .filter((driver) => driver.name === before.name && !sameValue(driver, before))
      .map((driver) => invalid('CSINodeDriver', shown(driver, csiNodeDriver, 'storage'), immutableText)),
  );

export const csiNode = defineKind<CSINode>({
  groupPrefix: 'storage',
  namespaced: false,
  schema: csiNodeSchema,
  allowUnconditionalUpdate: false,
  deleteReturns: 'object',
  create: ['metadata', driverErrors],
  // The rules of updates include those of creations, and both run.
  update: ['metadata', driverErrors, 'metadata', driverErrors, changeErrors],
  columns: ['Name', ['Drivers', 'integer', 'Number of drivers on the node.', (object) => driversOf(object).length], 'Age'],
  models: 'Complete. Upstream: pkg/registry/storage/csinode, pkg/apis/storage/validation.',
  specification: [
    {
      name: 'csi-node/drivers-are-there',
      field: 'spec.drivers',
      statement: 'The CSINode of a node lists its drivers; the list may be empty.',
      recorded: 'accepts an object without the list, or with null, and returns null',
      ofDocument: true,
      check: (_, { sent, old }) => absentListErrors(sent, ['spec', 'drivers'], old?.spec.drivers),
    },
  ],
});
