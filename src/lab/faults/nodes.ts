/** Node agents that become silent, come back, or report that their node is not ready; containers that never become ready. */
import type { Cluster } from '../../controlplane/cluster.ts';
import { SHUTDOWN_KEY } from '../../controlplane/agents/index.ts';
import { type FaultCall, flag } from '../scenario/index.ts';
import type { Fault, Injection } from './fault.ts';
import { ifPossibleField, impossible, nodeField, planNotice, subjectText } from './parameters.ts';

const nodeFault = (
  name: string,
  description: string,
  detail: string,
  overlap: string,
  act: (cluster: Cluster, process: string, node: string, causes: readonly number[], call: FaultCall) => boolean,
  parameters: Fault['parameters'] = {},
): Fault => ({
  name,
  description,
  overlap,
  subject: nodeField,
  parameters: { ifPossible: ifPossibleField, ...parameters },
  apply(cluster, call, causes) {
    const node = subjectText(call);
    return act(cluster, `agent/${node}`, node, causes, call) ? { detail: `${node} ${detail}` } : impossible(cluster, call, `agent/${node}`);
  },
});

const setReady =
  (ready: boolean) =>
  (cluster: Cluster, process: string, node: string, causes: readonly number[]): boolean => {
    cluster.world.machine(node).ready = ready;
    return cluster.runtime.enqueue(process, 'node-registration', cluster.runtime.process(process)?.spec.node ?? node, causes);
  };

/** Tells an agent that its machine is being shut down. */
function announce(cluster: Cluster, process: string, node: string, causes: readonly number[]): boolean {
  if (!cluster.runtime.enqueue(process, 'pod-runner', SHUTDOWN_KEY, causes)) return false;
  cluster.world.machine(node).shutsDown = true;
  return cluster.runtime.enqueue(process, 'node-registration', cluster.runtime.process(process)?.spec.node ?? node, causes);
}

export const nodeDown = nodeFault(
  'nodeDown',
  'Silences a node: its agent stops, and its containers run on without reports.',
  'falls silent',
  'As with crash, of its agent.',
  (cluster, process, node, causes, call) => {
    const isShutDown = call.parameters['shutdown'] === true && cluster.world.machine(node).inhibits;
    if (!(isShutDown ? announce(cluster, process, node, causes) : cluster.runtime.crash(process, causes))) return false;
    planNotice(cluster, node);
    return true;
  },
  {
    shutdown: flag('The machine is shut down: an agent with shutdownGracePeriod ends its pods first, and stops then.'),
  },
);
export const nodeUp = nodeFault(
  'nodeUp',
  'Brings a silent node back.',
  'is back',
  'As with restart, of its agent.',
  (cluster, process, _, causes) => cluster.runtime.restart(process, cluster.now, causes),
);
export const nodeNotReady = nodeFault(
  'nodeNotReady',
  'Makes a node report Ready=False.',
  'reports that it is not ready',
  'What was said last counts.',
  setReady(false),
);
export const nodeReady = nodeFault(
  'nodeReady',
  'Makes a node report Ready=True again.',
  'reports that it is ready',
  'What was said last counts.',
  setReady(true),
);

/** Containers run and never become ready: a broken release, which only a new pod template repairs. */
export const hangInjection: Injection<'hang'> = {
  name: 'hang',
  sorts: ['start'],
  description: 'The containers of a pod run, are never ready and do not end by themselves.',
  drawn: () => [{ do: 'hang' }],
  weaker: () => [],
  says: () => 'its containers run and are never ready',
  onRequest: 'any pod that hangs breaks a condition that needs working containers',
};
