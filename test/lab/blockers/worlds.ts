/** Minimal scenarios in which an object waits. */
const scenario = (spec: string): string => `apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: waits }\nspec:\n${spec}`;

const template = (rest = ''): string => `template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1"${rest} }] } }`;
const job = (name: string, spec = '', rest = ''): string =>
  `{ apiVersion: batch/v1, kind: Job, metadata: { name: ${name} }, spec: { ${spec}${spec === '' ? '' : ', '}${template(rest)} } }`;
const cronJob = (spec: string): string =>
  `{ apiVersion: batch/v1, kind: CronJob, metadata: { name: nightly }, spec: { schedule: "* * * * *", ${spec}jobTemplate: { spec: { ${template()} } } } }`;
const set = (spec: string, rest = ''): string =>
  `{ apiVersion: apps/v1, kind: StatefulSet, metadata: { name: web }, spec: { serviceName: web, replicas: 3, ${spec}selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: c, image: "c:1"${rest} }] } } } }`;
const deployment = (spec: string): string =>
  `{ apiVersion: apps/v1, kind: Deployment, metadata: { name: web }, spec: { ${spec}selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: c, image: "c:1" }] } } } }`;
const SERVICE = '{ apiVersion: v1, kind: Service, metadata: { name: web }, spec: { clusterIP: None, selector: { app: web } } }';
const claim = (name: string, spec: string): string =>
  `{ apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: ${name} }, spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } }${spec} } }`;
const storage = (name: string, provisioner: string, mode: string): string =>
  `{ apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: { name: ${name} }, provisioner: ${provisioner}, volumeBindingMode: ${mode} }`;

const BIG = ', resources: { requests: { cpu: "1000" } }';

