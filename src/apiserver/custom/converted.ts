/**
 * Objects in the versions of their kind, converted as strategy None does: what the schema of the version does not have is dropped, its
 * defaults are set, and nothing else changes but apiVersion. Models: v1.24 apiextensions-apiserver pkg/apiserver/conversion nop_converter.go,
 * customresource_handler.go schemaCoercingConverter.
 */
import { memo } from '../../engine/index.ts';
import { decodeLasting, deepFreeze } from '../../schema/shape/index.ts';
import type { ApiObject, Kind } from '../machinery/index.ts';

/** What objects are in other versions: all watchers of a change get the same object. */
const made = memo(new WeakMap<ApiObject, Map<Kind, ApiObject>>());

/** Returns an object as it is in the version of a kind; itself where it is in that version. `make`: converts it; absent: strategy None. */
export function converted(object: ApiObject, kind: Kind, make?: (apiVersion: string) => ApiObject): ApiObject {
  const [group = ''] = object.apiVersion.split('/');
  const apiVersion = `${group}/${kind.version}`;
  if (object.apiVersion === apiVersion) return object;
  let known = made.get(object);
  if (known === undefined) made.set(object, (known = new Map()));
  let other = known.get(kind);
  if (other === undefined) known.set(kind, (other = make?.(apiVersion) ?? deepFreeze(inShape(object, kind, apiVersion))));
  return other;
}

function inShape(object: ApiObject, { schema }: Kind, apiVersion: string): ApiObject {
  const { metadata, ...rest } = object;
  return { ...(decodeLasting(schema, { ...rest, metadata: {} }) as ApiObject), apiVersion, kind: object.kind, metadata };
}
