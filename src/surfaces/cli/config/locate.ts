/** Locates a dotted path in a file: the key itself, or its nearest existing parent. */
import type { Locate, Position } from '../../../controlplane/config/index.ts';
import { positionOf, type Located } from '../../../schema/yaml/index.ts';

/** Splits `eviction.hard[0].name` into steps. Keys may contain dots, so `follow` also tries joined steps. */
const stepsOf = (path: string): readonly string[] => path.split(/\.|(?=\[\d+\])/).filter((step) => step !== '');

/** Returns a function from paths of a document to positions. */
export const locateIn =
  (document: Located): Locate =>
  (path) => {
    const steps = stepsOf(path);
    let node = document;
    let place: Position = positionOf(document);
    for (let at = 0; at < steps.length;) {
      const found = follow(node, steps, at);
      if (found === undefined) break;
      ({ node, place } = found);
      at += found.taken;
    }
    return { line: place.line, col: place.col };
  };

function follow(
  node: Located,
  steps: readonly string[],
  at: number,
): { readonly node: Located; readonly place: Position; readonly taken: number } | undefined {
  const step = steps[at] ?? '';
  if (node.shape === 'list') {
    const item = node.items[Number(/^\[(\d+)\]$/.exec(step)?.[1] ?? -1)];
    return item === undefined ? undefined : { node: item, place: positionOf(item), taken: 1 };
  }
  if (node.shape !== 'map') return undefined;
  for (let taken = 1; at + taken <= steps.length; taken++) {
    const entry = node.entries.get(steps.slice(at, at + taken).join('.'));
    if (entry !== undefined) return { node: entry.value, place: node.source.at(entry.keyStart), taken };
  }
  return undefined;
}
