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
