/** CSINode: the storage drivers of one node. Models: v1.24 storage/v1 CSINode, pkg/registry/storage/csinode. */
import { always, field, type Infer, int32, list, mergeList, obj, ptr, published, req, str } from '../../schema/shape/index.ts';
import { append, isQualifiedName } from '../../schema/values/index.ts';
import {
  absentListErrors,
  defineKind,
  duplicate,
  type FieldError,
  immutableText,
  int,
  invalid,
  type KindContext,
  listOf,
  nonNegative,
  type ObjectOf,
  pointer,
  problemsAt,
  required,
  sameValue,
  shown,
  struct,
  subdomainName,
  text,
  validateMeta,
  driverNameErrors,
  kindFields,
} from '../machinery/index.ts';

const csiNodeDriver = obj('CSINodeDriver', 'A driver on this node.', {
  name: field(1, 'The driver.', req(str())),
  nodeID: field(2, "The node's name in the storage system.", req(str())),
  topologyKeys: field(3, 'Node labels that describe from where volumes are accessible.', always(list(str()))),
  allocatable: field(
    4,
    'The limits of the node.',
    obj('VolumeNodeResources', 'The maximum number of volumes of a node.', {
      count: field(1, 'The maximum number of volumes of the driver on the node; absent: no limit.', ptr(int32)),
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
const driverType = struct('storage.CSINodeDriver', {
  Name: text,
  NodeID: text,
  TopologyKeys: listOf(text),
  Allocatable: pointer(struct('storage.VolumeNodeResources', { Count: pointer(int) })),
});

function driverErrors(drivers: readonly CSINodeDriver[]): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [at, { name, nodeID, topologyKeys, allocatable }] of drivers.entries()) {
    const field = `spec.drivers[${at}]`;
    append(errors, driverNameErrors(name, `${field}.name`));
    if (nodeID === '') errors.push(required(`${field}.nodeID`));
    else if (nodeID.length > MAX_NODE_ID) errors.push(invalid(`${field}.nodeID`, nodeID, `must be ${MAX_NODE_ID} characters or less`));
    nonNegative(allocatable?.count, `${field}.allocatable.count`, errors);
    if (names.has(name)) errors.push(duplicate(`${field}.name`, name));
    names.add(name);
    const keys = new Set<string>();
    for (const key of topologyKeys ?? []) {
      if (key === '') errors.push(required(field));
      if (keys.has(key)) errors.push(duplicate(field, key));
      keys.add(key);
      append(errors, problemsAt(isQualifiedName(key), field, key));
    }
  }
  return errors;
}

const validate = (object: CSINode, context: KindContext): FieldError[] => [
  ...validateMeta(object, false, subdomainName, context),
  ...driverErrors(driversOf(object)),
];

/** Drivers may be added and removed; the others must not change. */
function validateUpdate(object: CSINode, old: CSINode, context: KindContext): readonly FieldError[] {
  const own = validate(object, context);
  const errors = [...own, ...own];
  for (const before of driversOf(old)) {
    for (const driver of driversOf(object)) {
      if (driver.name === before.name && !sameValue(driver, before))
        errors.push(invalid('CSINodeDriver', shown(driver, driverType), immutableText));
    }
  }
  return errors;
}

export const csiNode = defineKind<CSINode>({
  groupPrefix: 'storage',
  namespaced: false,
  schema: csiNodeSchema,
  allowUnconditionalUpdate: false,
  deleteReturns: 'object',
  validate,
  validateUpdate,
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
  example: { spec: { drivers: [{ name: 'disk.example.com', nodeID: 'n', topologyKeys: ['zone'], allocatable: { count: 3 } }] } },
});
