/** What the steps of a scenario do: requests to the door as `operator`, faults. */
import { PRIVILEGED } from '../../apiserver/access/index.ts';
import { type ApiObject, type ObjectInput, storeKey } from '../../apiserver/vocabulary/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import type { ApiRequest, ApiResponse } from '../../apiserver/request/index.ts';
import { faults } from '../faults/index.ts';
import {
  DEFAULT_NAMESPACE,
  formatTarget,
  type ExpectedError,
  type FaultCall,
  type Manifest,
  type TargetRef,
  type WritingAction,
} from '../scenario/index.ts';
import type { ObjectName } from '../trace/index.ts';
import { resolveTarget } from './facts.ts';

export const OPERATOR = 'operator';
const USER = { name: OPERATOR, groups: [PRIVILEGED] };

/** What came of a step: undefined when all is well. */
export interface Trouble {
  readonly message: string;
  readonly detail: readonly string[];
  readonly about?: ObjectName & { readonly field?: string };
}

/** Owner references without a uid mean the object of that name there is now: uids are nobody's to know beforehand. */
const withOwners = (cluster: Cluster, metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const { ownerReferences, namespace } = metadata as { readonly ownerReferences?: unknown; readonly namespace?: string };
  if (!Array.isArray(ownerReferences)) return metadata;
  const known = (ownerReferences as readonly Readonly<Record<string, unknown>>[]).map((reference) => {
    const { kind, name, uid } = reference;
    if (uid !== undefined || typeof kind !== 'string' || typeof name !== 'string') return reference;
    const owner =
      cluster.store.get(
        kind,
        storeKey(cluster.kinds.byKind(kind)?.namespaced === true ? (namespace ?? DEFAULT_NAMESPACE) : undefined, name),
      ) ?? [...cluster.store.values(kind)].find((other) => other.metadata.name === name);
    return owner === undefined ? reference : { ...reference, uid: owner.metadata.uid };
  });
  return { ...metadata, ownerReferences: known };
};

/** A manifest with the parts a person leaves out: the namespace, the version of a known kind. */
const completed = (cluster: Cluster, manifest: Manifest): ObjectInput => {
  const kind = manifest.kind ?? '';
  const known = cluster.kinds.byKind(kind);
  const apiVersion = manifest.apiVersion ?? (known === undefined ? '' : cluster.kinds.apiVersionOf(known));
  const metadata = known?.namespaced === true ? { namespace: DEFAULT_NAMESPACE, ...manifest.metadata } : { ...manifest.metadata };
  return { ...manifest, apiVersion, kind, metadata: withOwners(cluster, metadata) };
};

/** A partial object with the same parts; lists of operations are taken as they are. */
const completedPatch = (cluster: Cluster, patch: unknown, { metadata: { namespace } }: ApiObject): unknown => {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const { metadata } = patch as { readonly metadata?: unknown };
  if (typeof metadata !== 'object' || metadata === null || !('ownerReferences' in metadata)) return patch;
  const { ownerReferences } = withOwners(cluster, { ...metadata, namespace });
  return { ...patch, metadata: { ...metadata, ownerReferences } };
};

const where = (object: ObjectInput | ApiObject): { namespace?: string } =>
  object.metadata.namespace === undefined ? {} : { namespace: object.metadata.namespace };

/** Whether there is nothing wrong with there being no such object. */
const ignoresAbsence = (action: WritingAction): boolean => 'ignoreNotFound' in action && action.ignoreNotFound;

