/** What is valid of containers: their variables, probes, hooks, ports. */
import { describe } from 'vitest';
import { check, containerOf, LABEL, podOf, SUBDOMAIN } from './causes.ts';

describe('variables', () => {
  const from = (valueFrom: object, more: object = {}) => ({ name: 'A', ...more, valueFrom });
  const field = (fieldPath: string) => from({ fieldRef: { fieldPath } });
  const key = { name: 'n', key: 'k' };
  check([
    [
      'may be values, or show fields, amounts and keys',
      containerOf({
        env: [
          { name: 'A', value: 'b' },
          { name: 'a.b-C_1' },
          ...['metadata.name', 'metadata.namespace', 'metadata.uid', 'spec.nodeName', 'spec.host', 'spec.serviceAccountName'].map(field),
          ...['status.hostIP', 'status.podIP', 'status.podIPs', "metadata.labels['a']", "metadata.annotations['a']"].map(field),
          from({ resourceFieldRef: { resource: 'limits.cpu', divisor: '0' } }),
          from({ configMapKeyRef: key }, { value: '' }),
          from({ secretKeyRef: key }),
        ],
        envFrom: [{ prefix: 'P_', configMapRef: { name: 'c' } }, { secretRef: { name: 's' } }],
      }),
      [],
    ],
    [
      'have one source and valid names',
      containerOf({
        env: [
          { name: '' },
          { name: '1a' },
          { name: 'A=b', valueFrom: {} },
          from({ secretKeyRef: key }, { value: 'b' }),
          from({}, { value: 'b' }),
          from({ configMapKeyRef: key, secretKeyRef: key }),
          from({ configMapKeyRef: key, secretKeyRef: key }, { value: 'b' }),
          from({ fieldRef: { fieldPath: 'metadata.name' }, resourceFieldRef: { resource: 'limits.cpu' } }),
          from({ configMapKeyRef: { name: 'N', key: '' } }),
          from({ secretKeyRef: { name: 'n', key: 'a/b' } }),
          field('status.phase'),
          field('spec.restartPolicy'),
          field('spec.schedulerName'),
          from({ resourceFieldRef: { containerName: '', resource: 'limits.nvidia' } }),
        ],
        envFrom: [
          {},
          { configMapRef: { name: 'c' }, secretRef: { name: 's' } },
          { prefix: '1', configMapRef: { name: '' } },
          { secretRef: { name: 'S' } },
        ],
      }),
      [
        'spec.containers[0].env[0].name: Required value',
        "spec.containers[0].env[1].name: Invalid value: \"1a\": a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')",
        "spec.containers[0].env[2].name: Invalid value: \"A=b\": a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')",
        'spec.containers[0].env[2].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
        'spec.containers[0].env[3].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
        'spec.containers[0].env[4].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
        'spec.containers[0].env[5].valueFrom: Invalid value: "": may not have more than one field specified at a time',
        'spec.containers[0].env[6].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
        'spec.containers[0].env[7].valueFrom: Invalid value: "": may not have more than one field specified at a time',
        `spec.containers[0].env[8].valueFrom.configMapKeyRef.name: Invalid value: "N": ${SUBDOMAIN}`,
        'spec.containers[0].env[8].valueFrom.configMapKeyRef.key: Required value',
        "spec.containers[0].env[9].valueFrom.secretKeyRef.key: Invalid value: \"a/b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
        'spec.containers[0].env[10].valueFrom.fieldRef.fieldPath: Unsupported value: "status.phase": supported values: "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.podIP", "status.podIPs"',
        'spec.containers[0].env[11].valueFrom.fieldRef.fieldPath: Unsupported value: "spec.restartPolicy": supported values: "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.podIP", "status.podIPs"',
        'spec.containers[0].env[12].valueFrom.fieldRef.fieldPath: Unsupported value: "spec.schedulerName": supported values: "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.podIP", "status.podIPs"',
        'spec.containers[0].env[13].valueFrom.resourceFieldRef.resource: Unsupported value: "limits.nvidia": supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"',
        'spec.containers[0].envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`',
        'spec.containers[0].envFrom: Invalid value: "": may not have more than one field specified at a time',
        "spec.containers[0].envFrom[2].prefix: Invalid value: \"1\": a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')",
        'spec.containers[0].envFrom[2].configMapRef.name: Required value',
        `spec.containers[0].envFrom[3].secretRef.name: Invalid value: "S": ${SUBDOMAIN}`,
      ],
    ],
  ]);
});

