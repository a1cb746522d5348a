/** Manifests without a scenario: returns the scenario that applies them, for `run job.yaml`. */
import { compileScenario, type RawScenario } from './compile.ts';
import { SCENARIO_API_VERSION, SCENARIO_KIND } from './format.ts';
import type { Domain } from '../../apiserver/machinery/index.ts';
import type { Scenario } from './types.ts';
import type { SourcedManifest } from './values.ts';

/** How long the pods of a Job run where no scenario defines it, milliseconds. */
const JOB_PODS_RUN_MS = 10_000;
/** The length of a run with endless activity, milliseconds. */
const UNTIL_MS = 3_600_000;

function specOf(manifests: readonly SourcedManifest[], domain: Domain): RawScenario['spec'] {
  const recurs = manifests.some(({ object }) => object.kind === 'CronJob');
  return {
    domain,
    ...(recurs ? { untilMs: UNTIL_MS } : {}),
    cluster: {
      podBehaviors: [{ selector: { matchExpressions: [{ key: 'job-name', operator: 'Exists' }] }, runForMs: JOB_PODS_RUN_MS }],
    },
  };
}

/** Returns k8s.io, unless a manifest has a name of orch.io: most manifests are written for Kubernetes. */
export const domainOfManifests = (apiVersions: readonly unknown[]): Domain =>
  apiVersions.some((version) => typeof version === 'string' && (version.split('/')[0] ?? '').endsWith('.orch.io')) ? 'orch.io' : 'k8s.io';

/** Returns the scenario that applies manifests and runs until the cluster is settled. */
export function plainScenario(name: string, manifests: readonly SourcedManifest[], domain: Domain): Scenario {
  const raw: RawScenario = {
    apiVersion: SCENARIO_API_VERSION,
    kind: SCENARIO_KIND,
    metadata: { name },
    spec: specOf(manifests, domain),
  };
  return compileScenario(raw, manifests, new WeakMap());
}

/** Returns the YAML to put before manifests, so that the same run is a scenario file. */
export function scenarioHead({ name, domain, untilMs }: Scenario): readonly string[] {
  return [
    `apiVersion: ${SCENARIO_API_VERSION}`,
    `kind: ${SCENARIO_KIND}`,
    `metadata: { name: ${name} }`,
    'spec:',
    ...(domain === 'k8s.io' ? ['  domain: k8s.io'] : []),
    ...(untilMs === undefined ? [] : ['  until: 1h']),
    '  cluster:',
    '    podBehaviors: [{ selector: { matchExpressions: [{ key: job-name, operator: Exists }] }, runFor: 10s }]',
    '  steps:',
    ...(untilMs === undefined ? ['    - { when: settled, note: The result. }'] : ['    - { at: 30m, note: The result. }']),
    '---',
  ];
}
