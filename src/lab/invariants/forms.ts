/**
 * Forms of invariants that several kinds share: each object in a settled cluster, status.observedGeneration, the versions on which a
 * decision may be based.
 */
import { isOf, type ObjectNamed, type Pod } from '../../apiserver/kinds/index.ts';
import { type ApiObject, controllerOf, storeKey } from '../../apiserver/machinery/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import { type Answer, answered, checking, type Facts, type Invariant, nothing, ofChanges } from './invariant.ts';

/** Returns a cast of objects to a kind; undefined: the object is of another. */
export const as =
  <K extends string>(kind: K) =>
  (object: ApiObject | undefined): ObjectNamed<K> | undefined =>
    isOf(kind, object) ? object : undefined;

export const asJob = as('Job');
export const asNode = as('Node');
export const asPod = as('Pod');
export const nameOf = ({ metadata }: ApiObject): string => `${metadata.namespace ?? ''}/${metadata.name}`;
export const isDying = ({ metadata }: ApiObject): boolean => metadata.deletionTimestamp !== undefined;
export const isOver = ({ status: { phase } }: Pod): boolean => phase === 'Succeeded' || phase === 'Failed';
export const isActive = (pod: Pod): boolean => !isDying(pod) && !isOver(pod);
export const isReady = ({ status }: Pod): boolean =>
  status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;

export function controllerUid(kind: string, object: ApiObject): string | undefined {
  const owner = controllerOf(object);
  return owner?.kind === kind ? owner.uid : undefined;
}

export function storedController<K extends string>(kind: K, object: ApiObject, facts: Facts): ObjectNamed<K> | undefined {
  const owner = controllerOf(object);
  const found = owner?.kind === kind ? facts.get(kind, storeKey(object.metadata.namespace, owner.name)) : undefined;
  return found?.metadata.uid === owner?.uid ? found : undefined;
}

export const podsOf = ({ metadata: { uid } }: ApiObject, facts: Facts): readonly Pod[] => facts.by('Pod', 'controllerUid', uid);

/** Returns the first count of a status that is wrong, as the rest of a sentence; `slack`: by how much more it may be. */
export function lieIn(truth: readonly (readonly [name: string, said: number | undefined, is: number, slack?: number])[]): Answer {
  const lie = truth.find(([, said = 0, is, slack = 0]) => said < is || said > is + slack);
  return lie === undefined || `has ${lie[0]} ${lie[1] ?? 0}, and it is ${lie[2]}`;
}

/**
 * The newest version of each object, and the versions since the one that its status has observed. For a kind whose status has
 * observedGeneration and is written last in a sync, on the newest version only.
 */
export function createVersions<K extends string>(kind: K) {
  const known = new Map<string, ObjectNamed<K>[]>();
  return {
    observe({ type, object }: Change): void {
      if (!isOf(kind, object)) return;
      const { uid, generation = 0 } = object.metadata;
      if (type === 'DELETED') {
        known.delete(uid);
        return;
      }
      const versions = known.get(uid) ?? [];
      const last: ApiObject | undefined = versions.at(-1);
      // Later decisions are not based on older versions.
      const observed = object['status'] !== last?.['status'] && observedIn(object) >= generation;
      if (observed || last === undefined) known.set(uid, [object]);
      else if (last.metadata.generation === generation) versions[versions.length - 1] = object;
      else versions.push(object);
    },
    of: (uid: string): readonly ObjectNamed<K>[] => known.get(uid) ?? [],
    describe: (): unknown => known,
  };
}

export const observedIn = (object: ApiObject | undefined): number =>
  (object?.['status'] as { readonly observedGeneration?: number } | undefined)?.observedGeneration ?? 0;

/** An invariant of each object in a settled cluster that is not being deleted; `judge` returns the rest of a sentence. */
export const atRest = <K extends string>(
  kind: K,
  name: string,
  description: string,
  judge: (object: ObjectNamed<K>, facts: Facts) => Answer,
): Invariant => ({
  name,
  description,
  temporal: 'stable',
  kinds: [kind],
  check: checking((exercised) => ({
    onEnd(facts, settled) {
      for (const object of settled ? facts.list(kind) : []) {
        if (isDying(object)) continue;
        const violation = answered(judge(object, facts), exercised, object, (one) => `${kind} ${nameOf(one)} `);
        if (violation !== undefined) return violation;
      }
      return undefined;
    },
  })),
});

/** `prefix`: the first part of the invariant's name. */
export const observedGenerationIsTrue = (kind: string, prefix: string): Invariant =>
  ofChanges(
    `${prefix}/observed-generation-is-true`,
    `A ${kind}'s status.observedGeneration is never higher than its generation, and never decreases.`,
    { kinds: [kind], about: (object) => `${kind} ${nameOf(object)} ` },
    nothing,
    ({ type, object, previous }) => {
      if (type !== 'MODIFIED') return undefined;
      const { generation = 0 } = object.metadata;
      const [before, observed] = [observedIn(previous), observedIn(object)];
      if (observed > generation) return `has observedGeneration ${observed}, and its generation is ${generation}`;
      return observed < before ? `had observedGeneration ${before}, and has ${observed} now` : true;
    },
  );
