/** Where a dotted path stands in a file that was read: the key itself, or the nearest of its parents that is there. */
import type { Locate, Position } from '../../../controlplane/config/index.ts';
import { positionOf, type Located } from '../../../schema/yaml/index.ts';

/** `eviction.hard[0].name` as steps; keys may hold dots themselves, so `follow` joins steps again where it must. */
const stepsOf = (path: string): readonly string[] => path.split(/\.|(?=\[\d+\])/).filter((step) => step !== '');

/** Places of the paths of one document. */
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
