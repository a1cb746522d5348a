/**
 * A catalogue of known incidents for the search: a scenario that holds, a planted bug (mostly none), the assertion that breaks, and the fix
 * with which the finding vanishes. The tests make one search of each, `npm run measures` makes nine.
 */
import type { Job } from '../../../../src/apiserver/kinds/index.ts';
import { DEFAULT_ELECTION, uncheckedElector } from '../../../../src/controlplane/controllers/index.ts';
import { job } from '../../../../src/controlplane/controllers/job/controller.ts';
import type { ProcessSpec } from '../../../../src/controlplane/runtime/index.ts';
import type { PointChoice, Scenario } from '../../../../src/lab/scenario/index.ts';
import { defaultFaults, type Finding, type SearchOptions } from '../../../../src/lab/search/index.ts';
import { seeing, withMutant } from '../../../support/mutants.ts';
import { scenarioIn } from '../../../support/scenarios.ts';
import { LATCH, latch } from './latch.ts';

type Making = Omit<SearchOptions, 'seed' | 'runs' | 'shard' | 'corpus' | 'strand' | 'untilFound'>;

export interface Incident {
  readonly name: string;
  readonly scenario: Scenario;
  /** The options of its search. */
  readonly making: Making;
  /** Patterns of assertions, of which one must break. */
  readonly claims: readonly RegExp[];
  /** The finding with the fix: it holds. */
  fixed(finding: Pick<Finding, 'scenario' | 'choices'>): { readonly scenario: Scenario; readonly making: Making };
  /** Its search takes minutes rather than seconds, so it is only measured. Tests start with these reduced choices of a search. */
  readonly rare?: readonly PointChoice[];
  /** A seed whose search finds it early, for a test. */
  readonly seed: number;
  /** Faults to which a test's search is narrowed, where one with all of `making` takes a hundred runs. `npm run measures` has them all. */
  readonly narrowed?: SearchOptions['faults'];
}

const spec = (name: string, text: string): Scenario =>
  scenarioIn(`apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: ${name} }\nspec:\n${text}`);

const REST = 'restartPolicy: Never, containers: [{ name: c, image: "c:1" }]';

const INDEXED = spec(
  'indexed',
  `  until: 20s
  cluster: { nodes: { count: 2 }, podBehaviors: [{ startDelay: 200ms, runFor: 3s }] }
  steps:
    - at: 1s
      apply: { apiVersion: batch/v1, kind: Job, metadata: { name: a }, spec: { completionMode: Indexed, completions: 4, parallelism: 2, template: { spec: { ${REST} } } } }
    - at: 20s
      expect: { match: { kind: Job, metadata: { name: a }, status: { succeeded: 4 } } }
`,
);

const MINUTES = spec(
  'minutes',
  `  startTime: "2024-03-01T00:00:00Z"
  until: 3m
  cluster: { nodes: { count: 1 }, podBehaviors: [{ runFor: 2s }] }
  invariants: ["cron-job/*"]
  steps:
    - at: 1s
      apply: { apiVersion: batch/v1, kind: CronJob, metadata: { name: pay }, spec: { schedule: "* * * * *", concurrencyPolicy: Forbid, successfulJobsHistoryLimit: 0, jobTemplate: { spec: { template: { spec: { ${REST} } } } } } }
    - at: 3m
      expect: { cel: "object('CronJob/pay').metadata.name == 'pay'" }
`,
);

const forbid = (runFor: string): Scenario =>
  spec(
    'forbid',
    `  startTime: "2024-03-01T00:00:00Z"
  until: 4m
  cluster: { nodes: { count: 1 }, podBehaviors: [{ runFor: ${runFor} }] }
  invariants: [{ name: never-two-at-once, always: "objects('Job').filter(j, !has(j.status.completionTime)).size() <= 1" }]
  steps:
    - at: 1s
      apply: { apiVersion: batch/v1, kind: CronJob, metadata: { name: pay }, spec: { schedule: "* * * * *", concurrencyPolicy: Forbid, jobTemplate: { spec: { template: { spec: { ${REST} } } } } } }
    - at: 4m
      expect: { cel: "object('CronJob/pay').metadata.name == 'pay'" }
`,
  );

const LEADERS = spec(
  'leaders',
  `  until: 90s
  cluster: { nodes: { count: 1 }, controllerManagers: 2, podBehaviors: [{ runFor: 2s }] }
  invariants: ["lease/*"]
  steps:
    - at: 1s
      apply: { apiVersion: batch/v1, kind: Job, metadata: { name: work }, spec: { completions: 6, parallelism: 1, template: { spec: { ${REST} } } } }
    - at: 90s
      expect: { match: { kind: Job, metadata: { name: work }, status: { succeeded: 6 } } }
`,
);

const rollback = (policy: string): Scenario =>
  spec(
    'rollback',
    `  until: 5m
  cluster: { nodes: { count: 2 }, podBehaviors: [{ startDelay: 500ms, readyDelay: 500ms, terminationDelay: 500ms }] }
  steps:
    - at: 1s
      apply:
        - { apiVersion: v1, kind: Service, metadata: { name: web }, spec: { clusterIP: None, selector: { app: web }, ports: [{ port: 80 }] } }
        - { apiVersion: apps/v1, kind: StatefulSet, metadata: { name: web }, spec: { serviceName: web, podManagementPolicy: ${policy}, replicas: 3, selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: c, image: "web:1" }] } } } }
    - at: 10s
      patch: { target: StatefulSet/web, type: merge, patch: { spec: { template: { spec: { containers: [{ name: c, image: "web:2" }] } } } } }
    - at: 13s
      patch: { target: StatefulSet/web, type: merge, patch: { spec: { template: { spec: { containers: [{ name: c, image: "web:1" }] } } } } }
    - at: 5m
      expect: { cel: "objects('Pod').all(p, p.spec.containers[0].image == 'web:1')" }
`,
  );

