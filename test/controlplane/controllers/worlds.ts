/**
 * Small worlds with work for each controller: operations on a new cluster, the same in every check of the conformance suite. A new
 * controller adds a world here. Pods have a nodeName, so that no scheduler is needed.
 */
import { governing } from '../../support/services.ts';
import type { Cluster } from '../../../src/controlplane/cluster.ts';
import type { ObjectInput } from '../../../src/apiserver/machinery/index.ts';
import type { StorageDriver } from '../../../src/controlplane/agents/index.ts';

export interface World {
  /** The controllers that act in it, by name. */
  readonly controllers: readonly string[];
  readonly featureGates?: Readonly<Record<string, boolean>>;
  readonly storageDrivers?: readonly StorageDriver[];
  /** Virtual seconds after which it is quiescent. */
  readonly seconds: number;
  /** Why a crash may change the result. */
  readonly crashesShow?: string;
  play(cluster: Cluster): void;
}

/** Of a node agent, in PEM and base64. */
const AGENT_REQUEST =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIdk1JR1dBZ0VBTURReEZUQVRCZ05WQkFvTURITjVjM1JsYlRwdWIyUmxjekViTUJrR0ExVUVBd3dTYzNsegpkR1Z0T201dlpHVTZibTlrWlMwd01Ga3dFd1lIS29aSXpqMENBUVlJS29aSXpqMERBUWNEUWdBRUFmWCtsOVliCjBBQzRNblRtV0EwNGZJcHZHamZJS3Q2VERaMCtoRExxaWk4Z29XaVp4c0J4VGduNm5ycHRoaEx2WjdUbjV3bHUKZHRXMTU1Mlg5MlpRTHFBQU1Bb0dDQ3FHU000OUJBTUNBMGdBTUVVQ0lCeC9vR3JSb3Y1TWRiTHpDNGJtZ3lBMwpKNktuWG1rajkvOXpFbjA2eFZGT0FpRUF4RTd1SXlQZXlXY2RoOEt0RHJwR0lNMllWK3RjU1VOK3dKNGRqNjBiCnMyYz0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==';

type Fields = Readonly<Record<string, unknown>>;
const SIM = 'sim.orch.io';
const behave = (fields: Fields): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [`${SIM}/${key}`, String(value)]));
const podSpec = (more: Fields = {}): Fields => ({
  nodeName: 'node-0',
  restartPolicy: 'Never',
  terminationGracePeriodSeconds: 1,
  containers: [{ name: 'c', image: 'sim:1' }],
  ...more,
});

