/** A valid ClusterRole in which most validation rules apply. */
import { EXAMPLE_RULES, type Example } from '../../machinery/index.ts';

export const clusterRoleExample: Example = {
  fields: () => ({ rules: EXAMPLE_RULES }),
};
