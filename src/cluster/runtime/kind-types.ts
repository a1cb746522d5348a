/** The TypeScript type of each kind by name: one line a kind, so that `cache.get('Pod', …)` is a Pod. */
import type { ApiObject } from '../api/object.ts';

// eslint-disable-next-line no-empty-interface -- filled as kinds land
export interface KindTypes { readonly '*': ApiObject }

/** The objects of a kind; kinds without a line are plain objects. */
export type ObjectOf<K extends string> = K extends keyof KindTypes ? KindTypes[K] : ApiObject;
