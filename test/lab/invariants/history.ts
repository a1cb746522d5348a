/**
 * Plays a history of writes to one invariant, without a cluster. A history is a list of steps, each with its verdict: `-` (it was not
 * exercised), `holds`, `holds 2 times`, or the sentence of a violation. Unlike in a run, an invariant goes on after a violation.
 */
import { expect } from 'vitest';
import { type ApiObject, keyOf, namesFor } from '../../../src/apiserver/machinery/index.ts';
import { envelopeOf } from '../../../src/apiserver/request/index.ts';
import { createStore } from '../../../src/apiserver/store/index.ts';
import { type Facts, invariants, type Violation } from '../../../src/lab/invariants/index.ts';

/** 2024-03-01T00:00:00Z, when virtual time starts. */
export const START = Date.UTC(2024, 2, 1);
export const timeAt = (seconds: number): string => new Date(START + seconds * 1000).toISOString().replace('.000Z', 'Z');

/** When a write is made (seconds; absent: at once), by which controller, in which process or as which user. */
export interface Writing {
  readonly at?: number;
  readonly by?: string | undefined;
  readonly actor?: string;
}

export interface Parts {
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
  readonly [part: string]: unknown;
}

type Step =
  | ({ readonly does: 'put'; readonly object: ApiObject } & Writing)
  | ({ readonly does: 'edit'; readonly kind: string; readonly key: string; readonly parts: Parts } & Writing)
  | ({ readonly does: 'remove'; readonly kind: string; readonly key: string } & Writing)
  | { readonly does: 'keep'; readonly at?: number; readonly object: ApiObject }
  | { readonly does: 'wait'; readonly at: number }
  | { readonly does: 'end'; readonly at?: number; readonly settled: boolean }
  | { readonly does: 'describe'; readonly at?: number };

/** Creates or replaces an object. */
export const put = (object: ApiObject, writing: Writing = {}): Step => ({ does: 'put', object, ...writing });
/** Changes members of parts of an object; the other parts stay the same values. */
export const edit = (kind: string, key: string, parts: Parts, writing: Writing = {}): Step => ({
  does: 'edit',
  kind,
  key,
  parts,
  ...writing,
});
export const remove = (kind: string, key: string, writing: Writing = {}): Step => ({ does: 'remove', kind, key, ...writing });
/** The store has the object, and no change has shown it: it was there before the run, or its renewal is elided. */
export const keep = (object: ApiObject): Step => ({ does: 'keep', object });
/** Time passes until an instant, seconds, at which deadlines are checked. */
export const wait = (at: number): Step => ({ does: 'wait', at });
/** The run ends; its verdict is the only one if not settled. */
export const end = (settled = true, at?: number): Step => ({ does: 'end', settled, ...(at === undefined ? {} : { at }) });
/** The verdict is the description of the state, for comparisons of moments. */
export const described: Step = { does: 'describe' };

/** An object as a store has it; a namespace of `undefined` for a cluster-scoped one. */
export function objectOf(kind: string, name: string, { metadata, ...parts }: Parts = {}): ApiObject {
  const common = { name, namespace: 'default', uid: `uid-${name}`, resourceVersion: '1', creationTimestamp: timeAt(0) };
  return { apiVersion: 'v1', kind, metadata: { ...common, ...metadata }, ...parts };
}

/** A controller reference, as the member of an object's metadata. */
export const ownedBy = (kind: string, name: string, uid = `uid-${name}`): object => ({
  ownerReferences: [{ apiVersion: 'v1', kind, name, uid, controller: true }],
});

export const readiness = (ready: boolean): object => ({
  phase: 'Running',
  conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
});

type Expected = readonly (readonly [Step, unknown])[];

type World = Partial<Pick<Facts, 'gates' | 'certifiedUntil' | 'evictionOf'>>;

/** Expects the verdicts of the steps. */
export function tells(name: string, history: Expected, world: World = {}): void {
  const play = player(name, world);
  expect(history.map(([step]) => play(step))).toEqual(history.map(([, verdict]) => verdict));
}

/** Expects a verdict at the end of a settled run about a state. */
export const tellsAtEnd = (name: string, objects: readonly ApiObject[], verdict: string, world?: World): void =>
  tells(name, [...objects.map((object) => [keep(object), '-'] as const), [end(), verdict]], world);

function player(name: string, { gates = {}, ...world }: World): (step: Step) => unknown {
  const invariant = invariants.find((each) => each.name === name);
  if (invariant === undefined) throw new Error(`there is no invariant ${name}`);
  const store = createStore();
  const checker = invariant.check();
  const clock = { now: START };
  const facts: Facts = {
    get now() {
      return clock.now;
    },
    startAt: START,
    names: namesFor('orch.io'),
    gates,
    get: store.get,
    by: store.by,
    list: store.values,
    ...world,
  };
  const verdict = (judge: () => Violation | undefined): string => {
    const before = checker.exercised;
    const violation = judge();
    const times = checker.exercised - before;
    return violation?.message ?? (times === 0 ? '-' : times === 1 ? 'holds' : `holds ${times} times`);
  };
  const commit = (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: ApiObject, { by, actor }: Writing): string => {
    const { kind } = object;
    const metadata = { ...object.metadata, resourceVersion: String(store.revision + 1) };
    const change = store.commit(
      { type, kind, key: keyOf(object), at: clock.now, entry: 0, object: { ...object, metadata } },
      envelopeOf('test', { verb: 'list', kind: '' }),
    );
    if (!invariant.kinds.includes(kind) && !invariant.kinds.includes('*')) return '-';
    return verdict(() => checker.onChange?.(change, facts, by, actor));
  };
  const stored = (kind: string, key: string): ApiObject => {
    const object = store.get(kind, key);
    if (object === undefined) throw new Error(`there is no ${kind} ${key}`);
    return object;
  };
  return (step) => {
    if (step.at !== undefined) clock.now = START + step.at * 1000;
    switch (step.does) {
      case 'put':
        return commit(store.get(step.object.kind, keyOf(step.object)) === undefined ? 'ADDED' : 'MODIFIED', step.object, step);
      case 'edit':
        return commit('MODIFIED', merged(stored(step.kind, step.key), step.parts), step);
      case 'remove':
        return commit('DELETED', stored(step.kind, step.key), step);
      case 'keep':
        store.derive(step.object.kind, { refresh: () => undefined }).put(keyOf(step.object), step.object);
        return '-';
      case 'wait':
        return (checker.deadline?.() ?? Infinity) <= clock.now ? verdict(() => checker.onTime?.(facts)) : '-';
      case 'end':
        return verdict(() => checker.onEnd?.(facts, step.settled));
      default:
        return structuredClone(checker.describe?.());
    }
  };
}

/** Each part with its changed members; a member that is undefined is removed. */
function merged(object: ApiObject, parts: Parts): ApiObject {
  const changed: Record<string, unknown> = { ...object };
  for (const [part, members] of Object.entries(parts)) {
    const all = Object.entries({ ...(changed[part] as object | undefined), ...(members as object) });
    changed[part] = Object.fromEntries(all.filter(([, value]) => value !== undefined));
  }
  return changed as unknown as ApiObject;
}
