/**
 * Prefers nodes that have a pod's images already, weighted by their size and by the number of nodes with them. Models: v1.24
 * plugins/imagelocality.
 */
import type { NodeInfo } from '../node-info.ts';
import { MAX_SCORE, type Plugin } from '../plugin.ts';
import type { SpecInfo } from '../../../shared/index.ts';

const MB = 1024 * 1024;
const LEAST = 23 * MB;
const MOST_PER_CONTAINER = 1000 * MB;

/** The name with a tag, as nodes report it. */
const withTag = (image: string): string => (image.lastIndexOf(':') <= image.lastIndexOf('/') ? `${image}:latest` : image);

function sizeThere({ images }: SpecInfo, node: NodeInfo, allNodes: number): number {
  let sum = 0;
  for (const image of images) {
    const found = node.images?.get(withTag(image));
    // Images on few nodes count less, so that pods do not concentrate where an image was pulled first.
    if (found !== undefined) sum += Math.trunc(found.size * (found.nodes / allNodes));
  }
  return sum;
}

export const imageLocality: Plugin = {
  name: 'ImageLocality',
  events: {},
  weight: 1,
  scorerFor({ spec }, view, nodes) {
    if (!view.marks.images || !nodes.some((node) => node.images !== undefined)) return 0;
    const most = MOST_PER_CONTAINER * spec.containers;
    const allNodes = view.nodes().length;
    return {
      score: (node) =>
        Math.trunc((MAX_SCORE * (Math.min(Math.max(sizeThere(spec, node, allNodes), LEAST), most) - LEAST)) / (most - LEAST)),
    };
  },
};
