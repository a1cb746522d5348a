/**
 * Replays transcripts against a real `orchsim serve`: one process for each kind of recorded server, reset before each record. Its clock is
 * manual, so that controllers act only when a record needs them: the recordings of the API server alone had none.
 */
import { recordedCluster, serveProcess, type Served } from '../served.ts';
import { bytesOf, exchange, type Sent } from './exchange.ts';
import type { Target, Watching } from './target.ts';
import { stepsOf, type Transcript } from './transcript.ts';
import { ADMIN, GATES } from './worlds.ts';

export interface ServedTargets {
  /** Returns the server for a record, at its start. */
  open(record: Transcript): Promise<Target>;
  close(): Promise<void>;
}

/** Kinds that the recorded server partly maintains itself, and a controller maintains here: it acts as soon as time passes. */
const KEPT_BY_THE_SERVER = /^\/apis\/(?:apiregistration\.k8s\.io\/v1\/|rbac\.authorization\.k8s\.io\/v1\/clusterroles\b)/;

/** Without deletions: an object with finalizers would wait forever without a garbage collector. */
const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** The server of the transcripts had no authorization: every user may do everything, including impersonation. */
const EVERYTHING_FOR_EVERYBODY = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'everybody' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:authenticated' }],
};
const IN_ANOTHERS_NAME = /^impersonate-/i;

/** Returns targets on real servers, which are started at their first use. */
export function servedTargets(): ServedTargets {
  const running = new Map<string, Promise<Served>>();
  return {
    async open(record) {
      const gates = record.server === 'gates';
      const name = gates ? 'gates' : 'plain';
      let served = running.get(name);
      if (served === undefined)
        running.set(
          name,
          (served = serveProcess({
            scenario: recordedCluster(gates ? GATES : {}),
            tokens: [`${ADMIN},${ADMIN},1,"system:masters"`],
            adminToken: ADMIN,
            words: ['--clock', 'manual'],
          })),
        );
      const { port, origin, sim } = await served;
      await sim('reset', {});
      if (stepsOf(record).some(({ request }) => Object.keys(request?.headers ?? {}).some((header) => IN_ANOTHERS_NAME.test(header))))
        await bindEverybody(port);
      return targetAt({ port, origin, sim }, record);
    },
    async close() {
      for (const served of running.values()) await (await served).close();
    },
  };
}

async function bindEverybody(port: number): Promise<void> {
  const { status, body } = await exchange(port, {
    method: 'POST',
    target: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    headers: { host: `127.0.0.1:${port}`, authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' },
    body: bytesOf(JSON.stringify(EVERYTHING_FOR_EVERYBODY)),
  });
  if (status !== 201) throw new Error(`the group of all users was not bound: ${status} ${body}`);
}

/** Recorded requests have the host name of the recorded server; this one accepts its own. */
const withServerHost = (request: Sent, port: number): Sent => ({ ...request, headers: { ...request.headers, host: `127.0.0.1:${port}` } });

function targetAt({ port, origin, sim }: Pick<Served, 'port' | 'origin' | 'sim'>, { server }: Transcript): Target {
  const watches: OpenWatch[] = [];
  return {
    async send(request) {
      const answer = await exchange(port, withServerHost(request, port));
      if (server !== 'full' && WRITES.has(request.method) && KEPT_BY_THE_SERVER.test(request.target)) await sim('advance', { by: '0s' });
      return answer;
    },
    async watch(request) {
      const watch = await watchOver(origin, withServerHost(request, port));
      watches.push(watch);
      return watch;
    },
    async operate() {
      await sim('compact', {});
    },
    async pass(ms) {
      if (server === 'full') await sim('advance', { by: `${ms}ms` });
      // Streams end after this much real time.
      else if (ms > 0) await Promise.race([Promise.all(watches.map(({ end }) => end)), pause(MOST_STREAMED_MS)]);
      await pause(ARRIVAL_MS);
    },
    close: async () => {
      for (const { close } of watches) close();
    },
  };
}

/** The longest recorded stream, and some more. */
const MOST_STREAMED_MS = 15_000;
/** Milliseconds after which sent data has arrived. */
const ARRIVAL_MS = 25;

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

interface OpenWatch extends Watching {
  /** Resolves at the end of the stream. */
  readonly end: Promise<void>;
}

async function watchOver(origin: string, { target, headers }: Sent): Promise<OpenWatch> {
  const stop = new AbortController();
  const answer = await fetch(origin + target, { headers, signal: stop.signal });
  let text = '';
  let ended = false;
  const reader = answer.body?.getReader();
  const decoder = new TextDecoder();
  const end = (async () => {
    try {
      for (;;) {
        const part = await reader?.read();
        if (part === undefined || part.done) break;
        text += decoder.decode(part.value, { stream: true });
      }
      ended = true;
    } catch {
      /* the connection is closed from here */
    }
  })();
  await pause(ARRIVAL_MS);
  return {
    end,
    read: () => ({ status: answer.status, text, ended }),
    close: () => {
      stop.abort();
    },
  };
}
