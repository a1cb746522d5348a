/** What roles and their bindings may be: each rule at its edges. */
import { describe } from 'vitest';
import { check, NAME_PART, SUBDOMAIN } from './causes.ts';

const rbac = (kind: string, rest: object): object => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind,
  metadata: { name: 'r' },
  ...rest,
});
const role = (rest: object): object => rbac('Role', rest);
const clusterRole = (rest: object): object => rbac('ClusterRole', rest);
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'x' };
const binding = (rest: object): object => rbac('RoleBinding', { roleRef, ...rest });
const clusterBinding = (rest: object): object => rbac('ClusterRoleBinding', { roleRef, ...rest });

describe('a Role', () => {
  check([
    ['may have no rules', role({}), []],
    ['has the name of a path segment', role({ metadata: { name: 'a/b' } }), [`metadata.name: Invalid value: "a/b": may not contain '/'`]],
    ['may have any other name', role({ metadata: { name: 'a:B c' } }), []],
    [
      'allows verbs',
      role({ rules: [{ verbs: [], apiGroups: [''], resources: ['pods'] }] }),
      ['rules[0].verbs: Required value: verbs must contain at least one value'],
    ],
    [
      'allows resources of groups',
      role({ rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }, { verbs: ['get'] }] }),
      [
        'rules[1].apiGroups: Required value: resource rules must supply at least one api group',
        'rules[1].resources: Required value: resource rules must supply at least one resource',
      ],
    ],
    [
      'allows no paths',
      role({ rules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }] }),
      ['rules[0].nonResourceURLs: Invalid value: []string{"/x"}: namespaced rules cannot apply to non-resource URLs'],
    ],
  ]);
});

describe('a ClusterRole', () => {
  check([
    ['allows paths', clusterRole({ rules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }] }), []],
    [
      'allows paths or resources',
      clusterRole({ rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], nonResourceURLs: ['/x'] }] }),
      ['rules[0].nonResourceURLs: Invalid value: []string{"/x"}: rules cannot apply to both regular resources and non-resource URLs'],
    ],
    [
      'allows paths or names',
      clusterRole({ rules: [{ verbs: ['get'], resourceNames: ['a'], nonResourceURLs: ['/x'] }] }),
      ['rules[0].nonResourceURLs: Invalid value: []string{"/x"}: rules cannot apply to both regular resources and non-resource URLs'],
    ],
    [
      'allows paths or groups',
      clusterRole({ rules: [{ verbs: [], apiGroups: ['a'], nonResourceURLs: ['/x'] }] }),
      [
        'rules[0].verbs: Required value: verbs must contain at least one value',
        'rules[0].nonResourceURLs: Invalid value: []string{"/x"}: rules cannot apply to both regular resources and non-resource URLs',
      ],
    ],
    ['combines roles', clusterRole({ aggregationRule: { clusterRoleSelectors: [{}] } }), []],
    [
      'combines some',
      clusterRole({ aggregationRule: {} }),
      ['aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil'],
    ],
    [
      'combines those of selectors',
      clusterRole({
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: { 'a b': 'c' } }, { matchExpressions: [{ key: 'a', operator: 'X' }] }] },
      }),
      [
        `aggregationRule.clusterRoleSelectors[0].matchLabels: Invalid value: "a b": ${NAME_PART}`,
        'aggregationRule.clusterRoleSelectors[0]: Invalid value: "null": invalid label selector.',
        'aggregationRule.clusterRoleSelectors[1].matchExpressions[0].operator: Invalid value: "X": not a valid selector operator',
        'aggregationRule.clusterRoleSelectors[1]: Invalid value: "null": invalid label selector.',
      ],
    ],
  ]);
});

describe('a RoleBinding', () => {
  check([
    ['may grant to none', binding({}), []],
    [
      'grants a role',
      binding({ roleRef: { apiGroup: 'x', kind: 'X', name: '' } }),
      [
        'roleRef.apiGroup: Unsupported value: "x": supported values: "rbac.authorization.k8s.io"',
        'roleRef.kind: Unsupported value: "X": supported values: "Role", "ClusterRole"',
        'roleRef.name: Required value',
      ],
    ],
    [
      'grants a role with a name',
      binding({ roleRef: { kind: 'Role', name: 'a%b' } }),
      [`roleRef.name: Invalid value: "a%b": may not contain '%'`],
    ],
    [
      'grants to known subjects',
      binding({
        subjects: [
          { kind: 'X', name: 'a' },
          { kind: 'User', name: '' },
          { kind: 'Group', name: 'g', apiGroup: 'x' },
          { kind: 'ServiceAccount', name: 'A', apiGroup: 'x' },
          { kind: 'ServiceAccount', name: '' },
          { kind: 'Group', name: '' },
        ],
      }),
      [
        'subjects[0].kind: Unsupported value: "X": supported values: "ServiceAccount", "User", "Group"',
        'subjects[1].name: Required value',
        'subjects[1].name: Invalid value: "": user name cannot be empty',
        'subjects[2].apiGroup: Unsupported value: "x": supported values: "rbac.authorization.k8s.io"',
        `subjects[3].name: Invalid value: "A": ${SUBDOMAIN}`,
        'subjects[3].apiGroup: Unsupported value: "x": supported values: ""',
        'subjects[4].name: Required value',
        'subjects[5].name: Required value',
        'subjects[5].name: Invalid value: "": group name cannot be empty',
      ],
    ],
    [
      'grants to users, groups and accounts',
      binding({
        subjects: [
          { kind: 'User', name: 'u' },
          { kind: 'Group', name: 'a:b' },
          { kind: 'ServiceAccount', name: 'a' },
          { kind: 'ServiceAccount', name: 'a.b', namespace: 'n' },
        ],
      }),
      [],
    ],
  ]);
});

describe('a ClusterRoleBinding', () => {
  check([
    [
      'grants roles of the cluster',
      clusterBinding({ roleRef: { kind: 'Role', name: 'a' } }),
      ['roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"'],
    ],
    [
      'names the namespace of an account',
      clusterBinding({
        subjects: [
          { kind: 'ServiceAccount', name: 'a' },
          { kind: 'ServiceAccount', name: 'a', namespace: 'b' },
          { kind: 'Group', name: 'a' },
        ],
      }),
      ['subjects[0].namespace: Required value'],
    ],
  ]);
});
