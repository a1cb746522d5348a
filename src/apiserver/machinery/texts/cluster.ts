/**
 * Nodes, namespaces, runtime classes, APIServices, access control, quotas and others. Source: spec, "Node", "RuntimeClass", "APIService",
 * "Role".
 */
import type { Texts } from './texts.ts';

export const CLUSTER: Texts = {
  PolicyRule: {
    '': 'Something that may be done: about resources or about paths, never both.',
    verbs: 'get, list, watch, create, update, patch, delete, deletecollection and others; * for all.',
    apiGroups: 'Groups of the resources; the core group is "", * for all.',
    resources: 'Plurals, with a sub-resource as in jobs/status; * for all.',
    resourceNames: 'Only objects of these names; empty: all. Says nothing about creating and listing.',
    nonResourceURLs: 'Paths, with * as the whole last element. Only through a ClusterRoleBinding.',
  },
  Subject: {
    '': 'Somebody.',
    kind: 'User, Group or ServiceAccount.',
    apiGroup: 'Group of the kind; empty for service accounts.',
    name: 'The name.',
    namespace: 'Of a service account.',
  },
  RoleRef: { '': 'A role.', apiGroup: 'Its group.', kind: 'Role or ClusterRole.', name: 'Its name.' },
};
