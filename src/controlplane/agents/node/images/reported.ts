/**
 * The images in the status of a node. Models: v1.24 pkg/kubelet/nodestatus setters (Images), pkg/kubelet/images (GetImageList, by size).
 */
import { compareText } from '../../../../schema/values/index.ts';
import type { Images } from './store.ts';

export interface ReportedImage {
  readonly names: readonly string[];
  readonly sizeBytes: number;
}

/** The largest first, at most so many; -1: all. */
export function reportedImages(images: Images, now: number, most: number): readonly ReportedImage[] {
  const sorted = [...images.there(now)].sort((a, b) => b.sizeBytes - a.sizeBytes || compareText(a.name, b.name));
  return sorted.slice(0, most < 0 ? sorted.length : most).map(({ name, sizeBytes }) => ({ names: [name], sizeBytes }));
}
