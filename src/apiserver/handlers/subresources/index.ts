/** The sub-resources with a form of their own, by `Kind/name`. */
import { approval } from './approval.ts';
import { binding } from './binding.ts';
import { field, obj, type Schema, str } from '../../../schema/shape/index.ts';
import { deleteOptions } from '../options.ts';
import { smallMetadata, type Subresource } from './contract.ts';
import { eviction } from './eviction.ts';
export { writeForm } from './reviewed.ts';
import { finalize } from './finalize.ts';
import { scale, schema as scaleSchema } from './scale.ts';

const OWN_FORMS: ReadonlyMap<string, Subresource> = new Map<string, Subresource>([
  ['CertificateSigningRequest/approval', approval],
  ['Pod/binding', binding],
  ['Pod/eviction', eviction],
  ['Namespace/finalize', finalize],
]);

/** Returns the sub-resource of a kind; undefined if it has no form of its own. All kinds share the scale sub-resource. */
export const subresourceOf = (kind: string, name: string | undefined): Subresource | undefined =>
  name === 'scale' ? scale : OWN_FORMS.get(`${kind}/${name}`);

/** The forms of bodies that are no kinds. */
export const BODY_FORMS: Readonly<Record<string, (Schema & { readonly type: 'object' }) | undefined>> = {
  DeleteOptions: deleteOptions,
  Eviction: obj('Eviction', { metadata: field(1, smallMetadata), deleteOptions: field(2, deleteOptions) }),
  Scale: scaleSchema,
  Binding: obj('Binding', {
    metadata: field(1, smallMetadata),
    target: field(
      2,
      obj('ObjectReference', {
        kind: field(1, str()),
        namespace: field(2, str()),
        name: field(3, str()),
        uid: field(4, str()),
        apiVersion: field(5, str()),
      }),
    ),
  }),
};
