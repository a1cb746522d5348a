/** A client's request as the action of a step, or why it is none. */
import type { KindRegistry } from '../../apiserver/kinds/index.ts';
import type { Kind } from '../../apiserver/machinery/index.ts';
import { isMapping, membersOf, present } from '../../schema/values/index.ts';
import type { TargetRef, WritingAction } from '../scenario/index.ts';
import { createdBody, replacingPatch, safeCopy, sentPatch } from './bodies.ts';
import { type LogRecord, textIn } from './records.ts';
import { withoutValues } from '../snapshot/index.ts';
import type { World } from './world.ts';

/** Why a request of a client is no step. */
export type NoStep =
  | 'requests without a body in the log (level Metadata)'
  | 'requests about objects from before the log'
  | 'requests about kinds that are not modelled'
  | 'requests in another version of their kind'
  | 'requests that are not modelled'
  | 'refused: conflicts, permissions, validation, errors of the server'
  | 'bodies that are too deep';

export interface RequestContext {
  readonly kinds: KindRegistry;
  readonly world: World;
  /** Secrets keep their values. */
  readonly secrets: boolean;
}

type Made = { readonly action: WritingAction; readonly kind: Kind } | NoStep;

/** Refusals that the same request meets in a run: they do not depend on versions, permissions or field checks. */
const isRepeatable = ({ code, reason, message, ref }: LogRecord): boolean =>
  code < 300 ||
  code === 404 ||
  (code === 409 && reason === 'AlreadyExists') ||
  (code === 429 && ref.subresource === 'eviction') ||
  (code === 403 && message.includes('exceeded quota'));

export function actionOf(record: LogRecord, context: RequestContext): Made {
  const { kinds, secrets } = context;
  const { ref } = record;
  if (!isRepeatable(record)) return 'refused: conflicts, permissions, validation, errors of the server';
  const kind = kinds.byPlural(ref.group, ref.resource);
  if (kind === undefined) return 'requests about kinds that are not modelled';
  const needsBody = record.verb !== 'delete' && record.verb !== 'deletecollection' && ref.subresource !== 'eviction';
  if (record.isBare || (needsBody && record.body === undefined)) return 'requests without a body in the log (level Metadata)';
  const copy = safeCopy(record.body);
  if (copy === undefined) return 'bodies that are too deep';
  const body = kind.kind === 'Secret' && !secrets ? withoutValues(copy.value) : copy.value;
  const made =
    ref.subresource === undefined ? onObject(record, kind, body, context) : onSubresource(record, kind, membersOf(body), context);
  return typeof made === 'string' ? made : { action: made, kind };
}

const UNKNOWN = 'requests about objects from before the log';

/** The object of a request; a request that found none names what it did not find. */
function targetOf(
  { ref: { namespace, name = '' }, name: answered, at, code }: LogRecord,
  { kind, namespaced }: Kind,
  { world }: RequestContext,
): TargetRef | undefined {
  const place = namespaced ? namespace : undefined;
  const known = world.get(kind, place, name === '' ? (answered ?? '') : name);
  if (known !== undefined) return world.target(known, at);
  return code === 404 && name !== '' ? { kind, name, ...(place === undefined ? {} : { namespace: place }) } : undefined;
}

function onObject(record: LogRecord, kind: Kind, body: unknown, context: RequestContext): WritingAction | NoStep {
  const { verb } = record;
  if (verb === 'create') return creating(record, kind, body, context);
  if (verb === 'deletecollection') return deletingAll(record, kind);
  if (verb === 'patch' && isApply(record, body))
    return { verb: 'apply', objects: [{ object: createdBody(membersOf(body), knowsOwner(record, context)) }] };
  const target = targetOf(record, kind, context);
  if (target === undefined) return UNKNOWN;
  if (verb === 'delete') return { verb: 'delete', target, ...deleteOptions(membersOf(body)) };
  if (verb === 'update') {
    const sent = context.world.get(kind.kind, record.ref.namespace, record.ref.name ?? '')?.sent;
    return { verb: 'patch', target, type: 'merge', patch: replacingPatch(kind.kind, membersOf(body), sent) };
  }
  return { verb: 'patch', target, type: patchType(body, kind), patch: sentPatch(body) };
}

/** An owner that the run has under the same name. */
const knowsOwner =
  ({ ref: { namespace } }: LogRecord, { world, kinds }: RequestContext) =>
  (kind: unknown, name: unknown): boolean => {
    if (typeof kind !== 'string' || typeof name !== 'string') return false;
    const known = world.get(kind, kinds.byKind(kind)?.namespaced === true ? namespace : undefined, name);
    return known !== undefined && !known.isDrawn;
  };

