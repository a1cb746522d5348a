/**
 * Predicates: which changes matter to a controller. A controller manager runs two dozen controllers, most of which read two or three fields
 * of a pod. The declared fields are compared once per change, and only listeners whose fields differ are called. A watch without a
 * declaration receives every change. The same run with declarations ignored has the same digest (a test checks it).
 */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import type { Change, Table } from '../../apiserver/store/index.ts';

/** Which changes of an object matter to a controller. Creations and deletions change every field. */
export interface Predicate {
  /** Fields whose change matters: `metadata.labels`, `status.phase`, `spec`; absent: all. */
  readonly fields?: readonly string[];
  /** Only objects with a controller reference to one of these kinds, before the change or after it; '' stands for those without. */
  readonly owners?: readonly string[];
  /** Only objects that have one of these fields, before the change or after it: `spec.volumes`. */
  readonly has?: readonly string[];
  /** Only while the cache has objects of this kind: `Service`. The controller must watch it, and list that watch first. */
  readonly whileThereAre?: string;
}

/** The fields that listeners of a stream have declared, each with its own bit. */
export interface FieldBits {
  readonly names: string[];
  readonly paths: (readonly string[])[];
  /** The same for fields that an object must have. */
  readonly held: FieldBits | undefined;
}

/** A listener's predicate as bits of its stream. */
export interface Wanted {
  readonly mask: number;
  readonly owners: ReadonlySet<string> | undefined;
  /** Bits of fields of which an object must have one; 0: none. */
  readonly held: number;
  /** Nothing is wanted while this table is empty. */
  readonly beside: Pick<Table, 'size'> | undefined;
}

/** What predicates ask of a change. Changes of one class go to the same listeners. */
export interface ChangeClass {
  /** The fields that differ. */
  readonly bits: number;
  /** The fields that the object has, before or after. */
  readonly held: number;
  /** The kinds of its controller after and before the change; '' without one. */
  readonly owner: string;
  readonly former: string;
}

/** Set in the bits of every change, for listeners without declared fields. */
const ANY = 1 << 30;
/** Set for objects that are added or removed, which matter to every listener. */
const EXISTENCE = 1 << 31;
const MOST_FIELDS = 30;
const EVERYTHING: Wanted = { mask: ANY | EXISTENCE, owners: undefined, held: 0, beside: undefined };

/** Whether every change is wanted. */
export const wantsAll = (wanted: Wanted): boolean => wanted === EVERYTHING;

/** No fields yet. */
export const noFields = (): FieldBits => ({ names: [], paths: [], held: { names: [], paths: [], held: undefined } });

/**
 * A declaration as bits; fields without a bit get the next ones. `tableOf`: the cached objects of a kind that the process watches already.
 * Throws for more than thirty fields on one kind.
 */
export function wantedBy(bits: FieldBits, predicate: Predicate | undefined, tableOf: (kind: string) => Wanted['beside']): Wanted {
  if (predicate === undefined) return EVERYTHING;
  const { fields, owners, has = [], whileThereAre } = predicate;
  let mask = fields === undefined ? EVERYTHING.mask : EXISTENCE;
  for (const field of fields ?? []) mask |= 1 << bitOf(bits, field);
  let held = 0;
  for (const field of has) held |= 1 << bitOf(bits.held ?? bits, field);
  const beside = whileThereAre === undefined ? undefined : tableOf(whileThereAre);
  if (whileThereAre !== undefined && beside === undefined)
    throw new Error(`a predicate names ${whileThereAre}, which the controller does not watch before: list that watch first`);
  return { mask, owners: owners === undefined ? undefined : new Set(owners), held, beside };
}

/** Whether a predicate lets a class of changes pass, as long as there are objects of the kind that it names. */
export const passes = ({ mask, owners, held }: Wanted, change: ChangeClass): boolean =>
  (mask & change.bits) !== 0 &&
  (held === 0 || (held & change.held) !== 0) &&
  (owners === undefined || owners.has(change.owner) || owners.has(change.former));

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
export function changedBits({ paths }: FieldBits, type: Change['type'], object: ApiObject, old: ApiObject | undefined): number {
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

/** The bits of the fields that an object has, before a change or after it. */
export function heldBits({ held }: FieldBits, object: ApiObject, old: ApiObject | undefined): number {
  let bits = 0;
  const { paths = [] } = held ?? {};
  for (let at = 0; at < paths.length; at++) if (hasField(paths[at] ?? [], object) || hasField(paths[at] ?? [], old)) bits |= 1 << at;
  return bits;
}

function hasField(path: readonly string[], object: unknown): boolean {
  let value = object;
  for (let at = 0; at < path.length; at++) value = memberOf(value, path[at] ?? '');
  return value !== undefined;
}
