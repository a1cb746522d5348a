/**
 * Predicates: which changes matter to a controller. A controller manager runs two dozen controllers, most of which read two or three fields
 * of a pod. The declared fields are compared once per change, and only listeners whose fields differ are called. A watch without a
 * declaration receives every change. The same run with declarations ignored has the same digest (a test checks it).
 */
import { controllerOf, type ApiObject } from '../../apiserver/machinery/index.ts';
import type { Delta, DeltaType, Predicate } from './contract.ts';

/** The fields that listeners of a stream have declared, each with its own bit. */
export interface FieldBits {
  readonly names: string[];
  readonly paths: (readonly string[])[];
}

/** A listener's predicate as bits of its stream. */
export interface Wanted {
  readonly mask: number;
  readonly owners: ReadonlySet<string> | undefined;
}

/** Set in the bits of every change, for listeners without declared fields. */
const ANY = 1 << 30;
/** Set for objects that are added or removed, which matter to every listener. */
const EXISTENCE = 1 << 31;
const MOST_FIELDS = 30;
const EVERYTHING: Wanted = { mask: ANY | EXISTENCE, owners: undefined };

/** No fields yet. */
export const noFields = (): FieldBits => ({ names: [], paths: [] });

/** A declaration as bits; fields without a bit get the next ones. Throws for more than thirty fields on one kind. */
export function wantedBy(bits: FieldBits, predicate: Predicate | undefined): Wanted {
  if (predicate === undefined) return EVERYTHING;
  let mask = predicate.fields === undefined ? EVERYTHING.mask : EXISTENCE;
  for (const field of predicate.fields ?? []) mask |= 1 << bitOf(bits, field);
  return { mask, owners: predicate.owners === undefined ? undefined : new Set(predicate.owners) };
}

function bitOf({ names, paths }: FieldBits, field: string): number {
  const known = names.indexOf(field);
  if (known >= 0) return known;
  if (names.length === MOST_FIELDS)
    throw new Error(
      `controllers of one process declare more than ${MOST_FIELDS} fields of a kind in predicates: name a field that encloses several (${field})`,
    );
  names.push(field);
  paths.push(field.split('.'));
  return names.length - 1;
}

/**
 * The bits of the fields that differ; all bits for an object that is added or removed. Revisions share unchanged parts, so references are
 * compared.
 */
export function changedBits({ paths }: FieldBits, type: DeltaType, object: ApiObject, old: ApiObject | undefined): number {
  if (type !== 'MODIFIED' || old === undefined) return -1;
  let bits = ANY;
  for (let at = 0; at < paths.length; at++) if (differs(paths[at] ?? [], object, old)) bits |= 1 << at;
  return bits;
}

function differs(path: readonly string[], object: ApiObject, old: ApiObject): boolean {
  let is: unknown = object;
  let was: unknown = old;
  for (let at = 0; at < path.length; at++) {
    is = memberOf(is, path[at] ?? '');
    was = memberOf(was, path[at] ?? '');
    if (is === was) return false;
  }
  return true;
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;

/** Whether one of the wanted kinds controls the object, or did before the change. */
export function isOwned(owners: ReadonlySet<string>, { object, old }: Delta): boolean {
  if (owners.has(controllerOf(object)?.kind ?? '')) return true;
  return old !== undefined && old.metadata.ownerReferences !== object.metadata.ownerReferences && owners.has(controllerOf(old)?.kind ?? '');
}
