/** The scale sub-resource: one form for all kinds with replicas. Models: pkg/registry/apps/statefulset/storage ScaleREST. */
import { insertInOrder, produce } from '../../machinery/index.ts';
import type { ApiObject, Draft, Kind, ManagedFieldsEntry, ScalePaths } from '../../machinery/index.ts';
import { managedFieldsFromScale, managedFieldsOfScale, memberAt, trackUpdate } from '../../patch/index.ts';
import { field, int32, obj, str } from '../../../schema/shape/index.ts';
import { formatLabelSelector, type LabelSelector } from '../../../schema/values/index.ts';
import { badRequest, conflict, internal, invalidAs, MODIFIED, type Resource } from '../../request/index.ts';
import { carryOut, managerOf, type Place, type Scope, tracks, unknownChange } from '../../write/index.ts';
import { wrongUid } from '../writes.ts';
import { smallMetadata, type Subresource } from './contract.ts';

/** The paths of built-in kinds. */
const USUAL: ScalePaths = { spec: ['spec', 'replicas'], status: ['status', 'replicas'] };

const countAt = (object: unknown, path: readonly string[]): number | undefined => {
  const found = memberAt(object, ...path);
  return typeof found === 'number' ? found : undefined;
};

/** Returns the selector as text: built-in kinds have a selector in their spec, custom resources have it as text. */
function selectorOf(stored: ApiObject, { scale: paths }: Kind): string | undefined {
  if (paths === undefined) {
    const { selector } = (stored['spec'] ?? {}) as { readonly selector?: LabelSelector };
    return selector === undefined ? undefined : formatLabelSelector(selector);
  }
  const found = paths.selector === undefined ? undefined : memberAt(stored, ...paths.selector);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

function scaleOf(stored: ApiObject, kind: Kind): ApiObject {
  const { spec, status } = kind.scale ?? USUAL;
  const replicas = countAt(stored, spec) ?? 0;
  const selector = selectorOf(stored, kind);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = stored.metadata;
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), uid, resourceVersion, creationTimestamp },
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: countAt(stored, status) ?? 0, ...(selector === undefined ? {} : { selector }) },
  };
}

/** Returns the Scale for a read request: a custom resource without replicas has none. Models: customresource etcd.go ScaleREST Get. */
function shownScale(stored: ApiObject, { kind }: Resource): ApiObject {
  if (kind.scale !== undefined && countAt(stored, kind.scale.spec) === undefined)
    throw internal(`the spec replicas field ".${kind.scale.spec.join('.')}" does not exist`);
  return scaleOf(stored, kind);
}

/** Returns the managed fields of the parent after a write to its scale; undefined where they are not tracked. */
function ownership(
  scope: Scope,
  { resource, request }: Place,
  stored: ApiObject,
  replicas: number,
): readonly ManagedFieldsEntry[] | undefined {
  if (!tracks(scope, request, stored)) return undefined;
  const target = { apiVersion: resource.apiVersion, replicas: (resource.kind.scale ?? USUAL).spec };
  const before = scaleOf(stored, resource.kind);
  const live = { ...before, metadata: { ...before.metadata, managedFields: managedFieldsOfScale(stored.metadata.managedFields, target) } };
  const written = trackUpdate({
    schema,
    live,
    next: { ...live, spec: { replicas } },
    manager: managerOf(request),
    apiVersion: before.apiVersion,
    now: scope.now(),
    subresource: 'scale',
  });
  return managedFieldsFromScale(stored.metadata.managedFields, written, target);
}

export const schema = obj('Scale', {
  kind: str(),
  apiVersion: str(),
  metadata: field(1, smallMetadata),
  spec: field(2, obj('ScaleSpec', { replicas: field(1, int32) })),
  status: field(3, obj('ScaleStatus', { replicas: field(1, int32), selector: field(2, str()) })),
});

function withReplicas(stored: ApiObject, { schema: { fields }, scale: paths = USUAL }: Kind, replicas: number): ApiObject {
  const [root = '', ...path] = paths.spec;
  const name = path.pop() ?? '';
  const shape = fields[root];
  return produce(stored, (draft) => {
    if (draft[root] === undefined) return;
    let inner = draft[root] as Draft<Record<string, unknown>>;
    for (const step of path) inner = (inner[step] ??= {}) as typeof inner;
    if (path.length === 0) insertInOrder(shape, inner, { [name]: replicas });
    else inner[name] = replicas;
  });
}

export const scale: Subresource = {
  form: () => ({ group: 'autoscaling', version: 'v1', kind: 'Scale' }),
  schema,
  get: (_, stored, resource) => shownScale(stored, resource),
  update(scope, place, stored) {
    const { resource, namespace, name } = place;
    const given = (place.sent ?? {}) as {
      readonly kind?: unknown;
      readonly apiVersion?: unknown;
      readonly metadata?: { readonly name?: string; readonly resourceVersion?: string; readonly uid?: string };
      readonly spec?: { readonly replicas?: unknown };
    };
    const kind = typeof given.kind === 'string' ? given.kind : '';
    const at = typeof given.apiVersion === 'string' ? given.apiVersion : 'autoscaling/v1';
    if (kind !== 'Scale' && kind !== '')
      throw badRequest(
        `${kind} in version ${JSON.stringify(at.slice(at.lastIndexOf('/') + 1))} cannot be handled as a Scale: no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(at)} in scheme "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"`,
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
    const scaled = withReplicas(stored, resource.kind, replicas);
    const managers = ownership(scope, place, stored, replicas);
    const response = carryOut(scope, { ...place, sent: undefined, isReviewed: true }, unknownChange(scaled), managers);
    return response.ok && 'object' in response ? { ...response, object: scaleOf(response.object, resource.kind) } : response;
  },
};
