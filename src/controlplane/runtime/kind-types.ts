/** The TypeScript type of each kind by name, so that `cache.get('Pod', …)` is a Pod. */
import type { ApiObject } from '../../apiserver/vocabulary/index.ts';
import type { ObjectByKind } from '../../apiserver/kinds/index.ts';

/** The objects of a kind; a name that is no registered kind gives plain objects. */
export type ObjectOf<K extends string> = K extends keyof ObjectByKind ? ObjectByKind[K] : ApiObject;

/** Whether an object is of a kind, and there is one: the answer to a request is of any kind until it is asked. */
export const isOf = <K extends string>(kind: K, object: ApiObject | undefined): object is ObjectOf<K> & ApiObject => object?.kind === kind;
