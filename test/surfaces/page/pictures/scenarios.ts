/** Scenarios for pictures that are not shipped: many pods, long names, random failures. */

const head = (name: string, title: string, cluster: string): string => `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: ${name} }
spec:
  title: ${title}
  cluster: ${cluster}
  steps:
`;

const TEMPLATE = 'template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } }';

const crowd = (pods: number, at: number, nodes: number): string =>
  `${head('crowd', `A Job of ${pods} pods`, `{ nodes: { count: ${nodes}, capacity: { pods: 5000, cpu: 5000, memory: 5000Gi } }, podBehaviors: [{ runFor: 30s }] }`)}    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: crowd }, spec: { completions: ${pods}, parallelism: ${at}, ${TEMPLATE} } }
`;

/** All of them at once, on a canvas. */
export const TWO_THOUSAND = crowd(2_000, 2_000, 8);

/** The same with any number: about 27 entries each. */
export const manyPods = (pods: number): string => crowd(pods, pods, 8);

/** In some seeds the crash is between two writes: then a pod is missing for a while. */
export const CHANCE = `${head(
  'chance',
  'A crash among three pods, when chance says so',
  '{ podBehaviors: [{ runFor: 60s }], latency: { api: { min: 0ms, max: 40ms }, watch: { min: 0ms, max: 10ms } } }',
)}    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: trio }, spec: { completions: 3, parallelism: 3, ${TEMPLATE} } }
    - at: 70ms
      fault: { crash: controller-manager, restartAfter: 10s }
    - at: 5s
      expect: { count: { of: { kind: Pod }, is: 3 } }
`;

const LABELS = 'app: a-rather-long-name-of-an-application';
const podTemplate = (image: string): string =>
  `{ metadata: { labels: { ${LABELS} } }, spec: { containers: [{ name: c, image: "${image}" }] } }`;

/** Every kind with a card, with long names. */
export const LONG_NAMES = `${head(
  'long-names',
  'Everything at once, under names as long as people give them in the end',
  '{ nodes: [{ name: a-node-in-a-far-away-region-with-a-long-name, count: 3 }] }',
)}    - apply: { apiVersion: apps/v1, kind: Deployment, metadata: { name: a-front-end-with-a-long-name }, spec: { replicas: 3, selector: { matchLabels: { ${LABELS} } }, template: ${podTemplate('web:1')} } }
    - apply: { apiVersion: v1, kind: Service, metadata: { name: a-service-with-a-long-name }, spec: { selector: { ${LABELS} }, ports: [{ port: 80 }] } }
    - apply: { apiVersion: batch/v1, kind: CronJob, metadata: { name: a-nightly-report-with-a-long-name }, spec: { schedule: "*/1 * * * *", timeZone: "America/Argentina/ComodRivadavia", jobTemplate: { spec: { ${TEMPLATE} } } } }
    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: a-migration-of-the-data-base-schema }, spec: { completions: 60, parallelism: 4, ${TEMPLATE} } }
    - apply: { apiVersion: v1, kind: Service, metadata: { name: db }, spec: { clusterIP: None, selector: { app: db }, ports: [{ port: 1 }] } }
    - apply: { apiVersion: apps/v1, kind: StatefulSet, metadata: { name: a-data-base-with-a-long-name }, spec: { serviceName: db, replicas: 3, selector: { matchLabels: { app: db } }, template: { metadata: { labels: { app: db } }, spec: { containers: [{ name: c, image: "db:1" }] } } } }
    - at: 20s
      patch: { target: Deployment/a-front-end-with-a-long-name, patch: { spec: { template: { spec: { containers: [{ name: c, image: "web:2" }] } } } } }
    - at: 40s
      expect: { count: { of: { kind: ReplicaSet }, is: 2 } }
  until: 70s
`;
