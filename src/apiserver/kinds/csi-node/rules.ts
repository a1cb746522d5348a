/** Validation of CSINodes. */
import { append, isQualifiedName } from '../../../schema/values/index.ts';
import {
  duplicate,
  type FieldError,
  immutableText,
  int,
  invalid,
  type KindContext,
  listOf,
  nonNegative,
  pointer,
  required,
  sameValue,
  shown,
  struct,
  subdomainName,
  text,
  validateMeta,
} from '../../machinery/index.ts';
import { driverNameErrors } from '../volume-attachment/rules.ts';
import type { CSINode, CSINodeDriver } from './shape.ts';

/** Returns the drivers of a node; the stored list is null when empty. */
export const driversOf = (object: CSINode): readonly CSINodeDriver[] => object.spec.drivers ?? [];

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
      for (const problem of isQualifiedName(key)) errors.push(invalid(field, key, problem));
    }
  }
  return errors;
}

export const validate = (object: CSINode, context: KindContext): FieldError[] => [
  ...validateMeta(object, false, subdomainName, context),
  ...driverErrors(driversOf(object)),
];

/** Drivers may be added and removed; the others must not change. */
export function validateUpdate(object: CSINode, old: CSINode, context: KindContext): readonly FieldError[] {
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
