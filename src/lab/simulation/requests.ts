/** The requests of a scenario step, completed with the parts that its author may omit. */
import { PRIVILEGED } from '../../apiserver/access/index.ts';
import { type ApiObject, type ObjectInput, storeKey } from '../../apiserver/machinery/index.ts';
import { kindInGroup } from '../../apiserver/kinds/index.ts';
import type { ApiRequest } from '../../apiserver/request/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { DEFAULT_NAMESPACE, formatTarget, type Manifest, type TargetRef, type WritingAction } from '../scenario/index.ts';
import { isMapping, present } from '../../schema/values/index.ts';
import { isNamespaced, resolveTarget } from './facts.ts';
import type { Trouble } from './run.ts';

export const USER_NAME = 'user';
const USER = { name: USER_NAME, groups: [PRIVILEGED] };

/** Owner references without a uid mean the present object of that name, because uids are generated. */
const withOwners = (cluster: Cluster, metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const { ownerReferences, namespace } = metadata as { readonly ownerReferences?: unknown; readonly namespace?: string };
  if (!Array.isArray(ownerReferences)) return metadata;
  const known = (ownerReferences as readonly Readonly<Record<string, unknown>>[]).map((reference) => {
    const { apiVersion, kind: called, name, uid } = reference;
    if (uid !== undefined || typeof called !== 'string' || typeof name !== 'string') return reference;
    const known = kindInGroup(cluster.kinds, String(apiVersion).split('/')[0] ?? '', called) ?? cluster.kinds.byKind(called);
    const { kind = called, namespaced = false } = known ?? {};
    const owner =
      cluster.store.get(kind, namespaced ? `${namespace ?? DEFAULT_NAMESPACE}/${name}` : name) ??
      [...cluster.store.values(kind)].find((other) => other.metadata.name === name);
    return owner === undefined ? reference : { ...reference, uid: owner.metadata.uid };
  });
  return { ...metadata, ownerReferences: known };
};

const completed = (cluster: Cluster, manifest: Manifest): ObjectInput => {
  const kind = manifest.kind ?? '';
  const known = cluster.kinds.byKind(kind);
  const apiVersion = manifest.apiVersion ?? (known === undefined ? '' : cluster.kinds.apiVersionOf(known));
  const metadata = known?.namespaced === true ? { namespace: DEFAULT_NAMESPACE, ...manifest.metadata } : { ...manifest.metadata };
  return { ...manifest, apiVersion, kind, metadata: withOwners(cluster, metadata) };
};

/** Completes a partial object likewise; a list of JSON patch operations is unchanged. */
const completedPatch = (cluster: Cluster, patch: unknown, { metadata: { namespace } }: ApiObject): unknown => {
  if (!isMapping(patch)) return patch;
  const { metadata } = patch;
  if (!isMapping(metadata) || !('ownerReferences' in metadata)) return patch;
  const { ownerReferences } = withOwners(cluster, { ...metadata, namespace });
  return { ...patch, metadata: { ...metadata, ownerReferences } };
};

const where = ({ metadata: { namespace } }: ObjectInput | ApiObject) => present({ namespace });

const ignoresAbsence = (action: WritingAction): boolean => 'ignoreNotFound' in action && action.ignoreNotFound;

/** Whether an action may be refused with a code: a missing object, or a disruption budget. */
export const mayBeRefused = (action: WritingAction, code: number): boolean =>
  (code === 404 && ignoresAbsence(action)) || (code === 429 && action.verb === 'evict' && action.ifAllowed === true);

/** Makes each request when the one before it has been answered: an object may be of a kind that the same step defines. */
function* inTurn<T>(items: readonly T[], make: (item: T) => ApiRequest): Iterable<ApiRequest> {
  for (const item of items) yield make(item);
}

