/** Limits and quotas of which the members do not fit each other. */
import { describe } from 'vitest';
import { check } from './causes.ts';
import { checkChanges } from './changes.ts';

const object = (apiVersion: string, kind: string, rest: object, metadata: object = {}): object => ({
  apiVersion,
  kind,
  metadata: { name: 'x', ...metadata },
  ...rest,
});
const amount = (value: number, scale = 0): string =>
  `resource.Quantity{i:resource.int64Amount{value:${value}, scale:${scale}}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"${value}", Format:"DecimalSI"}`;

describe('limits', () => {
  const limits = (...items: readonly object[]): object => object('v1', 'LimitRange', { spec: { limits: items } });
  const of = (bounds: object): object => limits({ type: 'Container', ...bounds });
  const at = 'spec.limits[0]';
  check([
    [
      'of each type are given once',
      limits({ type: 'Pod' }, { type: 'Container' }, { type: 'Pod' }),
      ['spec.limits[2].type: Duplicate value: "Pod"'],
    ],
    ['of claims may be a minimum of storage', limits({ type: 'PersistentVolumeClaim', min: { storage: '1' } }), []],
    ['of claims may be a maximum of storage', limits({ type: 'PersistentVolumeClaim', max: { storage: '1' } }), []],
    [
      'of pods have no default requests',
      limits({ type: 'Pod', defaultRequest: { cpu: '1' } }),
      ["spec.limits[0].defaultRequest: Forbidden: may not be specified when `type` is 'Pod'"],
    ],
    ['of pods may say that they have no defaults', limits({ type: 'Pod', default: {}, defaultRequest: {} }), []],
    [
      'may be all the same',
      of({ min: { cpu: '1' }, max: { cpu: '1' }, default: { cpu: '1' }, defaultRequest: { cpu: '1' }, maxLimitRequestRatio: { cpu: '1' } }),
      [],
    ],
    [
      'have a default request below the maximum',
      of({ max: { cpu: '1' }, default: { cpu: '1' }, defaultRequest: { cpu: '2' } }),
      [
        `${at}.defaultRequest[cpu]: Invalid value: ${amount(2)}: default request value 2 is greater than max value 1`,
        `${at}.defaultRequest[cpu]: Invalid value: ${amount(2)}: default request value 2 is greater than default limit value 1`,
      ],
    ],
    [
      'have a default below the maximum',
      of({ max: { cpu: '1' }, default: { cpu: '2' }, defaultRequest: { cpu: '1' } }),
      [`${at}.default[cpu]: Invalid value: ${amount(1)}: default value 2 is greater than max value 1`],
    ],
    [
      'have a ratio of one or more',
      of({ maxLimitRequestRatio: { cpu: '0' } }),
      [`${at}.maxLimitRequestRatio[cpu]: Invalid value: ${amount(0)}: ratio 0 is less than 1`],
    ],
    ['have a ratio that the bounds allow', of({ min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '2' } }), []],
    [
      'of huge pages have equal defaults',
      of({ default: { 'hugepages-2Mi': '4' }, defaultRequest: { 'hugepages-2Mi': '2' } }),
      [
        `${at}.defaultRequest[hugepages-2Mi]: Invalid value: ${amount(2)}: default value 4 must equal to defaultRequest value 2 in hugepages-2Mi`,
      ],
    ],
    ['of huge pages may be equal', of({ default: { 'hugepages-2Mi': '4' }, defaultRequest: { 'hugepages-2Mi': '4' } }), []],
  ]);
});

describe('a quota', () => {
  const quota = (spec: object): object => object('v1', 'ResourceQuota', { spec });
  const selecting = (...matchExpressions: readonly object[]): object => quota({ scopeSelector: { matchExpressions } });
  const field = 'spec.scopeSelector.matchExpressions';
  const scope = (scopeName: string, operator: string, values?: readonly string[]) => ({
    scopeName,
    operator,
    ...(values === undefined ? {} : { values }),
  });
  check([
    [
      'has known scopes',
      quota({ scopes: ['Other'] }),
      ['spec.scopes: Invalid value: []core.ResourceQuotaScope{"Other"}: unsupported scope'],
    ],
    [
      'counts what its scope has',
      quota({ hard: { pods: '1', configmaps: '1' }, scopes: ['BestEffort'] }),
      ['spec.scopes: Invalid value: []core.ResourceQuotaScope{"BestEffort"}: unsupported scope applied to resource'],
    ],
    ['counts pods of a scope', quota({ hard: { pods: '1' }, scopes: ['BestEffort', 'Terminating'] }), []],
    [
      'has no opposite scopes, each pair of which is an error',
      quota({ hard: { pods: '1' }, scopes: ['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating'] }),
      ['conflicting scopes', 'conflicting scopes'].map(
        (why) =>
          `spec.scopes: Invalid value: []core.ResourceQuotaScope{"BestEffort", "NotBestEffort", "Terminating", "NotTerminating"}: ${why}`,
      ),
    ],
    [
      'selects classes by value or existence',
      selecting(
        scope('PriorityClass', 'In', ['a']),
        scope('PriorityClass', 'NotIn', ['b']),
        scope('PriorityClass', 'Exists'),
        scope('PriorityClass', 'DoesNotExist'),
      ),
      [],
    ],
    [
      'selects by known operators',
      selecting(scope('PriorityClass', 'Near')),
      [`${field}.operator: Invalid value: "Near": not a valid selector operator`],
    ],
    [
      'selects by values where there are some',
      selecting(scope('PriorityClass', 'NotIn')),
      [`${field}.values: Required value: must be at least one value when \`operator\` is 'In' or 'NotIn' for scope selector`],
    ],
    [
      'selects by existence without values',
      selecting(scope('PriorityClass', 'DoesNotExist', ['a'])),
      [`${field}.values: Invalid value: []string{"a"}: must be no value when \`operator\` is 'Exist' or 'DoesNotExist' for scope selector`],
    ],
    [
      'selects no opposite scopes',
      selecting(scope('BestEffort', 'Exists'), scope('NotBestEffort', 'Exists')),
      [`${field}: Invalid value: []core.ResourceQuotaScope(nil): conflicting scopes`],
    ],
  ]);
  checkChanges([
    [
      'keeps its scopes, in any order',
      quota({ scopes: ['BestEffort', 'Terminating'] }),
      { spec: { scopes: ['Terminating', 'BestEffort'] } },
      [],
    ],
    [
      'gets no further scope',
      quota({ scopes: ['BestEffort'] }),
      { spec: { scopes: ['BestEffort', 'Terminating'] } },
      ['spec.scopes: Invalid value: []core.ResourceQuotaScope{"BestEffort", "Terminating"}: field is immutable'],
    ],
    [
      'loses no scope',
      quota({ scopes: ['BestEffort'] }),
      { spec: { scopes: null } },
      ['spec.scopes: Invalid value: []core.ResourceQuotaScope(nil): field is immutable'],
    ],
  ]);
});
