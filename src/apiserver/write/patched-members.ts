/**
 * Computes the members that a patch changes by comparing it with the stored object: the patched document is not built, and only new values
 * of a status are decoded. It supports the patches that processes of the cluster mostly send: merge patches of a status, and removals of
 * finalizers. All other patches, and invalid ones, use the full path, which gives the same bytes and words the errors.
 */
import { sameJson } from '../patch/index.ts';
import { decodeLasting, DecodeError, type Fieldset, isNothing, type Schema } from '../../schema/shape/index.ts';
import { type ApiObject, type ObjectMeta, sameValue } from '../machinery/index.ts';

export type Members = Readonly<Record<string, unknown>>;

/** A patch as sent by the client. */
export interface PatchSent {
  readonly patchType: string;
  readonly body: unknown;
}

const isMap = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the members that a patch changes, decoded; undefined where the full path is needed. */
export function patchedMembers(schema: Schema, { patchType, body }: PatchSent, stored: ApiObject, status: boolean): Members | undefined {
  if (schema.type !== 'object' || schema.complete !== undefined || !isMap(body)) return undefined;
  if (patchType !== 'merge' && patchType !== 'strategic') return undefined;
  const changed: Record<string, unknown> = {};
  for (const name in body) {
    const value = body[name];
    const was = stored[name];
    if (!isMap(value) || !isMap(was)) return undefined;
    let is: object | undefined;
    if (name === 'metadata') is = metadataAfter(value, stored.metadata, patchType === 'strategic');
    else if (name === 'status' && status && patchType === 'merge') is = partAfter(schema.fields[name], value, was);
    if (is === undefined) return undefined;
    if (is === was) continue;
    // A status update changes nothing else.
    if (status && name !== 'status') return undefined;
    changed[name] = is;
  }
  return changed;
}

const DELETED_FINALIZERS = '$deleteFromPrimitiveList/finalizers';

type Loose = { -readonly [K in keyof ObjectMeta]?: ObjectMeta[K] | undefined };

/** Returns metadata without the removed finalizers; a uid in the patch must match. */
function metadataAfter(patch: Members, old: ObjectMeta, strategic: boolean): Loose | undefined {
  let made: Loose | undefined;
  for (const name in patch) {
    const value = patch[name];
    if (name === 'uid' && value === old.uid) continue;
    if (!strategic || name !== DELETED_FINALIZERS || !Array.isArray(value)) return undefined;
    const { finalizers } = old;
    const left = finalizers?.filter((finalizer) => !value.includes(finalizer));
    if (left === undefined || left.length === finalizers?.length) continue;
    made = { ...old };
    made.finalizers = left.length === 0 ? undefined : left;
  }
  return made ?? old;
}

/** Returns a struct with a merge patch applied; unchanged members keep their reference. */
function partAfter(schema: Schema | undefined, patch: Members, old: Members): Members | undefined {
  if (schema?.type !== 'object' || schema.complete !== undefined) return undefined;
  const { fields } = schema;
  let made: Record<string, unknown> | undefined;
  let differs = false;
  for (const name in patch) {
    const value = patch[name];
    const was = old[name];
    if (value === was && value !== null && value !== undefined) continue;
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined || value === null || value === undefined || isMap(value)) return undefined;
    const is = sameJson(was, value) ? was : canonical(field, value);
    if (is === undefined) return undefined;
    if (is !== was) differs = true;
    if (is !== value) (made ??= { ...patch })[name] = is;
  }
  if (!differs) return old;
  const says = made ?? patch;
  const whole = isWhole(fields, says, old) ? says : laidOver(fields, says, old);
  return sameValue(whole, old) ? old : whole;
}

/** Returns a value in its stored form; undefined where it is empty or does not fit. */
function canonical(field: Schema, value: unknown): unknown {
  if (typeof value === 'string' && field.type === 'string') return value === '' ? undefined : value;
  try {
    const read = decodeLasting(field, value);
    return isNothing(field, read) ? undefined : read;
  } catch (thrown) {
    if (thrown instanceof DecodeError) return undefined;
    throw thrown;
  }
}

/** The field names of a schema in published order. */
const orders = new WeakMap<Fieldset, readonly string[]>();

function orderOf(fields: Fieldset): readonly string[] {
  let order = orders.get(fields);
  if (order === undefined) orders.set(fields, (order = Object.keys(fields)));
  return order;
}

/** Whether a patch contains all members of the result, in published order. */
function isWhole(fields: Fieldset, says: Members, old: Members): boolean {
  for (const name in old) if (says[name] === undefined) return false;
  const order = orderOf(fields);
  let at = 0;
  for (const name in says) {
    while (at < order.length && order[at] !== name) at++;
    if (at === order.length) return false;
  }
  return true;
}

function laidOver(fields: Fieldset, says: Members, old: Members): Members {
  const result: Record<string, unknown> = {};
  for (const name in fields) {
    const value = says[name] ?? old[name];
    if (value !== undefined) result[name] = value;
  }
  return result;
}
