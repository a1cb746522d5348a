/** CSINode: the storage drivers of one node. Models: v1.24 storage/v1 CSINode, pkg/registry/storage/csinode. */
import { always, int32, list, mergeList, obj, ptr, published, req, str, type Infer } from '../../schema/index.ts';
import { isQualifiedName } from '../../values/index.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import type { KindContext } from '../kind.ts';
import { typeMeta, type ObjectOf } from '../shapes/meta.ts';
import type { FieldError } from '../status.ts';
import { duplicate, invalid, required } from '../validation/field-errors.ts';
import { int, listOf, pointer, shown, struct, text } from '../validation/go-shapes.ts';
import { nonNegative } from '../validation/numbers.ts';
import { immutableText, subdomainName, validateMeta } from '../validation/object-meta.ts';
import { sameValue } from '../validation/same-value.ts';
import { driverNameErrors } from './volume-attachment-validation.ts';

const csiNodeDriver = obj('CSINodeDriver', {
  name: req(str()),
  nodeID: req(str()),
  topologyKeys: always(list(str())),
  allocatable: obj('VolumeNodeResources', { count: ptr(int32) }),
});
type CSINodeDriver = Infer<typeof csiNodeDriver>;

export const csiNodeSchema = obj('CSINode', { ...typeMeta, spec: req(obj('CSINodeSpec', { drivers: published(mergeList(csiNodeDriver, 'name')) })) });
export type CSINode = ObjectOf<'CSINode', Infer<typeof csiNodeSchema>>;

const driversOf = (object: CSINode): readonly CSINodeDriver[] => object.spec.drivers ?? [];

const MAX_NODE_ID = 256;
const driverType = struct('storage.CSINodeDriver', { Name: text, NodeID: text, TopologyKeys: listOf(text), Allocatable: pointer(struct('storage.VolumeNodeResources', { Count: pointer(int) })) });

function driverErrors(drivers: readonly CSINodeDriver[]): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [at, { name, nodeID, topologyKeys, allocatable }] of drivers.entries()) {
    const field = `spec.drivers[${at}]`;
    errors.push(...driverNameErrors(name, `${field}.name`));
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
      for (const problem of isQualifiedName(key)) errors.push(invalid(field, key, problem));
    }
  }
  return errors;
}

const validate = (object: CSINode, context: KindContext): FieldError[] => [...validateMeta(object, false, subdomainName, context), ...driverErrors(driversOf(object))];

/** Drivers come and go; one that stays is as it was. */
function validateUpdate(object: CSINode, old: CSINode, context: KindContext): readonly FieldError[] {
  const own = validate(object, context);
  const errors = [...own, ...own];
  for (const before of driversOf(old)) {
    for (const driver of driversOf(object)) {
      if (driver.name === before.name && !sameValue(driver, before)) errors.push(invalid('CSINodeDriver', shown(driver, driverType), immutableText));
    }
  }
  return errors;
}

export const csiNode = defineKind<CSINode>({
  kind: 'CSINode',
  plural: 'csinodes',
  groupPrefix: 'storage',
  version: 'v1',
  namespaced: false,
  schema: csiNodeSchema,
  allowUnconditionalUpdate: false,
  deleteReturns: 'object',
  validateName: subdomainName,
  validate,
  validateUpdate,
  columns: [nameColumn, { name: 'Drivers', type: 'integer', description: 'Number of drivers on the node.', priority: 0, cell: (object) => driversOf(object).length }, ageColumn],
  models: 'Complete. Upstream: pkg/registry/storage/csinode, pkg/apis/storage/validation.',
});
