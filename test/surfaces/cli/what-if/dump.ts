/** Makes the dump of a cluster at rest: nodes in three zones, Deployments with their ReplicaSets, pods and budgets. */
const TIME = '2024-05-02T09:00:00Z';
const HASH = '6d4b75cb6d';

interface Size {
  readonly nodes: number;
  readonly workloads: number;
  /** Of each workload. */
  readonly replicas: number;
}

type Made = Readonly<Record<string, unknown>> & { readonly metadata: { readonly uid: string; readonly name: string } };

/** Returns the dump as JSON. */
export function clusterDump({ nodes, workloads, replicas }: Size): string {
  let last = 0;
  const meta = (name: string, namespace?: string, more: object = {}) => {
    const number = ++last;
    const uid = `11111111-1111-4111-8111-${number.toString(16).padStart(12, '0')}`;
    return {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid,
      resourceVersion: String(1000 + number),
      creationTimestamp: TIME,
      ...more,
    };
  };
  const items: Made[] = [];
  const condition = (type: string, status: string, more: object = {}) => ({ type, status, lastTransitionTime: TIME, ...more });
  for (let at = 0; at < nodes; at++) {
    const name = `node-${at}`;
    const room = { cpu: '16', memory: '64Gi', pods: '110' };
    const beat = { lastHeartbeatTime: '2024-05-02T09:58:00Z', reason: 'x', message: 'x' };
    const node = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: meta(name, undefined, { labels: { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': 'abc'[at % 3] } }),
      spec: {},
      status: {
        capacity: room,
        allocatable: room,
        conditions: [
          ...['MemoryPressure', 'DiskPressure', 'PIDPressure'].map((type) => condition(type, 'False', beat)),
          condition('Ready', 'True', beat),
        ],
        addresses: [{ type: 'InternalIP', address: `172.18.0.${at + 2}` }],
        nodeInfo: { machineID: name },
      },
    };
    const owner = { apiVersion: 'v1', kind: 'Node', name, uid: node.metadata.uid };
    const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime: '2024-05-02T09:59:55.000000Z' };
    items.push(node, {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: meta(name, 'kube-node-lease', { ownerReferences: [owner] }),
      spec,
    });
  }
  let placed = 0;
  for (let at = 0; at < workloads; at++) {
    const app = `web-${at}`;
    const labels = { app };
    const hashed = { ...labels, 'pod-template-hash': HASH };
    const container = {
      name: 'web',
      image: 'nginx',
      imagePullPolicy: 'Always',
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
      resources: { requests: { cpu: '100m', memory: '128Mi' } },
    };
    const spec = {
      containers: [container],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      securityContext: {},
      schedulerName: 'default-scheduler',
    };
    const template = (of: object) => ({ metadata: { creationTimestamp: null, labels: of }, spec });
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: meta(app, 'shop', { generation: 1, labels, annotations: { 'deployment.kubernetes.io/revision': '1' } }),
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: template(labels),
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
      },
      status: {
        observedGeneration: 1,
        replicas,
        updatedReplicas: replicas,
        readyReplicas: replicas,
        availableReplicas: replicas,
        conditions: [
          condition('Available', 'True', {
            reason: 'MinimumReplicasAvailable',
            message: 'Deployment has minimum availability.',
            lastUpdateTime: TIME,
          }),
          condition('Progressing', 'True', {
            reason: 'NewReplicaSetAvailable',
            message: `ReplicaSet "${app}-${HASH}" has successfully progressed.`,
            lastUpdateTime: TIME,
          }),
        ],
      },
    };
    const owned = (by: Made, kind: string) => [
      { apiVersion: 'apps/v1', kind, name: by.metadata.name, uid: by.metadata.uid, controller: true, blockOwnerDeletion: true },
    ];
    const set = {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: meta(`${app}-${HASH}`, 'shop', {
        generation: 1,
        labels: hashed,
        annotations: {
          'deployment.kubernetes.io/desired-replicas': String(replicas),
          'deployment.kubernetes.io/max-replicas': String(Math.ceil(replicas * 1.25)),
          'deployment.kubernetes.io/revision': '1',
        },
        ownerReferences: owned(deployment, 'Deployment'),
      }),
      spec: { replicas, selector: { matchLabels: hashed }, template: template(hashed) },
      status: { replicas, fullyLabeledReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas, observedGeneration: 1 },
    };
    items.push(deployment, set, {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: meta(app, 'shop', { generation: 1 }),
      spec: { minAvailable: replicas - 1, selector: { matchLabels: labels } },
      status: {
        observedGeneration: 1,
        disruptionsAllowed: 1,
        currentHealthy: replicas,
        desiredHealthy: replicas - 1,
        expectedPods: replicas,
        conditions: [condition('DisruptionAllowed', 'True', { reason: 'SufficientPods', message: '', observedGeneration: 1 })],
      },
    });
    for (let nth = 0; nth < replicas; nth++) {
      const on = placed++ % nodes;
      items.push({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: meta(`${app}-${HASH}-${nth}`, 'shop', {
          generateName: `${app}-${HASH}-`,
          labels: hashed,
          ownerReferences: owned(set, 'ReplicaSet'),
        }),
        spec: {
          ...spec,
          nodeName: `node-${on}`,
          tolerations: ['not-ready', 'unreachable'].map((key) => ({
            key: `node.kubernetes.io/${key}`,
            operator: 'Exists',
            effect: 'NoExecute',
            tolerationSeconds: 300,
          })),
        },
        status: {
          phase: 'Running',
          conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => condition(type, 'True')),
          podIP: `10.244.${on}.${10 + placed}`,
          startTime: TIME,
          containerStatuses: [
            {
              name: 'web',
              image: 'nginx',
              imageID: 'x',
              containerID: 'c',
              ready: true,
              restartCount: 0,
              started: true,
              state: { running: { startedAt: TIME } },
              lastState: {},
            },
          ],
        },
      });
    }
  }
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 1);
}
