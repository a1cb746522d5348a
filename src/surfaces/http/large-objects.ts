/**
 * How much room large objects may take together: a world holds many objects, and each may be a few megabytes, which no memory does that
 * Node gives a program. Small ones are bounded by their number.
 */
import { storeKey } from '../../apiserver/machinery/index.ts';
import { failure, type Refusal } from '../../apiserver/request/index.ts';
import { weightOf, type Store } from '../../apiserver/store/index.ts';

/** Bytes of a body from which on its object is weighed. */
const LARGE = 8 * 1024;
const MIB = 1024 * 1024;
const MAX_LARGE_BYTES = 256 * MIB;

export interface LargeObjects {
  /** Bytes that the large objects take, roughly and alike on every host. */
  readonly bytes: number;
  /** The refusal of a write with so large a body; undefined while there is room. */
  refusal(bodyBytes: number): Refusal | undefined;
  /** An object has been written with so large a body. */
  written(kind: string, namespace: string | undefined, name: string, bodyBytes: number): void;
}

/** Nothing is large in an empty world. What is deleted, by whomever, makes room. */
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
