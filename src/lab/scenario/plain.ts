/** Manifests without a scenario beside them: the scenario that just applies them, as whoever tries `run job.yaml` expects. */
import { compileScenario, type RawScenario } from './compile.ts';
import { SCENARIO_API_VERSION, SCENARIO_KIND } from './format.ts';
import type { Domain } from '../../apiserver/machinery/index.ts';
import type { Scenario, SourcedManifest } from './types.ts';

/** How long the pods of a Job run in a cluster that no scenario describes, milliseconds. */
const JOB_PODS_RUN_MS = 10_000;
/** What fires for ever is watched for so long, milliseconds. */
const UNTIL_MS = 3_600_000;

/** What such a scenario says beyond its defaults. */
function specOf(manifests: readonly SourcedManifest[], domain: Domain): RawScenario['spec'] {
  const recurs = manifests.some(({ object }) => object.kind === 'CronJob');
  return {
    domain,
    ...(recurs ? { until: UNTIL_MS } : {}),
    cluster: {
      podBehaviors: [{ selector: { matchExpressions: [{ key: 'job-name', operator: 'Exists' }] }, runFor: JOB_PODS_RUN_MS }],
    },
  };
}

/** Real names, unless something speaks the neutral ones: manifests come from somewhere. */
export const domainOfManifests = (apiVersions: readonly unknown[]): Domain =>
  apiVersions.some((version) => typeof version === 'string' && (version.split('/')[0] ?? '').endsWith('.orch.io')) ? 'orch.io' : 'k8s.io';

/** The scenario that applies manifests and lets them take as long as they take. */
export function plainScenario(name: string, manifests: readonly SourcedManifest[], domain: Domain): Scenario {
  const raw: RawScenario = {
    apiVersion: SCENARIO_API_VERSION,
    kind: SCENARIO_KIND,
    metadata: { name },
    spec: specOf(manifests, domain),
  };
  return compileScenario(raw, manifests, new WeakMap());
}

/** What to write before manifests so that the same run is a scenario to go on from. */
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
    ...(untilMs === undefined
      ? ['    - { when: settled, note: What has become of it. }']
      : ['    - { at: 30m, note: What has become of it. }']),
    '---',
  ];
}
