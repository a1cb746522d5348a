/** From the path of a field, as the server names it, to the place in a file. */
import type { Position, Located } from '../../schema/yaml/index.ts';

export interface Placed {
  /** What stands at the end of the way, or as far along it as there is something. */
  readonly node: Located;
  readonly exact: boolean;
  /** The key that is meant, where it is a key. */
  readonly key?: Position;
}

/** `spec.containers[0].image` as steps; what stands in brackets may be a key: `metadata.labels[a.b/c]`. */
export const stepsOf = (field: string): readonly (string | number)[] =>
  [...field.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(([, inside, name = '']) =>
    inside === undefined ? name : /^\d+$/.test(inside) ? Number(inside) : inside,
  );

/** Where a way ends. Errors about an entry of a mapping name the mapping, with the key or the value: then the entry is the place. */
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
