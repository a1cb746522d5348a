/** Eviction: a deletion that a disruption budget may refuse. Models: pkg/registry/core/pod/storage eviction.go. */
import { isOf, type Pod } from '../../kinds/index.ts';
import { badRequest } from '../../request/index.ts';
import { checkDeleteOptions, deleteStored, type Deletion } from '../deletion.ts';
import { CREATED, type Subresource } from './contract.ts';
import { takeFromBudget } from './eviction-budget.ts';

export const eviction: Subresource = {
  form: (names, { apiVersion = '' }) => ({
    group: names.group('policy'),
    version: apiVersion.endsWith('/v1beta1') ? 'v1beta1' : 'v1',
    kind: 'Eviction',
  }),
  create(scope, { resource, name, sent, dryRun }, stored) {
    const given = (sent ?? {}) as { readonly metadata?: { readonly name?: string }; readonly deleteOptions?: Deletion };
    if (given.metadata?.name !== undefined && given.metadata.name !== name)
      throw badRequest('name in URL does not match name in Eviction object');
    const options: Deletion = { ...given.deleteOptions, dryRun };
    checkDeleteOptions(options);
    if (isOf('Pod', stored) && counts(stored)) takeFromBudget(scope, stored, dryRun);
    deleteStored(scope, resource, stored, options);
    return CREATED;
  },
};

/** Whether budgets apply: evicting a pod that has terminated, has not started or is being deleted is no disruption. */
const counts = ({ status: { phase }, metadata }: Pod): boolean =>
  phase !== 'Succeeded' && phase !== 'Failed' && phase !== 'Pending' && metadata.deletionTimestamp === undefined;
