/** A served cluster: the API over it, its clock, its trace, and the way back to its start. */
import type { Entry } from '../../../lab/trace/index.ts';
import { registerOwn } from '../aggregator/register.ts';
import { createApi, type ApiOptions } from '../api.ts';
import { clusterBackend, type Backend } from '../backend.ts';
import { createClock, type ClockMode } from './clock.ts';
import { simulationArea } from './routes.ts';
import { createHistory, type History } from './history.ts';
import type { Session, Start, World } from './world.ts';

export interface SessionOptions {
  /** Makes it anew; entries of its trace go to `onEntry`, those to come included. */
  start(onEntry: (entry: Entry) => void, also: Pick<History, 'onPrologue' | 'onRenewalInterval'>): Start;
  readonly clock: ClockMode;
  readonly speed: number;
  /** Who may do what; absent: everybody everything. */
  readonly access?: (backend: Backend) => Pick<ApiOptions, 'guard' | 'judge' | 'tokens' | 'accounts'>;
  /** Whether streams are open. */
  watched(): boolean;
  /** Called when everything begins anew: open streams are of a world that is gone. */
  onReset(): void;
}

/** Looking at objects, not at what is served. */
const LOOKS = /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)\/./;

export function createSession(options: SessionOptions): Session {
  const open = (): World => {
    const history = createHistory();
    const start = options.start(history.add, history);
    const backend = clusterBackend(start.cluster);
    registerOwn(backend);
    const clock = createClock(start.cluster, { mode: options.clock, speed: options.speed, watched: options.watched });
    const answer = createApi({ backend, areas: [simulationArea(session)], ...options.access?.(backend) });
    return { start, clock, history, answer };
  };
  const close = (world: World): void => {
    world.clock.stop();
    world.history.end();
  };
  const session: Session = {
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
      clock.beforeRequest();
      const { revision } = start.cluster.store;
      const reply = answer(http);
      if (http.method !== 'GET') clock.afterRequest(start.cluster.store.revision !== revision);
      else if (LOOKS.test(http.target)) clock.afterRequest(false);
      return reply;
    },
    admit: (head) => world.answer.admit(head),
    stop: () => {
      close(world);
    },
  };
  let world = open();
  return session;
}
