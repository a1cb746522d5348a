/** The permissions of roles, which the authorizer reads. Models: v1.24 rbac/v1 PolicyRule. */
import { field, type Infer, list, obj, published, str } from '../../schema/shape/index.ts';

export const policyRule = obj('PolicyRule', 'A permission: on resources or on paths, never both.', {
  verbs: field(1, 'get, list, watch, create, update, patch, delete, deletecollection and others; * for all.', published(list(str()))),
  apiGroups: field(2, 'Groups of the resources; the core group is "", * for all.', list(str())),
  resources: field(3, 'Plurals, with a sub-resource as in jobs/status; * for all.', list(str())),
  resourceNames: field(4, 'Only objects of these names; empty: all. Does not apply to create and list.', list(str())),
  nonResourceURLs: field(5, 'Paths, with * as the whole last element. Only through a ClusterRoleBinding.', list(str())),
});
export type PolicyRule = Infer<typeof policyRule>;
