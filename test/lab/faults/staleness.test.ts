/** What a process does not see: a gap that hides a deletion, and a frozen view beside requests that go on. */
import { describe, expect, it } from 'vitest';
import { runScenario } from '../../support/scenarios.ts';

const run = (...steps: readonly string[]) =>
  runScenario(
    `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: unseen }
spec:
  until: 60s
  cluster: { nodes: { count: 0 } }
  steps:
    - apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: owner } }
    - apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: child, ownerReferences: [{ apiVersion: v1, kind: ConfigMap, name: owner }] } }
${steps.map((step) => `    - ${step}`).join('\n')}
`,
    { trace: true },
  );

describe('a gap', () => {
  it('that hides that an owner was deleted and made again does not hide it from the garbage collector', () => {
    const { failures } = run(
      '{ at: 1s, fault: { gap: controller-manager, for: 3s, kinds: [ConfigMap] } }',
      '{ at: 2s, delete: ConfigMap/owner }',
      '{ at: 3s, apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: owner } } }',
      '{ at: 3500ms, expect: { match: { kind: ConfigMap, metadata: { name: child } } } }',
      '{ at: 30s, expect: { absent: ConfigMap/child } }',
    );
    expect(failures).toEqual([]);
  });
});

describe('a frozen process', () => {
  it('sees at the end what happened meanwhile, in order', () => {
    const { trace, failures } = run(
      '{ at: 1s, fault: { freeze: controller-manager, for: 5s } }',
      '{ at: 2s, patch: { target: ConfigMap/child, type: merge, patch: { data: { a: "1" } } } }',
      '{ at: 3s, patch: { target: ConfigMap/child, type: merge, patch: { data: { a: "2" } } } }',
    );
    expect(failures).toEqual([]);
    const seen = (trace?.entries ?? []).flatMap((entry) =>
      entry.type === 'delivery' && entry.process === 'controller-manager' && entry.key === 'default/child' ? [entry] : [],
    );
    const startAt = trace?.startAt ?? 0;
    const late = seen.filter(({ at }) => at > startAt + 1_000);
    expect(late.map(({ at }) => at - startAt)).toEqual([6_000, 6_000]);
    expect(late[0]?.revision).toBeLessThan(late[1]?.revision ?? 0);
  });
});

describe('a restart as of a revision', () => {
  const CRASH = '{ at: 10s, fault: { crash: controller-manager } }';

  it('lists what was there just before something happened, and sees nothing newer for a while', () => {
    const { trace, failures } = run(
      '{ at: 2s, patch: { target: ConfigMap/child, type: merge, patch: { data: { a: "1" } } } }',
      '{ at: 3s, patch: { target: ConfigMap/child, type: merge, patch: { data: { a: "2" } } } }',
      CRASH,
      '{ at: 11s, fault: { restart: controller-manager, asOf: "before ConfigMap default/child spec #2", frozen: 4s } }',
    );
    expect(failures).toEqual([]);
    const startAt = trace?.startAt ?? 0;
    const late = (trace?.entries ?? []).filter(
      (entry) => entry.type === 'delivery' && entry.key === 'default/child' && entry.at - startAt > 5_000,
    );
    expect(late.map(({ at }) => at - startAt)).toEqual([15_000]);
  });

  it('says what has happened to the object where that has not', () => {
    const { failures } = run(CRASH, '{ at: 11s, fault: { restart: controller-manager, asOf: "before ConfigMap default/child gone #1" } }');
    expect(failures.map(({ message }) => message)).toEqual([
      'ConfigMap default/child gone #1 has not happened; there is: ConfigMap default/child created #1',
    ]);
  });
});

describe('a write that is under way at a crash', () => {
  it('arrives when the next incarnation has done the same', () => {
    const { trace } = run(
      '{ at: 1s, fault: { crash: controller-manager, beforeWrite: 1, arrivesAfter: 5s, restartAfter: 1ms } }',
      '{ at: 2s, apply: { apiVersion: apps/v1, kind: ReplicaSet, metadata: { name: web }, spec: { replicas: 1, selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: c, image: "c:1" }] } } } } }',
    );
    const startAt = trace?.startAt ?? 0;
    const created = (trace?.entries ?? []).flatMap((entry) =>
      entry.type === 'write' && entry.change.kind === 'Pod' && entry.change.type === 'ADDED' ? [entry.at - startAt] : [],
    );
    expect(created).toEqual([2_001, 7_000]);
  });
});
