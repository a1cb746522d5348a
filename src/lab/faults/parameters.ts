/** Fields that several faults share, and readers of their checked values. */
import type { Cluster } from '../../controlplane/cluster.ts';
import { type FaultCall, type Field, flag, list } from '../scenario/index.ts';
import type { Fault } from './fault.ts';
import { didYouMean } from '../../schema/values/index.ts';

export const processField = {
  type: 'string',
  names: 'process',
  says: 'A process: controller-manager, scheduler, agent/<node>, a client of spec.clients …',
} as const satisfies Field;
const clientField = {
  type: 'string',
  names: 'client',
  says: 'A client outside the cluster, of spec.clients.',
} as const satisfies Field;
export const nodeField = { type: 'string', names: 'node', says: 'A node by name.' } as const satisfies Field;
export const kindsField = list('Only these kinds; absent: all.', { type: 'name', of: 'kinds', says: 'A kind.' }, { orOne: true });

/** For scenarios that do not know the state of the process in advance. */
export const ifPossibleField = flag('No error when the process is down already, or up already: nothing happens.');

export const subjectText = (call: FaultCall): string => (typeof call.subject === 'string' ? call.subject : '');
export const milliseconds = (call: FaultCall, name: string): number | undefined => {
  const value = call.parameters[name];
  return typeof value === 'number' ? value : undefined;
};
export const kindsOf = (call: FaultCall): ReadonlySet<string> | undefined => {
  const value = call.parameters['kinds'];
  return Array.isArray(value) ? new Set(value.filter((kind) => typeof kind === 'string')) : undefined;
};
const noProcess = (cluster: Cluster, name: string): { readonly error: string } => ({
  error: `there is no process ${name}${didYouMean(name, cluster.runtime.names())}; there are ${cluster.runtime.names().join(', ')}`,
});

function noClient({ runtime }: Cluster, name: string): { readonly error: string } {
  const clients = runtime.names().filter((each) => runtime.process(each)?.spec.isClient === true);
  const there = clients.length === 0 ? 'the scenario has none: spec.clients names them' : `there are ${clients.join(', ')}`;
  return { error: `there is no client ${name}${didYouMean(name, clients)}; ${there}` };
}

interface OfSubject extends Omit<Fault, 'subject' | 'apply'> {
  apply(cluster: Cluster, name: string, call: FaultCall): ReturnType<Fault['apply']>;
}
const onSubject =
  (subject: Field, problem: (cluster: Cluster, name: string) => { readonly error: string } | undefined) =>
  ({ apply, parameters, ...spec }: OfSubject): Fault => ({
    ...spec,
    subject,
    parameters,
    apply: (cluster, call) => problem(cluster, subjectText(call)) ?? apply(cluster, subjectText(call), call),
  });

/** Returns a fault of a process that exists. */
export const ofProcess = onSubject(processField, (cluster, name) =>
  cluster.runtime.process(name) === undefined ? noProcess(cluster, name) : undefined,
);
/** Returns a fault of a client outside the cluster that exists. */
export const ofClient = onSubject(clientField, (cluster, name) =>
  cluster.runtime.process(name)?.spec.isClient === true ? undefined : noClient(cluster, name),
);

/** Returns the message for a process that is not in the state that a fault needs: down already, or up already. */
export const impossible = (cluster: Cluster, call: FaultCall, name: string): { readonly detail: string } | { readonly error: string } => {
  const process = cluster.runtime.process(name);
  if (process === undefined) return noProcess(cluster, name);
  const state = `${name} is ${process.up ? 'up' : 'down'} already`;
  return call.parameters['ifPossible'] === true
    ? { detail: `nothing happens: ${state}` }
    : { error: `${state}: ${call.name} needs it ${process.up ? 'down' : 'up'} (ifPossible: true allows that)` };
};

export const planEnd = (cluster: Cluster, forMs: number | undefined, label: string, lift: () => void): void => {
  if (forMs !== undefined)
    cluster.plan(cluster.now + forMs, label, (causes) => {
      cluster.note({ type: 'fault', causes, fault: 'end', detail: label });
      lift();
    });
};

/** A silent process causes no events. Waiting for a settled cluster must not end before its lease or its node has timed out. */
const NOTICED_WITHIN_MS = 60_000;

/** Keeps a run from being settled until the silence of a node or a leader can have been detected. */
export const planNotice = (cluster: Cluster, who: string): void =>
  cluster.plan(cluster.now + NOTICED_WITHIN_MS, `the silence of ${who} has been noticed`, () => undefined);
