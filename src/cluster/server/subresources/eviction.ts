/** Eviction: a deletion that a disruption budget may refuse. Models: pkg/registry/core/pod/storage eviction.go. */
import type { ApiResponse } from '../request.ts';
import { checkDeleteOptions, deleteStored, type Deletion } from '../deletion.ts';
import { badRequest, tooManyRequests } from '../errors.ts';
import { labelMatcher, type LabelSelector } from '../../values/index.ts';
import type { Door } from '../door.ts';
import type { ApiObject } from '../../api/object.ts';
import type { Subresource } from './contract.ts';

const DONE: ApiResponse = { ok: true, code: 201, success: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } };

interface Budget { readonly spec?: { readonly selector?: LabelSelector }; readonly status?: { readonly disruptionsAllowed?: number; readonly desiredHealthy?: number; readonly currentHealthy?: number } }

export const eviction: Subresource = {
  create(door, { resource, stored, name, body, dryRun }) {
    const given = (body ?? {}) as { readonly metadata?: { readonly name?: string }; readonly deleteOptions?: Deletion };
    if (given.metadata?.name !== undefined && given.metadata.name !== name) throw badRequest('name in URL does not match name in Eviction object');
    const options: Deletion = { ...given.deleteOptions, dryRun };
    checkDeleteOptions(options);
    const { phase } = (stored['status'] ?? {}) as { readonly phase?: string };
    const counts = phase !== 'Succeeded' && phase !== 'Failed' && phase !== 'Pending' && stored.metadata.deletionTimestamp === undefined;
    if (counts) checkBudgets(door, stored);
    deleteStored(door, resource, stored, options);
    return DONE;
  },
};

/** Every budget that covers the pod must allow one more disruption. */
function checkBudgets(door: Door, pod: ApiObject): void {
  if (door.store.size('PodDisruptionBudget') === 0) return;
  for (const budget of door.store.by('PodDisruptionBudget', 'namespace', pod.metadata.namespace ?? '')) {
    const { spec, status } = budget as unknown as Budget;
    if (spec?.selector === undefined || !labelMatcher(spec.selector)(pod.metadata.labels)) continue;
    if ((status?.disruptionsAllowed ?? 0) > 0) continue;
    throw tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", {
      causes: [{ reason: 'DisruptionBudget', message: `The disruption budget ${budget.metadata.name} needs ${status?.desiredHealthy ?? 0} healthy pods and has ${status?.currentHealthy ?? 0} currently` }],
    });
  }
}
