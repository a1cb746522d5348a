/** Ownership of `replicas` for the scale sub-resource. Models: v1.24 pkg/endpoints/handlers/fieldmanager/scalehandler.go. */
import type { ManagedFieldsEntry, Time } from '../machinery/index.ts';
import { hasPath, setOfPath } from './field-set.ts';
import { decodeManagers, disown, encodeManagers, managerKey, type Manager, type ManagerId, type Managers } from './managers.ts';
import { fieldElement } from './path-element.ts';

export interface ScaleTarget {
  /** `group/version` of the parent. */
  readonly apiVersion: string;
  /** The path of the replicas in the parent: `['spec', 'replicas']`. */
  readonly replicas: readonly string[];
}

const SCALE_VERSION = 'autoscaling/v1';
const SCALE_REPLICAS = setOfPath([fieldElement('spec'), fieldElement('replicas')]);

/** Returns the entries of the Scale object: those of the parent's managers that own its replicas. */
export function managedFieldsOfScale(
  parent: readonly ManagedFieldsEntry[] | undefined,
  target: ScaleTarget,
): readonly ManagedFieldsEntry[] {
  return encodeManagers(new Map([...ownersOf(parent, target)].map(([key, { id, time }]) => [key, inScale(id, time)])), undefined);
}

/** Returns the parent's entries after a write to its scale, whose entries are `written`. New owners have no time, as upstream. */
export function managedFieldsFromScale(
  parent: readonly ManagedFieldsEntry[] | undefined,
  written: readonly ManagedFieldsEntry[],
  target: ScaleTarget,
): readonly ManagedFieldsEntry[] {
  const replicas = setOfPath(target.replicas.map(fieldElement));
  const owners = new Map(decodeManagers(written) ?? []);
  const managers = new Map(decodeManagers(parent) ?? []);
  for (const [key, manager] of ownersOf(parent, target)) {
    // It is still an owner in the Scale object, so it keeps the field.
    if (owners.delete(managerKey(inScale(manager.id, manager.time).id))) continue;
    disown(managers, key, replicas);
  }
  for (const { id } of owners.values()) {
    const owner = inParent(id, target);
    managers.set(managerKey(owner), { id: owner, apiVersion: target.apiVersion, set: replicas });
  }
  return encodeManagers(managers, parent);
}

function ownersOf(parent: readonly ManagedFieldsEntry[] | undefined, target: ScaleTarget): Managers {
  const path = target.replicas.map(fieldElement);
  return new Map(
    [...(decodeManagers(parent) ?? [])].filter(([, { apiVersion, set }]) => apiVersion === target.apiVersion && hasPath(set, path)),
  );
}

/** Converts a manager of the parent into one of its scale. */
const inScale = (id: ManagerId, time: Time | undefined): Manager => ({
  id: id.operation === 'Update' ? { ...id, apiVersion: SCALE_VERSION } : id,
  apiVersion: SCALE_VERSION,
  set: SCALE_REPLICAS,
  ...(time === undefined ? {} : { time }),
});

const inParent = (id: ManagerId, target: ScaleTarget): ManagerId =>
  id.operation === 'Update' ? { ...id, apiVersion: target.apiVersion } : id;
