/**
 * Nodes, namespaces, runtime classes, APIServices, access control, quotas and others. Source: spec, "Node", "RuntimeClass", "APIService",
 * "Role".
 */
import type { Texts } from './texts.ts';

export const CLUSTER: Texts = {
  PolicyRule: {
    '': 'A permission: on resources or on paths, never both.',
    verbs: 'get, list, watch, create, update, patch, delete, deletecollection and others; * for all.',
    apiGroups: 'Groups of the resources; the core group is "", * for all.',
    resources: 'Plurals, with a sub-resource as in jobs/status; * for all.',
    resourceNames: 'Only objects of these names; empty: all. Does not apply to create and list.',
    nonResourceURLs: 'Paths, with * as the whole last element. Only through a ClusterRoleBinding.',
  },
  Subject: {
    '': 'A user, group or service account.',
    kind: 'User, Group or ServiceAccount.',
    apiGroup: 'Group of the kind; empty for service accounts.',
    name: 'The name.',
    namespace: 'Of a service account.',
  },
  RoleRef: { '': 'A role.', apiGroup: 'Its group.', kind: 'Role or ClusterRole.', name: 'Its name.' },
};
