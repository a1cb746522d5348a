/** Explains why a controller does no work: its processes are down, on standby, disconnected or slow. */
import type { ControllerIntrospection, ProcessIntrospection } from '../../controlplane/runtime/index.ts';
import type { Situation, Wait } from './situation.ts';
import { at, listed } from './words.ts';

/** Returns the agent of a node. */
export const agentOfNode = ({ introspection }: Situation, node: string): ProcessIntrospection | undefined =>
  introspection.processes.find((process) => process.node === node || (process.node === undefined && process.name === `agent/${node}`));

/** Returns what keeps a process from its work; undefined: nothing. */
export function troubleOf(situation: Situation, process: ProcessIntrospection): Wait | undefined {
  const { name, up, since } = process;
  if (!up) {
    const back = situation.introspection.pending.find(({ what }) => what === `the start of ${name}` || what === `restart ${name}`);
    return {
      text: `${name} is down since ${at(situation, since)}, ${back === undefined ? 'and no restart is scheduled' : `and comes back at ${at(situation, back.at)}`}`,
      ...(back === undefined ? {} : { until: back.at }),
    };
  }
  const notice = situation.introspection.faults.find((fault) => fault.process === name);
  if (notice === undefined) return undefined;
  const until = notice.until === undefined ? '' : ` until ${at(situation, notice.until)}`;
  return { text: `${name} ${notice.says}${until}`, ...(notice.until === undefined ? {} : { until: notice.until }) };
}

/** Returns why no process does the work of a controller; undefined: one of them does. */
export function unservedBy(situation: Situation, serves: (controller: ControllerIntrospection) => boolean, what: string): Wait | undefined {
  const processes = situation.introspection.processes.filter(({ controllers }) => controllers.some(serves));
  if (processes.length === 0) return { text: `waits for ${what}, which no process of this cluster runs` };
  const troubles = processes.map((process) => troubleOf(situation, process));
  const [first] = troubles;
  const wait = (text: string, until?: number): Wait => ({ text: `waits for ${what}: ${text}`, ...(until === undefined ? {} : { until }) });
  if (processes.length === 1) return first === undefined ? undefined : wait(first.text, first.until);
  if (processes.some(({ leading }, index) => leading && troubles[index] === undefined)) return undefined;
  const names = processes.filter((_, index) => troubles[index] === undefined).map(({ name }) => name);
  const reported = troubles.flatMap((trouble) => (trouble === undefined ? [] : [trouble.text]));
  const idle = names.length === 0 ? [] : [`${listed(names)} ${names.length === 1 ? 'is' : 'are'} on standby`];
  const lease = situation.world
    .list('Lease', situation.names.systemNamespace)
    .find(({ metadata }) => processes.some(({ name }) => metadata.name.endsWith(baseOf(name))));
  return {
    ...wait([...reported, ...idle].join('; ')),
    ...(lease === undefined ? {} : { leadsTo: [{ kind: 'Lease', namespace: situation.names.systemNamespace, name: lease.metadata.name }] }),
  };
}

const baseOf = (process: string): string => process.replace(/-\d+$/, '');
export const byName =
  (...names: readonly string[]) =>
  ({ name }: ControllerIntrospection): boolean =>
    names.includes(name);
