/** Finds the position in a file for a field path of a server's error. */
import type { Position, Located } from '../../schema/yaml/index.ts';

export interface Placed {
  /** The node at the path, or the last one that exists along it. */
  readonly node: Located;
  readonly exact: boolean;
  /** The position of the key, where the error is about a key. */
  readonly key?: Position;
}

/** Splits `spec.containers[0].image` into steps; a step in brackets may be a key: `metadata.labels[a.b/c]`. */
export const stepsOf = (field: string): readonly (string | number)[] =>
  [...field.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(([, inside, name = '']) =>
    inside === undefined ? name : /^\d+$/.test(inside) ? Number(inside) : inside,
  );

/** Returns the node at a path. Errors about an entry of a mapping name the mapping, and its key or value: the result is then the entry. */
export function placed(root: Located, steps: readonly (string | number)[], value?: unknown): Placed {
  let node = root;
  let exact = true;
  for (const step of steps) {
    const next =
      node.shape === 'list' && typeof step === 'number'
        ? node.items[step]
        : node.shape === 'map'
          ? node.entries.get(String(step))?.value
          : undefined;
    exact = next !== undefined && !(next.shape === 'scalar' && next.plain === null);
    if (next === undefined) break;
    node = next;
  }
  return exact && typeof value === 'string' && node.shape === 'map' ? entryOf(node, value) : { node, exact };
}

function entryOf(node: Located & { readonly shape: 'map' }, value: string): Placed {
  const entry = node.entries.get(value);
  if (entry !== undefined) return { node, exact: true, key: node.source.at(entry.keyStart) };
  const same = [...node.entries.values()].find((each) => each.value.plain === value);
  return { node: same?.value ?? node, exact: true };
}