const requestsFor = (cluster: Cluster, action: WritingAction): readonly ApiRequest[] | Trouble => {
  const one = (target: TargetRef, make: (object: ApiObject) => ApiRequest): readonly ApiRequest[] | Trouble => {
    const found = resolveTarget(cluster, target);
    if (found.length > 0 || ignoresAbsence(action)) return found.map(make);
    // A name that is not there goes to the server, whose 404 is the answer to give.
    if (target.name === undefined) return { message: `nothing matches ${formatTarget(target)}`, detail: [] };
    const namespaced = cluster.kinds.byKind(target.kind)?.namespaced ?? true;
    const metadata = {
      name: target.name,
      uid: '',
      resourceVersion: '',
      creationTimestamp: '',
      ...(namespaced ? { namespace: target.namespace ?? DEFAULT_NAMESPACE } : {}),
    };
    return [make({ apiVersion: '', kind: target.kind, metadata })];
  };
  switch (action.verb) {
    case 'apply':
      return action.objects.map(({ object }) => {
        const body = completed(cluster, object);
        const key = storeKey(body.metadata.namespace, body.metadata.name ?? '');
        const exists = body.metadata.name !== undefined && cluster.store.get(body.kind, key) !== undefined;
        return exists
          ? {
              verb: 'patch',
              kind: body.kind,
              ...where(body),
              name: body.metadata.name ?? '',
              body,
              patchType: 'apply',
              force: true,
              fieldManager: OPERATOR,
              user: USER,
            }
          : { verb: 'create', kind: body.kind, ...where(body), body, user: USER };
      });
    case 'create':
      return action.objects.map(({ object }) => {
        const body = completed(cluster, object);
        return { verb: 'create', kind: body.kind, ...where(body), body, user: USER };
      });
    case 'replace':
      return action.objects.map(({ object }) => {
        const body = completed(cluster, object);
        return { verb: 'update', kind: body.kind, ...where(body), name: body.metadata.name ?? '', body, user: USER };
      });
    case 'patch':
      return one(action.target, (object) => ({
        verb: 'patch',
        kind: object.kind,
        ...where(object),
        name: object.metadata.name,
        body: completedPatch(cluster, action.patch, object),
        patchType: action.type,
        user: USER,
        fieldManager: OPERATOR,
        ...(action.subresource === undefined ? {} : { subresource: action.subresource }),
        ...(action.type === 'apply' ? { force: true } : {}),
      }));
    case 'delete':
      return one(action.target, (object) => ({
        verb: 'delete',
        kind: object.kind,
        ...where(object),
        name: object.metadata.name,
        user: USER,
        ...(action.propagationPolicy === undefined ? {} : { propagationPolicy: action.propagationPolicy }),
        ...(action.gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: action.gracePeriodSeconds }),
        ...(action.preconditions === undefined ? {} : { preconditions: action.preconditions }),
      }));
    case 'evict':
      return one(action.target, (object) => ({
        verb: 'create',
        kind: object.kind,
        ...where(object),
        name: object.metadata.name,
        subresource: 'eviction',
        user: USER,
        body: {
          apiVersion: 'policy/v1',
          kind: 'Eviction',
          metadata: { name: object.metadata.name, ...where(object) },
          ...(action.gracePeriodSeconds === undefined ? {} : { deleteOptions: { gracePeriodSeconds: action.gracePeriodSeconds } }),
        },
      }));
    default: {
      const never: never = action;
      return never;
    }
  }
};

const refusal = ({ code, status: { reason = '', message = '', details } }: Extract<ApiResponse, { ok: false }>): Trouble => {
  const causes = (details?.causes ?? []).map((cause) => `  ${cause.field ?? ''}: ${cause.message ?? ''}`);
  // The message of an invalid object repeats all its causes, which stand below, a line each.
  const end = causes.length > 0 ? message.indexOf(' is invalid: ') : -1;
  return {
    message: `the server refused it: ${code} ${reason}: ${end < 0 ? message : `${message.slice(0, end)} is invalid`}`,
    detail: causes,
  };
};

/** Writes; stops at the first refusal. */
export function performWrite(cluster: Cluster, action: WritingAction, causes: readonly number[]): Trouble | undefined {
  const requests = requestsFor(cluster, action);
  if ('message' in requests) return requests;
  for (const request of requests) {
    const response = cluster.request(OPERATOR, request, causes);
    if (!response.ok && !(response.code === 404 && ignoresAbsence(action))) return refusal(response);
  }
  return undefined;
}

/** Writes what must be refused. */
export function performRefused(
  cluster: Cluster,
  action: WritingAction,
  expected: ExpectedError,
  causes: readonly number[],
): Trouble | undefined {
  const requests = requestsFor(cluster, action);
  if ('message' in requests) return requests;
  for (const request of requests) {
    const response = cluster.request(OPERATOR, request, causes);
    if (response.ok)
      return {
        message: `expected an error${expected.code === undefined ? '' : ` ${expected.code}`}, but the server accepted it`,
        detail: [],
      };
    const { code, status } = response;
    const fields = (status.details?.causes ?? []).map((cause) => cause.field ?? '');
    const wrong = [
      expected.code !== undefined && expected.code !== code ? `  code     expected ${expected.code}  found ${code}` : '',
      expected.reason !== undefined && expected.reason !== status.reason
        ? `  reason   expected ${expected.reason}  found ${status.reason ?? 'none'}`
        : '',
      expected.field !== undefined && !fields.includes(expected.field)
        ? `  field    expected ${expected.field}  found ${fields.join(', ') || 'none'}`
        : '',
      expected.message !== undefined && status.message?.includes(expected.message) !== true
        ? `  message  expected to contain ${expected.message}  found ${status.message ?? 'none'}`
        : '',
    ].filter((line) => line !== '');
    if (wrong.length > 0) return { message: 'the server refused it otherwise than expected', detail: wrong };
  }
  return undefined;
}

/** Makes a fault happen. */
export function performFault(cluster: Cluster, call: FaultCall, causes: readonly number[] = []): Trouble | undefined {
  const fault = faults.find(({ name }) => name === call.name);
  if (fault === undefined) return { message: `there is no fault named ${call.name}`, detail: [] };
  const done = fault.apply(cluster, call, causes);
  if ('error' in done) return { message: done.error, detail: [] };
  cluster.note({ type: 'fault', causes, fault: call.name, detail: done.detail });
  return undefined;
}
