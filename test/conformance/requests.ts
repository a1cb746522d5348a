/**
 * Converts a recorded request to a step of a scenario. A generated name cannot be known in advance: such an object is identified by its
 * position in the order of creation (`nth`), all others by name. Uids and revisions of existing objects are left out, so that the step
 * means the current object; others are kept, and the request is refused.
 */
import type { History } from './history.ts';
import { CannotReplay, readPath, type RequestPath } from './paths.ts';
import type { RecordedAction } from './recording.ts';

type Fields = Readonly<Record<string, unknown>>;
type Write = Readonly<Record<string, unknown>>;
interface Target {
  readonly kind: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly nth?: number;
  readonly cel?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface Surroundings {
  /** The namespace of the case. */
  readonly namespace: string;
  /** Names that the recorded client chose. */
  readonly given: ReadonlySet<string | undefined>;
  readonly history: History;
}

const PATCH_TYPES: Readonly<Record<string, string>> = {
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/json-patch+json': 'json',
  'application/apply-patch+yaml': 'apply',
};

/** Returns the step of a request; undefined for a dry run. */
export function stepOfRequest(action: RecordedAction, around: Surroundings): Write | undefined {
  const { method, path = '', body = {} } = action;
  const where = readPath(path);
  if (where.query.get('dryRun') !== null || body['dryRun'] !== undefined) return undefined;
  switch (method) {
    case 'POST':
      return postOf(action, where, around);
    case 'PUT':
      return putOf(action, where, around);
    case 'PATCH':
      return { patch: patchOf(action, where, around) };
    case 'DELETE':
      return { delete: { target: targetOf(where, action.t, around), ...deletionOf(action, where, around) } };
    default:
      throw new CannotReplay(`no step is known for ${method ?? 'a request without a method'} ${path}`);
  }
}

function postOf(action: RecordedAction, where: RequestPath, around: Surroundings): Write {
  if (where.subresource === undefined) return { create: inOurWords(withoutUids(action, where, around)) };
  if (where.subresource !== 'eviction') throw new CannotReplay(`no step is known for POST ${action.path ?? ''}`);
  const { gracePeriodSeconds } = fieldsOf(action.body?.['deleteOptions']);
  return { evict: { target: targetOf(where, action.t, around), ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }) } };
}

/** Replaces a sub-resource by a patch of its whole content. */
function putOf(action: RecordedAction, where: RequestPath, around: Surroundings): Write {
  const body = withoutUids(action, where, around);
  const replaced = where.subresource === undefined ? undefined : REPLACED[where.subresource]?.(fieldsOf(body));
  if (where.subresource === undefined) return { replace: inOurWords(body) };
  if (replaced === undefined) throw new CannotReplay(`no step is known for PUT ${action.path ?? ''}`);
  return { patch: { target: targetOf(where, action.t, around), type: 'json', subresource: where.subresource, patch: [replaced] } };
}

const REPLACED: Readonly<Record<string, (body: Fields) => Fields>> = {
  status: ({ status = {} }) => ({ op: 'add', path: '/status', value: inOurWords(status) }),
  scale: ({ spec }) => ({ op: 'add', path: '/spec/replicas', value: fieldsOf(spec)['replicas'] ?? 0 }),
};

function patchOf(action: RecordedAction, where: RequestPath, around: Surroundings): Fields {
  const { subresource } = where;
  if (subresource !== undefined && REPLACED[subresource] === undefined)
    throw new CannotReplay(`no step is known for PATCH ${action.path ?? ''}`);
  const { contentType = 'application/merge-patch+json' } = action;
  const type = PATCH_TYPES[contentType.split(';')[0] ?? ''];
  if (type === undefined) throw new CannotReplay(`no patch is known for the content type ${contentType}`);
  return {
    target: targetOf(where, action.t, around),
    type,
    ...(subresource === undefined ? {} : { subresource }),
    patch: inOurWords(withoutUids(action, where, around)),
  };
}

