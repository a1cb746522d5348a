/** A valid ClusterRole, filled well enough that its rules have something to look at. */
import { EXAMPLE_RULES, type Example } from '../../machinery/index.ts';

export const clusterRoleExample: Example = {
  fields: () => ({ rules: EXAMPLE_RULES }),
};
