/** Endpoints and slices agree with their pods: the controllers hold, and each mutant that omits a pod is caught. */
import { describe, expect, it } from 'vitest';
import type { Endpoints, EndpointSlice } from '../../../src/apiserver/kinds/index.ts';
import { endpointSlices } from '../../../src/controlplane/controllers/endpoint-slice/controller.ts';
import { endpointsController } from '../../../src/controlplane/controllers/endpoints/controller.ts';
import type { Controller, Write } from '../../../src/controlplane/runtime/index.ts';
import { endpointInvariants } from '../../../src/lab/invariants/endpoints.ts';
import type { Run } from '../../../src/lab/simulation/index.ts';
import { withMutant, writing } from '../../support/mutants.ts';
import { runScenario } from '../../support/scenarios.ts';

/** Three pods behind a Service; one is deleted. */
const run = (mutant?: Controller): Run =>
  runScenario(
    `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: story }
spec:
  until: 1m
  cluster: { nodes: { count: 2 } }
  steps:
    - apply: { apiVersion: v1, kind: Service, metadata: { name: web }, spec: { selector: { app: web }, ports: [{ port: 80 }] } }
    - apply: { apiVersion: apps/v1, kind: StatefulSet, metadata: { name: web }, spec: { serviceName: web, replicas: 3, podManagementPolicy: Parallel, selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: c, image: "c:1" }] } } } }
    - { at: 20s, patch: { target: StatefulSet/web, patch: { spec: { replicas: 2 } } } }
`,
    { invariants: endpointInvariants, controllers: withMutant(mutant) },
  );

/** A mutant whose writes of one kind are changed. */
const telling = (of: unknown, kind: string, change: (object: never) => object): Controller =>
  writing(of, (write: Write) =>
    (write.op === 'create' || write.op === 'update') && write.object.kind === kind
      ? ({ ...write, object: change(write.object as never) } as Write)
      : write,
  );

const MUTANTS = [
  {
    name: 'endpoints/agree-with-pods',
    mutant: telling(endpointsController, 'Endpoints', ({ subsets = [], ...rest }: Endpoints) => ({
      ...rest,
      subsets: subsets.map(({ addresses = [], ...subset }) => ({ ...subset, addresses: addresses.slice(0, 1) })),
    })),
    says: /Endpoints of Service default\/web list 10\.[\d.]+, its ready pods are 10\.[\d.]+, 10\.[\d.]+$/,
  },
  {
    name: 'endpoint-slices/agree-with-pods',
    mutant: telling(endpointSlices, 'EndpointSlice', ({ endpoints, ...rest }: EndpointSlice) => ({
      ...rest,
      endpoints: (endpoints ?? []).map((endpoint) => ({ ...endpoint, conditions: { ...endpoint.conditions, ready: false } })),
    })),
    says: /slices of Service default\/web list none, its ready pods are 10\.[\d.]+, 10\.[\d.]+$/,
  },
];

describe.each(MUTANTS)('$name', ({ name, mutant, says }) => {
  it('holds of the controllers, and was exercised', () => {
    const { failures, invariants } = run();
    expect(failures).toEqual([]);
    expect(invariants.find((each) => each.name === name)).toMatchObject({ held: true, exercised: 1 });
  });

  it('is broken by one that omits a pod', () => {
    const broken = run(mutant).failures.filter(({ invariant }) => invariant === name);
    expect(broken.map(({ message }) => message)).toEqual([expect.stringMatching(says)]);
  });
});

it('each has a mutant', () => {
  expect(MUTANTS.map(({ name }) => name)).toEqual(endpointInvariants.map(({ name }) => name));
});
