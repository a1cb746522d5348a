/** A served cluster: its API, its clock, its trace, and its reset. */
import type { Entry } from '../../../lab/trace/index.ts';
import { registerLocal } from '../aggregator.ts';
import { createApi, type ApiOptions } from '../api.ts';
import { clusterBackend, type Backend } from '../backend.ts';
import { Clock, type ClockMode } from './clock.ts';
import { simulationArea, type Session, type Start, type World, type WorldList } from './routes.ts';
import { createHistory, type History } from './history.ts';
import { createSpare } from './spare.ts';
import { createFaultList } from './faults.ts';
import { createClientFaults, type ClientEvent } from '../clients/client-faults.ts';
import { identifier } from '../clients/identify.ts';

export interface SessionOptions {
  /** Creates the cluster. All entries of its trace go to `onEntry`. */
  start(onEntry: (entry: Entry) => void, also: Pick<History, 'onPrologue' | 'onRenewalInterval'>): Start;
  readonly clock: ClockMode;
  readonly speed: number;
  /** Access control; absent: everything is allowed. */
  readonly access?: (backend: Backend) => Pick<ApiOptions, 'guard' | 'authorizer' | 'tokens' | 'accounts'>;
  /** As of `ApiOptions`. */
  readonly compat?: boolean;
  /** Names of clients by their bearer tokens. */
  readonly credentials?: ReadonlyMap<string, string>;
  /** Called for what clients do and are shown. */
  readonly onClient?: (event: ClientEvent) => void;
  /** The worlds beside it; absent: there can be none. */
  readonly worlds?: WorldList | undefined;
  watched(): boolean;
  /** Called at a reset: open streams belong to the old cluster. */
  onReset(): void;
}

/** Paths of objects; other paths describe the server. */
const READS = /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)\/./;

export function createSession(options: SessionOptions): Session {
  const spare = createSpare(() => {
    const history = createHistory();
    const start = options.start(history.add, history);
    const backend = clusterBackend(start.cluster);
    registerLocal(backend);
    return { history, start, backend };
  });
  const open = (): World => {
    const { history, start, backend } = spare.take();
    const clock = new Clock(start.cluster, { mode: options.clock, speed: options.speed, watched: options.watched });
    const access = options.access?.(backend);
    const clientFaults = createClientFaults(start.cluster, backend, identifier(start.clients ?? [], options.credentials), options.onClient);
    const answer = createApi({ backend, clientFaults, areas: [area], compat: options.compat ?? false, ...access });
    const faults = createFaultList(start.cluster, clientFaults.flush, start.definitions);
    return { start, clock, history, faults, clientFaults, answer, authorizer: access?.authorizer };
  };
  const close = (world: World): void => {
    world.clock.stop();
    world.history.end();
    world.clientFaults.end();
  };
  const session: Session = {
    worlds: options.worlds,
    get current() {
      return world;
    },
    reset() {
      close(world);
      options.onReset();
      world = open();
    },
    answer(http) {
      const { clock, start, answer } = world;
      spare.noted();
      clock.beforeRequest();
      const { revision } = start.cluster.store;
      const reply = answer(http);
      if (http.method !== 'GET') clock.afterRequest(start.cluster.store.revision !== revision);
      else if (READS.test(http.target)) clock.afterRequest(false);
      return reply;
    },
    admit: (head) => world.answer.admit(head),
    stop() {
      spare.stop();
      close(world);
    },
  };
  const area = simulationArea(session);
  let world = open();
  return session;
}
