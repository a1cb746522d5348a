/** What webhook configurations may be: each rule at its edges. */
import { describe } from 'vitest';
import { check, NAME_PART, SUBDOMAIN } from './causes.ts';

const HOOK = { name: 'a.example.com', clientConfig: { url: 'https://a.io/x' }, sideEffects: 'None', admissionReviewVersions: ['v1'] };
const RULE = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };

const hook = (more: object): object => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  metadata: { name: 'w' },
  webhooks: [{ ...HOOK, ...more }],
});
const validating = (more: object): object => ({ ...hook(more), kind: 'ValidatingWebhookConfiguration' });
const rule = (more: object): object => hook({ rules: [{ ...RULE, ...more }] });

describe('a webhook', () => {
  check([
    ['has what it needs', hook({}), []],
    ['has a name', hook({ name: '' }), ['webhooks[0].name: Required value']],
    ['has a name that is one', hook({ name: 'A.b.c' }), [`webhooks[0].name: Invalid value: "A.b.c": ${SUBDOMAIN}`]],
    [
      'has a name of three parts',
      hook({ name: 'a.b' }),
      ['webhooks[0].name: Invalid value: "a.b": should be a domain with at least three segments separated by dots'],
    ],
    [
      'fails in a known way',
      hook({ failurePolicy: 'X' }),
      ['webhooks[0].failurePolicy: Unsupported value: "X": supported values: "Fail", "Ignore"'],
    ],
    [
      'matches in a known way',
      hook({ matchPolicy: 'X' }),
      ['webhooks[0].matchPolicy: Unsupported value: "X": supported values: "Equivalent", "Exact"'],
    ],
    [
      'is asked again in a known way',
      hook({ reinvocationPolicy: 'X' }),
      ['webhooks[0].reinvocationPolicy: Unsupported value: "X": supported values: "IfNeeded", "Never"'],
    ],
    [
      'says its side effects',
      hook({ sideEffects: null }),
      ['webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun'],
    ],
    [
      'has none when it is dry',
      hook({ sideEffects: 'Some' }),
      ['webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"'],
    ],
    ['may have none only when it is dry', hook({ sideEffects: 'NoneOnDryRun' }), []],
    ['waits a second', hook({ timeoutSeconds: 1 }), []],
    [
      'waits at least that',
      hook({ timeoutSeconds: 0 }),
      ['webhooks[0].timeoutSeconds: Invalid value: 0: the timeout value must be between 1 and 30 seconds'],
    ],
    ['waits thirty seconds', hook({ timeoutSeconds: 30 }), []],
    [
      'waits no longer',
      hook({ timeoutSeconds: 31 }),
      ['webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds'],
    ],
    [
      'selects by labels',
      hook({ namespaceSelector: { matchLabels: { 'a b': 'c' } }, objectSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }),
      [
        `webhooks[0].namespaceSelector.matchLabels: Invalid value: "a b": ${NAME_PART}`,
        "webhooks[0].objectSelector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      ],
    ],
    [
      'names versions of reviews',
      hook({ admissionReviewVersions: [] }),
      ['webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1'],
    ],
    [
      'names one that is known',
      hook({ admissionReviewVersions: ['v2', 'v1alpha1'] }),
      ['webhooks[0].admissionReviewVersions: Invalid value: []string{"v2", "v1alpha1"}: must include at least one of v1, v1beta1'],
    ],
    ['may name others', hook({ admissionReviewVersions: ['v2', 'v1beta1'] }), []],
    [
      'is called in one way',
      hook({ clientConfig: {} }),
      ['webhooks[0].clientConfig: Required value: exactly one of url or service is required'],
    ],
    [
      'is not called in two',
      hook({ clientConfig: { url: 'https://a.io', service: { name: 'a', namespace: 'b' } } }),
      ['webhooks[0].clientConfig: Required value: exactly one of url or service is required'],
    ],
    [
      'is called safely',
      hook({ clientConfig: { url: 'http://a.io' } }),
      [`webhooks[0].clientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`],
    ],
    [
      'is called at a host',
      hook({ clientConfig: { url: 'https:///x' } }),
      ['webhooks[0].clientConfig.url: Invalid value: "": host must be specified; desired format: https://host[/path]'],
    ],
    [
      'is called at a URL',
      hook({ clientConfig: { url: 'https://a b/x' } }),
      [
        'webhooks[0].clientConfig.url: Required value: url must be a valid URL: parse "https://a b/x": invalid character " " in host name; desired format: https://host[/path]',
      ],
    ],
    [
      'is called at printable characters',
      hook({ clientConfig: { url: 'https://a/\u007f' } }),
      [
        'webhooks[0].clientConfig.url: Required value: url must be a valid URL: parse "https://a/\\x7f": net/url: invalid control character in URL; desired format: https://host[/path]',
      ],
    ],
    ['may be called at a host and a port', hook({ clientConfig: { url: 'HTTPS://a.io:8443/x/y' } }), []],
    [
      'is called without a user, a query or a fragment',
      hook({ clientConfig: { url: 'https://u:p@a.io/x?q=1#f' } }),
      [
        'webhooks[0].clientConfig.url: Invalid value: "u:p": user information is not permitted in the URL',
        'webhooks[0].clientConfig.url: Invalid value: "f": fragments are not permitted in the URL',
        'webhooks[0].clientConfig.url: Invalid value: "q=1": query parameters are not permitted in the URL',
      ],
    ],
    [
      'has a service with a name',
      hook({ clientConfig: { service: { name: '', namespace: '' } } }),
      ['webhooks[0].clientConfig.service.name: Required value', 'webhooks[0].clientConfig.service.namespace: Required value'],
    ],
    [
      'has a path',
      hook({ clientConfig: { service: { name: 'a', namespace: 'b', path: 'x', port: 0 } } }),
      [
        'webhooks[0].clientConfig.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive',
        `webhooks[0].clientConfig.service.path: Invalid value: "x": must start with a '/'`,
        'webhooks[0].clientConfig.service.path: Invalid value: "x": segment[0] may not be empty',
      ],
    ],
    ['may have the shortest path', hook({ clientConfig: { service: { name: 'a', namespace: 'b', path: '/', port: 65535 } } }), []],
    [
      'has a path that begins with a slash',
      hook({ clientConfig: { service: { name: 'a', namespace: 'b', path: 'xa/B' } } }),
      [
        `webhooks[0].clientConfig.service.path: Invalid value: "xa/B": must start with a '/'`,
        `webhooks[0].clientConfig.service.path: Invalid value: "xa/B": segment[1]: ${SUBDOMAIN}`,
      ],
    ],
    ['may end with a slash', hook({ clientConfig: { service: { name: 'a', namespace: 'b', path: '/a/b/', port: 1 } } }), []],
    [
      'has a path of segments',
      hook({ clientConfig: { service: { name: 'a', namespace: 'b', path: '/x//y', port: 65536 } } }),
      [
        'webhooks[0].clientConfig.service.port: Invalid value: 65536: port is not valid: must be between 1 and 65535, inclusive',
        'webhooks[0].clientConfig.service.path: Invalid value: "/x//y": segment[1] may not be empty',
      ],
    ],
  ]);
});

describe('a validating webhook', () => {
  check([
    ['has what it needs', validating({}), []],
    [
      'matches in a known way',
      validating({ matchPolicy: 'X', failurePolicy: 'X' }),
      [
        'webhooks[0].failurePolicy: Unsupported value: "X": supported values: "Fail", "Ignore"',
        'webhooks[0].matchPolicy: Unsupported value: "X": supported values: "Equivalent", "Exact"',
      ],
    ],
    [
      'selects by labels',
      validating({ objectSelector: { matchLabels: { 'a b': 'c' } } }),
      [`webhooks[0].objectSelector.matchLabels: Invalid value: "a b": ${NAME_PART}`],
    ],
  ]);
});

describe('a rule', () => {
  check([
    [
      'matches something',
      rule({ operations: [], apiGroups: [], apiVersions: [], resources: [] }),
      [
        'webhooks[0].rules[0].operations: Required value',
        'webhooks[0].rules[0].apiGroups: Required value',
        'webhooks[0].rules[0].apiVersions: Required value',
        'webhooks[0].rules[0].resources: Required value',
      ],
    ],
    [
      'matches known operations',
      rule({ operations: ['create', 'CONNECT', 'DELETE', 'UPDATE'] }),
      ['webhooks[0].rules[0].operations[0]: Unsupported value: "create": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"'],
    ],
    [
      'matches all, or some',
      rule({ operations: ['*', 'CREATE'], apiGroups: ['*', ''], apiVersions: ['*', 'v1'] }),
      [
        `webhooks[0].rules[0].operations: Invalid value: []string{"*", "CREATE"}: if '*' is present, must not specify other operations`,
        `webhooks[0].rules[0].apiGroups: Invalid value: []string{"*", ""}: if '*' is present, must not specify other API groups`,
        `webhooks[0].rules[0].apiVersions: Invalid value: []string{"*", "v1"}: if '*' is present, must not specify other API versions`,
      ],
    ],
    ['matches all', rule({ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], scope: '*' }), []],
    [
      'has no empty names',
      rule({ apiVersions: ['v1', ''], resources: ['pods', ''] }),
      ['webhooks[0].rules[0].apiVersions[1]: Required value', 'webhooks[0].rules[0].resources[1]: Required value'],
    ],
    [
      'matches all resources, or some',
      rule({ resources: ['*/*', 'pods'] }),
      [`webhooks[0].rules[0].resources: Invalid value: []string{"*/*", "pods"}: if '*/*' is present, must not specify other resources`],
    ],
    [
      'matches all without their parts, or some',
      rule({ resources: ['*', 'pods'] }),
      [
        `webhooks[0].rules[0].resources: Invalid value: []string{"*", "pods"}: if '*' is present, must not specify other resources without subresources`,
      ],
    ],
    ['matches all and parts of some', rule({ resources: ['*', 'pods/status', '*/scale'] }), []],
    [
      'has a known scope',
      rule({ scope: 'X' }),
      ['webhooks[0].rules[0].scope: Unsupported value: "X": supported values: "*", "Cluster", "Namespaced"'],
    ],
    ['has a scope', rule({ scope: 'Namespaced' }), []],
  ]);
});
