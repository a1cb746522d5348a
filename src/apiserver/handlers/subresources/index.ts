/** The sub-resources with a form of their own, by `Kind/name`. */
import { binding } from './binding.ts';
import type { Subresource } from './contract.ts';
import { eviction } from './eviction.ts';
import { finalize } from './finalize.ts';
import { scale } from './scale.ts';

export type { Subresource } from './contract.ts';

const OWN_FORMS: ReadonlyMap<string, Subresource> = new Map<string, Subresource>([
  ['Pod/binding', binding],
  ['Pod/eviction', eviction],
  ['Namespace/finalize', finalize],
]);

/** Returns the sub-resource of a kind; undefined if it has no form of its own. All kinds share the scale sub-resource. */
export const subresourceOf = (kind: string, name: string | undefined): Subresource | undefined =>
  name === 'scale' ? scale : OWN_FORMS.get(`${kind}/${name}`);
