/** Compiles the cluster of a file for the simulation: units become part of names, defaults are filled in, groups of nodes are expanded. */
import type { CredentialPlugin } from '../../controlplane/config/index.ts';
import { quantity, quantityMilliValue, quantityValue, unitsOf } from '../../schema/values/index.ts';
import type { CertificateSigner, ImageSpec, NodeSpec, PodBehavior, PodSource, StorageDriver } from '../../controlplane/agents/index.ts';
import { type Curve, type Resource, RESOURCES, type SeriesSpec, type UsageSpec } from '../../controlplane/usage/index.ts';
import type { CLUSTER } from './cluster-format.ts';
import type { Value } from './fields.ts';
import type { ClusterSpec, LatencyRange } from './types.ts';

type RawCluster = Value<typeof CLUSTER>;

/** Defaults of a scenario. */
export const SCENARIO_DEFAULTS = {
  seed: 1,
  startAt: Date.UTC(2024, 2, 1),
  nodes: 3,
  capacity: { cpu: '4', memory: '8Gi', pods: '110' },
  latencyMs: 0,
} as const;

/** Compiles the cluster of a file, with defaults. */
export function compileCluster(raw: RawCluster): ClusterSpec {
  return {
    nodes: compileNodes(raw.nodes ?? { count: SCENARIO_DEFAULTS.nodes }),
    ...pick(raw, 'agent', 'agentFlags', 'schedulers', 'controllerManagers'),
    scheduler: raw.scheduler ?? [],
    latency: { api: latency(raw.latency?.api), watch: latency(raw.latency?.watch) },
    podBehaviors: (raw.podBehaviors ?? []).map(compileBehavior),
    storageDrivers: (raw.storageDrivers ?? []).map(compileDriver),
    ...renamed('images', raw.images?.map(compileImage)),
    ...renamed(
      'podSources',
      raw.podSources?.map(({ from, until, ...rest }): PodSource => ({ ...rest, ...renamed('fromMs', from), ...renamed('untilMs', until) })),
    ),
    ...renamed('usage', raw.usage?.map(compileUsage)),
    ...renamed('metrics', raw.metrics?.map(compileSeries)),
    ...renamed('certificateSigners', raw.certificateSigners?.map(compileSigner)),
    ...renamed('credentialProviders', raw.credentialProviders?.map(compileProvider)),
    ...pick(raw, 'bootstrap', 'podEvents', 'managedFields', 'timeZone'),
  };
}

/** Returns the capacity of a machine with a NUMA topology: the sum over its nodes. */
const sumOf = (numa: NodeSpec['numa']): NodeSpec['capacity'] =>
  numa === undefined
    ? {}
    : {
        cpu: String(numa.reduce((sum, { cpus }) => sum + cpus, 0)),
        memory: String(numa.reduce((sum, { memory }) => sum + unitsOf(memory), 0)),
      };

function compileNodes(raw: NonNullable<RawCluster['nodes']>): readonly NodeSpec[] {
  const node = (
    name: string,
    shape: Omit<NodeSpec, 'name' | 'capacity'> & { readonly capacity?: NodeSpec['capacity']; readonly clientCertificate?: number },
  ): NodeSpec => ({
    name,
    capacity: { ...SCENARIO_DEFAULTS.capacity, ...sumOf(shape.numa), ...shape.capacity },
    ...pick(shape, 'labels', 'taints', 'agent', 'agentFlags', 'runtimeHandlers', 'podCIDR', 'numa', 'threadsPerCore', 'resolvers'),
    ...renamed('clientCertificateMs', shape.clientCertificate),
  });
  if ('count' in raw) return Array.from({ length: raw.count }, (_, index) => node(`node-${index}`, raw));
  return raw.flatMap((each) =>
    each.count === undefined
      ? [node(each.name, each)]
      : Array.from({ length: each.count }, (_, index) => node(`${each.name}-${index}`, each)),
  );
}

function latency(raw: NonNullable<RawCluster['latency']>['api']): LatencyRange {
  if (typeof raw === 'object') return { minMs: raw.min, maxMs: raw.max };
  return { minMs: raw ?? SCENARIO_DEFAULTS.latencyMs, maxMs: raw ?? SCENARIO_DEFAULTS.latencyMs };
}

