/**
 * ClusterRole: permissions in the whole cluster. Models: v1.24 rbac/v1 ClusterRole, pkg/registry/rbac; its rules are those of all roles.
 */
import { type Infer, obj } from '../../schema/shape/index.ts';
import { clusterRoleFields, defineRole, EXAMPLE_RULES, invalid, type ObjectOf } from '../machinery/index.ts';

const clusterRoleSchema = obj(
  'ClusterRole',
  'Permissions in the whole cluster, or, through a RoleBinding, in one namespace.',
  clusterRoleFields,
);
export type ClusterRole = ObjectOf<'ClusterRole', Infer<typeof clusterRoleSchema>>;

/** A star may only be the whole last segment. */
const isPath = (path: string): boolean =>
  !path.includes('*') || path === '*' || (path.endsWith('/*') && path.indexOf('*') === path.length - 1);

export const clusterRole = defineRole<ClusterRole>({
  namespaced: false,
  schema: clusterRoleSchema,
  specification: [
    {
      name: 'cluster-role/star-is-the-last-step',
      field: 'rules[].nonResourceURLs',
      statement: 'A star in a path stands for the whole last segment, never for a part of it.',
      place: 'resource-api.md: Role, rules.nonResourceURLs',
      recorded: 'accepts a star anywhere, and interprets it only at the end',
      check: ({ rules }) =>
        (rules ?? []).flatMap(({ nonResourceURLs = [] }, at) =>
          nonResourceURLs.flatMap((path, i) =>
            isPath(path)
              ? []
              : [
                  invalid(
                    `rules[${at}].nonResourceURLs[${i}]`,
                    path,
                    "'*' is allowed only as the full last step of a path, as in '/healthz/*'",
                  ),
                ],
          ),
        ),
    },
  ],
  example: { rules: EXAMPLE_RULES },
});