export function requestsFor(cluster: Cluster, action: WritingAction): Iterable<ApiRequest> | Trouble {
  switch (action.verb) {
    case 'apply':
      return inTurn(action.objects, ({ object }) => applying(cluster, completed(cluster, object)));
    case 'create':
      return inTurn(action.objects, ({ object }) => {
        const body = completed(cluster, object);
        return { verb: 'create', kind: body.kind, ...where(body), body, user: USER };
      });
    case 'replace':
      return inTurn(action.objects, ({ object }) => {
        const body = completed(cluster, object);
        return { verb: 'update', kind: body.kind, ...where(body), name: body.metadata.name ?? '', body, user: USER };
      });
    case 'patch':
      return forEach(cluster, action, (object) => ({
        ...itemOf(object),
        verb: 'patch',
        body: completedPatch(cluster, action.patch, object),
        patchType: action.type,
        fieldManager: USER_NAME,
        ...present({ subresource: action.subresource }),
        ...(action.type === 'apply' ? { force: true } : {}),
      }));
    case 'delete': {
      const { gracePeriodSeconds, propagationPolicy, preconditions } = action;
      const more = present({ propagationPolicy, preconditions });
      return forEach(cluster, action, (object) => ({ ...deleting(object, gracePeriodSeconds), ...more }));
    }
    case 'evict':
      return forEach(cluster, action, (object) => evicting(object, action.gracePeriodSeconds));
    case 'bind':
      return forEach(cluster, action, (object) => binding(object, action.node));
    case 'cordon':
    case 'uncordon':
      return forEach(cluster, action, (object) => cordoning(object, action.verb === 'cordon'));
    case 'scale':
      return forEach(cluster, action, (object) => ({
        ...itemOf(object),
        verb: 'patch',
        subresource: 'scale',
        patchType: 'merge',
        body: { spec: { replicas: action.replicas } },
      }));
  }
}

const MOST_NAMED = 5;

/** The error for a target that means one object and selects several. */
function severalOf(target: TargetRef, found: readonly ApiObject[]): Trouble {
  const names = found.slice(0, MOST_NAMED).map(({ kind, metadata: { name } }) => `${kind}/${name}`);
  const more = found.length > MOST_NAMED ? ` and ${found.length - MOST_NAMED} more` : '';
  return {
    message: `${formatTarget(target)} selects one object, and there are ${found.length}`,
    detail: [`  name one: ${names.join(', ')}${more}`, `  or select all of them: { kind: ${target.kind} }`],
  };
}

export const cordoning = (node: ApiObject, isCordoned: boolean): ApiRequest => ({
  ...itemOf(node),
  verb: 'patch',
  patchType: 'strategic',
  body: { spec: { unschedulable: isCordoned ? true : null } },
});

const itemOf = (object: ApiObject) => ({ kind: object.kind, ...where(object), name: object.metadata.name, user: USER });

/** Returns the request of an apply: a patch by the only manager for an existing object, otherwise a creation. */
function applying(cluster: Cluster, body: ObjectInput): ApiRequest {
  const {
    kind,
    metadata: { name, namespace },
  } = body;
  const exists = name !== undefined && cluster.store.get(kind, storeKey(namespace, name)) !== undefined;
  return exists
    ? { verb: 'patch', kind, ...where(body), name, body, patchType: 'apply', force: true, fieldManager: USER_NAME, user: USER }
    : { verb: 'create', kind, ...where(body), body, user: USER };
}

export const evicting = (object: ApiObject, gracePeriodSeconds: number | undefined): ApiRequest => ({
  ...itemOf(object),
  verb: 'create',
  subresource: 'eviction',
  body: {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name: object.metadata.name, ...where(object) },
    ...(gracePeriodSeconds === undefined ? {} : { deleteOptions: { gracePeriodSeconds } }),
  },
});

const binding = (object: ApiObject, node: string): ApiRequest => ({
  ...itemOf(object),
  verb: 'create',
  subresource: 'binding',
  body: {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name: object.metadata.name, ...where(object) },
    target: { apiVersion: 'v1', kind: 'Node', name: node },
  },
});

export const deleting = (object: ApiObject, gracePeriodSeconds: number | undefined): ApiRequest => ({
  ...itemOf(object),
  verb: 'delete',
  ...present({ gracePeriodSeconds }),
});

function forEach(
  cluster: Cluster,
  action: Extract<WritingAction, { readonly target: TargetRef }>,
  make: (object: ApiObject) => ApiRequest,
): readonly ApiRequest[] | Trouble {
  const { target } = action;
  const found = resolveTarget(cluster, target);
  if (target.only === true && found.length > 1) return severalOf(target, found);
  if (found.length > 0 || ignoresAbsence(action)) return found.map(make);
  // The server answers 404 to the name of a missing object.
  if (target.name === undefined) return { message: `nothing matches ${formatTarget(target)}`, detail: [] };
  const namespace = isNamespaced(cluster, target.kind) ? { namespace: target.namespace ?? DEFAULT_NAMESPACE } : {};
  const metadata = { name: target.name, uid: '', resourceVersion: '', creationTimestamp: '', ...namespace };
  return [make({ apiVersion: '', kind: target.kind, metadata })];
}