const compileBehavior = (raw: NonNullable<RawCluster['podBehaviors']>[number]): PodBehavior => ({
  ...pick(raw, 'selector', 'namespace'),
  ...renamed('startDelayMs', raw.startDelay),
  ...renamed('readyDelayMs', raw.readyDelay),
  ...renamed('runForMs', raw.runFor),
  ...pick(raw, 'exitCodes', 'exitCodesByIndex'),
  ...renamed('terminationDelayMs', raw.terminationDelay),
  ...pick(raw, 'terminationExitCode'),
});

/** The pull rate of images, bytes for each second. */
const PULLED_A_SECOND = 100 * 1024 * 1024;

const TEN_MINUTES = 600_000;

const compileSigner = ({
  delay = 0,
  lasts,
  from,
  until,
  ...rest
}: NonNullable<RawCluster['certificateSigners']>[number]): CertificateSigner => ({
  ...rest,
  delayMs: delay,
  ...renamed('lastsMs', lasts),
  ...renamed('fromMs', from),
  ...renamed('untilMs', until),
});

const compileProvider = (raw: NonNullable<RawCluster['credentialProviders']>[number]): CredentialPlugin => ({
  ...pick(raw, 'name', 'matchImages', 'error'),
  auth: raw.auth ?? {},
  cacheKeyType: raw.cacheKeyType ?? 'Registry',
  ...renamed('cacheMs', raw.cacheDuration),
  defaultCacheMs: raw.defaultCacheDuration ?? TEN_MINUTES,
  delayMs: raw.delay ?? 0,
});

function compileImage(raw: NonNullable<RawCluster['images']>[number]): ImageSpec {
  const sizeBytes = Number(quantityValue(quantity(raw.size ?? '0')));
  return {
    name: raw.name,
    sizeBytes,
    pullMs: raw.pullTime ?? Math.ceil((sizeBytes * 1000) / PULLED_A_SECOND),
    ...pick(raw, 'missing', 'nodes'),
    ...renamed('fromMs', raw.from),
    ...renamed('untilMs', raw.until),
    ...renamed('access', accessOf(raw.private)),
  };
}

const accessOf = (raw: NonNullable<RawCluster['images']>[number]['private']): ImageSpec['access'] =>
  typeof raw === 'boolean' ? (raw ? 'private' : 'public') : raw;

const compileDriver = (raw: NonNullable<RawCluster['storageDrivers']>[number]): StorageDriver => ({
  name: raw.name,
  attachDelayMs: raw.attachDelay ?? 0,
  detachDelayMs: raw.detachDelay ?? 0,
  provisionDelayMs: raw.provisionDelay ?? 0,
  ...pick(raw, 'failures', 'attachRequired', 'volumesPerNode', 'topologyKeys', 'mountOptions', 'parameters', 'csiDriver'),
  ...renamed('expandDelayMs', raw.expandDelay),
  ...renamed(
    'capacity',
    raw.capacity?.map((segment) => ({ topology: {}, ...segment })),
  ),
  storageClasses: raw.storageClasses ?? [],
});

type RawUsage = NonNullable<RawCluster['usage']>[number];

/** Parses a quantity to bytes, processes, or thousandths of a core. */
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

const compileSeries = ({ value, ...rest }: NonNullable<RawCluster['metrics']>[number]): SeriesSpec => ({
  ...pick(rest, 'name', 'pods', 'object', 'external', 'namespace', 'labels', 'shared'),
  value: compileCurve(thousandths, value),
});

function compileCurve(unitsOf: (amount: string) => number, raw: NonNullable<RawUsage[Resource]>): Curve {
  if (typeof raw === 'string') return { shape: 'constant', is: unitsOf(raw) };
  if ('map' in raw) return { shape: 'steps', steps: raw.map(({ at, is }) => ({ atMs: at, is: unitsOf(is) })) };
  const from = unitsOf(raw.from ?? '0');
  const to = unitsOf(raw.to);
  return raw.over === undefined
    ? { shape: 'periodic', low: from, high: to, periodMs: raw.every ?? 1 }
    : { shape: 'ramp', from, to, overMs: raw.over };
}

/** Returns `{ [name]: value }`, or an empty object where there is no value. */
export const renamed = <K extends string, V>(name: K, value: V | undefined): { readonly [P in K]?: V } =>
  value === undefined ? {} : ({ [name]: value } as { readonly [P in K]?: V });

export function pick<T extends object, K extends keyof T>(from: T, ...names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]])) as Pick<T, K>;
}
