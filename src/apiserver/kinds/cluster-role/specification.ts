/**
 * Rules of the specification for ClusterRole that v1.24 does not have. Those shared with Role are described there; paths apply only to
 * cluster roles.
 */
import { invalid, type Rule } from '../../machinery/index.ts';
import type { ClusterRole } from './shape.ts';

/** A star may only be the whole last segment. */
const isPath = (path: string): boolean =>
  !path.includes('*') || path === '*' || (path.endsWith('/*') && path.indexOf('*') === path.length - 1);

export const clusterRoleSpecification: readonly Rule<ClusterRole>[] = [
  {
    name: 'cluster-role/star-is-the-last-step',
    kind: 'ClusterRole',
    field: 'rules[].nonResourceURLs',
    statement: 'A star in a path stands for the whole last segment, never for a part of it.',
    place: 'resource-api.md: Role, rules.nonResourceURLs',
    recorded: 'accepts a star anywhere, and interprets it only at the end',
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
