/** The TypeScript type of each kind by name, so that `store.get('Pod', …)` is a Pod. */
import type { ApiObject } from '../machinery/index.ts';
import type { ObjectByKind } from './registry.ts';

/**
 * Types of kinds of one's own by name. Whoever defines one adds a line, and caches, watches and `reconciles` know its type:
 *
 * ```ts
 * declare module 'orchsim' {
 *   interface CustomObjects { Greeting: Greeting }
 * }
 * ```
 */
export interface CustomObjects {}

/** The objects of a kind; a name that is neither a registered kind nor among `CustomObjects` gives plain objects. */
export type ObjectNamed<K extends string> = K extends keyof CustomObjects
  ? CustomObjects[K] & ApiObject
  : K extends keyof ObjectByKind
    ? ObjectByKind[K] & ApiObject
    : ApiObject;

/** Whether an object is of a kind, and there is one: the body of a request is of any kind until it is asked. */
export const isOf = <K extends string>(kind: K, object: ApiObject | undefined): object is ObjectNamed<K> => object?.kind === kind;
