/** What each container of a pod uses, by selector; and what a node's system uses outside pods. */
import type { Pod } from '../../apiserver/kinds/index.ts';
import { labelMatcher, parseTime } from '../../schema/values/index.ts';
import { type Curve, firstAbove, valueAt } from './curve.ts';
import { equalParts } from './shares.ts';

/** Bytes of memory and disk, processes, thousandths of a core. */
export const RESOURCES = ['memory', 'disk', 'pids', 'cpu'] as const;
export type Resource = (typeof RESOURCES)[number];
export type Amounts = Readonly<Record<Resource, number>>;
export const NOTHING_USED: Amounts = { memory: 0, disk: 0, pids: 0, cpu: 0 };

/** What matching pods use; of several that state a resource the first counts. With `system`: what nodes use besides. */
export interface UsageSpec extends Readonly<Partial<Record<Resource, Curve>>> {
  readonly selector?: Parameters<typeof labelMatcher>[0];
  readonly namespace?: string;
  /**
   * One container; absent: the first of the pod. Of `system`: a container that the node's agent did not create, on top of what the system
   * uses.
   */
  readonly container?: string;
  readonly system?: boolean;
  /** Of `system`: only these nodes. */
  readonly nodes?: readonly string[];
  /** Cores that all matching pods use together: those that are ready have equal parts. Times count from the start of the run. */
  readonly shared?: boolean;
}

export interface Usage {
  /** Of a container whose run began at `startedAt`. */
  containerAt(pod: Pod, container: string, startedAt: number, t: number): Amounts;
  /** Of a container of a pod: since it runs, as the pod's status says; nothing while it does not. */
  containerNow(pod: Pod, container: string, t: number): Amounts;
  /** Of a whole pod at an instant: of its containers that run, as its status says, unless `startedAt` tells when they began. */
  usageAt(pod: Pod, t: number, startedAt?: number): Amounts;
  /** Of what a node uses besides its pods, with the containers that its agent did not create. */
  systemAt(node: string, t: number): Amounts;
  /** What each container of a node uses that its agent did not create; one that uses nothing is not there. */
  strangersAt(node: string, t: number): ReadonlyMap<string, Amounts>;
  /**
   * What each pod has of the work that pods share, thousandths of a core by `namespace/name`; a pod that shares in nothing is not there.
   * `everyPod` are all there are: it is asked only if there is such work.
   */
  sharesAt(everyPod: () => Iterable<Pod>, t: number): ReadonlyMap<string, number>;
  /** How long after its start a container's memory is above a limit; undefined: never. */
  aboveAfterMs(pod: Pod, container: string, memoryLimit: number): number | undefined;
}

const sum = (a: Amounts, b: Amounts): Amounts => ({
  memory: a.memory + b.memory,
  disk: a.disk + b.disk,
  pids: a.pids + b.pids,
  cpu: a.cpu + b.cpu,
});

/** Since when a container runs, as its pod states; undefined: it does not. */
export const runsSince = ({ status }: Pod, container: string): number | undefined => {
  const startedAt = status.containerStatuses?.find(({ name }) => name === container)?.state?.running?.startedAt;
  return typeof startedAt === 'string' ? parseTime(startedAt) : undefined;
};

/** Usage by these entries; `startAt`: what the times of systems count from, milliseconds since the epoch. */
export function createUsage(specs: readonly UsageSpec[], startAt: number): Usage {
  const ofPods = specs
    .filter(({ system, shared }) => system !== true && shared !== true)
    .map((spec) => ({ spec, matches: spec.selector === undefined ? () => true : labelMatcher(spec.selector) }));
  const ofSystems = specs.filter(({ system }) => system === true);
  const strangers = [...new Set(ofSystems.flatMap(({ container = [] }) => container))];
  const work = specs.filter(({ shared }) => shared === true);
  const curveOf = (pod: Pod, container: string, resource: Resource): Curve | undefined => {
    const { labels = {}, namespace } = pod.metadata;
    const first = pod.spec.containers[0]?.name;
    return ofPods.find(
      ({ spec, matches }) =>
        spec[resource] !== undefined &&
        (spec.container ?? first) === container &&
        (spec.namespace === undefined || spec.namespace === namespace) &&
        matches(labels),
    )?.spec[resource];
  };
  const amounts = (of: (resource: Resource) => Curve | undefined, ms: number): Amounts => {
    const at = (resource: Resource): number => {
      const curve = of(resource);
      return curve === undefined ? 0 : valueAt(curve, ms);
    };
    return { memory: at('memory'), disk: at('disk'), pids: at('pids'), cpu: at('cpu') };
  };
  const besides = (node: string, t: number, name: string | undefined): Amounts =>
    amounts(
      (resource) =>
        ofSystems.find(
          ({ container, nodes, ...spec }) => container === name && spec[resource] !== undefined && (nodes?.includes(node) ?? true),
        )?.[resource],
      t - startAt,
    );
  const usage: Usage = {
    containerAt: (pod, container, startedAt, t) => amounts((resource) => curveOf(pod, container, resource), t - startedAt),
    containerNow(pod, container, t) {
      const since = runsSince(pod, container);
      return since === undefined ? NOTHING_USED : usage.containerAt(pod, container, since, t);
    },
    usageAt: (pod, t, startedAt) =>
      pod.spec.containers.reduce(
        (all, { name }) =>
          sum(all, startedAt === undefined ? usage.containerNow(pod, name, t) : usage.containerAt(pod, name, startedAt, t)),
        NOTHING_USED,
      ),
    systemAt: (node, t) => [...usage.strangersAt(node, t).values()].reduce(sum, besides(node, t, undefined)),
    strangersAt: (node, t) =>
      new Map(
        strangers.flatMap((name) => {
          const uses = besides(node, t, name);
          return RESOURCES.some((resource) => uses[resource] > 0) ? [[name, uses] as const] : [];
        }),
      ),
    sharesAt: (everyPod, t) =>
      equalParts(
        work.flatMap(({ cpu, ...whose }) => (cpu === undefined ? [] : [{ ...whose, amount: valueAt(cpu, t - startAt) }])),
        everyPod,
      ),
    aboveAfterMs(pod, container, memoryLimit) {
      const curve = curveOf(pod, container, 'memory');
      return curve === undefined ? undefined : firstAbove(curve, memoryLimit);
    },
  };
  return usage;
}