describe('probes and hooks', () => {
  const times = { initialDelaySeconds: -1, timeoutSeconds: -1, periodSeconds: -1, successThreshold: -1, failureThreshold: -1 };
  const handlers = {
    exec: { command: ['a'] },
    httpGet: { path: '/', port: 'http', scheme: 'HTTPS', httpHeaders: [{ name: 'X-A', value: 'b' }] },
    tcpSocket: { port: 65535 },
    grpc: { port: 1 },
  };
  check([
    [
      'have one handler of any type',
      podOf({
        containers: [
          { name: 'a', image: 'i', livenessProbe: { exec: handlers.exec }, readinessProbe: { httpGet: handlers.httpGet } },
          {
            name: 'b',
            image: 'i',
            startupProbe: { tcpSocket: handlers.tcpSocket },
            readinessProbe: { grpc: handlers.grpc, successThreshold: 2 },
          },
          { name: 'c', image: 'i', lifecycle: { postStart: { exec: handlers.exec }, preStop: { httpGet: handlers.httpGet } } },
          { name: 'd', image: 'i', livenessProbe: { exec: handlers.exec, terminationGracePeriodSeconds: 1, initialDelaySeconds: 0 } },
        ],
      }),
      [],
    ],
    [
      'have no second handler, and its errors are not reported',
      containerOf({
        lifecycle: { postStart: { httpGet: { path: '', port: 0, scheme: 'FTP' }, exec: {} }, preStop: {} },
        livenessProbe: { ...handlers, ...times, terminationGracePeriodSeconds: 0 },
        readinessProbe: { tcpSocket: { port: 'Http' }, ...times, terminationGracePeriodSeconds: 1 },
        startupProbe: { grpc: { port: 65536 }, httpGet: { port: 1 }, successThreshold: 2 },
      }),
      [
        'spec.containers[0].lifecycle.postStart.exec.command: Required value',
        'spec.containers[0].lifecycle.postStart.httpGet: Forbidden: may not specify more than 1 handler type',
        'spec.containers[0].lifecycle.preStop: Required value: must specify a handler type',
        'spec.containers[0].livenessProbe.httpGet: Forbidden: may not specify more than 1 handler type',
        'spec.containers[0].livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type',
        'spec.containers[0].livenessProbe.grpc: Forbidden: may not specify more than 1 handler type',
        'spec.containers[0].livenessProbe.initialDelaySeconds: Invalid value: -1: must be greater than or equal to 0',
        'spec.containers[0].livenessProbe.timeoutSeconds: Invalid value: -1: must be greater than or equal to 0',
        'spec.containers[0].livenessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0',
        'spec.containers[0].livenessProbe.successThreshold: Invalid value: -1: must be greater than or equal to 0',
        'spec.containers[0].livenessProbe.failureThreshold: Invalid value: -1: must be greater than or equal to 0',
        'spec.containers[0].readinessProbe.terminationGracePeriodSeconds: Invalid value: 1: must not be set for readinessProbes',
        'spec.containers[0].startupProbe.grpc: Forbidden: may not specify more than 1 handler type',
        'spec.containers[0].livenessProbe.successThreshold: Invalid value: -1: must be 1',
        'spec.containers[0].startupProbe.grpc: Forbidden: may not specify more than 1 handler type',
        'spec.containers[0].startupProbe.successThreshold: Invalid value: 2: must be 1',
        'spec.containers[0].readinessProbe.tcpSocket.port: Invalid value: "Http": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
        'spec.containers[0].readinessProbe.initialDelaySeconds: Invalid value: -1: must be greater than or equal to 0',
        'spec.containers[0].readinessProbe.timeoutSeconds: Invalid value: -1: must be greater than or equal to 0',
        'spec.containers[0].readinessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0',
        'spec.containers[0].readinessProbe.successThreshold: Invalid value: -1: must be greater than or equal to 0',
        'spec.containers[0].readinessProbe.failureThreshold: Invalid value: -1: must be greater than or equal to 0',
      ],
    ],
    [
      'address a port of the container, with headers and a path',
      podOf({
        containers: [
          {
            name: 'a',
            image: 'i',
            livenessProbe: { httpGet: { path: '', port: 65536, httpHeaders: [{ name: 'a b', value: '' }] }, successThreshold: 2 },
          },
          { name: 'b', image: 'i', livenessProbe: { tcpSocket: { port: 0 } }, readinessProbe: { exec: { command: [] } } },
        ],
      }),
      [
        'spec.containers[0].livenessProbe.httpGet.port: Invalid value: 65536: must be between 1 and 65535, inclusive',
        "spec.containers[0].livenessProbe.httpGet.httpHeaders: Invalid value: \"a b\": a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')",
        'spec.containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1',
        'spec.containers[1].livenessProbe.tcpSocket.port: Invalid value: 0: must be between 1 and 65535, inclusive',
        'spec.containers[1].readinessProbe.exec.command: Required value',
      ],
    ],
  ]);
});