const VOLUME = spec(
  'volume',
  `  until: 2m
  cluster:
    nodes: { count: 2 }
    podBehaviors: [{ startDelay: 200ms, terminationDelay: 500ms }]
    storageDrivers: [{ name: disk.example.com, attachDelay: 500ms, detachDelay: 500ms, storageClasses: [{ name: disk }] }]
  invariants: [volume-attachment/one-node-at-a-time]
  steps:
    - apply:
        - { apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: data }, spec: { accessModes: [ReadWriteOnce], storageClassName: disk, resources: { requests: { storage: 1Gi } } } }
        - { apiVersion: v1, kind: Pod, metadata: { name: first }, spec: { nodeName: node-0, containers: [{ name: c, image: "store:1", volumeMounts: [{ name: data, mountPath: /data }] }], volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }] } }
    - at: 5s
      apply: { apiVersion: v1, kind: Pod, metadata: { name: second }, spec: { nodeName: node-1, containers: [{ name: c, image: "store:1", volumeMounts: [{ name: data, mountPath: /data }] }], volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }] } }
    - at: 6s
      delete: Pod/first
    - at: 2m
      expect: { match: { kind: Pod, metadata: { name: second }, status: { phase: Running } } }
`,
);

/** The same choices with up-to-date lists. */
const fresh = (choices: readonly PointChoice[]): readonly PointChoice[] =>
  choices.map(({ at, injectedFault }) => {
    if (injectedFault.do === 'old-relist') return { at, injectedFault: { do: 'relist' } };
    if (injectedFault.do !== 'crash') return { at, injectedFault };
    const { staleByMs: _, asOf: __, frozenMs: ___, ...rest } = injectedFault;
    // A request that arrives after the crash is missing from the first lists too.
    return { at, injectedFault: rest.when === 'during' ? { do: 'crash', when: 'before', restartAfterMs: rest.restartAfterMs } : rest };
  });

const freshLists = ({ scenario }: Pick<Finding, 'scenario'>) => ({
  scenario: { ...scenario, choices: fresh(scenario.choices ?? []) },
  making: {},
});
const withoutPlant = ({ scenario }: Pick<Finding, 'scenario'>) => ({ scenario, making: {} });

/** It would lead for a minute without a renewal, four times as long as the other candidates wait. */
const late = (process: ProcessSpec): ProcessSpec =>
  process.elector === undefined
    ? process
    : {
        ...process,
        elector: uncheckedElector({
          ...DEFAULT_ELECTION,
          renewDeadlineMs: 60_000,
          releaseOnStop: false,
          component: process.name,
          lock: 'leases',
          lease: (names) => ({ namespace: names.systemNamespace, name: names.controllerManagerName }),
        }),
      };

export const INCIDENTS: readonly Incident[] = [
  {
    name: 'two pods for one index',
    scenario: INDEXED,
    making: {},
    claims: [/^job\/one-pod-per-index$/, /^job\/active-within-parallelism$/],
    fixed: freshLists,
    seed: 6,
  },
  {
    name: 'own writes unread',
    scenario: INDEXED,
    making: {
      controllers: withMutant(seeing<Job>(job, (input) => ({ ...input, expectationsSatisfied: true }))),
      faults: ['hold', 'late', 'slow'],
    },
    claims: [/^job\/one-pod-per-index$/, /^job\/active-within-parallelism$/],
    fixed: withoutPlant,
    seed: 1,
  },
  {
    name: 'a minute run twice',
    scenario: MINUTES,
    making: {},
    claims: [/^cron-job\//],
    fixed: freshLists,
    seed: 1,
    narrowed: ['crash'],
  },
  {
    name: 'two leaders with a planted deadline',
    scenario: LEADERS,
    making: { alter: late },
    claims: [/^lease\/only-the-leader-acts$/],
    fixed: withoutPlant,
    seed: 1,
  },
  {
    name: 'a rollback that stays stuck',
    scenario: rollback('OrderedReady'),
    making: { faults: [...defaultFaults(), 'hang'] },
    claims: [/^the expectation/],
    fixed: ({ choices }) => ({ scenario: { ...rollback('Parallel'), choices }, making: {} }),
    seed: 2,
    narrowed: ['hang'],
  },
  {
    name: 'three faults in order',
    scenario: LATCH,
    making: { controllers: () => [latch] },
    claims: [/^never-refused-thrice$/],
    // It does not store refusals.
    fixed: ({ scenario }) => ({ scenario, making: { controllers: () => [seeing(latch, (input) => ({ ...input, failures: 0 }))] } }),
    seed: 1,
  },
  {
    name: 'Forbid that overlaps',
    scenario: forbid('90s'),
    making: {},
    claims: [/^never-two-at-once$/],
    // Work that ends before the next minute cannot overlap.
    fixed: ({ choices }) => ({ scenario: { ...forbid('20s'), choices }, making: {} }),
    seed: 1,
  },
  {
    name: 'a volume on two nodes',
    scenario: VOLUME,
    making: {},
    claims: [/^volume-attachment\/one-node-at-a-time$/],
    fixed: freshLists,
    rare: [
      {
        at: 'decide controller-manager attach-detach pvc-<PersistentVolumeClaim/default/data> w2+2',
        injectedFault: { do: 'old-relist', staleByMs: 1_000 },
      },
      {
        at: 'see controller-manager VolumeAttachment pvc-<PersistentVolumeClaim/default/data>@node-0 #4',
        injectedFault: { do: 'hold', ms: 10_000 },
      },
    ],
    seed: 1,
  },
];
