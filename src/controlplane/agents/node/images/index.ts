/**
 * Images on a node: what a registry has (`registry.ts`), what the machine has (`store.ts`), how the agent gets them for a pod (`pull.ts`)
 * and clears away what nobody uses (`garbage.ts`). All of it is there only where a scenario says what images weigh; elsewhere every image
 * is on every node, and nothing here is asked.
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