/** By the cause of the wait. */
export const WORLDS = {
  'a node that nothing has': scenario(`  until: 60s
  cluster: { nodes: { count: 2 } }
  steps: [{ apply: ${job('big', 'completions: 3, parallelism: 3, activeDeadlineSeconds: 600', BIG)} }]
`),
  'a back-off': scenario(`  until: 45s
  steps:
    - { at: 1s, fault: { failRequest: controller-manager, times: 10, kinds: [Pod] } }
    - { at: 2s, apply: ${job('flaky')} }
`),
  'a back-off that was reset': scenario(`  until: 33s
  cluster: { podBehaviors: [{ runFor: 15s, exitCodes: [1] }] }
  steps: [{ apply: ${job('flaky')} }]
`),
  'a back-off that a crash has reset': scenario(`  until: 18s
  steps:
    - { at: 1s, fault: { failRequest: controller-manager, times: 10, kinds: [Pod] } }
    - { at: 2s, apply: ${job('flaky')} }
    - { at: 13s, fault: { crash: controller-manager, restartAfter: 1s } }
`),
  'quota for one more pod': scenario(`  until: 60s
  steps:
    - { apply: { apiVersion: v1, kind: ResourceQuota, metadata: { name: two }, spec: { hard: { pods: "2" } } } }
    - { at: 1s, apply: ${deployment('replicas: 2, progressDeadlineSeconds: 30, strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }, ')} }
    - { at: 10s, patch: { target: Deployment/web, type: strategic, patch: { spec: { template: { spec: { containers: [{ name: c, image: "c:2" }] } } } } } }
`),
  'a readiness without a time': scenario(`  until: 12s
  cluster: { nodes: { count: 1 } }
  steps:
    - apply: { apiVersion: apps/v1, kind: DaemonSet, metadata: { name: logs }, spec: { minReadySeconds: 60, selector: { matchLabels: { app: logs } }, template: { metadata: { labels: { app: logs } }, spec: { containers: [{ name: c, image: "c:1" }] } } } }
    - { at: 9s, fault: { stop: agent/node-0 } }
    - { at: 10s, patch: { target: Pod, subresource: status, type: strategic, patch: { status: { conditions: [{ type: Ready, status: "True", lastTransitionTime: null }] } } } }
`),
  'a pause': scenario(`  until: 10s
  steps: [{ apply: ${deployment('paused: true, ')} }]
`),
  'a user who resumes it': scenario(`  until: 10s
  steps:
    - apply: ${job('held', 'suspend: true')}
    - apply: ${cronJob('suspend: true, ')}
`),
  'its time to live': scenario(`  until: 10s
  cluster: { podBehaviors: [{ runFor: 1s }] }
  steps: [{ apply: ${job('done', 'ttlSecondsAfterFinished: 60')} }]
`),
  'a controller that is down': scenario(`  until: 20s
  steps:
    - { at: 1s, fault: { crash: controller-manager, restartAfter: 30s } }
    - { at: 2s, apply: ${job('lonely')} }
`),
  'a controller that is disconnected': scenario(`  until: 20s
  steps:
    - { at: 1s, fault: { partition: controller-manager, for: 60s } }
    - { at: 2s, apply: ${job('lonely')} }
`),
  'a scheduler': scenario(`  until: 20s
  steps:
    - { at: 1s, fault: { crash: scheduler } }
    - { at: 2s, apply: ${job('lonely')} }
`),
  'a lease': scenario(`  until: 12s
  cluster: { controllerManagers: 2 }
  steps:
    - { at: 5s, fault: { crash: controller-manager } }
    - { at: 5s, fault: { crash: controller-manager-1, ifPossible: true, restartAfter: 1s } }
    - { at: 6s, apply: ${job('lonely')} }
`),
  'a node that is silent': scenario(`  until: 20s
  cluster: { nodes: { count: 1 } }
  steps:
    - { apply: ${job('quiet')} }
    - { at: 5s, fault: { nodeDown: node-0 } }
`),
  'an ordinal': scenario(`  until: 20s
  cluster: { podBehaviors: [{ readyDelay: 1h }] }
  steps: [{ apply: ${SERVICE} }, { apply: ${set('')} }]
`),
  'a set that was refused': scenario(`  until: 20s
  steps: [{ apply: ${set('')} }]
`),
  'a deletion of its pods': scenario(`  until: 20s
  cluster: { podBehaviors: [{}] }
  steps:
    - apply: ${SERVICE}
    - apply: ${set('updateStrategy: { type: OnDelete }, ')}
    - { at: 10s, patch: { target: StatefulSet/web, patch: { spec: { template: { spec: { containers: [{ name: c, image: "c:2" }] } } } } } }
`),
  'a run that goes on': scenario(`  until: 200s
  startTime: "2024-03-01T00:00:10Z"
  steps: [{ apply: ${cronJob('concurrencyPolicy: Forbid, ')} }]
`),
  'a run that was missed': scenario(`  until: 85s
  startTime: "2024-03-01T00:00:10Z"
  steps:
    - { apply: ${cronJob('startingDeadlineSeconds: 20, ')} }
    - { at: 1s, fault: { crash: controller-manager } }
`),
  'a consumer': scenario(`  until: 20s
  domain: k8s.io
  cluster: { storageDrivers: [{ name: disks.example.com }] }
  steps:
    - apply: ${storage('lazy', 'disks.example.com', 'WaitForFirstConsumer')}
    - apply: ${claim('data', ', storageClassName: lazy')}
    - apply: ${claim('none', ', storageClassName: nowhere')}
    - apply: ${storage('orphan', 'gone.example.com', 'Immediate')}
    - apply: ${claim('driven', ', storageClassName: orphan')}
`),
  'a finalizer of its own': scenario(`  until: 20s
  steps:
    - apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: kept, finalizers: [example.com/audit] } }
    - { at: 5s, delete: { target: ConfigMap/kept } }
`),
  'an answer that refuses': scenario(`  until: 20s
  steps:
    - apply: { apiVersion: v1, kind: ResourceQuota, metadata: { name: few }, spec: { hard: { pods: "0" } } }
    - { at: 5s, apply: ${job('many')} }
`),
} as const;
