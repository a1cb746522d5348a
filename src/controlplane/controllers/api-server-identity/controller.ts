/**
 * The lease by which an API server says that it is there, with the gate APIServerIdentity, and the end of those of servers that are gone.
 * Models: v1.24 pkg/controlplane/instance.go (hooks start-kube-apiserver-identity-lease-controller and -garbage-collector) and
 * pkg/controlplane/controller/apiserverleasegc. Simplified: the server answers whether or not this process runs.
 */
import type { Lease } from '../../../apiserver/kinds/index.ts';
import type { Names } from '../../../apiserver/machinery/index.ts';
import { formatMicroTime, parseTime } from '../../../schema/values/index.ts';
import { create, defineController, onElapsed, type Outcome, remove, watch, watchOnly, type Write } from '../../runtime/index.ts';
import { drawnUuid, mergePatch } from '../../shared/index.ts';

const LASTS_SECONDS = 3_600;
const RENEWAL_MS = 10_000;
const COLLECTION_MS = 3_600_000;
const KEY = 'identity';

interface Memory {
  readonly renewedAt: number;
  readonly collectedAt: number;
}
interface State {
  /** Drawn anew at each start: a server that starts again is another. */
  readonly identity: string;
}

const label = ({ domain }: Names): string => `${domain}/component`;

const renewal = (names: Names, name: string, lease: Lease | undefined, wall: number): Write => {
  const spec = { holderIdentity: name, leaseDurationSeconds: LASTS_SECONDS, renewTime: formatMicroTime(wall) };
  const namespace = names.systemNamespace;
  if (lease !== undefined) return mergePatch(lease, { spec }, { tolerate: ['NotFound'] });
  return create(
    {
      apiVersion: `${names.group('coordination')}/v1`,
      kind: 'Lease',
      metadata: { name, namespace, labels: { [label(names)]: names.apiServerName } },
      spec,
    },
    { tolerate: ['AlreadyExists'] },
  );
};

/** Leases of servers that ran out, as the cache has them. One without its time or its duration is invalid, and goes too. */
const expired = (leases: Iterable<Lease>, names: Names, wall: number): readonly Lease[] =>
  [...leases].filter(({ metadata, spec: { renewTime, leaseDurationSeconds } }) => {
    if (metadata.namespace !== names.systemNamespace || metadata.labels?.[label(names)] !== names.apiServerName) return false;
    return renewTime === undefined || leaseDurationSeconds === undefined || parseTime(renewTime) + leaseDurationSeconds * 1000 < wall;
  });

export const apiServerIdentity = defineController<never, Memory, State>({
  name: 'api-server-identity',
  component: 'api-server',
  writes: ['Lease'],
  models: 'v1.24 pkg/controlplane (identity leases) and apiserverleasegc. Simplified: the server answers whether or not this process runs.',
  watches: [watch('Lease', watchOnly, { renewals: false })],
  start: ({ names, random }) => ({ identity: `${names.apiServerName}-${drawnUuid(random.hex)}` }),
  startKeys: () => [KEY],
  reconcile: onElapsed(({ now, wall, names, cache, memory, state: { identity } }): Outcome<Memory> => {
    const renews = memory === undefined || now - memory.renewedAt >= RENEWAL_MS;
    const collects = memory === undefined || now - memory.collectedAt >= COLLECTION_MS;
    const lease = cache.get('Lease', names.systemNamespace, identity);
    const gone = collects ? expired(cache.list('Lease'), names, wall) : [];
    const renewedAt = renews ? now : memory.renewedAt;
    return {
      why:
        gone.length > 0
          ? 'leases of other API servers have run out'
          : renews
            ? 'its lease is renewed every 10 s'
            : 'its lease is new enough',
      writes: [...(renews ? [renewal(names, identity, lease, wall)] : []), ...gone.map((one) => remove(one))],
      memory: { renewedAt, collectedAt: collects ? now : memory.collectedAt },
      wakeAt: renewedAt + RENEWAL_MS,
      background: true,
    };
  }),
});