/** The delete options in the body or the query. */
function deletionOf({ t, body = {} }: RecordedAction, where: RequestPath, { history }: Surroundings): Fields {
  const {
    query,
    kind: { kind },
    namespace,
    name,
  } = where;
  const orphans = body['orphanDependents'] ?? query.get('orphanDependents');
  const older = orphans === undefined || orphans === null ? undefined : orphans === true || orphans === 'true' ? 'Orphan' : 'Background';
  const propagationPolicy = body['propagationPolicy'] ?? query.get('propagationPolicy') ?? older;
  const grace = query.get('gracePeriodSeconds');
  const gracePeriodSeconds = body['gracePeriodSeconds'] ?? (grace === null ? undefined : Number(grace));
  const { uid, resourceVersion } = fieldsOf(body['preconditions']);
  const preconditions = {
    ...(uid === undefined || history.existed(uid, t) ? {} : { uid }),
    ...(resourceVersion === undefined || history.isCurrent(kind, namespace, name, resourceVersion, t) ? {} : { resourceVersion }),
  };
  return {
    ...(isTruthy(propagationPolicy) ? { propagationPolicy } : {}),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(Object.keys(preconditions).length === 0 ? {} : { preconditions }),
  };
}

/** Names of volumes and attachments, which are derived from uids. */
const MADE_OF_UIDS = /^(pvc-[0-9a-f]{8}-|csi-[0-9a-f]{64}$)/;

function targetOf(
  { kind: { kind, namespaced }, namespace: where, name, query }: RequestPath,
  at: number,
  { namespace, given, history }: Surroundings,
): Target {
  const place = namespaced ? { namespace: where ?? '' } : {};
  if (name === undefined) return { kind, ...place, ...labelsOf(query) };
  // The position of the object, for recordings that show it.
  const nth = (): number => history.names(kind, namespaced ? where : undefined, at).indexOf(name) + 1;
  if (!namespaced) return given.has(name) || !MADE_OF_UIDS.test(name) || nth() === 0 ? { kind, name } : { kind, nth: nth() };
  // Names of the client, names of StatefulSet pods, and all names outside the namespace of the case.
  const known = given.has(name) || /-\d+$/.test(name) || where !== namespace;
  if (known) return { kind, ...place, name };
  return { kind, ...place, ...((kind === 'Pod' ? history.podOf(where, name, at) : undefined) ?? { nth: nth() }) };
}

/** The label selector of a collection, if it has only equalities. */
function labelsOf(query: URLSearchParams): Pick<Target, 'labels'> {
  const selector = query.get('labelSelector');
  if (query.get('fieldSelector') !== null) throw new CannotReplay('no step is known for a field selector');
  if (selector === null) return {};
  const pairs = selector.split(',').map((part) => /^([^=!]+)==?([^=]*)$/.exec(part));
  return {
    labels: Object.fromEntries(
      pairs.map((pair): [string, string] => {
        if (pair === null) throw new CannotReplay(`no step is known for the label selector ${selector}`);
        return [pair[1] ?? '', pair[2] ?? ''];
      }),
    ),
  };
}

/** The body without uids of existing objects and without the object's own revision. */
function withoutUids({ t, body }: RecordedAction, { kind: { kind }, namespace, name }: RequestPath, { history }: Surroundings): unknown {
  const metadata = body?.['metadata'];
  if (body === undefined || metadata === undefined || metadata === null || typeof metadata !== 'object') return body;
  const { ownerReferences, uid, resourceVersion, ...rest } = metadata as {
    readonly ownerReferences?: unknown;
    readonly uid?: unknown;
    readonly resourceVersion?: unknown;
  };
  const owners = Array.isArray(ownerReferences)
    ? (ownerReferences as readonly Fields[]).map(({ uid: owner, ...reference }) =>
        history.existed(owner, t) ? reference : { ...reference, uid: owner },
      )
    : ownerReferences;
  return {
    ...body,
    metadata: {
      ...rest,
      ...(owners === undefined ? {} : { ownerReferences: owners }),
      ...(uid === undefined || history.existed(uid, t) ? {} : { uid }),
      ...(resourceVersion === undefined || history.isCurrent(kind, namespace, name, resourceVersion, t) ? {} : { resourceVersion }),
    },
  };
}

/** The recordings have `sim/…` where scenarios have `sim.orch.io/…`; JSON pointers write the slash as `~1`. */
export const inOurWords = <T>(body: T): T =>
  body === undefined
    ? body
    : (JSON.parse(JSON.stringify(body).replaceAll('"sim/', '"sim.orch.io/').replaceAll('/sim~1', '/sim.orch.io~1')) as T);

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const isTruthy = (value: unknown): boolean => Boolean(value);
