/** Compiles the cluster of a file for the simulation: units become part of names, defaults are filled in, groups of nodes are expanded. */
import { present, quantity, quantityMilliValue, quantityValue, unitsOf } from '../../schema/values/index.ts';
import type { ImageSpec, NodeSpec } from '../../controlplane/agents/index.ts';
import { type Curve, type Resource, RESOURCES, type UsageSpec } from '../../controlplane/usage/index.ts';
import type { CLUSTER } from './cluster-format.ts';
import type { Value } from './fields.ts';
import type { ClusterSpec, LatencyRange } from './types.ts';

type RawCluster = Value<typeof CLUSTER>;

export const SCENARIO_DEFAULTS = {
  seed: 1,
  startAt: Date.UTC(2024, 2, 1),
  nodes: 3,
  capacity: { cpu: '4', memory: '8Gi', pods: '110' },
  latencyMs: 0,
} as const;

export function compileCluster(raw: RawCluster): ClusterSpec {
  return present({
    nodes: compileNodes(raw.nodes ?? { count: SCENARIO_DEFAULTS.nodes }),
    ...pick(raw, 'agent', 'agentFlags', 'schedulers', 'controllerManagers', 'podSources'),
    scheduler: raw.scheduler ?? [],
    latency: { api: latency(raw.latency?.api), watch: latency(raw.latency?.watch) },
    podBehaviors: raw.podBehaviors ?? [],
    storageDrivers: (raw.storageDrivers ?? []).map(({ capacity, ...rest }) => {
      const delays = { attachDelayMs: 0, detachDelayMs: 0, provisionDelayMs: 0 };
      return present({ ...delays, storageClasses: [], ...rest, capacity: capacity?.map((segment) => ({ topology: {}, ...segment })) });
    }),
    images: raw.images?.map(compileImage),
    usage: raw.usage?.map(compileUsage),
    metrics: raw.metrics?.map(({ value, ...rest }) => ({ ...rest, value: compileCurve(thousandths, value) })),
    certificateSigners: raw.certificateSigners?.map((signer) => ({ delayMs: 0, ...signer })),
    credentialProviders: raw.credentialProviders?.map((provider) => ({ ...PROVIDER_DEFAULTS, ...provider })),
    ...pick(raw, 'bootstrap', 'podEvents', 'managedFields', 'timeZone'),
  });
}

const sumOf = (numa: NodeSpec['numa']): NodeSpec['capacity'] =>
  numa === undefined
    ? {}
    : {
        cpu: String(numa.reduce((sum, { cpus }) => sum + cpus, 0)),
        memory: String(numa.reduce((sum, { memory }) => sum + unitsOf(memory), 0)),
      };

const NODE_MEMBERS = [
  ...(['labels', 'taints', 'agent', 'agentFlags', 'runtimeHandlers', 'podCIDR', 'numa', 'threadsPerCore', 'resolvers'] as const),
  'clientCertificateMs',
] as const;

function compileNodes(raw: NonNullable<RawCluster['nodes']>): readonly NodeSpec[] {
  const node = (name: string, shape: Omit<NodeSpec, 'name' | 'capacity'> & Partial<Pick<NodeSpec, 'capacity'>>): NodeSpec => ({
    name,
    capacity: { ...SCENARIO_DEFAULTS.capacity, ...sumOf(shape.numa), ...shape.capacity },
    ...pick(shape, ...NODE_MEMBERS),
  });
  if ('count' in raw) return Array.from({ length: raw.count }, (_, index) => node(`node-${index}`, raw));
  return raw.flatMap((each) =>
    each.count === undefined
      ? [node(each.name, each)]
      : Array.from({ length: each.count }, (_, index) => node(`${each.name}-${index}`, each)),
  );
}

const latency = (raw: NonNullable<RawCluster['latency']>['api'] = SCENARIO_DEFAULTS.latencyMs): LatencyRange =>
  typeof raw === 'object' ? raw : { minMs: raw, maxMs: raw };

/** The pull rate of images, bytes for each second. */
const PULLED_A_SECOND = 100 * 1024 * 1024;

const PROVIDER_DEFAULTS = { auth: {}, cacheKeyType: 'Registry', defaultCacheMs: 600_000, delayMs: 0 } as const;

function compileImage({ size = '0', private: secret, ...rest }: NonNullable<RawCluster['images']>[number]): ImageSpec {
  const sizeBytes = Number(quantityValue(quantity(size)));
  return present({ pullMs: Math.ceil((sizeBytes * 1000) / PULLED_A_SECOND), ...rest, sizeBytes, access: accessOf(secret) });
}

const accessOf = (raw: NonNullable<RawCluster['images']>[number]['private']): ImageSpec['access'] =>
  typeof raw === 'boolean' ? (raw ? 'private' : 'public') : raw;

type RawUsage = NonNullable<RawCluster['usage']>[number];

const units = (resource: Resource, amount: string): number => {
  const parsed = quantity(amount);
  return Number(resource === 'cpu' ? quantityMilliValue(parsed) : quantityValue(parsed));
};

const compileUsage = (raw: RawUsage): UsageSpec => ({
  ...pick(raw, 'selector', 'namespace', 'container', 'system', 'nodes', 'shared'),
  ...Object.fromEntries(
    RESOURCES.flatMap((resource) =>
      raw[resource] === undefined ? [] : [[resource, compileCurve((amount) => units(resource, amount), raw[resource])]],
    ),
  ),
});

const thousandths = (amount: string): number => Number(quantityMilliValue(quantity(amount)));

function compileCurve(unitsOf: (amount: string) => number, raw: NonNullable<RawUsage[Resource]>): Curve {
  if (typeof raw === 'string') return { shape: 'constant', is: unitsOf(raw) };
  if ('map' in raw) return { shape: 'steps', steps: raw.map(({ atMs, is }) => ({ atMs, is: unitsOf(is) })) };
  const from = unitsOf(raw.from ?? '0');
  const to = unitsOf(raw.to);
  return raw.overMs === undefined
    ? { shape: 'periodic', low: from, high: to, periodMs: raw.everyMs ?? 1 }
    : { shape: 'ramp', from, to, overMs: raw.overMs };
}

export function pick<T extends object, K extends keyof T>(from: T, ...names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]])) as Pick<T, K>;
}
