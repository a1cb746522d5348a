/** The TypeScript type of each kind by name, so that `store.get('Pod', …)` is a Pod. */
import type { ApiObject } from '../objects/index.ts';
import type { ObjectByKind } from './registry.ts';

/**
 * The TypeScript types of custom kinds by name. Add a line for a custom kind, so that caches, watches and `reconciles` have its type:
 *
 * ```ts
 * declare module 'orchsim' {
 *   interface CustomObjects {
 *     Greeting: Greeting;
 *   }
 * }
 * ```
 */
export interface CustomObjects {}

/** The object type of a kind; a name that is neither a registered kind nor in `CustomObjects` gives a plain object. */
export type ObjectNamed<K extends string> = K extends keyof CustomObjects
  ? CustomObjects[K] & ApiObject
  : K extends keyof ObjectByKind
    ? ObjectByKind[K] & ApiObject
    : ApiObject;

/** Whether an object is present and of a kind. It narrows the type. */
export const isOf = <K extends string>(kind: K, object: ApiObject | undefined): object is ObjectNamed<K> => object?.kind === kind;
