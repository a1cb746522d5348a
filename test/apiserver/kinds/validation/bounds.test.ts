/** Objects at the limits of their sizes and numbers, and just beyond; members of which only one may be set. */
import { describe } from 'vitest';
import { base64OfText } from '../../../../src/schema/values/index.ts';
import { check } from './causes.ts';
import { checkChanges } from './changes.ts';

const object = (apiVersion: string, kind: string, rest: object, metadata: object = {}): object => ({
  apiVersion,
  kind,
  metadata: { name: 'x', ...metadata },
  ...rest,
});
const KEY =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
const MIB = 2 ** 20;
const bytes = (count: number): string => base64OfText('x'.repeat(count));
const many = <T>(count: number, one: (at: number) => T): readonly T[] => Array.from({ length: count }, (_, at) => one(at));

describe('data of a ConfigMap', () => {
  const map = (data: object, binaryData: object = {}): object => object('v1', 'ConfigMap', { data, binaryData });
  check([
    ['is one mebibyte', map({ a: 'x'.repeat(MIB / 2) }, { b: bytes(MIB / 2) }), []],
    ['is no more', map({ a: 'x'.repeat(MIB / 2) }, { b: bytes(MIB / 2 + 1) }), [': Too long: must have at most 1048576 bytes']],
    ['counts bytes', map({ a: 'é'.repeat(MIB / 2 + 1) }), [': Too long: must have at most 1048576 bytes']],
    [
      'has each key once, and only file names',
      map({ a: '', '..': '' }, { a: '', 'b c': '' }),
      [
        'data[..]: Invalid value: "..": must not be \'..\'',
        'data[a]: Invalid value: "a": duplicate of key present in binaryData',
        `binaryData[b c]: Invalid value: "b c": ${KEY}`,
      ],
    ],
  ]);
});

describe('data of a Secret', () => {
  const secret = (type: string, data: object, annotations: object = {}): object => object('v1', 'Secret', { type, data }, { annotations });
  const ACCOUNT = 'kubernetes.io/service-account.name';
  check([
    ['is one mebibyte', secret('', { a: bytes(MIB / 2), b: bytes(MIB / 2) }), []],
    ['is no more', secret('', { a: bytes(MIB), b: bytes(1) }), ['data: Too long: must have at most 1048576 bytes']],
    ['has file names as keys', secret('', { 'b c': '' }), [`data[b c]: Invalid value: "b c": ${KEY}`]],
    ['of TLS has a certificate and a key', secret('kubernetes.io/tls', { 'tls.crt': '', 'tls.key': '' }), []],
    ['of TLS lacks the key', secret('kubernetes.io/tls', { 'tls.crt': '' }), ['data[tls.key]: Required value']],
    ['of TLS lacks both', secret('kubernetes.io/tls', {}), ['data[tls.crt]: Required value', 'data[tls.key]: Required value']],
    ['of an account names it', secret('kubernetes.io/service-account-token', {}, { [ACCOUNT]: 'a' }), []],
    [
      'of an account does not name it',
      secret('kubernetes.io/service-account-token', {}),
      [`metadata.annotations[${ACCOUNT}]: Required value`],
    ],
    [
      'of an account names none',
      secret('kubernetes.io/service-account-token', {}, { [ACCOUNT]: '' }),
      [`metadata.annotations[${ACCOUNT}]: Required value`],
    ],
    ['of a registry is there', secret('kubernetes.io/dockercfg', {}), ['data[.dockercfg]: Required value']],
    [
      'of a registry is under the key of its type',
      secret('kubernetes.io/dockerconfigjson', { '.dockercfg': base64OfText('{}') }),
      ['data[.dockerconfigjson]: Required value'],
    ],
    ['of a registry is an object', secret('kubernetes.io/dockerconfigjson', { '.dockerconfigjson': base64OfText('{"a":1}') }), []],
    ['of a registry may be null', secret('kubernetes.io/dockercfg', { '.dockercfg': base64OfText('null') }), []],
    ['of a user may be a name', secret('kubernetes.io/basic-auth', { username: '' }), []],
    ['of a shell has a key', secret('kubernetes.io/ssh-auth', { 'ssh-privatekey': bytes(1) }), []],
    ['of a shell lacks it', secret('kubernetes.io/ssh-auth', {}), ['data[ssh-privatekey]: Required value']],
    ['of another type has no rules', secret('kubernetes.io/other', {}), []],
  ]);
});

