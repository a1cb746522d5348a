/** A moment for explainers, made by hand: objects, processes, faults and entries, at 100 s after the start. */
import { expect } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { type ApiObject, keyOf, namesFor, storeKey } from '../../../src/apiserver/machinery/index.ts';
import { blockersOf } from '../../../src/lab/blockers/blockers.ts';
import type { Situation } from '../../../src/lab/blockers/situation.ts';

const START = Date.UTC(2024, 2, 1);
export const timeAt = (seconds: number): string => new Date(START + seconds * 1000).toISOString().replace('.000Z', 'Z');
export const at = (seconds: number): number => START + seconds * 1000;

/** An object; `namespace: undefined` for a cluster-scoped one. */
export const objectOf = (
  kind: string,
  name: string,
  { metadata, ...parts }: { readonly metadata?: object; readonly [part: string]: unknown } = {},
): ApiObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace: 'default', uid: `uid-${name}`, resourceVersion: '1', creationTimestamp: timeAt(0), ...metadata },
  ...parts,
});
export const ownedBy = (name: string): object => ({
  ownerReferences: [{ apiVersion: 'v1', kind: 'x', name, uid: `uid-${name}`, controller: true }],
});
export const readiness = (since: number | undefined): object => ({
  phase: 'Running',
  conditions: [
    {
      type: 'Ready',
      status: since === undefined ? 'False' : 'True',
      ...(since === undefined ? {} : { lastTransitionTime: timeAt(since) }),
    },
  ],
});

/** A process that runs these controllers: `job` or `job: Job` with the kind of its keys. */
export const processOf = (name: string, controllers: readonly string[], more: object = {}): object => ({
  name,
  up: true,
  since: at(10),
  leading: true,
  underway: [],
  controllers: controllers.map((each) => {
    const [controller, reconciles] = each.split(': ');
    return { name: controller, keys: [], ...(reconciles === undefined ? {} : { reconciles }) };
  }),
  ...more,
});

export interface Given {
  readonly processes?: readonly object[];
  readonly pending?: readonly object[];
  readonly faults?: readonly object[];
  readonly entries?: readonly object[];
  readonly gates?: Readonly<Record<string, boolean>>;
}

/** What the first object waits for, one line each, indented by depth; with the end in seconds where it has one. */
export function explained(objects: readonly ApiObject[], given: Given = {}, name = objects[0]): readonly string[] {
  if (name === undefined) return [];
  const { namespace } = name.metadata;
  const about = { kind: name.kind, name: name.metadata.name, ...(namespace === undefined ? {} : { namespace }) };
  return blockersOf(situationOf(objects, given), about).map(
    ({ depth, about: { kind, name: called }, alike, text, until }) =>
      `${'  '.repeat(depth)}${kind} ${[called, ...alike.map((each) => each.name)].join('+')} ${text}${until === undefined ? '' : ` @${(until - START) / 1000}`}`,
  );
}

function situationOf(
  objects: readonly ApiObject[],
  { processes = [], pending = [], faults = [], entries = [], gates = {} }: Given,
): Situation {
  const names = namesFor('orch.io');
  const byKey = (kind: string, key: string): ApiObject | undefined => objects.find((each) => each.kind === kind && keyOf(each) === key);
  return {
    now: at(100),
    step: entries.length,
    trace: { startAt: START, prologue: [], entries },
    names,
    gates,
    kinds: kindsFor(names),
    introspection: { now: at(100), pending, processes, faults },
    world: {
      step: entries.length,
      at: at(100),
      byKey,
      get: (kind: string, namespace: string | undefined, called: string) => byKey(kind, storeKey(namespace, called)),
      list: (kind: string, namespace?: string) =>
        objects.filter((each) => each.kind === kind && (namespace === undefined || each.metadata.namespace === namespace)),
      kinds: () => [...new Set(objects.map(({ kind }) => kind))],
    },
  } as unknown as Situation;
}

/** Objects, what the first of them waits for, and the moment. A line that is not indented is about that object. */
type Case = readonly [objects: readonly ApiObject[], lines: readonly unknown[], given?: Given];

export function check(...[objects, lines, given]: Case): void {
  const [first] = objects;
  const subject = `${first?.kind ?? ''} ${first?.metadata.name ?? ''}`;
  expect(explained(objects, given)).toEqual(
    lines.map((line) => (typeof line !== 'string' || line.startsWith(' ') ? line : `${subject} ${line}`)),
  );
}

export const checkAll = (cases: readonly Case[]): void => {
  for (const each of cases) check(...each);
};
