/** What is valid of the resources that a pod requires, of its tolerations and its spread. */
import { describe } from 'vitest';
import { check, containerOf, NAME_PART, podOf } from './causes.ts';

/** With `requests.` before it, its domain is too long by one character. */
const LONG = `${'a'.repeat(243)}.b/c`;

describe('resources of containers', () => {
  const resources = (limits: object, requests: object = {}) => containerOf({ resources: { limits, requests } });
  check([
    [
      'may be native, extended or huge pages',
      resources(
        {
          cpu: '1',
          memory: '1Gi',
          'ephemeral-storage': '0',
          'a.b/gpu': '2',
          'hugepages-2Mi': '4Mi',
          'hugepages-1Gi': '0',
          'xkubernetes.io/x': '1m',
          [LONG.slice(1)]: '1',
        },
        { cpu: '1', memory: '512Mi', 'a.b/gpu': '2', 'a.orch.io/x': '1500m', 'kubernetes.io/y': '1' },
      ),
      [],
    ],
    [
      'have known names',
      resources(
        { 'a b': '1', pods: '1', storage: '1', foo: '1', 'requests.cpu': '1', 'requests.hugepages-2Mi': '2Mi', 'requests.a/b': '1' },
        { [LONG]: '1' },
      ),
      [
        `spec.containers[0].resources.limits[a b]: Invalid value: "a b": ${NAME_PART}`,
        'spec.containers[0].resources.limits[a b]: Invalid value: "a b": must be a standard resource for containers',
        'spec.containers[0].resources.limits[foo]: Invalid value: "foo": must be a standard resource type or fully qualified',
        'spec.containers[0].resources.limits[foo]: Invalid value: "foo": must be a standard resource for containers',
        'spec.containers[0].resources.limits[pods]: Invalid value: "pods": must be a standard resource for containers',
        'spec.containers[0].resources.limits[requests.a/b]: Invalid value: "requests.a/b": doesn\'t follow extended resource name standard',
        'spec.containers[0].resources.limits[requests.cpu]: Invalid value: "requests.cpu": must be a standard resource for containers',
        'spec.containers[0].resources.limits[requests.hugepages-2Mi]: Invalid value: "requests.hugepages-2Mi": must be a standard resource for containers',
        'spec.containers[0].resources.limits[storage]: Invalid value: "storage": must be a standard resource for containers',
        `spec.containers[0].resources.requests[a b]: Invalid value: "a b": ${NAME_PART}`,
        'spec.containers[0].resources.requests[a b]: Invalid value: "a b": must be a standard resource for containers',
        `spec.containers[0].resources.requests[${LONG}]: Invalid value: "${LONG}": doesn't follow extended resource name standard`,
        'spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources',
        'spec.containers[0].resources.requests[foo]: Invalid value: "foo": must be a standard resource type or fully qualified',
        'spec.containers[0].resources.requests[foo]: Invalid value: "foo": must be a standard resource for containers',
        'spec.containers[0].resources.requests[pods]: Invalid value: "pods": must be a standard resource for containers',
        'spec.containers[0].resources.requests[requests.a/b]: Invalid value: "requests.a/b": doesn\'t follow extended resource name standard',
        'spec.containers[0].resources.requests[requests.cpu]: Invalid value: "requests.cpu": must be a standard resource for containers',
        'spec.containers[0].resources.requests[requests.hugepages-2Mi]: Invalid value: "requests.hugepages-2Mi": must be a standard resource for containers',
        'spec.containers[0].resources.requests[storage]: Invalid value: "storage": must be a standard resource for containers',
      ],
    ],
    [
      'are whole, not negative, and below their limit',
      resources(
        {
          cpu: '-1',
          memory: '1',
          'a.b/gpu': '1500m',
          'a.b/tpu': '2',
          'hugepages-2Mi': '2Mi',
          'hugepages-3Mi': '1Mi',
          'hugepages-x': '1',
          'hugepages-0': '1',
          'hugepages-1m': '1',
        },
        { cpu: '0', memory: '2', 'a.b/tpu': '1', 'a.b/vpu': '1', 'hugepages-2Mi': '4Mi', 'hugepages-64Ki': '64Ki' },
      ),
      [
        'spec.containers[0].resources.limits[a.b/gpu]: Invalid value: resource.Quantity{i:resource.int64Amount{value:1500, scale:-3}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"1500m", Format:"DecimalSI"}: must be an integer',
        'spec.containers[0].resources.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0',
        'spec.containers[0].resources.limits[hugepages-0]: Invalid value: "1": 1 is not positive integer multiple of hugepages-0',
        'spec.containers[0].resources.limits[hugepages-1m]: Invalid value: "1": 1 is not positive integer multiple of hugepages-1m',
        'spec.containers[0].resources.limits[hugepages-3Mi]: Invalid value: "1Mi": 1Mi is not positive integer multiple of hugepages-3Mi',
        'spec.containers[0].resources.limits[hugepages-x]: Invalid value: "1": 1 is not positive integer multiple of hugepages-x',
        'spec.containers[0].resources.requests[a.b/gpu]: Invalid value: resource.Quantity{i:resource.int64Amount{value:1500, scale:-3}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"1500m", Format:"DecimalSI"}: must be an integer',
        'spec.containers[0].resources.requests: Invalid value: "1": must be equal to a.b/tpu limit',
        'spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources',
        'spec.containers[0].resources.requests: Invalid value: "0": must be less than or equal to cpu limit',
        'spec.containers[0].resources.requests[hugepages-0]: Invalid value: "1": 1 is not positive integer multiple of hugepages-0',
        'spec.containers[0].resources.requests[hugepages-1m]: Invalid value: "1": 1 is not positive integer multiple of hugepages-1m',
        'spec.containers[0].resources.requests: Invalid value: "4Mi": must be equal to hugepages-2Mi limit',
        'spec.containers[0].resources.requests[hugepages-3Mi]: Invalid value: "1Mi": 1Mi is not positive integer multiple of hugepages-3Mi',
        'spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources',
        'spec.containers[0].resources.requests[hugepages-x]: Invalid value: "1": 1 is not positive integer multiple of hugepages-x',
        'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to memory limit',
      ],
    ],
    [
      'of huge pages alone need memory or a processor',
      resources({ 'hugepages-2Mi': '2Mi' }),
      ['spec.containers[0].resources: Forbidden: HugePages require cpu or memory'],
    ],
    ['of huge pages may go with memory alone', resources({ 'hugepages-2Mi': '2Mi', memory: '1' }), []],
    ['of huge pages may go with a request of a processor', resources({ 'hugepages-2Mi': '2Mi' }, { cpu: '1' }), []],
    [
      'of huge pages do not go with storage alone',
      resources({ 'hugepages-2Mi': '2Mi', 'ephemeral-storage': '1' }),
      ['spec.containers[0].resources: Forbidden: HugePages require cpu or memory'],
    ],
    [
      'of a runtime are limits',
      podOf({ overhead: { cpu: '-1', foo: '1' } }),
      ['pods "p" is forbidden: pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead'],
    ],
  ]);
});

