/**
 * Images on a node: the registry, the images on the machine and their garbage collection (`store.ts`), and pulls for a pod (`pull.ts`).
 * Active only where a scenario describes images; otherwise every image is on every node.
 */
export * from './store.ts';
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
