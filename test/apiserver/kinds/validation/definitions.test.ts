/** What a CustomResourceDefinition may be: each rule at its edges. Schemas: test/apiserver/custom. */
import { describe, expect } from 'vitest';
import { check, SUBDOMAIN } from './causes.ts';

const LABEL_1035 =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const VERSION = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } };
const NAMES = { plural: 'tests', kind: 'Test' };

const definition = (spec: object): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'tests.example.com' },
  spec: { group: 'example.com', scope: 'Namespaced', names: NAMES, versions: [VERSION], ...spec },
});
const names = (more: object): object => definition({ names: { ...NAMES, ...more } });
const approved = (approval: string): object => ({
  ...definition({ group: 'a.k8s.io' }),
  metadata: { name: 'tests.a.k8s.io', annotations: { 'api-approved.kubernetes.io': approval } },
});

describe('a definition', () => {
  check([
    ['is complete', definition({}), []],
    [
      'has all its parts',
      definition({ group: '', scope: '', names: {}, versions: [] }),
      [
        'metadata.name: Invalid value: "tests.example.com": must be spec.names.plural+"."+spec.group',
        'spec.group: Required value',
        'spec.scope: Required value',
        'spec.versions: Invalid value: []string(nil): must have exactly one version marked as storage version',
        'spec.names.plural: Required value',
        'spec.names.singular: Required value',
        'spec.names.kind: Required value',
        'spec.names.listKind: Required value',
      ],
    ],
    [
      'has the name of its resource',
      definition({ group: 'example.org' }),
      ['metadata.name: Invalid value: "tests.example.com": must be spec.names.plural+"."+spec.group'],
    ],
    [
      'has a group',
      definition({ group: 'Example_' }),
      [
        'metadata.name: Invalid value: "tests.example.com": must be spec.names.plural+"."+spec.group',
        `spec.group: Invalid value: "Example_": ${SUBDOMAIN}`,
      ],
    ],
    [
      'has a group with a dot',
      definition({ group: 'example' }),
      [
        'metadata.name: Invalid value: "tests.example.com": must be spec.names.plural+"."+spec.group',
        'spec.group: Invalid value: "example": should be a domain with at least one dot',
      ],
    ],
    ['has a known scope', definition({ scope: 'X' }), ['spec.scope: Unsupported value: "X": supported values: "Cluster", "Namespaced"']],
    ['may be of the cluster', definition({ scope: 'Cluster' }), []],
    [
      'does not keep unknown fields',
      definition({ preserveUnknownFields: true }),
      [
        'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-preserve-unknown-fields to true in spec.versions[*].schema instead',
      ],
    ],
    [
      'has one version of a name',
      definition({
        versions: [VERSION, { ...VERSION, storage: false }],
      }),
      [expect.stringMatching(/^spec\.versions: Invalid value: .*: must contain unique version names$/) as string],
    ],
    [
      'has one version that is stored',
      definition({ versions: [{ ...VERSION, storage: false }] }),
      [expect.stringMatching(/^spec\.versions: Invalid value: .*: must have exactly one version marked as storage version$/) as string],
    ],
    [
      'has no more',
      definition({
        versions: [VERSION, { ...VERSION, name: 'v2' }],
      }),
      [expect.stringMatching(/^spec\.versions: Invalid value: .*: must have exactly one version marked as storage version$/) as string],
    ],
    [
      'may have others',
      definition({
        versions: [VERSION, { ...VERSION, name: 'v2', storage: false }],
      }),
      [],
    ],
    [
      'converts in a known way',
      definition({ conversion: { strategy: 'X' } }),
      ['spec.conversion.strategy: Unsupported value: "X": supported values: "None", "Webhook"'],
    ],
    ['converts in a way', definition({ conversion: { strategy: '' } }), ['spec.conversion.strategy: Required value']],
    [
      'has no webhook where it needs none',
      definition({
        conversion: { strategy: 'None', webhook: { clientConfig: { url: 'https://a.io' }, conversionReviewVersions: ['v1'] } },
      }),
      [
        'spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is not set to Webhook',
        'spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook',
      ],
    ],
    [
      'has a webhook where it needs one',
      definition({ conversion: { strategy: 'Webhook' } }),
      [
        'spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook',
        'spec.conversion.conversionReviewVersions: Required value',
      ],
    ],
    [
      'has a webhook that is called',
      definition({ conversion: { strategy: 'Webhook', webhook: { clientConfig: {}, conversionReviewVersions: ['v2'] } } }),
      [
        'spec.conversion.webhookClientConfig: Required value: exactly one of url or service is required',
        'spec.conversion.conversionReviewVersions: Invalid value: []string{"v2"}: must include at least one of v1, v1beta1',
      ],
    ],
    [
      'converts by a webhook',
      definition({
        conversion: {
          strategy: 'Webhook',
          webhook: { clientConfig: { url: 'https://a.io' }, conversionReviewVersions: ['v2', 'v1beta1'] },
        },
      }),
      [],
    ],
  ]);
});

describe('names', () => {
  check([
    [
      'are labels',
      names({ plural: 'Tests', singular: 'Test', kind: 'te_st', listKind: '1List', shortNames: ['t', 'T'], categories: ['All', 'all'] }),
      [
        'metadata.name: Invalid value: "tests.example.com": must be spec.names.plural+"."+spec.group',
        `spec.names.plural: Invalid value: "Tests": ${LABEL_1035}`,
        `spec.names.singular: Invalid value: "Test": ${LABEL_1035}`,
        `spec.names.kind: Invalid value: "te_st": may have mixed case, but should otherwise match: ${LABEL_1035}`,
        `spec.names.listKind: Invalid value: "1List": may have mixed case, but should otherwise match: ${LABEL_1035}`,
        `spec.names.shortNames[1]: Invalid value: "T": ${LABEL_1035}`,
        `spec.names.categories[0]: Invalid value: "All": ${LABEL_1035}`,
      ],
    ],
    [
      'differ for lists',
      names({ kind: 'Test', listKind: 'Test' }),
      ['spec.names.listKind: Invalid value: "Test": kind and listKind may not be the same'],
    ],
    ['may be mixed', names({ kind: 'TeSt', singular: 'a-b', listKind: 'TESTS', shortNames: ['t1'], categories: ['all'] }), []],
  ]);
});

describe('a group of the project', () => {
  check([
    [
      'is approved',
      approved(''),
      [
        'metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
      ],
    ],
    [
      'is approved by a URL',
      approved('yes'),
      [
        'metadata.annotations[api-approved.kubernetes.io]: Invalid value: "yes": protected groups must have approval annotation "api-approved.kubernetes.io" with either a URL or a reason starting with "unapproved", see https://github.com/kubernetes/enhancements/pull/1111',
      ],
    ],
    ['is approved at a URL', approved('https://a.io/1'), []],
    ['may be said not to be', approved('unapproved, a test'), []],
    [
      'has a host in its URL',
      approved('https:///1'),
      [
        'metadata.annotations[api-approved.kubernetes.io]: Invalid value: "https:///1": protected groups must have approval annotation "api-approved.kubernetes.io" with either a URL or a reason starting with "unapproved", see https://github.com/kubernetes/enhancements/pull/1111',
      ],
    ],
  ]);
});
