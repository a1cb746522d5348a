/**
 * Images on a node: the registry (`registry.ts`), the images on the machine (`store.ts`), pulls for a pod (`pull.ts`) and garbage
 * collection (`garbage.ts`). Active only where a scenario describes images; otherwise every image is on every node.
 */
export { collect, type Disk, imageGarbage } from './garbage.ts';
export {
  type ContainerWait,
  freshPulls,
  hasImages,
  nextOfPulling,
  type PullContext,
  type PullAction,
  pullFor,
  type Pulling,
  type PullState,
  sentenceOfPulling,
} from './pull.ts';
export { createRegistry, type Registry } from './registry.ts';
export { type ReportedImage, reportedImages } from './reported.ts';
export { createImageStore, type Images, type ImageStore } from './store.ts';
