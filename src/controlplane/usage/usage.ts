/** The usage of each container of a pod, by selector, and of a node's system outside pods. */
import type { Pod } from '../../apiserver/kinds/index.ts';
import { labelMatcher, parseTime } from '../../schema/values/index.ts';
import { type Curve, firstAbove, valueAt, equalParts } from './curve.ts';

/** Bytes of memory and disk, numbers of processes, thousandths of a core. */
export const RESOURCES = ['memory', 'disk', 'pids', 'cpu'] as const;
export type Resource = (typeof RESOURCES)[number];
export type Amounts = Readonly<Record<Resource, number>>;
export const NOTHING_USED: Amounts = { memory: 0, disk: 0, pids: 0, cpu: 0 };

/** The usage of matching pods; the first entry that states a resource counts. With `system`: the usage of nodes outside pods. */
export interface UsageSpec extends Readonly<Partial<Record<Resource, Curve>>> {
  readonly selector?: Parameters<typeof labelMatcher>[0];
  readonly namespace?: string;
  /** One container; absent: the first of the pod. With `system`: a further container that the node's agent did not create. */
  readonly container?: string;
  readonly system?: boolean;
  /** With `system`: only these nodes. */
  readonly nodes?: readonly string[];
  /** The CPU usage is that of all matching pods together: ready pods have equal parts. Times count from the start of the run. */
  readonly shared?: boolean;
}

export type Usage = ReturnType<typeof createUsage>;

const each = (of: (resource: Resource) => number): Amounts => ({
  memory: of('memory'),
  disk: of('disk'),
  pids: of('pids'),
  cpu: of('cpu'),
});
const sum = (a: Amounts, b: Amounts): Amounts => each((resource) => a[resource] + b[resource]);

/** Since when a container runs, by its pod's status; undefined: it does not run. */
export const runsSince = ({ status }: Pod, container: string): number | undefined => {
  const startedAt = status.containerStatuses?.find(({ name }) => name === container)?.state?.running?.startedAt;
  return typeof startedAt === 'string' ? parseTime(startedAt) : undefined;
};

/** The curve of a container's resource, by the first entry that matches its pod and states the resource. */
function curvesOf(specs: readonly UsageSpec[]) {
  const ofPods = specs
    .filter(({ system, shared }) => system !== true && shared !== true)
    .map((spec) => ({ spec, matches: spec.selector === undefined ? () => true : labelMatcher(spec.selector) }));
  return (pod: Pod, container: string, resource: Resource): Curve | undefined => {
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
}

/** Usage by these entries; `startAt`: the time from which the times of systems count, milliseconds since the epoch. */
export function createUsage(specs: readonly UsageSpec[], startAt: number) {
  const ofSystems = specs.filter(({ system }) => system === true);
  const foreign = [...new Set(ofSystems.flatMap(({ container = [] }) => container))];
  const work = specs.filter(({ shared }) => shared === true);
  const curveOf = curvesOf(specs);
  const amounts = (of: (resource: Resource) => Curve | undefined, ms: number): Amounts =>
    each((resource) => {
      const curve = of(resource);
      return curve === undefined ? 0 : valueAt(curve, ms);
    });
  const besides = (node: string, t: number, name: string | undefined): Amounts =>
    amounts(
      (resource) =>
        ofSystems.find(
          ({ container, nodes, ...spec }) => container === name && spec[resource] !== undefined && (nodes?.includes(node) ?? true),
        )?.[resource],
      t - startAt,
    );
  const usage = {
    /** The usage of a container that started at `startedAt`. */
    containerAt: (pod: Pod, container: string, startedAt: number, t: number): Amounts =>
      amounts((resource) => curveOf(pod, container, resource), t - startedAt),
    /** The usage of a container by its start in the pod's status; zero while it does not run. */
    containerNow(pod: Pod, container: string, t: number): Amounts {
      const since = runsSince(pod, container);
      return since === undefined ? NOTHING_USED : usage.containerAt(pod, container, since, t);
    },
    /** The usage of a whole pod at an instant: of its running containers by its status, unless `startedAt` gives their start. */
    usageAt: (pod: Pod, t: number, startedAt?: number): Amounts =>
      pod.spec.containers.reduce(
        (all, { name }) =>
          sum(all, startedAt === undefined ? usage.containerNow(pod, name, t) : usage.containerAt(pod, name, startedAt, t)),
        NOTHING_USED,
      ),
    /** The usage of a node outside pods, including containers that its agent did not create. */
    systemAt: (node: string, t: number): Amounts => [...usage.foreignAt(node, t).values()].reduce(sum, besides(node, t, undefined)),
    /** The usage of each container on a node that its agent did not create; those without usage are absent. */
    foreignAt: (node: string, t: number): ReadonlyMap<string, Amounts> =>
      new Map(
        foreign.flatMap((name) => {
          const uses = besides(node, t, name);
          return RESOURCES.some((resource) => uses[resource] > 0) ? [[name, uses] as const] : [];
        }),
      ),
    /** Shares in shared work, thousandths of a core by `namespace/name`. `everyPod` is called only if there is shared work. */
    sharesAt: (everyPod: () => Iterable<Pod>, t: number): ReadonlyMap<string, number> =>
      equalParts(
        work.flatMap(({ cpu, ...whose }) => (cpu === undefined ? [] : [{ ...whose, amount: valueAt(cpu, t - startAt) }])),
        everyPod,
      ),
    /** The time after its start at which a container's memory exceeds a limit, milliseconds; undefined: never. */
    aboveAfterMs(pod: Pod, container: string, memoryLimit: number): number | undefined {
      const curve = curveOf(pod, container, 'memory');
      return curve === undefined ? undefined : firstAbove(curve, memoryLimit);
    },
  };
  return usage;
}