describe('containers', () => {
  const port = (containerPort: number, more: object = {}) => ({ containerPort, ...more });
  check([
    [
      'have names, images and ports of their own',
      podOf({
        containers: [
          { name: '', image: '' },
          { name: 'A', image: ' ' },
          { name: 'a', image: ' i' },
          { name: 'a', image: 'i', imagePullPolicy: 'Sometimes', terminationMessagePolicy: 'None' },
          {
            name: 'b',
            image: 'i',
            ports: [
              port(80, { name: 'a', hostPort: 1 }),
              port(65536, { name: 'a', hostPort: 65536, protocol: 'ICMP' }),
              port(-1, { name: 'A', hostPort: -1 }),
              port(80, { name: 'b', hostPort: 1 }),
              port(81, { hostPort: 1, protocol: 'UDP' }),
              port(82, { hostPort: 1, hostIP: '10.0.0.1' }),
            ],
          },
          { name: 'c', image: 'i', ports: [port(80, { hostPort: 1 }), port(80), port(81), port(82, { hostPort: 1, hostIP: '10.0.0.1' })] },
        ],
      }),
      [
        'spec.containers[0].name: Required value',
        'spec.containers[0].image: Required value',
        `spec.containers[1].name: Invalid value: "A": ${LABEL}`,
        'spec.containers[3].name: Duplicate value: "a"',
        "spec.containers[3].terminationMessagePolicy: Invalid value: \"None\": must be 'File' or 'FallbackToLogsOnError'",
        'spec.containers[3].imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"',
        'spec.containers[4].ports[1].name: Duplicate value: "a"',
        'spec.containers[4].ports[1].containerPort: Invalid value: 65536: must be between 1 and 65535, inclusive',
        'spec.containers[4].ports[1].hostPort: Invalid value: 65536: must be between 1 and 65535, inclusive',
        'spec.containers[4].ports[1].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"',
        'spec.containers[4].ports[2].name: Invalid value: "A": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
        'spec.containers[4].ports[2].name: Invalid value: "A": must contain at least one letter or number (a-z, 0-9)',
        'spec.containers[4].ports[2].containerPort: Invalid value: -1: must be between 1 and 65535, inclusive',
        'spec.containers[4].ports[2].hostPort: Invalid value: -1: must be between 1 and 65535, inclusive',
        'spec.containers[4].ports[3].hostPort: Duplicate value: "TCP//1"',
        'spec.containers[5].ports[0].hostPort: Duplicate value: "TCP//1"',
        'spec.containers[5].ports[3].hostPort: Duplicate value: "TCP/10.0.0.1/1"',
        'spec.containers[1].image: Invalid value: " ": must not have leading or trailing whitespace',
        'spec.containers[2].image: Invalid value: " i": must not have leading or trailing whitespace',
      ],
    ],
    ['are needed', podOf({ containers: [] }), ['spec.containers: Required value']],
    [
      'are needed, even where others run first',
      podOf({ containers: null, initContainers: [{ name: 'a', image: 'i' }] }),
      ['spec.containers: Required value'],
    ],
    [
      'that run first have names of their own, and conflict with themselves only',
      podOf({
        initContainers: [
          { name: 'a', image: 'i', ports: [port(80, { hostPort: 1 }), port(81, { hostPort: 1 })] },
          { name: 'b', image: 'i ', ports: [port(80, { hostPort: 1 })], lifecycle: { postStart: { exec: { command: ['a'] } } } },
          { name: 'b', image: 'i', startupProbe: { grpc: { port: 1 } }, readinessProbe: { grpc: { port: 1 } } },
          { name: 'c', image: 'i' },
          { name: '', image: 'i' },
          { name: '', image: 'i' },
        ],
      }),
      [
        'spec.initContainers[2].name: Duplicate value: "b"',
        'spec.initContainers[4].name: Required value',
        'spec.initContainers[5].name: Required value',
        'spec.initContainers[5].name: Duplicate value: ""',
        'spec.initContainers[0].ports[1].hostPort: Duplicate value: "TCP//1"',
        'spec.initContainers[1].lifecycle: Invalid value: core.Lifecycle{PostStart:(*core.LifecycleHandler)(0xc000000000), PreStop:(*core.LifecycleHandler)(nil)}: must not be set for init containers',
        'spec.initContainers[2].name: Duplicate value: "b"',
        'spec.initContainers[2].readinessProbe: Invalid value: core.Probe{ProbeHandler:core.ProbeHandler{Exec:(*core.ExecAction)(nil), HTTPGet:(*core.HTTPGetAction)(nil), TCPSocket:(*core.TCPSocketAction)(nil), GRPC:(*core.GRPCAction)(0xc000000000)}, InitialDelaySeconds:0, TimeoutSeconds:1, PeriodSeconds:10, SuccessThreshold:1, FailureThreshold:3, TerminationGracePeriodSeconds:(*int64)(nil)}: must not be set for init containers',
        'spec.initContainers[2].startupProbe: Invalid value: core.Probe{ProbeHandler:core.ProbeHandler{Exec:(*core.ExecAction)(nil), HTTPGet:(*core.HTTPGetAction)(nil), TCPSocket:(*core.TCPSocketAction)(nil), GRPC:(*core.GRPCAction)(0xc000000000)}, InitialDelaySeconds:0, TimeoutSeconds:1, PeriodSeconds:10, SuccessThreshold:1, FailureThreshold:3, TerminationGracePeriodSeconds:(*int64)(nil)}: must not be set for init containers',
        'spec.initContainers[3].name: Duplicate value: "c"',
        'spec.initContainers[1].image: Invalid value: "i ": must not have leading or trailing whitespace',
      ],
    ],
  ]);
});
