/**
 * The scale sub-resource: how many replicas are wanted and there, in one form for every kind that has them. Models:
 * pkg/registry/apps/statefulset/storage ScaleREST.
 */
import { type ApiObject, type Draft, type ManagedFieldsEntry, place, produce } from '../../vocabulary/index.ts';
import { managedFieldsFromScale, managedFieldsOfScale, trackUpdate } from '../../patch/index.ts';
import { int32, obj, str, time } from '../../../grammar/schema/index.ts';
import { formatLabelSelector, type LabelSelector } from '../../../grammar/values/index.ts';
import { type ApiRequest, badRequest, conflict, invalidAs, MODIFIED, type Resource, storeKey } from '../../request/index.ts';
import type { Door } from '../door.ts';
import { managerOf, tracks } from '../field-tracking.ts';
import { replace, wrongUid } from '../update.ts';
import type { Subresource } from './contract.ts';

interface Scalable {
  readonly spec?: { readonly replicas?: number; readonly selector?: LabelSelector };
  readonly status?: { readonly replicas?: number };
}

/** How an object with replicas reads as a Scale. */
function scaleOf(stored: ApiObject): ApiObject {
  const { spec, status } = { spec: stored['spec'], status: stored['status'] } as Scalable;
  const { name, namespace, uid, resourceVersion, creationTimestamp } = stored.metadata;
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), uid, resourceVersion, creationTimestamp },
    spec: spec?.replicas === undefined || spec.replicas === 0 ? {} : { replicas: spec.replicas },
    status: { replicas: status?.replicas ?? 0, ...(spec?.selector === undefined ? {} : { selector: formatLabelSelector(spec.selector) }) },
  };
}

/** Who owns the replicas after a write to the scale, as the parent keeps it; nothing where nobody is tracked. */
function ownership(
  door: Door,
  resource: Resource,
  stored: ApiObject,
  replicas: number,
  request: ApiRequest,
): { managedFields?: readonly ManagedFieldsEntry[] } {
  if (!tracks(door, request, stored)) return {};
  const target = { apiVersion: resource.apiVersion, replicas: ['spec', 'replicas'] };
  const before = scaleOf(stored);
  const live = { ...before, metadata: { ...before.metadata, managedFields: managedFieldsOfScale(stored.metadata.managedFields, target) } };
  const written = trackUpdate({
    schema,
    live,
    next: { ...live, spec: { replicas } },
    manager: managerOf(request),
    apiVersion: before.apiVersion,
    now: door.now(),
    subresource: 'scale',
  });
  return { managedFields: managedFieldsFromScale(stored.metadata.managedFields, written, target) };
}

const schema = obj('Scale', {
  kind: str(),
  apiVersion: str(),
  metadata: obj('ObjectMeta', { name: str(), namespace: str(), uid: str('types.UID'), resourceVersion: str(), creationTimestamp: time }),
  spec: obj('ScaleSpec', { replicas: int32 }),
  status: obj('ScaleStatus', { replicas: int32, selector: str() }),
});

export const scale: Subresource = {
  schema,
  get: (_door, stored) => scaleOf(stored),
  update(door, { resource, stored, namespace, name, body, dryRun, request }) {
    const given = (body ?? {}) as {
      readonly kind?: unknown;
      readonly apiVersion?: unknown;
      readonly metadata?: { readonly name?: string; readonly resourceVersion?: string; readonly uid?: string };
      readonly spec?: { readonly replicas?: unknown };
    };
    const sent = typeof given.kind === 'string' ? given.kind : '';
    const at = typeof given.apiVersion === 'string' ? given.apiVersion : 'autoscaling/v1';
    if (sent !== 'Scale' && sent !== '')
      throw badRequest(
        `${sent} in version ${JSON.stringify(at.slice(at.lastIndexOf('/') + 1))} cannot be handled as a Scale: no kind ${JSON.stringify(sent)} is registered for version ${JSON.stringify(at)} in scheme "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"`,
      );
    if (given.metadata?.name !== undefined && given.metadata.name !== name)
      throw badRequest(`the name of the object (${given.metadata.name}) does not match the name on the URL (${name})`);
    const replicas = given.spec?.replicas ?? 0;
    if (typeof replicas !== 'number' || !Number.isInteger(replicas)) {
      throw badRequest(
        `Scale in version "v1" cannot be handled as a Scale: json: cannot unmarshal ${typeof replicas} into Go struct field ScaleSpec.spec.replicas of type int32`,
      );
    }
    if (replicas < 0)
      throw invalidAs('autoscaling', 'Scale', name, [
        { type: 'Invalid', field: 'spec.replicas', value: replicas, detail: 'must be greater than or equal to 0' },
      ]);
    const uid = given.metadata?.uid ?? '';
    if (uid !== '' && uid !== stored.metadata.uid) throw wrongUid(resource, namespace, name, uid, stored.metadata.uid);
    const version = given.metadata?.resourceVersion ?? '';
    if (version !== '' && version !== stored.metadata.resourceVersion) throw conflict(resource, name, MODIFIED);
    const scaled = produce(stored, (draft) => {
      const { spec } = draft as Draft<Scalable>;
      if (spec !== undefined) place(resource.kind.schema.fields['spec'], spec, { replicas });
    });
    const response = replace(door, resource, scaled, stored, {
      key: storeKey(namespace, name),
      name,
      namespace,
      subresource: undefined,
      dryRun,
      request,
      ...ownership(door, resource, stored, replicas, request),
    });
    return response.ok && 'object' in response ? { ...response, object: scaleOf(response.object) } : response;
  },
};
