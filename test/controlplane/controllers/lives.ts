/** A cluster in which only some controllers run, and the writes that these make. */
import { createCluster, type ClusterOptions } from '../../../src/controlplane/cluster.ts';
import type { Controller, Observation } from '../../../src/controlplane/runtime/index.ts';

const START = Date.UTC(2024, 2, 1);

export function living(controllers: readonly object[], options: Partial<ClusterOptions> = {}) {
  const seen: Observation[] = [];
  const cluster = createCluster({
    domain: 'k8s.io',
    startAt: START,
    controllers: () => controllers as readonly Controller[],
    onObservation: (one) => void seen.push(one),
    ...options,
  });
  seen.length = 0;
  const asked = (request: Parameters<typeof cluster.request>[1]): void => {
    const response = cluster.request('user', request);
    if (!response.ok) throw new Error(response.status.message);
  };
  return {
    cluster,
    make: (kind: string, name: string, body: object, namespace?: string): void =>
      asked({
        verb: 'create',
        kind,
        ...(namespace === undefined ? {} : { namespace }),
        body: { apiVersion: 'v1', kind, ...body, metadata: { name, ...(body as { metadata?: object }).metadata } },
      }),
    patch: (kind: string, name: string, body: object, subresource?: string, namespace?: string): void =>
      asked({
        verb: 'patch',
        kind,
        name,
        patchType: 'merge',
        body,
        ...(subresource === undefined ? {} : { subresource }),
        ...(namespace === undefined ? {} : { namespace }),
      }),
    drop: (kind: string, name: string, namespace?: string): void =>
      asked({ verb: 'delete', kind, name, ...(namespace === undefined ? {} : { namespace }) }),
    pass: (ms: number): void => cluster.runUntil(cluster.now + ms),
    /** The writes of controllers since the last call, with their times in milliseconds; of events the reason and the component. */
    writes: (): readonly string[] =>
      seen.splice(0).flatMap((one) => {
        if (one.type !== 'write' || one.actor !== 'controller-manager') return [];
        const at = one.at - START;
        if (one.change.kind !== 'Event') return [`${at} ${one.controller ?? ''}: ${one.request}`];
        const { reason, source } = one.change.object as unknown as { reason: string; source: { component: string } };
        return [`${at} ${source.component}: ${reason}`];
      }),
  };
}
