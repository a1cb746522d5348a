/**
 * Images on a node: the registry (`registry.ts`), the images on the machine (`store.ts`), pulls for a pod (`pull.ts`) and garbage
 * collection (`garbage.ts`). Active only where a scenario describes images; otherwise every image is on every node.
 */
export {
  collect,
  type Disk,
  type ImageAction,
  imageGarbage,
  createRegistry,
  type Registry,
  type ReportedImage,
  reportedImages,
  createImageStore,
  type Images,
  type ImageStore,
} from './store.ts';
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
