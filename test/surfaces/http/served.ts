/** A cluster over a socket, for client programs. */
import { simulate } from '../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../support/scenarios.ts';
import { createSession, kubeconfigFor, listen, type ClockMode, type Session } from '../../../src/surfaces/http/index.ts';
import { createStreams } from '../../../src/surfaces/http/sim/worlds.ts';
import { through } from './sockets.ts';

const SCENARIO =
  'apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: clients }\nspec: { title: For clients, domain: k8s.io, cluster: { nodes: { count: 2 } } }\n';

export interface ServedCluster {
  readonly url: string;
  readonly kubeconfig: string;
  /** Advances virtual time over HTTP; for manual clocks. */
  advance(by: string): Promise<void>;
  close(): Promise<void>;
}

/** Two nodes, real names, nothing else. */
export async function serveCluster(clock: ClockMode): Promise<ServedCluster> {
  const scenario = scenarioIn(SCENARIO);
  const streams = createStreams();
  const session: Session = createSession({
    start: (onEntry) => ({ cluster: simulate(scenario, { onEntry, invariants: [] }).cluster, troubles: [] }),
    clock,
    speed: 1,
    watched: () => streams.open > 0,
    onReset: () => {},
  });
  const listening = await listen(through(streams, session.answer), { port: 0 });
  const url = `http://127.0.0.1:${listening.port}`;
  return {
    url,
    kubeconfig: kubeconfigFor(url),
    async advance(by) {
      const response = await fetch(`${url}/sim/v1/advance`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ by }),
      });
      if (!response.ok) throw new Error(await response.text());
    },
    async close() {
      session.stop();
      await listening.close();
    },
  };
}