describe('a class of ingresses', () => {
  const ingressClass = (controller: string, parameters?: object): object =>
    object('networking.k8s.io/v1', 'IngressClass', { spec: { controller, ...(parameters === undefined ? {} : { parameters }) } });
  const to = { kind: 'K', name: 'n' };
  check([
    ['names a controller of 250 characters', ingressClass(`a.b/${'c'.repeat(246)}`), []],
    ['names no longer one', ingressClass(`a.b/${'c'.repeat(247)}`), ['spec.controller: Too long: must have at most 250 bytes']],
    ['has parameters in a namespace', ingressClass('a.b/c', { ...to, scope: 'Namespace', namespace: 'n' }), []],
    [
      'has parameters in no namespace',
      ingressClass('a.b/c', { ...to, scope: 'Namespace' }),
      ["spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'"],
    ],
    ['has parameters of the cluster', ingressClass('a.b/c', to), []],
    [
      'has parameters of the cluster and of a namespace',
      ingressClass('a.b/c', { ...to, namespace: 'n' }),
      ["spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'"],
    ],
  ]);
});

describe('a slice', () => {
  const slice = (endpoints: readonly object[], ports: readonly object[]): object =>
    object('discovery.k8s.io/v1', 'EndpointSlice', { addressType: 'IPv4', endpoints, ports });
  const endpoints = (count: number) => many(count, (at) => ({ addresses: [`10.0.${at >> 8}.${at & 255}`] }));
  const ports = (count: number) => many(count, (at) => ({ name: `p${at}`, port: at + 1 }));
  check([
    ['has 1000 endpoints', slice(endpoints(1000), ports(3)), []],
    ['has no more', slice(endpoints(1001), ports(1)), ['endpoints: Too many: 1001: must have at most 1000 items']],
  ]);
});

describe('a strategy of updates', () => {
  const containers = [{ name: 'c', image: 'i' }];
  const spec = { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec: { containers } } };
  const daemons = (updateStrategy: object): object => object('apps/v1', 'DaemonSet', { spec: { ...spec, updateStrategy } });
  const deployment = (strategy: object): object => object('apps/v1', 'Deployment', { spec: { ...spec, strategy } });
  const [down, up] = ['spec.updateStrategy.rollingUpdate.maxUnavailable', 'spec.updateStrategy.rollingUpdate.maxSurge'];
  const rolling = (rollingUpdate: object) => ({ type: 'RollingUpdate', rollingUpdate });
  check([
    ['of daemons may be none', daemons({}), []],
    ['of daemons may be that of deletions', daemons({ type: 'OnDelete' }), []],
    [
      'of daemons is known',
      daemons({ type: 'X' }),
      [
        'spec.updateStrategy: Unsupported value: apps.DaemonSetUpdateStrategy{Type:"X", RollingUpdate:(*apps.RollingUpdateDaemonSet)(nil)}: supported values: "RollingUpdate", "OnDelete"',
      ],
    ],
    ['of daemons either takes pods away', daemons(rolling({ maxUnavailable: '50%', maxSurge: 0 })), []],
    ['of daemons or adds them', daemons(rolling({ maxUnavailable: 0, maxSurge: '50%' })), []],
    [
      'of daemons does not do both',
      daemons(rolling({ maxUnavailable: 1, maxSurge: 1 })),
      [`${up}: Invalid value: intstr.IntOrString{Type:0, IntVal:1, StrVal:""}: may not be set when maxUnavailable is non-zero`],
    ],
    [
      'of daemons does one',
      daemons(rolling({ maxUnavailable: 0, maxSurge: '0%' })),
      [`${down}: Required value: cannot be 0 when maxSurge is 0`],
    ],
    ['of daemons takes away all', daemons(rolling({ maxUnavailable: '100%' })), []],
    [
      'of daemons takes away no more',
      daemons(rolling({ maxUnavailable: '101%' })),
      [`${down}: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"101%"}: must not be greater than 100%`],
    ],
    [
      'of daemons adds no more than all',
      daemons(rolling({ maxUnavailable: 0, maxSurge: '101%' })),
      [`${up}: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"101%"}: must not be greater than 100%`],
    ],
    ['of a deployment may be none', deployment({}), []],
    [
      'of a deployment is known',
      deployment({ type: 'X' }),
      [
        'spec.strategy: Unsupported value: apps.DeploymentStrategy{Type:"X", RollingUpdate:(*apps.RollingUpdateDeployment)(nil)}: supported values: "Recreate", "RollingUpdate"',
      ],
    ],
    [
      'of a deployment that recreates does not roll',
      deployment({ type: 'Recreate', rollingUpdate: { maxSurge: 1 } }),
      ["spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'"],
    ],
    ['of a deployment that recreates', deployment({ type: 'Recreate' }), []],
    [
      'of a deployment adds or takes away',
      deployment(rolling({ maxUnavailable: 0, maxSurge: '0%' })),
      [
        'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: intstr.IntOrString{Type:0, IntVal:0, StrVal:""}: may not be 0 when `maxSurge` is 0',
      ],
    ],
  ]);
});

