/** Somebody edits an object, as a step of a scenario: each edit is seen, and taken back. */
import { describe, expect, it } from 'vitest';
import { runScenario } from '../../support/scenarios.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';
import { formatProblem } from '../../../src/lab/scenario/index.ts';

const text = (...steps: readonly string[]): string => `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: meddled }
spec:
  until: 60s
  cluster: { nodes: { count: 0 } }
  steps:
    - apply: { apiVersion: apps/v1, kind: ReplicaSet, metadata: { name: web, labels: { app: web } }, spec: { replicas: 2, selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: c, image: "c:1" }] } } } }
${steps.map((step) => `    - ${step}`).join('\n')}
`;

describe('meddle', () => {
  it.each([
    ['annotate', "object('ReplicaSet/web').metadata.?annotations['example.com/edited'].hasValue()"],
    ['unlabel', "!has(object('ReplicaSet/web').metadata.labels)"],
    ['finalize', "object('ReplicaSet/web').metadata.?finalizers.orValue([]) == ['example.com/held']"],
    ['scale', "object('ReplicaSet/web').spec.replicas == 3 && objects('Pod').size() == 3"],
  ])('%s is seen, and taken back', (edit, seen) => {
    const { failures } = runScenario(
      text(
        `{ at: 1s, fault: { meddle: ReplicaSet/web, edit: ${edit}, undoAfter: 3s } }`,
        `{ at: 3s, expect: { cel: "${seen}" } }`,
        `{ at: 10s, expect: { cel: "!(${seen}) && objects('Pod').size() == 2" } }`,
      ),
    );
    expect(failures).toEqual([]);
  });

  it('scale leaves the size that somebody else has set meanwhile', () => {
    const { failures } = runScenario(
      text(
        '{ at: 1s, fault: { meddle: ReplicaSet/web, edit: scale, undoAfter: 3s } }',
        '{ at: 2s, scale: { target: ReplicaSet/web, replicas: 5 } }',
        `{ at: 10s, expect: { cel: "object('ReplicaSet/web').spec.replicas == 5" } }`,
      ),
    );
    expect(failures).toEqual([]);
  });

  it('scale finds a number one level deeper, and not two', () => {
    const definition = (spec: string) =>
      `{ apiVersion: apiextensions.orch.io/v1, kind: CustomResourceDefinition, metadata: { name: foos.a.b }, spec: { group: a.b, scope: Namespaced, names: { plural: foos, kind: Foo }, versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, properties: { spec: ${spec} } } } }] } }`;
    const open = '{ type: object, x-kubernetes-preserve-unknown-fields: true }';
    const scaled = (spec: string, seen: string) =>
      runScenario(
        text(
          `create: ${definition(open)}`,
          `{ at: 500ms, create: { apiVersion: a.b/v1, kind: Foo, metadata: { name: f }, spec: ${spec} } }`,
          '{ at: 1s, fault: { meddle: Foo/f, edit: scale, undoAfter: 3s } }',
          `{ at: 2s, expect: { cel: "object('Foo/f').spec == ${seen}" } }`,
        ),
      ).failures.map(({ message }) => message);
    expect(scaled("{ a: x, b: { c: 'y', d: 3 }, e: 5 }", "{'a': 'x', 'b': {'c': 'y', 'd': 4}, 'e': 5}")).toEqual([]);
    expect(scaled('{ b: { c: { d: 3 } } }', '{}')).toEqual(['Foo f cannot be edited so: scale']);
  });

  it('a finalizer goes soon after the object is deleted', () => {
    const { failures } = runScenario(
      text(
        '{ at: 1s, fault: { meddle: ReplicaSet/web, edit: finalize, undoAfter: 30s } }',
        '{ at: 2s, delete: ReplicaSet/web }',
        '{ at: 3s, expect: { absent: ReplicaSet/web } }',
      ),
    );
    expect(failures).toEqual([]);
  });

  it('recreate waits for finalizers, and the object has another uid and its labels', () => {
    const { cluster, failures } = runScenario(
      text(
        '{ at: 1s, patch: { target: ReplicaSet/web, type: merge, patch: { metadata: { finalizers: ["example.com/mine"] } } } }',
        '{ at: 2s, fault: { meddle: ReplicaSet/web, edit: recreate } }',
        `{ at: 3s, expect: { cel: "has(object('ReplicaSet/web').metadata.deletionTimestamp)" } }`,
        '{ at: 4s, patch: { target: ReplicaSet/web, type: merge, patch: { metadata: { finalizers: null } } } }',
        `{ at: 6s, expect: { cel: "object('ReplicaSet/web').metadata.labels.app == 'web' && !has(object('ReplicaSet/web').metadata.deletionTimestamp)" } }`,
      ),
    );
    expect(failures).toEqual([]);
    expect(cluster.store.get('ReplicaSet', 'default/web')?.metadata.generation).toBe(1);
  });

  it.each([
    ['{ meddle: ReplicaSet/webb, edit: annotate }', 'there is no ReplicaSet webb'],
    ['{ meddle: ReplicaSet, edit: annotate }', 'meddle needs one object: ReplicaSet/NAME'],
    ['{ meddle: ConfigMap/orch-root-ca.crt, edit: unlabel }', 'ConfigMap orch-root-ca.crt cannot be edited so: unlabel'],
    ['{ meddle: Namespace/default, edit: scale }', 'Namespace default cannot be edited so: scale'],
  ])('says why it cannot: %s', (fault, message) => {
    const { failures } = runScenario(text(`{ at: 1s, fault: ${fault} }`));
    expect(failures.map((each) => each.message)).toEqual([message]);
  });

  it('names the edits when it gets another', () => {
    const read = readScenarios(text('{ at: 1s, fault: { meddle: ReplicaSet/web, edit: shred } }'));
    expect('problems' in read ? read.problems.map(formatProblem).join('\n') : '').toContain('annotate, unlabel, finalize, scale, recreate');
  });
});
