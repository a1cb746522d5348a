/**
 * Limits the memory of large objects: a cluster may have many objects, and objects of megabytes would exceed the memory of the process.
 * Small objects are limited by their number.
 */
import { storeKey } from '../../apiserver/machinery/index.ts';
import { failure, type Refusal } from '../../apiserver/request/index.ts';
import { weightOf, type Store } from '../../apiserver/store/index.ts';

/** Bytes of a body from which its object counts as large. */
const LARGE = 8 * 1024;
const MIB = 1024 * 1024;
const MAX_LARGE_BYTES = 256 * MIB;

export interface LargeObjects {
  /** Approximate bytes of all large objects, equal on every host. */
  readonly bytes: number;
  /** Returns the refusal of a write with a body of this size; undefined if it fits. */
  refusal(bodyBytes: number): Refusal | undefined;
  /** Records a write with a body of this size. */
  written(kind: string, namespace: string | undefined, name: string, bodyBytes: number): void;
}

/** Counts from an empty store. Any deletion of a large object frees its bytes. */
export function createLargeObjects(store: Store, limit = MAX_LARGE_BYTES): LargeObjects {
  const weights = new Map<string, number>();
  let bytes = 0;
  const put = (id: string, weight: number | undefined): void => {
    bytes += (weight ?? 0) - (weights.get(id) ?? 0);
    if (weight === undefined) weights.delete(id);
    else weights.set(id, weight);
  };
  store.onChange(({ type, kind, key }) => {
    if (type === 'DELETED' && weights.size > 0) put(`${kind} ${key}`, undefined);
  });
  return {
    get bytes() {
      return bytes;
    },
    refusal(bodyBytes) {
      if (bodyBytes < LARGE || bytes + bodyBytes <= limit) return undefined;
      const message = `this cluster is full: its large objects take ${Math.ceil(bytes / MIB)} of ${Math.floor(limit / MIB)} MiB, and a body of ${bodyBytes} bytes does not fit beside them; delete some`;
      return failure({ code: 403, reason: 'Forbidden', message });
    },
    written(kind, namespace, name, bodyBytes) {
      const key = storeKey(namespace, name);
      const id = `${kind} ${key}`;
      if (bodyBytes < LARGE && !weights.has(id)) return;
      const object = store.get(kind, key);
      put(id, object === undefined ? undefined : weightOf(object));
    },
  };
}