function creating(record: LogRecord, kind: Kind, body: unknown, context: RequestContext): WritingAction | NoStep {
  const { ref } = record;
  if (ref.version !== kind.version) return 'requests in another version of their kind';
  const object = createdBody(membersOf(body), knowsOwner(record, context));
  const place = present({ namespace: kind.namespaced ? ref.namespace : undefined });
  const metadata = { ...membersOf(object['metadata']), ...place };
  return { verb: 'create', objects: [{ object: { ...object, apiVersion: context.kinds.apiVersionOf(kind), kind: kind.kind, metadata } }] };
}

/** A server-side apply names its manager, and sends an object with its type. */
const isApply = ({ query }: LogRecord, body: unknown): boolean =>
  query?.has('fieldManager') === true &&
  query.get('fieldManager') !== '' &&
  isMapping(body) &&
  'apiVersion' in body &&
  'kind' in body &&
  !hasDirectives(body, 0);

const hasDirectives = (body: unknown, depth: number): boolean =>
  depth < 8 && isMapping(body) && Object.entries(body).some(([name, value]) => name.startsWith('$') || hasDirectives(value, depth + 1));

/** The log does not have the type of a patch: a list is a JSON patch; custom resources know no strategic one. */
const patchType = (body: unknown, kind: Kind): 'json' | 'merge' | 'strategic' =>
  Array.isArray(body) ? 'json' : kind.groupPrefix.endsWith('.') ? 'merge' : 'strategic';

const POLICIES = ['Background', 'Foreground', 'Orphan'] as const;

function deleteOptions(body: Readonly<{ [name: string]: unknown }>) {
  const { gracePeriodSeconds } = body;
  const policy = POLICIES.find((each) => each === textIn(body, 'propagationPolicy'));
  const isGrace = typeof gracePeriodSeconds === 'number' && Number.isInteger(gracePeriodSeconds) && gracePeriodSeconds >= 0;
  return present({ gracePeriodSeconds: isGrace ? gracePeriodSeconds : undefined, propagationPolicy: policy });
}

function deletingAll({ ref: { namespace }, query }: LogRecord, { kind, namespaced }: Kind): WritingAction | NoStep {
  const selector = query?.get('labelSelector') ?? '';
  const pairs = selector === '' ? [] : selector.split(',').map((each) => /^\s*([^!=\s]+)\s*==?\s*([^=\s]*)\s*$/.exec(each));
  if (query?.has('fieldSelector') === true || pairs.includes(null)) return 'requests that are not modelled';
  const labels = Object.fromEntries(pairs.flatMap((each) => (each === null ? [] : [[each[1] ?? '', each[2] ?? ''] as const])));
  const target = present({ kind, namespace: namespaced ? namespace : undefined, labels: pairs.length === 0 ? undefined : labels });
  return { verb: 'delete', target, ignoreNotFound: true };
}

function onSubresource(
  record: LogRecord,
  kind: Kind,
  body: Readonly<{ [name: string]: unknown }>,
  context: RequestContext,
): WritingAction | NoStep {
  const target = targetOf(record, kind, context);
  if (target === undefined) return UNKNOWN;
  const { verb, ref } = record;
  switch (ref.subresource) {
    case 'eviction': {
      const { gracePeriodSeconds } = deleteOptions(membersOf(body['deleteOptions']));
      // Which of the repeated evictions of a drain a budget allows is a matter of moments: what follows is compared.
      return { verb: 'evict', target, ...present({ gracePeriodSeconds }), ifAllowed: true, ignoreNotFound: true };
    }
    case 'binding': {
      const node = textIn(membersOf(body['target']), 'name');
      return node === undefined ? 'requests that are not modelled' : { verb: 'bind', target, node };
    }
    case 'scale': {
      const { replicas } = membersOf(body['spec']);
      return typeof replicas === 'number' && Number.isInteger(replicas)
        ? { verb: 'scale', target, replicas }
        : 'requests that are not modelled';
    }
    case 'status': {
      const patch = { verb: 'patch', target, subresource: 'status' } as const;
      if (verb === 'update') return { ...patch, type: 'merge', patch: { status: body['status'] ?? {} } };
      return { ...patch, type: patchType(record.body, kind), patch: sentPatch(Array.isArray(record.body) ? record.body : body) };
    }
    default:
      return 'requests that are not modelled';
  }
}
