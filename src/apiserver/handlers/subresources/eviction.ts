/** Eviction: a deletion that a disruption budget may refuse. Models: pkg/registry/core/pod/storage eviction.go. */
import { isOf, type Pod } from '../../kinds/index.ts';
import { type ApiResponse, badRequest } from '../../request/index.ts';
import { checkDeleteOptions, deleteStored, type Deletion } from '../deletion.ts';
import type { Subresource } from './contract.ts';
import { takeFromBudget } from './eviction-budget.ts';

const DONE: ApiResponse = {
  ok: true,
  code: 201,
  success: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
};

export const eviction: Subresource = {
  create(scope, { resource, stored, name, body, dryRun }) {
    const given = (body ?? {}) as { readonly metadata?: { readonly name?: string }; readonly deleteOptions?: Deletion };
    if (given.metadata?.name !== undefined && given.metadata.name !== name)
      throw badRequest('name in URL does not match name in Eviction object');
    const options: Deletion = { ...given.deleteOptions, dryRun };
    checkDeleteOptions(options);
    if (isOf('Pod', stored) && counts(stored)) takeFromBudget(scope, stored, dryRun);
    deleteStored(scope, resource, stored, options);
    return DONE;
  },
};

/** Whether budgets apply: evicting a pod that has terminated, has not started or is being deleted is no disruption. */
const counts = ({ status: { phase }, metadata }: Pod): boolean =>
  phase !== 'Succeeded' && phase !== 'Failed' && phase !== 'Pending' && metadata.deletionTimestamp === undefined;
