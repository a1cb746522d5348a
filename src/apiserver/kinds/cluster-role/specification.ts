/**
 * Where the specification asks more of a ClusterRole than v1.24 does. It shows the rules of roles under Role; paths apply to cluster-wide
 * roles alone.
 */
import { invalid, type Rule } from '../../machinery/index.ts';
import type { ClusterRole } from './shape.ts';

/** A star is nothing but the whole last step. */
const isPath = (path: string): boolean =>
  !path.includes('*') || path === '*' || (path.endsWith('/*') && path.indexOf('*') === path.length - 1);

export const clusterRoleSpecification: readonly Rule<ClusterRole>[] = [
  {
    name: 'cluster-role/star-is-the-last-step',
    kind: 'ClusterRole',
    field: 'rules[].nonResourceURLs',
    statement: 'A star in a path stands for the whole last step and nothing less.',
    place: 'resource-api.md: Role, rules.nonResourceURLs',
    recorded: 'takes a star anywhere, and heeds it at the very end',
    member: 'rules',
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
];
