import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import { deletionConditions, estimateSeconds, sameConditions } from '../../../../src/controlplane/controllers/namespace/controller.ts';
import type { Remaining } from '../../../../src/controlplane/controllers/namespace/controller.ts';

const NOW = Date.UTC(2024, 0, 1);
const left = (kind: string, plural: string, objects: readonly object[], group = ''): Remaining => ({
  kind,
  group,
  version: 'v1',
  plural,
  objects: objects as readonly ApiObject[],
});
const pod = (phase: string, grace: number | undefined, finalizers: readonly string[] = []) => ({
  kind: 'Pod',
  metadata: { finalizers },
  spec: { terminationGracePeriodSeconds: grace },
  status: { phase },
});
const held = (...finalizers: string[]) => ({ metadata: { finalizers } });

describe('the estimated time of the remaining content', () => {
  it.each<[string, Remaining, number, number | undefined]>([
    ['pods have their longest grace', left('Pod', 'pods', [pod('Running', 30), pod('Running', 5)]), 1, 30],
    ['pods that are over have none', left('Pod', 'pods', [pod('Succeeded', 30), pod('Failed', 20)]), 1, undefined],
    ['it counts from the deletion of the namespace', left('Pod', 'pods', [pod('Running', 5)]), 5, undefined],
    ["pods that are held have a finalizer's time when their grace is over", left('Pod', 'pods', [pod('Running', 5, ['a/b'])]), 5, 15],
    ['what is held has fifteen seconds', left('ConfigMap', 'configmaps', [held('a/b'), held()]), 60, 15],
    ['what is not should be gone', left('ConfigMap', 'configmaps', [held()]), 0, undefined],
  ])('%s', (_, remaining, deletedForSeconds, seconds) => {
    expect(estimateSeconds(remaining, deletedForSeconds * 1000)).toBe(seconds);
  });
});

describe('the conditions of a namespace', () => {
  const of = (remaining: readonly Remaining[], stuck: readonly Remaining[] = []) =>
    Object.fromEntries(
      deletionConditions(remaining, stuck, 'team', undefined, NOW).map(({ type, status, reason, message }) => [
        type.replace('Namespace', ''),
        `${status} ${reason ?? ''}: ${message ?? ''}`,
      ]),
    );
  const maps = left('ConfigMap', 'configmaps', [held('b/b', 'a/a'), held('a/a')]);
  const jobs = left('Job', 'jobs', [held()], 'batch');

  it('nothing is left', () => {
    expect(of([])).toEqual({
      DeletionDiscoveryFailure: 'False ResourcesDiscovered: All resources successfully discovered',
      DeletionGroupVersionParsingFailure: 'False ParsedGroupVersions: All legacy kube types successfully parsed',
      DeletionContentFailure: 'False ContentDeleted: All content successfully deleted, may be waiting on finalization',
      ContentRemaining: 'False ContentRemoved: All content successfully removed',
      FinalizersRemaining: 'False ContentHasNoFinalizers: All content-preserving finalizers finished',
    });
  });

  it('name the remaining content and its finalizers, sorted', () => {
    expect(of([jobs, maps])).toMatchObject({
      ContentRemaining:
        'True SomeResourcesRemain: Some resources are remaining: configmaps. has 2 resource instances, jobs.batch has 1 resource instances',
      FinalizersRemaining:
        'True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: a/a in 2 resource instances, b/b in 1 resource instances',
    });
  });

  it('name what should be gone: one, or a list of several', () => {
    const one = 'unexpected items still remain in namespace: team for gvr: batch/v1, Resource=jobs';
    const other = 'unexpected items still remain in namespace: team for gvr: /v1, Resource=configmaps';
    expect(of([jobs], [jobs])['DeletionContentFailure']).toBe(
      `True ContentDeletionFailed: Failed to delete all resource types, 1 remaining: ${one}`,
    );
    expect(of([jobs, maps], [jobs, maps])['DeletionContentFailure']).toBe(
      `True ContentDeletionFailed: Failed to delete all resource types, 2 remaining: [${one}, ${other}]`,
    );
  });

  it('keep the transition time while the status stays', () => {
    const before = deletionConditions([maps], [], 'team', undefined, NOW);
    const after = deletionConditions([left('ConfigMap', 'configmaps', [held('a/a')])], [], 'team', before, NOW + 60_000);
    expect(after.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual(before.map(({ lastTransitionTime }) => lastTransitionTime));
    expect(sameConditions(before, after)).toBe(false);
    expect(sameConditions(after, after)).toBe(true);
    expect(sameConditions(undefined, after)).toBe(false);
  });
});
