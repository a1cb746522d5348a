/** Objects that a user's controller reads are deeply frozen, however they were written. */
import { describe, expect, it } from 'vitest';
import { create, defineController, idle, watch, write, writeStatus, type Write } from '../../../src/controlplane/runtime/index.ts';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';

const TEMPLATE = `{ metadata: { labels: { a: b }, annotations: { n: o } }, spec: { restartPolicy: Never, nodeSelector: {}, containers: [{ name: c, image: "c:1", command: [d], env: [{ name: e, value: f }], resources: { requests: { cpu: "1" } } }] } }`;
const TEXT = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: frozen }
spec:
  until: 6s
  steps:
    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: a, labels: { l: m }, annotations: { n: o } }, spec: { template: ${TEMPLATE} } }
    - apply: { apiVersion: apps/v1, kind: ControllerRevision, metadata: { name: r }, revision: 1, data: { deep: { er: [1, { x: 1 }] } } }
    - create: { apiVersion: v1, kind: ConfigMap, metadata: { name: c }, data: { a: b } }
    - replace: { apiVersion: v1, kind: ConfigMap, metadata: { name: c }, data: { a: c } }
    - patch: { target: Job/a, type: merge, patch: { metadata: { annotations: { k: v } } } }
    - patch: { target: Job/a, type: json, patch: [{ op: add, path: /metadata/labels, value: { new: label } }] }
`;

/** Returns the paths of members that are not frozen; frozen ones are searched too. */
function thawed(value: unknown, path: string, found: string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return found;
  if (!Object.isFrozen(value)) found.push(path);
  for (const [key, inner] of Object.entries(value)) thawed(inner, `${path}.${key}`, found);
  return found;
}

/** A frozen object with members that are not frozen, as a careless author may return. */
const shell = <T extends object>(value: T): T => Object.freeze(value);
const WATCHED = ['Job', 'ConfigMap', 'Pod', 'ControllerRevision', 'Event'];

const writes: readonly ((cache: (kind: string, name: string) => ApiObject | undefined) => Write | undefined)[] = [
  (cache) =>
    cache('ConfigMap', 'mine') === undefined
      ? create(
          shell({
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: shell({ name: 'mine', namespace: 'default', labels: { a: 'b' } }),
            data: { a: 'b' },
          }),
        )
      : undefined,
  (cache) => {
    const map = cache('ConfigMap', 'mine');
    return map === undefined || map.metadata.annotations !== undefined
      ? undefined
      : { op: 'update', object: shell({ ...map, metadata: shell({ ...map.metadata, annotations: { c: 'd' } }), data: { a: 'c' } }) };
  },
  (cache) =>
    cache('ControllerRevision', 'mine') === undefined
      ? create(
          shell({
            apiVersion: 'apps/v1',
            kind: 'ControllerRevision',
            metadata: { name: 'mine', namespace: 'default' },
            revision: 1,
            data: shell({ deep: { er: [{}] } }),
          }),
        )
      : undefined,
  (cache) => {
    const mine = cache('ControllerRevision', 'mine');
    return mine === undefined || mine['revision'] !== 1
      ? undefined
      : {
          op: 'patch',
          kind: 'ControllerRevision',
          namespace: 'default',
          name: 'mine',
          patchType: 'merge',
          patch: shell({ revision: 2, metadata: shell({ labels: { e: 'f' } }) }),
        };
  },
  (cache) => {
    const job = cache('Job', 'a');
    const status = job?.['status'] as { readonly conditions?: readonly unknown[] } | undefined;
    return job === undefined || status?.conditions !== undefined
      ? undefined
      : writeStatus(job, shell({ ...status, conditions: shell([{ type: 'Mine', status: 'True' }]) }));
  },
];

describe('the objects of a cache', () => {
  it('are frozen, whatever wrote them', () => {
    const read = readScenarios(TEXT);
    if ('problems' in read) throw new Error(JSON.stringify(read.problems));
    const found = new Set<string>();
    const done = new Set<number>();
    const spy = defineController({
      name: 'spy',
      reconciles: 'Job',
      writes: ['ConfigMap', 'ControllerRevision', 'Job'],
      watches: WATCHED.filter((kind) => kind !== 'Job').map((kind) => watch(kind, () => 'default/a')),
      reconcile({ cache }) {
        for (const kind of WATCHED) for (const object of cache.list(kind)) for (const path of thawed(object, kind)) found.add(path);
        for (const [at, next] of writes.entries()) {
          if (done.has(at)) continue;
          const wanted = next((kind, name) => cache.get(kind, 'default', name));
          if (wanted === undefined) continue;
          done.add(at);
          return write(`write ${at}`, wanted);
        }
        return idle('everything is written');
      },
    });
    const run = simulate(read.scenarios[0] as (typeof read.scenarios)[number], { with: { controllers: [spy] } });
    expect(run.failures.map(({ message, detail }) => [message, ...detail])).toEqual([]);
    expect(done.size).toBe(writes.length);
    for (const kind of WATCHED)
      for (const object of run.cluster.store.values(kind)) thawed(object, `store ${kind}`).forEach((path) => found.add(path));
    expect([...found]).toEqual([]);
  });
});
