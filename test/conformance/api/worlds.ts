/** Worlds for replays: the server alone, as it was recorded, or a whole cluster. */
import { envelopeOf } from '../../../src/apiserver/request/index.ts';
import { createCluster } from '../../../src/controlplane/cluster.ts';
import { aggregatedRules } from '../../../src/apiserver/access/index.ts';
import { type APIService, type ClusterRole, kindsFor, type ObjectByKind } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { availabilityOf, withAvailability } from '../../../src/apiserver/kinds/index.ts';
import { bootstrap, createServer, type Server } from '../../../src/apiserver/handlers/index.ts';
import { createStore, type Store } from '../../../src/apiserver/store/index.ts';
import { createRandom } from '../../../src/engine/random.ts';
import { clusterBackend, createApi, createListeners, rbacAccess, tokenGuard } from '../../../src/surfaces/http/index.ts';
import type { Api, Backend, Tokens } from '../../../src/surfaces/http/index.ts';
import type { Transcript } from './transcript.ts';
import { manualTimers, type ManualTimers } from '../../support/timers.ts';

/** The gates of recordings with alpha gates. */
export const GATES = {
  CronJobTimeZone: true,
  MaxUnavailableStatefulSet: true,
  StatefulSetAutoDeletePVC: true,
  ServerSideFieldValidation: true,
};
/** The year of the recordings, which their replayer recognises in timestamps. */
const STARTED_AT = Date.UTC(2026, 10, 20, 6);
/** The user of most requests; the token is the name. */
export const ADMIN = 'oracle-admin';

export interface World {
  readonly backend: Backend;
  pass(ms: number): void;
  /** Does what the server itself does after a request. */
  settle(): void;
  /** Drops all history. */
  compact(): void;
}

/** Only the API server. */
function bare(gates: Readonly<Record<string, boolean>>): World {
  const names = namesFor('k8s.io');
  const kinds = kindsFor(names);
  const store = createStore();
  let now = STARTED_AT;
  const server = createServer({
    kinds,
    store,
    names,
    gates,
    random: createRandom(7).stream('server'),
    now: () => now,
    entry: () => 0,
    trackFields: ({ userAgent }) => userAgent !== undefined,
  });
  bootstrap(server, names);
  server.handle(
    envelopeOf('client', {
      verb: 'create',
      kind: 'APIService',
      body: {
        apiVersion: 'apiregistration.k8s.io/v1',
        kind: 'APIService',
        metadata: { name: 'v1.' },
        spec: { version: 'v1', groupPriorityMinimum: 18000, versionPriority: 1 },
      },
    }),
  );
  const backend: Backend = {
    kinds,
    names,
    gates,
    store,
    now: () => now,
    handle: (request) => server.handle(envelopeOf('client', request)),
    watch: server.watch,
    listen: createListeners(store),
  };
  return {
    backend,
    pass: (ms) => {
      now += ms;
    },
    compact: () => store.compact(store.revision),
    settle: () => {
      keepAvailability(server, store, now);
      keepAggregates(server, store);
    },
  };
}

/** The aggregator is part of the server: it sets the availability of every APIService. */
function keepAvailability(server: Server, store: Store, now: number): void {
  const find =
    <K extends 'Service' | 'Endpoints'>(kind: K) =>
    (namespace: string, name: string) =>
      store.get(kind, `${namespace}/${name}`) as ObjectByKind[K] | undefined;
  for (const object of store.values('APIService')) {
    const service = object as APIService;
    const conditions = withAvailability(
      service.status.conditions,
      availabilityOf(service, { service: find('Service'), endpoints: find('Endpoints') }),
      now,
    );
    if (conditions !== service.status.conditions)
      server.handle(
        envelopeOf('client', {
          verb: 'update',
          kind: 'APIService',
          name: service.metadata.name,
          subresource: 'status',
          body: { ...object, status: { conditions } },
        }),
      );
  }
}

/** Maintains aggregated cluster roles like their controller. */
function keepAggregates(server: Server, store: Store): void {
  const roles = (): readonly ClusterRole[] => [...store.values('ClusterRole')].map((role) => role as ClusterRole);
  for (let changed = true; changed;) {
    changed = false;
    for (const role of roles()) {
      const rules = aggregatedRules(role, roles());
      if (rules === undefined || JSON.stringify(rules) === JSON.stringify(role.rules ?? [])) continue;
      changed = server.handle(
        envelopeOf('client', {
          verb: 'update',
          kind: 'ClusterRole',
          name: role.metadata.name,
          body: { ...role, rules },
        }),
      ).ok;
    }
  }
}

/** A cluster with controllers. */
function full(): World {
  const cluster = createCluster({ domain: 'k8s.io', startAt: STARTED_AT });
  return {
    backend: clusterBackend(cluster),
    pass: (ms) => {
      cluster.runUntil(cluster.now + ms);
    },
    settle: () => {},
    compact: () => cluster.compact(cluster.store.revision),
  };
}

/** A world with access control, and tokens that identify their users. */
export function authorizedWorld(tokens: Tokens): { readonly api: Api; readonly world: World } {
  const world = bare({});
  return {
    world,
    api: createApi({ backend: world.backend, timers: manualTimers(), ...rbacAccess(world.backend, { tokens, anonymous: true }) }),
  };
}

/** Returns the API and the world for a record. */
export function apiFor(record: Transcript, timers: ManualTimers): { readonly api: Api; readonly world: World } {
  const world = record.server === 'full' ? full() : bare(record.server === 'gates' ? GATES : {});
  const guard = tokenGuard({
    tokens: new Map([[ADMIN, { name: ADMIN, groups: ['system:masters', 'system:authenticated'] }]]),
    anonymous: false,
  });
  return { api: createApi({ backend: world.backend, timers, guard }), world };
}
