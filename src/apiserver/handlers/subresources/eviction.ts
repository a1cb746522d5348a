/** Eviction: a deletion that a disruption budget may refuse. Models: pkg/registry/core/pod/storage eviction.go. */
import { isOf, type Pod, type PodDisruptionBudget } from '../../kinds/index.ts';
import { badRequest, forbidden, internalError, type Resource, storeKey, failure } from '../../request/index.ts';
import { formatTime, labelMatcher, type LabelSelector } from '../../../schema/values/index.ts';
import type { Scope } from '../../write/index.ts';
import { checkDeleteOptions, deleteStored, type Deletion } from '../deletion.ts';
import { CREATED, type Subresource } from './contract.ts';

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

/** The maximum number of evictions that are recorded in a budget while the controller has not yet observed the deletion of their pods. */
const MOST_DISRUPTED = 2000;
const RETRY_SECONDS = 10;

/** Takes one disruption from the budget of the pod, which must allow it; an unhealthy pod needs none while enough are healthy. */
function takeFromBudget(scope: Scope, pod: Pod, dryRun: boolean): void {
  const { namespace, name } = pod.metadata;
  if (scope.store.size('PodDisruptionBudget') === 0) return;
  const [budget, second] = scope.store
    .by('PodDisruptionBudget', 'namespace', namespace ?? '')
    .filter(({ spec: { selector } }) => selector !== undefined && !isEmpty(selector) && labelMatcher(selector)(pod.metadata.labels));
  if (budget === undefined) return;
  if (second !== undefined)
    throw internalError('This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.');
  if (isFree(pod, budget)) return;
  const resource = scope.resource('PodDisruptionBudget');
  check(resource, budget);
  if (!dryRun) scope.commit(resource, 'MODIFIED', storeKey(namespace, budget.metadata.name), less(budget, name, scope.now()));
}

/** For the controller an empty selector selects every pod; here it selects none, as recorded. */
const isEmpty = ({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean =>
  Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;

function isFree({ status }: Pod, { status: { currentHealthy, desiredHealthy } }: PodDisruptionBudget): boolean {
  const isReady = status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;
  return !isReady && currentHealthy >= desiredHealthy && desiredHealthy > 0;
}

function check(resource: Resource, { metadata: { name, generation = 0 }, status }: PodDisruptionBudget): void {
  const { observedGeneration = 0, disruptionsAllowed, disruptedPods = {}, desiredHealthy, currentHealthy } = status;
  if (observedGeneration < generation)
    throw refused(`The disruption budget ${name} is still being processed by the server.`, { retryAfterSeconds: RETRY_SECONDS });
  if (disruptionsAllowed < 0) throw forbidden(resource, name, 'pdb disruptions allowed is negative');
  if (Object.keys(disruptedPods).length > MOST_DISRUPTED)
    throw forbidden(resource, name, 'DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  if (disruptionsAllowed === 0)
    throw refused(`The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`);
}

/** Returns the budget with one disruption less; the condition changes when none are left. */
function less(budget: PodDisruptionBudget, pod: string, now: number): PodDisruptionBudget {
  const { status } = budget;
  const disruptionsAllowed = status.disruptionsAllowed - 1;
  return {
    ...budget,
    status: {
      ...status,
      disruptionsAllowed,
      disruptedPods: { ...status.disruptedPods, [pod]: formatTime(now) },
      ...(disruptionsAllowed > 0 ? {} : { conditions: exhausted(status, now) }),
    },
  };
}

type Status = PodDisruptionBudget['status'];

function exhausted({ conditions = [], observedGeneration }: Status, now: number): NonNullable<Status['conditions']> {
  const before = conditions.find(({ type }) => type === 'DisruptionAllowed');
  const next = {
    type: 'DisruptionAllowed',
    status: 'False',
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
    lastTransitionTime: before?.status === 'False' ? before.lastTransitionTime : formatTime(now),
    reason: 'InsufficientPods',
    message: '',
  };
  return before === undefined ? [...conditions, next] : conditions.map((each) => (each === before ? next : each));
}

const refused = (message: string, more: { readonly retryAfterSeconds?: number } = {}) =>
  failure({
    code: 429,
    reason: 'TooManyRequests',
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    details: { causes: [{ reason: 'DisruptionBudget', message }], ...more },
  });
