/** The state of a running cluster, in the form that expressions, matches and invariants read. */
import { type ApiObject, keyOf, storeKey } from '../../apiserver/machinery/index.ts';
import type { Schema } from '../../schema/shape/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import type { Facts as InvariantFacts } from '../invariants/index.ts';
import { compileExpression, DEFAULT_NAMESPACE, targetNamespace, type Facts, type TargetRef } from '../scenario/index.ts';
import { memo, withNow } from '../../engine/index.ts';

/** Whether a kind is namespaced; an unknown kind counts as namespaced. */
export const isNamespaced = (cluster: Cluster, kind: string): boolean => cluster.kinds.byKind(kind)?.namespaced ?? true;

export function expressionFacts(cluster: Cluster): Facts {
  return {
    objects: (kind, namespace) =>
      namespace === undefined ? [...cluster.store.values(kind)] : cluster.store.by(kind, 'namespace', namespace),
    object: (kind, namespace, name) =>
      cluster.store.get(kind, storeKey(isNamespaced(cluster, kind) ? (namespace ?? DEFAULT_NAMESPACE) : undefined, name)),
    inside: (kind, namespace, name) => introspectionOf(cluster, kind, namespace, name),
    now: cluster.now,
    startAt: cluster.startAt,
  };
}

/**
 * Returns the environment of a pod's containers; undefined: the pod has not started on any node. A mirror pod has the environment of its
 * static pod.
 */
function podEnvironment(cluster: Cluster, namespace: string | undefined, name: string): object | undefined {
  const pod = cluster.store.get('Pod', storeKey(namespace, name));
  if (pod === undefined) return undefined;
  return cluster.world.insideOf(pod, pod.metadata.annotations?.[cluster.names.key('', 'config.mirror')] ?? pod.metadata.uid);
}

/** Returns the environment of a pod's containers, or the contents of a node's machine (by its name); undefined: there is none. */
export const introspectionOf = (cluster: Cluster, kind: string, namespace: string | undefined, name: string): object | undefined =>
  kind === 'Pod' ? podEnvironment(cluster, namespace, name) : kind === 'Node' ? machineContents(cluster, name) : undefined;

function machineContents(cluster: Cluster, name: string): object | undefined {
  const mirror = cluster.names.key('', 'config.mirror');
  const pods = new Map([...cluster.store.values('Pod')].map((pod) => [pod.metadata.annotations?.[mirror] ?? pod.metadata.uid, keyOf(pod)]));
  const containers = cluster.world.contents(name, (uid) => pods.get(uid));
  if (containers === undefined) return undefined;
  return {
    containers,
    strangers: [...(cluster.metered.usage?.foreignAt(name, cluster.now) ?? [])].map(([called, uses]) => ({ name: called, ...uses })),
  };
}

export function invariantFacts(cluster: Cluster): InvariantFacts {
  return withNow(
    { now: () => cluster.now },
    {
      startAt: cluster.startAt,
      names: cluster.names,
      gates: cluster.gates,
      get: (kind, key) => cluster.store.get(kind, key),
      by: (kind, index, value) => cluster.store.by(kind, index, value),
      list: (kind) => cluster.store.values(kind),
      certifiedUntil(name) {
        if (cluster.runtime.process(name)?.spec.elector?.name !== 'client-certificate') return undefined;
        return cluster.world.machine(name.slice('agent/'.length)).certificates.client?.until ?? -Infinity;
      },
      evictionOf: (uid) => cluster.world.evictionOf(uid, () => [...cluster.store.values('Pod')], cluster.names),
    },
  );
}

/** Returns the objects that a target selects, in order of creation. */
export function resolveTarget(cluster: Cluster, target: TargetRef): readonly ApiObject[] {
  const { kind } = target;
  const namespaced = isNamespaced(cluster, kind);
  const namespace = targetNamespace(target, namespaced);
  if (target.name !== undefined && target.labels === undefined && target.cel === undefined && (namespace !== undefined || !namespaced)) {
    const object = cluster.store.get(kind, storeKey(namespace, target.name));
    return object === undefined ? [] : [object];
  }
  const all = namespace !== undefined ? cluster.store.by(kind, 'namespace', namespace) : [...cluster.store.values(kind)];
  const condition =
    target.cel === undefined
      ? undefined
      : compileExpression(target.cel.cel, { about: 'self', schemaOf: schemasOf(cluster), self: target.kind });
  const facts = expressionFacts(cluster);
  const holds = (object: ApiObject): boolean => {
    if (condition === undefined || !('expression' in condition)) return true;
    const answer = condition.expression.evaluate(facts, object);
    return 'holds' in answer && answer.holds;
  };
  const labels = Object.entries(target.labels ?? {});
  const found = all.filter(
    (object) =>
      (target.name === undefined || object.metadata.name === target.name) &&
      labels.every(([key, value]) => object.metadata.labels?.[key] === value) &&
      holds(object),
  );
  if (target.nth === undefined) return found;
  const nth = found[target.nth - 1];
  return nth === undefined ? [] : [nth];
}

type SchemaOf = (kind: string) => Schema | undefined;
const schemas = memo(new WeakMap<Cluster['kinds'], SchemaOf>());

/** Returns the schemas of a cluster's kinds, one function for each registry, because compiled expressions are memoized by it. */
export function schemasOf({ kinds }: Pick<Cluster, 'kinds'>): SchemaOf {
  const known = schemas.get(kinds);
  if (known !== undefined) return known;
  const schemaOf: SchemaOf = (kind) => kinds.byKind(kind)?.schema;
  schemas.set(kinds, schemaOf);
  return schemaOf;
}
