/** Eviction: a deletion that a disruption budget may refuse. Models: pkg/registry/core/pod/storage eviction.go. */
import { type ApiResponse, badRequest, internalError, storeKey, tooManyRequests } from '../../request/index.ts';
import type { Door } from '../door.ts';
import { checkDeleteOptions, deleteStored, type Deletion } from '../deletion.ts';
import { formatTime, labelMatcher, type LabelSelector } from '../../../grammar/values/index.ts';
import { type ApiObject, type Draft, produce } from '../../vocabulary/index.ts';
import type { Subresource } from './contract.ts';

const DONE: ApiResponse = {
  ok: true,
  code: 201,
  success: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
};

interface Budget {
  readonly spec?: { readonly selector?: LabelSelector };
  readonly status?: {
    readonly disruptionsAllowed?: number;
    readonly desiredHealthy?: number;
    readonly currentHealthy?: number;
    readonly observedGeneration?: number;
    readonly disruptedPods?: Readonly<Record<string, string>>;
  };
}

export const eviction: Subresource = {
  create(door, { resource, stored, name, body, dryRun }) {
    const given = (body ?? {}) as { readonly metadata?: { readonly name?: string }; readonly deleteOptions?: Deletion };
    if (given.metadata?.name !== undefined && given.metadata.name !== name)
      throw badRequest('name in URL does not match name in Eviction object');
    const options: Deletion = { ...given.deleteOptions, dryRun };
    checkDeleteOptions(options);
    const { phase } = (stored['status'] ?? {}) as { readonly phase?: string };
    const counts = phase !== 'Succeeded' && phase !== 'Failed' && phase !== 'Pending' && stored.metadata.deletionTimestamp === undefined;
    if (counts) takeFromBudget(door, stored, dryRun);
    deleteStored(door, resource, stored, options);
    return DONE;
  },
};

/** The budget that covers the pod must allow one more disruption, which is then taken off. */
function takeFromBudget(door: Door, pod: ApiObject, dryRun: boolean): void {
  const { namespace, name } = pod.metadata;
  if (door.store.size('PodDisruptionBudget') === 0) return;
  const covering = door.store.by('PodDisruptionBudget', 'namespace', namespace ?? '').filter((budget) => {
    const { spec } = budget;
    return spec?.selector !== undefined && labelMatcher(spec.selector)(pod.metadata.labels);
  });
  const [budget] = covering;
  if (budget === undefined) return;
  if (covering.length > 1)
    throw internalError('This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.');
  const { status } = budget;
  if ((status?.observedGeneration ?? 0) < (budget.metadata.generation ?? 0))
    throw refused(`The disruption budget ${budget.metadata.name} is still being processed by the server.`);
  const allowed = status?.disruptionsAllowed ?? 0;
  if (allowed <= 0)
    throw refused(
      `The disruption budget ${budget.metadata.name} needs ${status?.desiredHealthy ?? 0} healthy pods and has ${status?.currentHealthy ?? 0} currently`,
    );
  if (dryRun) return;
  const taken = produce(budget, (draft) => {
    const left = ((draft as Draft<Budget>).status ??= {});
    left.disruptionsAllowed = allowed - 1;
    (left.disruptedPods ??= {})[name] = formatTime(door.now());
  });
  door.commit(door.resource('PodDisruptionBudget'), 'MODIFIED', storeKey(namespace, budget.metadata.name), taken);
}

const refused = (message: string) =>
  tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", {
    causes: [{ reason: 'DisruptionBudget', message }],
  });
