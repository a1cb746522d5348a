/** The images on nodes. Models: v1.24 pkg/scheduler/internal/cache imageStates. */
import type { Node } from '../../../apiserver/kinds/index.ts';

/** An image on a node: its size, and how many nodes had it when this node last reported. */
export interface ImageSummary {
  readonly size: number;
  readonly nodes: number;
}

export interface ImageStates {
  /** Updates with the images that a node reports (undefined: the node is gone); returns the summaries of its images, undefined: none. */
  set(name: string, node: Node | undefined): ReadonlyMap<string, ImageSummary> | undefined;
}

/** No images. */
export function createImageStates(): ImageStates {
  const known = new Map<string, { readonly size: number; readonly nodes: Set<string> }>();
  const reported = new Map<string, readonly string[]>();

  const drop = (node: string): void => {
    for (const name of reported.get(node) ?? []) {
      const state = known.get(name);
      state?.nodes.delete(node);
      if (state?.nodes.size === 0) known.delete(name);
    }
    reported.delete(node);
  };

  return {
    set(name, node) {
      const images = node?.status.images ?? [];
      if (images.length === 0 && !reported.has(name)) return undefined;
      drop(name);
      if (images.length === 0) return undefined;
      const summaries = new Map<string, ImageSummary>();
      for (const { names = [], sizeBytes = 0 } of images) {
        for (const image of names ?? []) {
          let state = known.get(image);
          if (state === undefined) known.set(image, (state = { size: sizeBytes, nodes: new Set() }));
          state.nodes.add(name);
          // As in upstream, the number of nodes is not updated when other nodes pull the image.
          summaries.set(image, { size: state.size, nodes: state.nodes.size });
        }
      }
      reported.set(name, [...summaries.keys()]);
      return summaries;
    },
  };
}