const jobInput = (name: string, spec: Fields, behaviour: Fields, pod: Fields = {}): ObjectInput => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name, namespace: 'default' },
  spec: { template: { metadata: { annotations: behave(behaviour) }, spec: podSpec(pod) }, ...spec },
});
const setInput = (name: string, spec: Fields, behaviour: Fields = {}): ObjectInput => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name, namespace: 'default' },
  spec: {
    serviceName: name,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name }, annotations: behave({ 'ready-delay': 0.4, ...behaviour }) },
      spec: podSpec({ restartPolicy: 'Always' }),
    },
    ...spec,
  },
});
const replicated = (kind: 'ReplicaSet' | 'Deployment', name: string, spec: Fields, behaviour: Fields = {}): ObjectInput => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name, namespace: 'default' },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name }, annotations: behave({ 'ready-delay': 0.4, ...behaviour }) },
      spec: podSpec({ restartPolicy: 'Always' }),
    },
    ...spec,
  },
});
/** On every node: the scheduler binds its pods. */
const daemon = (name: string, spec: Fields, behaviour: Fields = {}): ObjectInput => {
  const { nodeName: _, ...pod } = podSpec({ restartPolicy: 'Always' });
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace: 'default' },
    spec: {
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name }, annotations: behave({ 'ready-delay': 0.4, ...behaviour }) }, spec: pod },
      ...spec,
    },
  };
};
const nodeInput = (name: string): ObjectInput => ({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels: { name } } });
/** A template whose container mounts the claim. */
const mounting = (name: string): Fields => ({
  metadata: { labels: { app: name }, annotations: behave({ 'ready-delay': 0.4 }) },
  spec: podSpec({
    restartPolicy: 'Always',
    containers: [{ name: 'c', image: 'sim:1', volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
  }),
});
const create = (cluster: Cluster, body: ObjectInput): void => {
  const response = cluster.request('test', {
    verb: 'create',
    kind: body.kind,
    ...(body.metadata.namespace === undefined ? {} : { namespace: body.metadata.namespace }),
    body,
  });
  if (!response.ok) throw new Error(response.status.message);
};
/** A set with its governing service. */
const createSet = (cluster: Cluster, body: ObjectInput): void => {
  cluster.request('test', governing(body.metadata.name ?? ''));
  create(cluster, body);
};
const later = (cluster: Cluster, seconds: number, act: () => void): void => cluster.plan(cluster.startAt + seconds * 1000, 'a step', act);
const patch = (cluster: Cluster, kind: string, name: string, body: Fields): void => {
  cluster.request('test', { verb: 'patch', kind, namespace: 'default', name, patchType: 'merge', body });
};
const remove = (cluster: Cluster, kind: string, name: string, propagationPolicy?: string): void => {
  cluster.request('test', {
    verb: 'delete',
    kind,
    name,
    ...(kind === 'Node' ? {} : { namespace: 'default' }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
  });
};

/** Jobs of every kind in one world. */
function everyKindOfJob(cluster: Cluster): void {
  create(cluster, jobInput('plain', { parallelism: 2, completions: 5 }, { 'exit-after': 1 }));
  create(
    cluster,
    jobInput(
      'indexed',
      { completionMode: 'Indexed', parallelism: 2, completions: 4 },
      { 'exit-after': 1, 'exit-code': 0, 'exit-codes-2': '1,0' },
    ),
  );
  create(cluster, jobInput('queue', { parallelism: 3 }, { 'exit-after': 1 }));
  create(cluster, jobInput('fails', { backoffLimit: 1 }, { 'exit-after': 1, 'exit-code': 1 }));
  create(cluster, jobInput('restarts', { backoffLimit: 2 }, { 'exit-after': 1, 'exit-code': 1 }, { restartPolicy: 'OnFailure' }));
  create(cluster, jobInput('deadline', { activeDeadlineSeconds: 3, parallelism: 2 }, {}));
  create(cluster, jobInput('paused', { parallelism: 2, completions: 2 }, { 'exit-after': 2 }));
  later(cluster, 1, () => patch(cluster, 'Job', 'paused', { spec: { suspend: true } }));
  later(cluster, 9, () => patch(cluster, 'Job', 'paused', { spec: { suspend: false } }));
}

const DRIVER: StorageDriver = {
  name: 'disk.example',
  attachDelayMs: 300,
  detachDelayMs: 300,
  provisionDelayMs: 200,
  storageClasses: [{ name: 'fast' }],
};

export const WORLDS: Readonly<Record<string, World>> = {
  Jobs: { controllers: ['job'], featureGates: { JobReadyPods: true }, seconds: 120, play: everyKindOfJob },
  'Jobs counted by finalizers': {
    controllers: ['job', 'job-orphan-pods'],
    featureGates: { JobReadyPods: true, JobTrackingWithFinalizers: true },
    seconds: 120,
    play: (cluster) => {
      everyKindOfJob(cluster);
      create(cluster, jobInput('orphans', { parallelism: 2, completions: 2 }, { 'exit-after': 4 }));
      later(cluster, 2, () => remove(cluster, 'Job', 'orphans', 'Orphan'));
      create(cluster, jobInput('vanishes', { parallelism: 2, completions: 2 }, { 'exit-after': 4 }));
      later(cluster, 2, () => remove(cluster, 'Job', 'vanishes', 'Background'));
    },
  },
  deletions: {
    controllers: ['job', 'garbage-collector', 'job-ttl'],
    featureGates: { JobReadyPods: true },
    seconds: 60,
    play: (cluster) => {
      for (const policy of ['Foreground', 'Background', 'Orphan']) {
        const name = policy.toLowerCase();
        create(cluster, jobInput(name, { parallelism: 3, completions: 3 }, { 'exit-after': 30 }));
        later(cluster, 2, () => remove(cluster, 'Job', name, policy));
      }
      create(cluster, jobInput('short-lived', { ttlSecondsAfterFinished: 2 }, { 'exit-after': 1 }));
      create(cluster, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          name: 'no-owner',
          namespace: 'default',
          ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'never', uid: '00000000-0000-4000-8000-000000000000' }],
        },
        spec: podSpec(),
      });
    },
  },
  'a schedule': {
    controllers: ['cron-job'],
    featureGates: { JobReadyPods: true },
    seconds: 170,
    crashesShow: 'as upstream, a run whose status was not recorded is tried again with back-off, past later runs',
    play: (cluster) => {
      const { spec } = jobInput('run', {}, { 'exit-after': 1 });
      create(cluster, {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata: { name: 'minutely', namespace: 'default' },
        spec: { schedule: '* * * * *', jobTemplate: { spec } },
      });
      later(cluster, 130, () => patch(cluster, 'CronJob', 'minutely', { spec: { suspend: true } }));
    },
  },
  StatefulSets: {
    controllers: ['stateful-set'],
    featureGates: { StatefulSetMinReadySeconds: true, StatefulSetAutoDeletePVC: true, MaxUnavailableStatefulSet: true },
    seconds: 90,
    play: (cluster) => {
      createSet(cluster, setInput('ordered', { replicas: 3 }));
      later(cluster, 6, () => patch(cluster, 'StatefulSet', 'ordered', { spec: { replicas: 1 } }));
      createSet(cluster, setInput('parallel', { replicas: 3, podManagementPolicy: 'Parallel', minReadySeconds: 2 }));
      later(cluster, 9, () =>
        patch(cluster, 'StatefulSet', 'parallel', { spec: { template: { spec: { terminationGracePeriodSeconds: 2 } } } }),
      );
      createSet(cluster, setInput('parted', { replicas: 4, updateStrategy: { rollingUpdate: { partition: 1, maxUnavailable: '50%' } } }));
      later(cluster, 12, () =>
        patch(cluster, 'StatefulSet', 'parted', { spec: { template: { spec: { terminationGracePeriodSeconds: 2 } } } }),
      );
      const claims = [
        { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
      ];
      createSet(
        cluster,
        setInput('stored', {
          replicas: 2,
          podManagementPolicy: 'Parallel',
          volumeClaimTemplates: claims,
          template: mounting('stored'),
          persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Delete' },
        }),
      );
      later(cluster, 8, () => patch(cluster, 'StatefulSet', 'stored', { spec: { replicas: 1 } }));
      create(cluster, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'adopter-0', namespace: 'default', labels: { app: 'adopter' } },
        spec: podSpec({ restartPolicy: 'Always' }),
      });
      createSet(cluster, setInput('adopter', { replicas: 2 }));
      for (const policy of ['Foreground', 'Background', 'Orphan']) {
        const name = `${policy.toLowerCase()}-set`;
        createSet(cluster, setInput(name, { replicas: 2 }));
        later(cluster, 7, () => remove(cluster, 'StatefulSet', name, policy));
      }
    },
  },
  DaemonSets: {
    controllers: ['daemon-set'],
    seconds: 50,
    play: (cluster) => {
      for (const name of ['node-1', 'node-2']) create(cluster, nodeInput(name));
      create(cluster, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'stray', namespace: 'default', labels: { app: 'plain' } },
        spec: podSpec({ restartPolicy: 'Always' }),
      });
      create(cluster, daemon('plain', { minReadySeconds: 1, revisionHistoryLimit: 1 }));
      create(cluster, daemon('surging', { updateStrategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: '50%' } } }));
      create(cluster, daemon('by-hand', { updateStrategy: { type: 'OnDelete' } }));
      for (const [second, seconds] of [
        [8, 2],
        [20, 3],
      ] as const)
        for (const name of ['plain', 'surging', 'by-hand'])
          later(cluster, second, () =>
            patch(cluster, 'DaemonSet', name, { spec: { template: { spec: { terminationGracePeriodSeconds: seconds } } } }),
          );
      later(cluster, 10, () => create(cluster, nodeInput('node-3')));
      later(cluster, 24, () => remove(cluster, 'Node', 'node-2'));
      const taint = (effect: string) => ({ spec: { taints: [{ key: 'x', value: 'y', effect }] } });
      later(cluster, 26, () =>
        cluster.request('test', { verb: 'patch', kind: 'Node', name: 'node-1', patchType: 'merge', body: taint('NoSchedule') }),
      );
      later(cluster, 28, () =>
        cluster.request('test', { verb: 'patch', kind: 'Node', name: 'node-3', patchType: 'merge', body: taint('NoExecute') }),
      );
      for (const policy of ['Foreground', 'Background', 'Orphan']) {
        const name = `${policy.toLowerCase()}-daemon`;
        create(cluster, daemon(name, {}));
        later(cluster, 7, () => remove(cluster, 'DaemonSet', name, policy));
      }
    },
  },
  'ReplicaSets and Deployments': {
    controllers: ['replica-set', 'deployment'],
    seconds: 90,
    play: (cluster) => {
      const labels = { app: 'bare' };
      create(cluster, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'stray', namespace: 'default', labels },
        spec: podSpec({ restartPolicy: 'Always' }),
      });
      create(cluster, replicated('ReplicaSet', 'bare', { replicas: 3, minReadySeconds: 2 }));
      later(cluster, 6, () => patch(cluster, 'ReplicaSet', 'bare', { spec: { replicas: 1 } }));
      create(cluster, replicated('Deployment', 'rolling', { replicas: 4, minReadySeconds: 1, revisionHistoryLimit: 1 }));
      create(cluster, replicated('Deployment', 'at-once', { replicas: 2, strategy: { type: 'Recreate' } }));
      const next = { spec: { template: { spec: { terminationGracePeriodSeconds: 2 } } } };
      for (const name of ['rolling', 'at-once']) later(cluster, 8, () => patch(cluster, 'Deployment', name, next));
      later(cluster, 9, () => patch(cluster, 'Deployment', 'rolling', { spec: { replicas: 7 } }));
      later(cluster, 20, () => patch(cluster, 'Deployment', 'rolling', { spec: { paused: true, replicas: 3 } }));
      later(cluster, 25, () => patch(cluster, 'Deployment', 'rolling', { spec: { paused: false } }));
      const back = { metadata: { annotations: { 'deprecated.deployment.rollback.to': '0' } } };
      later(cluster, 30, () => patch(cluster, 'Deployment', 'rolling', back));
      create(cluster, replicated('Deployment', 'stuck', { replicas: 2, progressDeadlineSeconds: 5 }, { 'ready-delay': 1000 }));
      for (const policy of ['Foreground', 'Background', 'Orphan']) {
        const name = `${policy.toLowerCase()}-deployment`;
        create(cluster, replicated('Deployment', name, { replicas: 2 }));
        later(cluster, 7, () => remove(cluster, 'Deployment', name, policy));
      }
    },
  },
  autoscalers: {
    controllers: ['horizontal-pod-autoscaler'],
    seconds: 200,
    play: (cluster) => {
      const busy = (name: string, spec: Fields, cpu: string, requests: Fields = { cpu: '100m' }): void => {
        const made = replicated('Deployment', name, spec, { cpu });
        const { template } = made['spec'] as { readonly template: { readonly metadata: Fields; readonly spec: Fields } };
        const containers = [{ name: 'c', image: 'sim:1', resources: { requests } }];
        create(cluster, {
          ...made,
          spec: { ...(made['spec'] as Fields), template: { ...template, spec: { ...template.spec, containers } } },
        });
      };
      const scale = (name: string, target: string, spec: Fields): void =>
        create(cluster, {
          apiVersion: 'autoscaling/v2',
          kind: 'HorizontalPodAutoscaler',
          metadata: { name, namespace: 'default' },
          spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: target }, maxReplicas: 6, ...spec },
        });
      busy('hot', { replicas: 2 }, '150m');
      scale('hot', 'hot', {});
      busy('cool', { replicas: 5 }, '10m');
      scale('cool', 'cool', {
        behavior: { scaleDown: { stabilizationWindowSeconds: 0, policies: [{ type: 'Pods', value: 1, periodSeconds: 20 }] } },
      });
      busy('unasked', { replicas: 1 }, '10m', {});
      scale('unasked', 'unasked', {});
      scale('nothing', 'nobody', {});
      busy('resting', { replicas: 0 }, '10m');
      scale('resting', 'resting', {});
      later(cluster, 170, () => remove(cluster, 'HorizontalPodAutoscaler', 'hot', 'Background'));
    },
  },
  'a silent node': {
    controllers: ['node-lifecycle'],
    seconds: 120,
    play: (cluster) => {
      later(cluster, 1, () => cluster.runtime.crash('agent/node-0'));
    },
  },
  'a namespace that comes and goes': {
    controllers: ['namespace', 'service-account', 'root-certificate'],
    featureGates: { JobReadyPods: true },
    seconds: 60,
    play: (cluster) => {
      create(cluster, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
      const { spec, ...rest } = jobInput('work', { parallelism: 2, completions: 2 }, { 'exit-after': 30 });
      later(cluster, 1, () => create(cluster, { ...rest, metadata: { name: 'work', namespace: 'team' }, spec }));
      later(cluster, 4, () => {
        cluster.request('test', { verb: 'delete', kind: 'Namespace', name: 'team' });
      });
    },
  },
  services: {
    controllers: ['endpoints', 'endpoint-slice', 'endpoint-slice-mirroring'],
    seconds: 60,
    play: (cluster) => {
      const ports = [{ name: 'http', port: 80 }];
      create(cluster, {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'web', namespace: 'default' },
        spec: { selector: { app: 'web' }, ports },
      });
      for (const name of ['web-a', 'web-b'])
        create(cluster, {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name, namespace: 'default', labels: { app: 'web' } },
          spec: podSpec(),
        });
      later(cluster, 5, () => remove(cluster, 'Pod', 'web-a'));
      create(cluster, { apiVersion: 'v1', kind: 'Service', metadata: { name: 'by-hand', namespace: 'default' }, spec: { ports } });
      create(cluster, {
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata: { name: 'by-hand', namespace: 'default' },
        subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports }],
      });
    },
  },
  volumes: {
    controllers: ['claim-binder', 'volume-binder', 'claim-protection', 'volume-protection', 'attach-detach'],
    storageDrivers: [DRIVER],
    seconds: 60,
    play: (cluster) => {
      const claim = (name: string, more: Fields = {}): void =>
        create(cluster, {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name, namespace: 'default' },
          spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'fast', resources: { requests: { storage: '1Gi' } }, ...more },
        });
      const user = (name: string, claimName: string): void =>
        create(cluster, {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name, namespace: 'default' },
          spec: podSpec({ restartPolicy: 'Always', volumes: [{ name: 'd', persistentVolumeClaim: { claimName } }] }),
        });
      claim('made');
      create(cluster, {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: 'by-hand' },
        spec: {
          capacity: { storage: '2Gi' },
          accessModes: ['ReadWriteOnce'],
          persistentVolumeReclaimPolicy: 'Retain',
          storageClassName: 'slow',
          csi: { driver: DRIVER.name, volumeHandle: 'by-hand' },
        },
      });
      claim('found', { storageClassName: 'slow' });
      later(cluster, 2, () => user('writer', 'made'));
      later(cluster, 2, () => user('reader', 'found'));
      later(cluster, 8, () => remove(cluster, 'PersistentVolumeClaim', 'made'));
      later(cluster, 12, () => remove(cluster, 'Pod', 'writer'));
    },
  },
  'roles that gather others': {
    controllers: ['cluster-role-aggregation'],
    seconds: 30,
    play: (cluster) => {
      const apiVersion = `${cluster.names.group('rbac.authorization')}/v1`;
      const rule = (resource: string): Fields => ({ apiGroups: [''], resources: [resource], verbs: ['get'] });
      create(cluster, {
        apiVersion,
        kind: 'ClusterRole',
        metadata: { name: 'all' },
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: { part: 'yes' } }] },
        rules: [],
      });
      create(cluster, { apiVersion, kind: 'ClusterRole', metadata: { name: 'pods', labels: { part: 'yes' } }, rules: [rule('pods')] });
      later(cluster, 2, () =>
        create(cluster, { apiVersion, kind: 'ClusterRole', metadata: { name: 'nodes', labels: { part: 'yes' } }, rules: [rule('nodes')] }),
      );
      later(cluster, 5, () => {
        cluster.request('test', { verb: 'delete', kind: 'ClusterRole', name: 'pods' });
      });
    },
  },
  APIs: {
    controllers: ['api-service-availability'],
    seconds: 30,
    play: (cluster) => {
      const apiVersion = `${cluster.names.group('apiregistration')}/v1`;
      create(cluster, {
        apiVersion,
        kind: 'APIService',
        metadata: { name: 'v1.metrics.example.com' },
        spec: {
          group: 'metrics.example.com',
          version: 'v1',
          groupPriorityMinimum: 100,
          versionPriority: 10,
          insecureSkipTLSVerify: true,
          service: { name: 'metrics', namespace: 'default', port: 443 },
        },
      });
      later(cluster, 2, () =>
        create(cluster, {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { name: 'metrics', namespace: 'default' },
          spec: { ports: [{ port: 443 }] },
        }),
      );
      later(cluster, 5, () => remove(cluster, 'Service', 'metrics'));
    },
  },
  'a quota': {
    controllers: ['resource-quota'],
    seconds: 60,
    play: (cluster) => {
      create(cluster, {
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { name: 'few', namespace: 'default' },
        spec: { hard: { pods: '2' } },
      });
      later(cluster, 1, () => {
        for (const name of ['one', 'two'])
          create(cluster, { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default' }, spec: podSpec() });
      });
      later(cluster, 5, () => remove(cluster, 'Pod', 'one'));
      later(cluster, 9, () => patch(cluster, 'ResourceQuota', 'few', { spec: { hard: { pods: '5' } } }));
    },
  },
  'a budget': {
    controllers: ['disruption'],
    seconds: 60,
    play: (cluster) => {
      const apiVersion = 'policy/v1';
      createSet(cluster, setInput('web', { replicas: 3, podManagementPolicy: 'Parallel' }));
      create(cluster, {
        apiVersion,
        kind: 'PodDisruptionBudget',
        metadata: { name: 'web', namespace: 'default' },
        spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'web' } } },
      });
      create(cluster, {
        apiVersion,
        kind: 'PodDisruptionBudget',
        metadata: { name: 'nothing', namespace: 'default' },
        spec: { minAvailable: 1, selector: { matchLabels: { app: 'none' } } },
      });
      const evict = (name: string): void => {
        cluster.request('test', {
          verb: 'create',
          kind: 'Pod',
          namespace: 'default',
          name,
          subresource: 'eviction',
          body: { apiVersion, kind: 'Eviction', metadata: { name, namespace: 'default' } },
        });
      };
      later(cluster, 5, () => {
        evict('web-0');
        evict('web-1');
      });
    },
  },
  'requests for certificates': {
    controllers: ['certificate-approver', 'certificate-signer', 'certificate-cleaner'],
    seconds: 4000,
    play: (cluster) => {
      const kind = 'CertificateSigningRequest';
      const apiVersion = `${cluster.names.group('certificates')}/v1`;
      const ask = (name: string, signer: string, group: string): void => {
        const spec = { request: AGENT_REQUEST, signerName: `kubernetes.io/${signer}`, usages: ['digital signature', 'client auth'] };
        const user = { name: `system:${name}`, groups: [group] };
        cluster.request('test', { verb: 'create', kind, user, body: { apiVersion, kind, metadata: { name }, spec } });
      };
      const decide = (name: string, type: string): void => {
        const status = { conditions: [{ type, status: 'True', reason: 'Tested' }] };
        const body = { apiVersion, kind, metadata: { name }, status };
        cluster.request('test', { verb: 'update', kind, name, subresource: 'approval', body });
      };
      ask('bootstrap', 'kube-apiserver-client-kubelet', 'system:bootstrappers');
      ask('approved', 'kube-apiserver-client', 'users');
      ask('denied', 'kube-apiserver-client', 'users');
      ask('pending', 'kube-apiserver-client', 'users');
      later(cluster, 5, () => decide('approved', 'Approved'));
      later(cluster, 3000, () => decide('denied', 'Denied'));
    },
  },
  'a tainted node': {
    controllers: ['taint-eviction'],
    seconds: 60,
    play: (cluster) => {
      const stays = { tolerations: [{ key: 'maintenance', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }] };
      create(cluster, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'goes', namespace: 'default' }, spec: podSpec() });
      create(cluster, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'goes-later', namespace: 'default' }, spec: podSpec(stays) });
      later(cluster, 2, () => {
        cluster.request('test', {
          verb: 'patch',
          kind: 'Node',
          name: 'node-0',
          patchType: 'merge',
          body: { spec: { taints: [{ key: 'maintenance', effect: 'NoExecute' }] } },
        });
      });
    },
  },
  'lost nodes': {
    controllers: ['pod-gc'],
    seconds: 120,
    play: (cluster) => {
      create(cluster, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'lost', namespace: 'default' },
        spec: podSpec({ nodeName: 'node-nowhere' }),
      });
      create(cluster, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'never-bound', namespace: 'default', finalizers: ['example.com/hold'] },
        spec: podSpec({ nodeName: undefined, nodeSelector: { 'no/such': 'node' } }),
      });
      later(cluster, 1, () => remove(cluster, 'Pod', 'never-bound'));
    },
  },
};
