/** The binding sub-resource: assigns a pod to a node, once. Models: pkg/registry/core/pod/storage BindingREST. */
import { memo, perObject } from '../../../engine/index.ts';
import { ALWAYS, type ApiObject, type Condition, partsOf } from '../../machinery/index.ts';
import type { Pod } from '../../kinds/index.ts';
import { conflictOn, invalidAs, type Resource, withMembers } from '../../request/index.ts';
import { formatTime } from '../../../schema/values/index.ts';
import { committing, type Plan, run, type Stage, Write } from '../../write/index.ts';
import { CREATED, type Subresource } from './contract.ts';

interface Binding {
  readonly metadata?: { readonly uid?: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly target?: { readonly kind?: string; readonly name?: string };
}
type PodSpec = Pick<Pod['spec'], 'nodeName'>;
interface PodStatus {
  readonly conditions?: readonly Condition[];
}

const conflicting = (name: string, why: string) => conflictOn('pods/binding', name, why, { name, kind: 'pods/binding' });

const NO_STATUS: PodStatus = Object.freeze({});

/** Specs with a node name, by the spec before: pods of one template on one node share one spec. */
const placed = perObject((_spec: PodSpec) => new Map<string, PodSpec>());

function placedOn(resource: Resource, spec: PodSpec, nodeName: string): PodSpec {
  const byNode = placed(spec);
  let found = byNode.get(nodeName);
  if (found === undefined) byNode.set(nodeName, (found = withMembers(resource.kind.schema.fields['spec'], spec, { nodeName })));
  return found;
}

/** Refuses a pod that is another one, that is going, or that has a node. Upstream checks nothing else of a pod that it binds. */
const assignable: Stage = {
  name: 'assignable',
  reads: ALWAYS,
  run({ place: { name, before, sent } }) {
    const { metadata } = (sent ?? {}) as Binding;
    const spec = before?.['spec'] as PodSpec;
    const uid = before?.metadata.uid;
    if (metadata?.uid !== undefined && metadata.uid !== '' && metadata.uid !== uid)
      throw conflicting(name, `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${uid}`);
    if (before?.metadata.deletionTimestamp !== undefined)
      throw conflicting(name, `pod ${name} is being deleted, cannot be assigned to a host`);
    if (spec.nodeName !== undefined && spec.nodeName !== '')
      throw conflicting(name, `pod ${name} is already assigned to node ${JSON.stringify(spec.nodeName)}`);
  },
};

/** What a binding may change. */
const BOUND = partsOf('spec', 'status', 'annotations');
const PLAN: Plan = [assignable, committing];

export const binding: Subresource = {
  form: () => ({ group: '', version: 'v1', kind: 'Binding' }),
  create(scope, place, stored) {
    const { resource, sent } = place;
    const { metadata, target } = (sent ?? {}) as Binding;
    checkTarget(place.name, target);
    const given = metadata?.annotations;
    const object: ApiObject = {
      ...stored,
      metadata: given === undefined ? stored.metadata : { ...stored.metadata, annotations: { ...stored.metadata.annotations, ...given } },
      spec: placedOn(resource, stored['spec'] as PodSpec, target?.name ?? ''),
      status: scheduledStatus(resource, stored['status'] ?? NO_STATUS, formatTime(scope.now())),
    };
    run(PLAN, new Write(scope, place, { object, changed: BOUND, isFresh: true }));
    return CREATED;
  },
};

/** The last status with PodScheduled true, by the status before: pods of one template that are bound in one second share one status. */
const bound = memo(new WeakMap<PodStatus, { readonly at: string; readonly status: PodStatus }>());

function scheduledStatus(resource: Resource, before: PodStatus, at: string): PodStatus {
  const last = bound.get(before);
  if (last?.at === at) return last.status;
  const status = withMembers(resource.kind.schema.fields['status'], before, {
    conditions: scheduled(before.conditions ?? [], at),
  });
  if (Object.isFrozen(before)) bound.set(before, { at, status });
  return status;
}

/** Returns the conditions with PodScheduled true; the transition time changes only with the status of the condition. */
function scheduled(conditions: readonly Condition[], now: string): readonly Condition[] {
  const made: Condition = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: now };
  const at = conditions.findIndex((condition) => condition.type === 'PodScheduled');
  if (at < 0) return [...conditions, made];
  const old = conditions[at];
  const lastTransitionTime = old?.status === 'True' ? (old.lastTransitionTime ?? now) : now;
  return conditions.map((condition, i) => (i === at ? { ...made, lastTransitionTime } : condition));
}

function checkTarget(name: string, target: Binding['target']): void {
  const kind = target?.kind ?? '';
  if (kind !== '' && kind !== 'Node')
    throw invalidAs('', 'Binding', name, [
      { type: 'NotSupported', field: 'target.kind', value: kind, detail: 'supported values: "Node", "<empty>"' },
    ]);
  if ((target?.name ?? '') === '') throw invalidAs('', 'Binding', name, [{ type: 'Required', field: 'target.name', detail: '' }]);
}