describe('a budget', () => {
  const budget = (spec: object): object => object('policy/v1', 'PodDisruptionBudget', { spec });
  check([
    ['says how many stay', budget({ minAvailable: 0 }), []],
    ['says how many go', budget({ maxUnavailable: '100%' }), []],
    [
      'does not say both',
      budget({ minAvailable: 1, maxUnavailable: 1 }),
      [
        'spec: Invalid value: policy.PodDisruptionBudgetSpec{MinAvailable:(*intstr.IntOrString)(0xc000000000), Selector:(*v1.LabelSelector)(nil), MaxUnavailable:(*intstr.IntOrString)(0xc000000000)}: minAvailable and maxUnavailable cannot be both set',
      ],
    ],
    ['says neither', budget({}), []],
  ]);
});

describe('a Job of indexes', () => {
  const job = (name: string, spec: object): object =>
    object(
      'batch/v1',
      'Job',
      { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } }, ...spec } },
      { name },
    );
  const indexed = (completions: number) => ({ completionMode: 'Indexed', completions, parallelism: 1 });
  check([
    ['has names of pods that are host names', job('n'.repeat(61), indexed(10)), []],
    [
      'has names of pods that are too long',
      job('n'.repeat(61), indexed(11)),
      [`metadata.name: Invalid value: "${'n'.repeat(61)}": will not able to create pod with invalid DNS label: ${'n'.repeat(61)}-10`],
    ],
    ['may have none', job('n'.repeat(63), indexed(0)), []],
    ['that counts only may have long names', job('n'.repeat(63), { completions: 11 }), []],
  ]);
  const uncounted = (of: object) => ({ status: { uncountedTerminatedPods: of } });
  const at = { subresource: 'status' } as const;
  const path = 'status.uncountedTerminatedPods';
  checkChanges([
    ['lists ended pods once', job('x', {}), uncounted({ succeeded: ['a', 'b'], failed: ['c'] }), [], at],
    [
      'lists no pod twice, and names each',
      job('x', {}),
      uncounted({ succeeded: ['a', '', 'a'], failed: ['b', 'a', ''] }),
      [
        `${path}.succeeded[1]: Invalid value: "": must not be empty`,
        `${path}.succeeded[2]: Duplicate value: "a"`,
        `${path}.failed[1]: Duplicate value: "a"`,
        `${path}.failed[2]: Invalid value: "": must not be empty`,
      ],
      at,
    ],
  ]);
});
