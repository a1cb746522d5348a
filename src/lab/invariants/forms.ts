/**
 * Forms of invariants that several kinds share: each object in a settled cluster, status.observedGeneration, the versions on which a
 * decision may be based.
 */
import { isOf, type Job, type Node, type ObjectNamed, type Pod } from '../../apiserver/kinds/index.ts';
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import { checking, type Facts, type Invariant, type Violation } from './invariant.ts';

const as =
  <K extends string>(kind: K) =>
  (object: ApiObject | undefined): ObjectNamed<K> | undefined =>
    isOf(kind, object) ? object : undefined;

export const asJob: (object: ApiObject | undefined) => Job | undefined = as('Job');
export const asNode: (object: ApiObject | undefined) => Node | undefined = as('Node');
export const asPod: (object: ApiObject | undefined) => Pod | undefined = as('Pod');
export const nameOf = ({ metadata }: ApiObject): string => `${metadata.namespace ?? ''}/${metadata.name}`;
export const isDying = ({ metadata }: ApiObject): boolean => metadata.deletionTimestamp !== undefined;
export const isReady = ({ status }: Pod): boolean =>
  status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;

/** The newest version of each object, and the versions since the one that its status has observed. */
export interface Versions<Self> {
  observe(change: Change): void;
  of(uid: string): readonly Self[];
  /** Returns the state as plain data. */
  describe(): unknown;
}

/** For a kind whose status has observedGeneration and is written last in a sync, on the newest version only. */
export function createVersions<K extends string>(kind: K): Versions<ObjectNamed<K>> {
  const known = new Map<string, ObjectNamed<K>[]>();
  return {
    observe({ type, object }) {
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
    of: (uid) => known.get(uid) ?? [],
    describe: () => known,
  };
}

/** Returns the observed generation of a status; 0 where it has none. */
export const observedIn = (object: ApiObject | undefined): number =>
  (object?.['status'] as { readonly observedGeneration?: number } | undefined)?.observedGeneration ?? 0;

/**
 * `judge` returns the rest of a sentence about a violation, true where the property held, undefined where it was not exercised. Objects
 * that are being deleted are skipped.
 */
export const atRest = <K extends string>(
  kind: K,
  about: Pick<Invariant, 'name' | 'description'>,
  judge: (object: ObjectNamed<K>, facts: Facts) => string | true | undefined,
): Invariant => ({
  ...about,
  temporal: 'stable',
  kinds: [kind],
  check: checking((exercised) => ({
    describe: () => undefined,
    onEnd(facts, settled): Violation | undefined {
      if (!settled) return undefined;
      for (const object of facts.list(kind)) {
        const { deletionTimestamp, namespace = '', name } = object.metadata;
        if (!isOf(kind, object) || deletionTimestamp !== undefined) continue;
        const answer = judge(object, facts);
        if (typeof answer === 'string') return { message: `${kind} ${namespace}/${name} ${answer}`, object };
        if (answer === true) exercised();
      }
      return undefined;
    },
  })),
});

/** `prefix`: the first part of the invariant's name. */
export const observedGenerationIsTrue = (kind: string, prefix: string): Invariant => ({
  name: `${prefix}/observed-generation-is-true`,
  description: `A ${kind}'s status.observedGeneration is never higher than its generation, and never decreases.`,
  temporal: 'always',
  kinds: [kind],
  check: checking((exercised) => ({
    describe: () => undefined,
    onChange({ type, object, previous }): Violation | undefined {
      if (type !== 'MODIFIED') return undefined;
      const { namespace = '', name, generation = 0 } = object.metadata;
      const observed = observedIn(object);
      const who = `${kind} ${namespace}/${name}`;
      if (observed > generation)
        return { message: `${who} has observedGeneration ${observed}, and its generation is ${generation}`, object };
      const before = observedIn(previous);
      if (observed < before) return { message: `${who} had observedGeneration ${before}, and has ${observed} now`, object };
      return exercised();
    },
  })),
});
