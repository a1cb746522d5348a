import { describe, expect, it } from 'vitest';
import type { Pod, StatefulSet } from '../../../../src/cluster/api/index.ts';
import { explore, findingText } from '../../../../src/lab/explore/index.ts';
import type { Run } from '../../../../src/lab/simulation/index.ts';
import { setScenarios } from './scenarios.ts';

/** What is wrong with the end of a run: everything has mended, so the set must be what it is to be, and stay so. */
function wrongAtTheEnd({ cluster, settled }: Run): readonly string[] {
  if (!settled) return ['it did not come to rest'];
  const wrong: string[] = [];
  const set = cluster.store.get('StatefulSet', 'default/web') as StatefulSet | undefined;
  if (set === undefined) return ['the set is gone'];
  const { spec, status } = set;
  const pods = cluster.store.by('Pod', 'controllerUid', set.metadata.uid) as readonly Pod[];
  const names = pods.map(({ metadata }) => metadata.name).toSorted();
  if (names.join() !== Array.from({ length: spec.replicas }, (_, ordinal) => `web-${ordinal}`).toSorted().join()) wrong.push(`its pods are ${names.join()}, of ${spec.replicas}`);
  if (status.readyReplicas !== (spec.replicas === 0 ? undefined : spec.replicas) || status.availableReplicas !== spec.replicas) wrong.push(`${status.readyReplicas} are ready, ${status.availableReplicas} available`);
  const partition = spec.updateStrategy.rollingUpdate?.partition ?? 0;
  for (const { metadata, spec: { containers } } of pods) if (Number(metadata.name.slice(4)) >= partition && containers[0]?.image !== 'sim:9') wrong.push(`${metadata.name} runs ${containers[0]?.image}`);
  const revisions = cluster.store.by('ControllerRevision', 'controllerUid', set.metadata.uid);
  if (revisions.length > (spec.revisionHistoryLimit ?? 10) + 2) wrong.push(`it keeps ${revisions.length} revisions`);
  for (const ordinal of spec.volumeClaimTemplates === undefined ? [] : names) if (cluster.store.get('PersistentVolumeClaim', `default/data-${ordinal}`) === undefined) wrong.push(`${ordinal} has no claim`);
  const state = (): string => JSON.stringify([...cluster.store.values('StatefulSet'), ...cluster.store.values('Pod'), ...cluster.store.values('ControllerRevision'), ...cluster.store.values('PersistentVolumeClaim')]);
  const before = state();
  cluster.runtime.crash('controller-manager');
  cluster.runtime.restart('controller-manager', cluster.now + 1000);
  cluster.runUntil(cluster.now + 600_000);
  if (state() !== before) wrong.push('a restart changes something');
  return wrong;
}

describe.each([
  ['as it comes', {}],
  ['with every gate on', { featureGates: { MaxUnavailableStatefulSet: true, StatefulSetAutoDeletePVC: true }, claims: true }],
])('whatever people change and whatever breaks, %s', (_, options) => {
  it.each([1, 2])('every invariant holds and it ends right and at rest (search %i)', (seed) => {
    const { finding } = explore(setScenarios(options), { seed, runs: 40, broken: (run) => run.failures.length > 0 || wrongAtTheEnd(run).length > 0 });
    const text = finding === undefined ? '' : `${findingText(finding, 'found.yaml')}\n${wrongAtTheEnd(finding.run).join('\n')}\n${finding.file}`;
    expect(text).toBe('');
  });
});
