/** Evictions under disruption budgets. Models: pkg/registry/core/pod storage eviction.go. */
import { describe, expect, it } from 'vitest';
import type { ApiObject, ObjectInput } from '../../../src/apiserver/machinery/index.ts';
import { envelopeOf } from '../../../src/apiserver/request/index.ts';
import { setup, type Setup } from './setup.ts';

const evict = {
  verb: 'create',
  kind: 'Pod',
  subresource: 'eviction',
  namespace: 'default',
  name: 'p',
  body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } },
} as const;
type Budget = ApiObject & { readonly status?: Readonly<Record<string, unknown>> };

interface Given {
  readonly selector?: unknown;
  readonly status?: Readonly<Record<string, unknown>>;
  readonly ready?: boolean;
}

function world({ selector = { matchLabels: { app: 'a' } }, status = {}, ready = true }: Given): Setup {
  const made = setup();
  const write = (kind: string, given: object): void => {
    const body = { apiVersion: kind === 'Pod' ? 'v1' : 'policy/v1', kind, ...given } as ObjectInput;
    const { metadata } = made.ok({ verb: 'create', kind, namespace: 'default', body });
    made.ok({ verb: 'update', kind, namespace: 'default', name: metadata.name, subresource: 'status', body: { ...body, metadata } });
  };
  write('Pod', {
    metadata: { name: 'p', labels: { app: 'a' } },
    spec: { containers: [{ name: 'c', image: 'i' }], nodeName: 'n', terminationGracePeriodSeconds: 5 },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  });
  write('PodDisruptionBudget', {
    metadata: { name: 'b' },
    spec: { minAvailable: 1, selector },
    status: { observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1, ...status },
  });
  return made;
}
const budgetIn = ({ store }: Setup): Budget => store.get('PodDisruptionBudget', 'default/b') as Budget;
const isGoing = ({ store }: Setup): boolean => store.get('Pod', 'default/p')?.metadata.deletionTimestamp !== undefined;

describe('an eviction', () => {
  it('takes one disruption from the budget, and the last one sets the condition', () => {
    const allowed = world({ status: { disruptionsAllowed: 2, currentHealthy: 3 } });
    expect(allowed.server).toBeDefined();
    evicted(allowed);
    expect(isGoing(allowed)).toBe(true);
    expect(budgetIn(allowed).status).toMatchObject({ disruptionsAllowed: 1, disruptedPods: { p: '2024-03-01T00:00:00Z' } });
    expect(budgetIn(allowed).status).not.toHaveProperty('conditions');
    const last = world({ status: { disruptionsAllowed: 1, currentHealthy: 2 } });
    evicted(last);
    expect(budgetIn(last).status).toMatchObject({
      disruptionsAllowed: 0,
      conditions: [{ type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods', observedGeneration: 1 }],
    });
  });

  it.each([
    [
      'is refused where none is allowed',
      {},
      { code: 429, details: { causes: [{ message: 'The disruption budget b needs 1 healthy pods and has 1 currently' }] } },
    ],
    [
      'waits until the controller has processed the budget',
      { status: { observedGeneration: 0, disruptionsAllowed: 1 } },
      {
        code: 429,
        details: { retryAfterSeconds: 10, causes: [{ message: 'The disruption budget b is still being processed by the server.' }] },
      },
    ],
    ['is refused where the pod is not ready and too few are', { ready: false, status: { currentHealthy: 0 } }, { code: 429 }],
    ['is refused while too many evictions are pending', { status: { disruptionsAllowed: 1, disruptedPods: many(2001) } }, { code: 403 }],
  ] as const)('%s', (_what, given, expected) => {
    const refused = world(given);
    expect(refused.refused(evict)).toMatchObject(expected);
    expect(isGoing(refused)).toBe(false);
  });

  it.each([
    ['costs nothing where the pod is not ready and enough others are', { ready: false }],
    ['is not limited by an empty selector', { selector: {} }],
  ])('%s', (_what, given) => {
    const free = world(given);
    const before = budgetIn(free);
    evicted(free);
    expect(isGoing(free)).toBe(true);
    expect(budgetIn(free)).toBe(before);
  });

  it('takes nothing in a dry run', () => {
    const tried = world({ status: { disruptionsAllowed: 1, currentHealthy: 2 } });
    const before = budgetIn(tried);
    evicted(tried, true);
    expect(isGoing(tried)).toBe(false);
    expect(budgetIn(tried)).toBe(before);
  });
});

function evicted({ server }: Setup, dryRun = false): void {
  const response = server.handle(envelopeOf('client', { ...evict, ...(dryRun ? { dryRun: true as const } : {}) }));
  expect(response).toMatchObject({ ok: true, code: 201 });
}

function many(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`p-${at}`, '2024-03-01T00:00:00Z']));
}