describe('tolerations', () => {
  const tolerations = (...all: readonly object[]) => podOf({ tolerations: all });
  check([
    [
      'may be of a key, of a value and of everything',
      tolerations(
        { operator: 'Exists' },
        { key: 'a' },
        { key: 'a', value: 'b', effect: 'NoSchedule' },
        { key: 'a.b/c', operator: 'Equal', value: 'b', effect: 'PreferNoSchedule' },
        { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: -1 },
      ),
      [],
    ],
    [
      'have a key, a value and an effect that go together',
      tolerations(
        {},
        { operator: 'Equal', value: 'b' },
        { key: 'a b', operator: 'Exists' },
        { key: 'a', value: 'b c' },
        { key: 'a', operator: 'Exists', value: 'b', tolerationSeconds: 1, effect: 'NoSchedule' },
        { key: 'a', operator: 'Like', value: 'b c', effect: 'Never' },
        { key: 'a', operator: 'Exists', tolerationSeconds: 1 },
      ),
      [
        'spec.tolerations[0].operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys"',
        'spec.tolerations[1].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
        `spec.tolerations[2].key: Invalid value: "a b": ${NAME_PART}`,
        "spec.tolerations[3].operator: Invalid value: \"b c\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
        'spec.tolerations[4].effect: Invalid value: "NoSchedule": effect must be \'NoExecute\' when `tolerationSeconds` is set',
        'spec.tolerations[4].operator: Invalid value: core.Toleration{Key:"a", Operator:"Exists", Value:"b", Effect:"NoSchedule", TolerationSeconds:(*int64)(0xc000000000)}: value must be empty when `operator` is \'Exists\'',
        'spec.tolerations[5].operator: Unsupported value: "Like": supported values: "Equal", "Exists"',
        'spec.tolerations[5].effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
        'spec.tolerations[6].effect: Invalid value: "": effect must be \'NoExecute\' when `tolerationSeconds` is set',
      ],
    ],
  ]);
});

describe('topology spread', () => {
  const constraint = (more: object) => ({ maxSkew: 1, topologyKey: 'k', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {}, ...more });
  check([
    [
      'has distinct pairs of key and action, and a positive skew',
      podOf({
        topologySpreadConstraints: [
          constraint({}),
          constraint({ whenUnsatisfiable: 'ScheduleAnyway' }),
          constraint({ topologyKey: 'l', maxSkew: 0 }),
          constraint({ topologyKey: '', maxSkew: -1, whenUnsatisfiable: 'Never' }),
          constraint({ topologyKey: 'm', whenUnsatisfiable: '' }),
          constraint({ maxSkew: 2 }),
        ],
      }),
      [
        'spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{k, DoNotSchedule}"',
        'spec.topologySpreadConstraints[2].maxSkew: Invalid value: 0: must be greater than zero',
        'spec.topologySpreadConstraints[3].maxSkew: Invalid value: -1: must be greater than zero',
        'spec.topologySpreadConstraints[3].topologyKey: Required value: can not be empty',
        'spec.topologySpreadConstraints[3].whenUnsatisfiable: Unsupported value: "Never": supported values: "DoNotSchedule", "ScheduleAnyway"',
        'spec.topologySpreadConstraints[4].whenUnsatisfiable: Unsupported value: "": supported values: "DoNotSchedule", "ScheduleAnyway"',
      ],
    ],
  ]);
});
