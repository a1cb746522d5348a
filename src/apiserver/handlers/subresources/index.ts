/** The sub-resources with a form of their own, by `Kind/name`. */
import { approval } from './approval.ts';
import { binding } from './binding.ts';
import { reviewedForm } from '../../admission/index.ts';
import type { ApiObject } from '../../machinery/index.ts';
import type { ApiResponse } from '../../request/index.ts';
import { field, obj, type Schema, str } from '../../../schema/shape/index.ts';
import { isMapping } from '../../../schema/values/index.ts';
import type { Place, Scope } from '../../write/index.ts';
import { warned } from '../body.ts';
import { deleteOptions } from '../deletion.ts';
import { smallMetadata, type Subresource } from './contract.ts';
import { eviction } from './eviction.ts';
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

interface Formed {
  readonly of: Subresource;
  readonly write: NonNullable<Subresource['create']>;
  readonly subresource: string;
  readonly verb: 'create' | 'update';
}

/**
 * The handler of a verb, which gets the form as webhooks leave it. Simplified: they see it before it is checked, so that they are asked about
 * forms that are then refused. Models: v1.24 apiserver pkg/endpoints/handlers create.go, update.go; admission attributes of
 * pkg/registry/core/pod/storage.
 */
export function writeForm(scope: Scope, place: Place, stored: ApiObject, { of, write, subresource, verb }: Formed): ApiResponse {
  if (scope.webhooks === undefined || !isMapping(place.sent)) return write(scope, place, stored);
  const { resource } = place;
  const { metadata = { name: place.name } } = place.sent;
  const form = of.form?.(scope.names, place.sent);
  const apiVersion = form === undefined ? resource.apiVersion : `${form.group === '' ? '' : `${form.group}/`}${form.version}`;
  const object = { ...place.sent, kind: form?.kind ?? resource.kind.kind, apiVersion, metadata: metadata as ApiObject['metadata'] };
  const oldObject = verb === 'create' ? null : (of.get?.(scope, stored, resource) ?? stored);
  const warnings: string[] = [];
  const sent = reviewedForm(
    scope,
    { ...place, verb, subresource },
    { form, object, oldObject },
    { warn: (texts) => void warnings.push(...texts) },
  );
  return warned(write(scope, { ...place, sent }, stored), warnings);
}
