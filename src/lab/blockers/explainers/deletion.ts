/** An object that is being deleted: the remaining finalizers, the controller that removes each, and what that one waits for. */
import { type ApiObject, brandOf, FOREGROUND, ORPHAN } from '../../../apiserver/machinery/index.ts';
import { attacherFinalizer } from '../../../controlplane/shared/index.ts';
import { present, plural } from '../../../schema/values/index.ts';
import type { ObjectName } from '../../trace/index.ts';
import { type Explainer, type Situation, type Wait, agentOfNode, byName, unservedBy, troubleOf, at, listed, nameOf } from '../situation.ts';

export const deletion: Explainer = {
  name: 'deletion',
  explain(object, situation) {
    const { deletionTimestamp, finalizers = [] } = object.metadata;
    if (deletionTimestamp === undefined) return [];
    return [
      ...finalizers.map((finalizer) => held(object, finalizer, situation)),
      ...content(object, situation),
      ...grace(object, situation),
    ];
  },
};

function held(object: ApiObject, finalizer: string, situation: Situation): Wait {
  const { names, world } = situation;
  const by = (controller: string, does: string, leadsTo: readonly ObjectName[] = []): Wait => {
    const unserved = unservedBy(situation, byName(controller), controller);
    const text = `is being deleted, but keeps the finalizer ${finalizer} until ${does}`;
    return present({ text: unserved === undefined ? text : `${text}; it ${unserved.text}`, leadsTo, until: unserved?.until });
  };
  if (finalizer === FOREGROUND) {
    const dependents = dependentsOf(object, situation);
    return by(
      'garbage-collector',
      dependents.length === 0 ? 'the garbage collector has processed it' : `its dependents are gone: ${reported(dependents)}`,
      dependents,
    );
  }
  if (finalizer === ORPHAN) return by('garbage-collector', 'the garbage collector has orphaned its dependents');
  if (finalizer === names.key('batch', 'job-tracking')) return by('job', 'the job controller has counted it');
  if (finalizer === names.key('', 'pvc-protection')) {
    const pods = world
      .list('Pod', object.metadata.namespace)
      .filter((pod) => JSON.stringify(pod['spec']).includes(`"claimName":"${object.metadata.name}"`))
      .map(nameOf);
    return by('claim-protection', pods.length === 0 ? 'claim-protection has processed it' : `no pod uses it: ${reported(pods)}`, pods);
  }
  if (finalizer === names.key('', 'pv-protection')) {
    const { claimRef: { namespace, name } = {} } = object['spec'] as { claimRef?: { namespace?: string; name?: string } };
    const claim = name === undefined ? [] : [present({ kind: 'PersistentVolumeClaim', name, namespace })];
    const does = claim.length === 0 ? 'volume-protection has processed it' : `no claim is bound to it: ${reported(claim)}`;
    return by('volume-protection', does, claim);
  }
  const driver = situation.introspection.processes.find(
    ({ name }) => finalizer === attacherFinalizer(name.replace(/^storage-driver\//, '')),
  );
  if (driver !== undefined)
    return {
      text: `is being deleted, but keeps the finalizer ${finalizer} until ${driver.name} has detached it${suffix(troubleOf(situation, driver))}`,
    };
  const author = whoAdded(object, finalizer, situation);
  return {
    text: `is being deleted, but keeps the finalizer ${finalizer}${author === undefined ? '' : `, which ${author} set`}: no controller of this cluster removes it, so its owner has to (patch: { metadata: { finalizers: null } })`,
  };
}

const suffix = (wait: Wait | undefined): string => (wait === undefined ? '' : `; ${wait.text}`);
const reported = (objects: readonly ObjectName[]): string => listed(objects.map(({ kind, name }) => `${kind} ${name}`));

function dependentsOf({ metadata: { uid, namespace } }: ApiObject, { world }: Situation): readonly ObjectName[] {
  return world
    .kinds()
    .flatMap((kind) => world.list(kind, namespace))
    .filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true))
    .map(nameOf);
}

function whoAdded({ kind, metadata: { uid } }: ApiObject, finalizer: string, { trace, step }: Situation): string | undefined {
  const adds = (list: typeof trace.entries): string | undefined => {
    for (const entry of list) {
      if (entry.type !== 'write' || entry.change.kind !== kind || entry.change.object.metadata.uid !== uid) continue;
      if (entry.change.object.metadata.finalizers?.includes(finalizer) === true) return entry.controller ?? entry.actor;
    }
    return undefined;
  };
  return adds(trace.prologue) ?? adds(trace.entries.slice(0, step));
}

/** A namespace is removed when it is empty. */
function content(object: ApiObject, situation: Situation): readonly Wait[] {
  const finalizers = (object['spec'] as { finalizers?: readonly string[] } | undefined)?.finalizers ?? [];
  if (object.kind !== 'Namespace' || !finalizers.includes(brandOf(situation.names))) return [];
  const { world } = situation;
  const left = world
    .kinds()
    .flatMap((kind) => world.list(kind, object.metadata.name))
    .filter(({ kind }) => kind !== 'Event');
  const unserved = unservedBy(situation, byName('namespace'), 'the namespace controller');
  const stuck = left.filter(({ metadata }) => (metadata.finalizers ?? []).length > 0);
  const text =
    left.length === 0
      ? 'waits for the namespace controller to process it'
      : `waits for its contents to be deleted: ${plural(left.length, 'object')}, ${reported(left.map(nameOf))}`;
  return [unserved ?? { text, leadsTo: (stuck.length > 0 ? stuck : left).map(nameOf) }];
}

/** A pod is removed when the agent of its node reports that its containers have stopped. */
function grace(object: ApiObject, situation: Situation): readonly Wait[] {
  const { deletionTimestamp = '', finalizers = [] } = object.metadata;
  if (object.kind !== 'Pod' || finalizers.length > 0) return [];
  const { nodeName } = object['spec'] as { nodeName?: string };
  const agent = agentOfNode(situation, nodeName ?? '');
  if (nodeName === undefined || agent === undefined)
    return [{ text: `is being deleted, and no agent of a node ${nodeName ?? ''} reports that it has stopped` }];
  const trouble = troubleOf(situation, agent);
  const until = Date.parse(deletionTimestamp);
  if (trouble !== undefined)
    return [{ ...trouble, text: `is being deleted, but no agent reports that its containers have stopped: ${trouble.text}` }];
  return [{ text: `is being deleted: its containers have until ${at(situation, until)} to stop`, until }];
}
