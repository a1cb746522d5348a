/** The sub-resources with a form of their own, by `Kind/name`. */
import { binding } from './binding.ts';
import type { Subresource } from './contract.ts';
import { eviction } from './eviction.ts';
import { finalize } from './finalize.ts';
import { scale } from './scale.ts';

export type { Subresource } from './contract.ts';

export const SUBRESOURCES: ReadonlyMap<string, Subresource> = new Map<string, Subresource>([
  ['Pod/binding', binding],
  ['Pod/eviction', eviction],
  ['Namespace/finalize', finalize],
  ['StatefulSet/scale', scale],
]);
