/** Nodes that fall silent, come back, or report that they are not ready. */
import type { Cluster } from '../../controlplane/cluster.ts';
import type { Fault } from './fault.ts';
import { ifPossibleField, impossible, nodeField, planNotice, subjectText } from './parameters.ts';

const nodeFault = (
  name: string,
  description: string,
  detail: string,
  overlap: string,
  act: (cluster: Cluster, process: string, node: string, causes: readonly number[]) => boolean,
): Fault => ({
  name,
  description,
  overlap,
  subject: nodeField,
  parameters: { ifPossible: ifPossibleField },
  apply(cluster, call, causes) {
    const node = subjectText(call);
    return act(cluster, `agent/${node}`, node, causes) ? { detail: `${node} ${detail}` } : impossible(cluster, call, `agent/${node}`);
  },
});

const setReady =
  (ready: boolean) =>
  (cluster: Cluster, process: string, node: string, causes: readonly number[]): boolean => {
    cluster.world.machine(node).ready = ready;
    return cluster.runtime.enqueue(process, 'node-registration', cluster.runtime.process(process)?.spec.node ?? node, causes);
  };

export const nodeDown = nodeFault(
  'nodeDown',
  'Silences a node: its agent stops; its containers run on, unreported.',
  'falls silent',
  'As with crash, of its agent.',
  (cluster, process, node, causes) => {
    if (!cluster.runtime.crash(process, causes)) return false;
    planNotice(cluster, node);
    return true;
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
  'The latest one counts.',
  setReady(false),
);
export const nodeReady = nodeFault(
  'nodeReady',
  'Makes a node report Ready=True again.',
  'reports that it is ready',
  'The latest one counts.',
  setReady(true),
);
