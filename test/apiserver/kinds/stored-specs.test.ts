/** What is stored of definitions, autoscalers and pods: the defaults inside their specifications. */
import { checkStored } from './stored.ts';

checkStored([
  [
    'CustomResourceDefinition',
    'tests.example.com',
    {
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'tests', kind: 'Test' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
      status: { storedVersions: ['v9'] },
    },
    {
      spec: {
        group: 'example.com',
        names: { plural: 'tests', singular: 'test', kind: 'Test', listKind: 'TestList' },
        scope: 'Namespaced',
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
        conversion: { strategy: 'None' },
      },
      status: { storedVersions: ['v1'] },
      metadata: { generation: 1 },
    },
  ],
  [
    'HorizontalPodAutoscaler',
    'x',
    {
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
        maxReplicas: 3,
        behavior: { scaleDown: { policies: [{ type: 'Pods', value: 1, periodSeconds: 5 }] } },
      },
      status: { currentReplicas: 3 },
    },
    {
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
        minReplicas: 1,
        maxReplicas: 3,
        metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }],
        behavior: {
          scaleUp: {
            stabilizationWindowSeconds: 0,
            selectPolicy: 'Max',
            policies: [
              { type: 'Pods', value: 4, periodSeconds: 15 },
              { type: 'Percent', value: 100, periodSeconds: 15 },
            ],
          },
          scaleDown: { selectPolicy: 'Max', policies: [{ type: 'Pods', value: 1, periodSeconds: 5 }] },
        },
      },
      status: { desiredReplicas: 0, currentMetrics: null },
    },
  ],
  [
    'Pod',
    'x',
    {
      spec: {
        hostNetwork: true,
        containers: [
          {
            name: 'c',
            image: 'i:latest',
            ports: [{ containerPort: 80 }],
            livenessProbe: { httpGet: { port: 1 } },
            env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
            resources: { limits: { cpu: '1' } },
          },
          { name: 'd', image: 'i:1@sha256:0', readinessProbe: { tcpSocket: { port: 1 } } },
        ],
        initContainers: [{ name: 'i', image: 'a' }],
        volumes: [
          { name: 'v', configMap: { name: 'c' } },
          { name: 'w', secret: { secretName: 's' } },
          { name: 'x', projected: { sources: [{ configMap: { name: 'p' } }] } },
          { name: 'e' },
          { name: 'h', hostPath: { path: '/x' } },
          { name: 'd', downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'metadata.name' } }] } },
        ],
      },
      status: { phase: 'Running' },
    },
    {
      spec: {
        volumes: [
          { name: 'v', configMap: { name: 'c', defaultMode: 420 } },
          { name: 'w', secret: { secretName: 's', defaultMode: 420 } },
          { name: 'x', projected: { sources: [{ configMap: { name: 'p' } }], defaultMode: 420 } },
          { name: 'e', emptyDir: {} },
          { name: 'h', hostPath: { path: '/x', type: '' } },
          {
            name: 'd',
            downwardAPI: { items: [{ path: 'a', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } }], defaultMode: 420 },
          },
        ],
        initContainers: [
          {
            name: 'i',
            image: 'a',
            resources: {},
            terminationMessagePath: '/dev/termination-log',
            terminationMessagePolicy: 'File',
            imagePullPolicy: 'Always',
          },
        ],
        containers: [
          {
            name: 'c',
            image: 'i:latest',
            ports: [{ hostPort: 80, containerPort: 80, protocol: 'TCP' }],
            env: [{ name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } }],
            resources: { limits: { cpu: '1' }, requests: { cpu: '1' } },
            livenessProbe: {
              httpGet: { path: '/', port: 1, scheme: 'HTTP' },
              timeoutSeconds: 1,
              periodSeconds: 10,
              successThreshold: 1,
              failureThreshold: 3,
            },
            terminationMessagePath: '/dev/termination-log',
            terminationMessagePolicy: 'File',
            imagePullPolicy: 'Always',
          },
          {
            name: 'd',
            image: 'i:1@sha256:0',
            resources: {},
            readinessProbe: { tcpSocket: { port: 1 }, timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 },
            terminationMessagePath: '/dev/termination-log',
            terminationMessagePolicy: 'File',
            imagePullPolicy: 'IfNotPresent',
          },
        ],
        restartPolicy: 'Always',
        terminationGracePeriodSeconds: 30,
        dnsPolicy: 'ClusterFirst',
        hostNetwork: true,
        securityContext: {},
        schedulerName: 'default-scheduler',
        enableServiceLinks: true,
        priority: 0,
        preemptionPolicy: 'PreemptLowerPriority',
        tolerations: [
          { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
          { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
        ],
      },
      status: { phase: 'Pending', qosClass: 'Burstable' },
    },
  ],
]);
