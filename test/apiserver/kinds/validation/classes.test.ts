/** What classes of priorities and ingresses may be: each rule at its edges. */
import { describe } from 'vitest';
import { check, LABEL, SUBDOMAIN } from './causes.ts';

const priority = ([name, rest]: readonly [name: string, rest: object]): object => ({
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name },
  ...rest,
});
const ingress = (spec: object): object => ({ apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass', metadata: { name: 'i' }, spec });

describe('a PriorityClass', () => {
  check([
    ['of a user has at most a billion', priority(['a', { value: 1000000000 }]), []],
    [
      'of a user has no more',
      priority(['a', { value: 1000000001 }]),
      ['value: Forbidden: maximum allowed value of a user defined priority is 1000000000'],
    ],
    ['may be below zero, and never preempt', priority(['a', { value: -5, preemptionPolicy: 'Never' }]), []],
    [
      'preempts or not',
      priority(['a', { value: 1, preemptionPolicy: 'X' }]),
      ['preemptionPolicy: Unsupported value: "X": supported values: "PreemptLowerPriority", "Never"'],
    ],
    ['of nodes is known', priority(['system-node-critical', { value: 2000001000 }]), []],
    ['of the cluster is known', priority(['system-cluster-critical', { value: 2000000000 }]), []],
    [
      'of the system has its value',
      priority(['system-node-critical', { value: 1 }]),
      [
        "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: value of system-node-critical PriorityClass must be 2000001000",
      ],
    ],
    [
      'of the system has its value, too',
      priority(['system-cluster-critical', { value: 2000001000 }]),
      [
        "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: value of system-cluster-critical PriorityClass must be 2000000000",
      ],
    ],
    [
      'of the system is not made',
      priority(['system-x', { value: 1 }]),
      [
        "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-x is not a known system priority class",
      ],
    ],
  ]);
});

describe('an IngressClass', () => {
  check([
    ['has a controller', ingress({}), ['spec.controller: Required value']],
    [
      'has a controller in a domain',
      ingress({ controller: 'a' }),
      ['spec.controller: Invalid value: "a": must be a domain-prefixed path (such as "acme.io/foo")'],
    ],
    ['needs no more', ingress({ controller: 'a.b/c' }), []],
    [
      'has parameters with a kind and a name',
      ingress({ controller: 'a.b/c', parameters: { apiGroup: 'A', kind: '', name: '', scope: 'X' } }),
      [
        `spec.parameters.apiGroup: Invalid value: "A": ${SUBDOMAIN}`,
        'spec.parameters.kind: Required value: kind is required',
        'spec.parameters.name: Required value: name is required',
        'spec.parameters.scope: Unsupported value: "X": supported values: "Cluster", "Namespace"',
      ],
    ],
    [
      'has parameters at a path',
      ingress({ controller: 'a.b/c', parameters: { kind: 'a/b', name: '..' } }),
      [`spec.parameters.kind: Invalid value: "a/b": may not contain '/'`, `spec.parameters.name: Invalid value: "..": may not be '..'`],
    ],
    [
      'has parameters of the cluster in no namespace',
      ingress({ controller: 'a.b/c', parameters: { kind: 'a', name: 'b', namespace: 'x' } }),
      ["spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'"],
    ],
    [
      'has parameters of a namespace in one',
      ingress({ controller: 'a.b/c', parameters: { kind: 'a', name: 'b', scope: 'Namespace' } }),
      ["spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'"],
    ],
    [
      'has parameters in a namespace with a name',
      ingress({ controller: 'a.b/c', parameters: { kind: 'a', name: 'b', scope: 'Namespace', namespace: 'A' } }),
      [`spec.parameters.namespace: Invalid value: "A": ${LABEL}`],
    ],
    [
      'has parameters in a namespace',
      ingress({ controller: 'a.b/c', parameters: { kind: 'a', name: 'b', scope: 'Namespace', namespace: 'a' } }),
      [],
    ],
  ]);
});
