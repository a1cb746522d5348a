/**
 * A recorded request as a step of a scenario. Names with random parts are nobody's to know: an object that a controller named is meant by
 * its place in the order of creation (`nth`), everything else by its name. Uids and revisions are nobody's either: where a request names
 * those of a living object they are left out, and whoever runs the scenario means the object there is then; others stay, and are refused.
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
  /** The case's own namespace. */
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

/** The step a request stands for; undefined for one that changed nothing because it was a trial. */
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

/** A sub-resource is replaced by a patch that puts the whole of it. */
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

/** What the body or the query says about how to delete. */
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
    ...(uid === undefined || history.lives(uid, t) ? {} : { uid }),
    ...(resourceVersion === undefined || history.isCurrent(kind, namespace, name, resourceVersion, t) ? {} : { resourceVersion }),
  };
  return {
    ...(isTruthy(propagationPolicy) ? { propagationPolicy } : {}),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(Object.keys(preconditions).length === 0 ? {} : { preconditions }),
  };
}

/** Names of volumes and attachments that were made of uids. */
const MADE_OF_UIDS = /^(pvc-[0-9a-f]{8}-|csi-[0-9a-f]{64}$)/;

function targetOf(
  { kind: { kind, namespaced }, namespace: where, name, query }: RequestPath,
  at: number,
  { namespace, given, history }: Surroundings,
): Target {
  const place = namespaced ? { namespace: where ?? '' } : {};
  if (name === undefined) return { kind, ...place, ...labelsOf(query) };
  // Only recordings that show it tell which one is meant.
  const nth = (): number => history.names(kind, namespaced ? where : undefined, at).indexOf(name) + 1;
  if (!namespaced) return given.has(name) || !MADE_OF_UIDS.test(name) || nth() === 0 ? { kind, name } : { kind, nth: nth() };
  // Names we gave, names of StatefulSet pods, and whatever lies outside the case's own namespace.
  const known = given.has(name) || /-\d+$/.test(name) || where !== namespace;
  if (known) return { kind, ...place, name };
  return { kind, ...place, ...((kind === 'Pod' ? history.podOf(where, name, at) : undefined) ?? { nth: nth() }) };
}

/** A collection's label selector, if it only asks for equality. */
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

/** The body without uids of living objects and without the object's own revision. */
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
        history.lives(owner, t) ? reference : { ...reference, uid: owner },
      )
    : ownerReferences;
  return {
    ...body,
    metadata: {
      ...rest,
      ...(owners === undefined ? {} : { ownerReferences: owners }),
      ...(uid === undefined || history.lives(uid, t) ? {} : { uid }),
      ...(resourceVersion === undefined || history.isCurrent(kind, namespace, name, resourceVersion, t) ? {} : { resourceVersion }),
    },
  };
}

/** The recordings say `sim/…` where scenarios say `sim.orch.io/…`; JSON pointers write the slash as `~1`. */
export const inOurWords = <T>(body: T): T =>
  body === undefined
    ? body
    : (JSON.parse(JSON.stringify(body).replaceAll('"sim/', '"sim.orch.io/').replaceAll('/sim~1', '/sim.orch.io~1')) as T);

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const isTruthy = (value: unknown): boolean => Boolean(value);
