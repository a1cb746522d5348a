/** Small releases, and the rehearsal of two of them. */
import { planRehearsal, releaseOf } from '../../../src/lab/rehearsal/index.ts';
import type { PlanOptions } from '../../../src/lab/rehearsal/plan.ts';
import type { SourcedManifest } from '../../../src/lab/scenario/index.ts';

export type Members = Readonly<Record<string, unknown>>;

const sourced = (objects: readonly Members[]): readonly SourcedManifest[] => objects.map((object) => ({ object }));

/** A workload with the apps API, whose pods have the label app. */
export const deployment = (name: string, spec: Members, image = 'i:1'): Members => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    ...spec,
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'c', image }] } },
  },
});

const CLUSTER_WIDE: ReadonlySet<string> = new Set(['Namespace', 'ClusterRole']);

export const planOf = (old: readonly Members[], next: readonly Members[], options: Partial<PlanOptions> = {}) =>
  planRehearsal(releaseOf(sourced(old)), releaseOf(sourced(next)), {
    domain: 'k8s.io',
    drain: [],
    crash: [],
    invariants: [],
    namespaced: (kind) => !CLUSTER_WIDE.has(kind),
    ...options,
  });
