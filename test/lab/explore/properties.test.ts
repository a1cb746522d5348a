/**
 * Each property holds for the real controllers, generates scenarios that can be written to files, and is broken by a controller with a bug:
 * found, shrunk, and reproduced from the file. `npm run explore` searches longer.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Lease } from '../../../src/apiserver/kinds/index.ts';
import { attachDetach } from '../../../src/controlplane/controllers/volume-attachment/controller.ts';
import { controllers } from '../../../src/controlplane/controllers/index.ts';
import { daemonSet } from '../../../src/controlplane/controllers/daemon-set/controller.ts';
import { cronJob } from '../../../src/controlplane/controllers/cron-job/controller.ts';
import { deployment } from '../../../src/controlplane/controllers/deployment/controller.ts';
import { endpointsController } from '../../../src/controlplane/controllers/endpoints/controller.ts';
import { garbageCollector } from '../../../src/controlplane/controllers/garbage-collector/controller.ts';
import { statefulSet } from '../../../src/controlplane/controllers/stateful-set/controller.ts';
import { nodeLifecycle } from '../../../src/controlplane/controllers/node-lifecycle/controller.ts';
import type { Write } from '../../../src/controlplane/runtime/index.ts';
import { properties, search, type Property } from '../../../src/lab/explore/index.ts';
import { faults } from '../../../src/lab/faults/index.ts';
import { formatScenario, type Scenario } from '../../../src/lab/scenario/index.ts';
import { simulate, type SimulateOptions } from '../../../src/lab/simulation/index.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';
import { idleInsteadOf, withMutant, writing } from '../../support/mutants.ts';

const runs = Number(process.env['EXPLORE_RUNS'] ?? 2);
const seed = Number(process.env['EXPLORE_SEED'] ?? 1);
/** Jobs have a test of their own, with every invariant exercised. */
const others = properties.filter(({ name }) => !name.startsWith('job'));
const named = (name: string): Property => {
  const found = properties.find((property) => property.name === name);
  if (found === undefined) throw new Error(`there is no property ${name}`);
  return found;
};

const withoutPlaces = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === 'source' ? undefined : inner)));
function reread(scenario: Scenario): readonly Scenario[] {
  const read = readScenarios(formatScenario(scenario, { faults }));
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return read.scenarios;
}

describe.each(others.map((property) => [property.name, property] as const))('%s', (_name, property) => {
  it(`holds in ${runs} scenarios`, { timeout: 60_000 + runs * 500 }, () => {
    const { finding } = search(property, { seed, runs });
    expect(finding === undefined ? '' : `${finding.reasons.join('\n')}\n${finding.file}`).toBe('');
  });

  it('is made of scenarios that read back as themselves', () => {
    fc.assert(
      fc.property(property.scenarios, (scenario) => {
        expect(withoutPlaces(reread(scenario))).toEqual([withoutPlaces(scenario)]);
      }),
      { seed: 3, numRuns: 8 },
    );
  });
});

interface Planted {
  readonly property: string;
  readonly does: string;
  readonly bug: SimulateOptions;
  readonly says: RegExp;
}

const counting = (write: Write): Write => {
  if (write.op !== 'update') return write;
  const { spec } = write.object as { readonly spec?: Lease['spec'] };
  return { ...write, object: { ...write.object, spec: { ...spec, leaseTransitions: (spec?.leaseTransitions ?? 0) + 1 } } };
};

const kindOf = (write: Write): string | undefined =>
  write.op === 'create' || write.op === 'update' ? write.object.kind : 'kind' in write ? write.kind : undefined;
/** The controller without one sort of write. */
const without = (of: unknown, op: Write['op'], kind: string): SimulateOptions => ({
  controllers: withMutant(writing(of, (write) => (write.op === op && kindOf(write) === kind ? undefined : write))),
});

const PLANTED: readonly Planted[] = [
  { property: 'cron-job', does: 'keeps every Job', says: /the expression is false/, bug: without(cronJob, 'delete', 'Job') },
  { property: 'stateful-set', does: 'deletes no pod', says: /the expression is false/, bug: without(statefulSet, 'delete', 'Pod') },
  {
    property: 'stateful-set-claims',
    does: 'makes no claim anew',
    says: /the expression is false/,
    bug: without(statefulSet, 'create', 'PersistentVolumeClaim'),
  },
  { property: 'deployment', does: 'keeps every set', says: /the expression is false/, bug: without(deployment, 'delete', 'ReplicaSet') },
  {
    property: 'daemon-set',
    does: 'deletes no pod',
    says: /the expression is false|daemon-set\//,
    bug: without(daemonSet, 'delete', 'Pod'),
  },
  {
    property: 'autoscaler',
    does: 'never scales',
    says: /the expression is false/,
    bug: { controllers: (kinds) => controllers(kinds).filter(({ name }) => name !== 'horizontal-pod-autoscaler') },
  },
  {
    property: 'endpoints',
    does: 'keeps endpoints as they were first',
    says: /the expression is false/,
    bug: without(endpointsController, 'update', 'Endpoints'),
  },
  {
    property: 'lease',
    does: 'counts its renewals',
    says: /^lease\/transitions-counted: /,
    bug: { alter: (spec) => (spec.elector === undefined ? spec : { ...spec, elector: writing(spec.elector, counting) }) },
  },
  {
    property: 'lease',
    does: 'leaves a node its taints',
    says: /unreachable|not-ready|the expression is false/,
    bug: {
      controllers: withMutant(
        writing(nodeLifecycle, (write) =>
          write.op === 'patch' && JSON.stringify(write.patch).includes('"taints":[]') ? undefined : write,
        ),
      ),
    },
  },
  {
    property: 'volume-attachment',
    does: 'never takes a volume away',
    says: /the expression is false/,
    bug: { controllers: withMutant(idleInsteadOf(attachDetach, ({ op }) => op === 'delete')) },
  },
  {
    property: 'ownership',
    does: 'leaves secrets alone',
    says: /the expression is false|general\/owners-exist/,
    bug: { controllers: (kinds) => without(garbageCollector(kinds), 'delete', 'Secret').controllers?.(kinds) ?? [] },
  },
];

describe('a controller that', () => {
  it.each(PLANTED.map((planted) => [planted.does, planted] as const))(
    '%s is found',
    { timeout: 180_000 },
    (_does, { property, bug, says }) => {
      // A seed with which every bug is found early.
      const { finding } = search(named(property), { seed: 2, runs: 60, simulate: bug });
      expect(finding?.reasons.join('\n')).toMatch(says);
      const [scenario] = finding === undefined ? [] : reread(finding.scenario);
      if (scenario === undefined) throw new Error('nothing was written');
      expect(simulate(scenario, bug).failures.length).toBeGreaterThan(0);
      // The bug causes the failure.
      expect(simulate(scenario).failures).toEqual([]);
    },
  );

  it('breaks no property has not been planted into all of them', () => {
    expect(others.filter(({ name }) => !PLANTED.some(({ property }) => property === name)).map(({ name }) => name)).toEqual([]);
  });
});
