/** `metrics.orch.io/v1beta1`: usage of running pods, and of nodes whose agent reports. Read only. Models: metrics-server pkg/api. */
import type { Node, Pod } from '../../../apiserver/kinds/index.ts';
import { nameColumn, type ApiObject, type Kind } from '../../../apiserver/machinery/index.ts';
import { compareText } from '../../../schema/values/index.ts';
import { MEASURED, meterAt, type Meter, type Reading, reportsUsage } from '../../../controlplane/usage/index.ts';
import type { Backend } from '../backend.ts';
import type { Call } from '../call.ts';
import type { ExtraRow } from '../discovery/resource-list.ts';
import type { HttpReply } from '../message.ts';
import { missing, unknownResource } from '../refusals.ts';
import type { VersionPath } from '../request/path.ts';
import { bytesQuantity, checkRead, labelsIn, many, milliQuantity, namesIn, one, timestampOf, type MadeKind } from './made.ts';

export const VERSION = 'v1beta1';
const WINDOW = '15s';

/** The pods that declare their usage, by backend. */
const reporters = new WeakMap<Backend, Set<string>>();

function anyReportsUsage(backend: Backend): boolean {
  let found = reporters.get(backend);
  if (found === undefined) {
    const keys = new Set<string>();
    const keep = (key: string, pod: Pod, isThere: boolean): void => {
      if (isThere && reportsUsage(pod)) keys.add(key);
      else keys.delete(key);
    };
    for (const pod of backend.store.values('Pod')) keep(`${pod.metadata.namespace ?? ''}/${pod.metadata.name}`, pod, true);
    backend.listen('Pod', ({ key, object, type }) => keep(key, object as Pod, type !== 'DELETED'));
    reporters.set(backend, (found = keys));
  }
  return found.size > 0;
}

/** Whether there is a metrics server: a scenario or a pod provides usage. */
export const hasMeter = (backend: Backend): boolean => backend.metered?.usage !== undefined || anyReportsUsage(backend);

export const meterRows = (group: string): readonly ExtraRow[] =>
  [
    { name: 'nodes', namespaced: false, kind: 'NodeMetrics' },
    { name: 'pods', namespaced: true, kind: 'PodMetrics' },
  ].map((row) => ({ group, version: VERSION, row: { ...row, singularName: '', verbs: ['get', 'list'] } }));

const usageOf = ({ cpu, memory }: Reading) => ({
  ...(cpu === undefined ? {} : { cpu: milliQuantity(cpu) }),
  ...(memory === undefined ? {} : { memory: bytesQuantity(memory) }),
});

const quantityColumn = (name: (typeof MEASURED)[number], of: (object: ApiObject) => Reading): Kind['columns'][number] => ({
  name,
  type: 'string',
  format: 'quantity',
  description: '',
  priority: 0,
  cell: (object) => usageOf({ [name]: of(object)[name] ?? 0 })[name],
});

/** The readings behind replies, for printing sums: the replies contain only texts. */
const readings = new WeakMap<object, Reading>();
const kindOf = (kind: string): MadeKind => ({
  kind,
  groupPrefix: 'metrics',
  columns: [
    nameColumn,
    ...MEASURED.map((name) => quantityColumn(name, (object) => readings.get(object) ?? {})),
    { name: 'Window', type: 'string', format: 'duration', description: '', priority: 0, cell: () => WINDOW },
  ],
});
const PODS = kindOf('PodMetrics');
const NODES = kindOf('NodeMetrics');

interface MetricsCall {
  readonly call: Call;
  readonly group: string;
  readonly apiVersion: string;
  readonly meter: Meter;
}

/** Answers a path below the group's version. */
export function answerMetrics(call: Call, { group, namespace, resource, name = '', subresource }: VersionPath): HttpReply {
  const { store, metered, now } = call.backend;
  const meter = meterAt(
    {
      usage: metered?.usage,
      everyPod: () => store.values('Pod'),
      isUnthrottled: (node) => metered?.unthrottled?.has(node) === true,
    },
    now(),
  );
  const request: MetricsCall = { call, group, apiVersion: `${group}/${VERSION}`, meter };
  if (subresource !== undefined || namespace === '' || (resource !== 'pods' && resource !== 'nodes')) throw unknownResource();
  if (resource === 'nodes' && namespace !== undefined) throw unknownResource();
  if (resource === 'pods' && namespace === undefined && name !== '') throw unknownResource();
  checkRead(call);
  if (resource === 'nodes') return name === '' ? listed(request, NODES, store.values('Node'), nodeMetrics) : node(request, name);
  return name === '' ? pods(request, namespace) : pod(request, namespace ?? '', name);
}

const byName = (a: ApiObject, b: ApiObject): number =>
  compareText(a.metadata.namespace ?? '', b.metadata.namespace ?? '') || compareText(a.metadata.name, b.metadata.name);

function metricsOf({ call, apiVersion }: MetricsCall, kind: string, { metadata }: ApiObject, reading: Reading, rest: object) {
  const { name, namespace, labels } = metadata;
  const timestamp = timestampOf(call);
  const answer = {
    kind,
    apiVersion,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      creationTimestamp: timestamp,
      ...(labels === undefined ? {} : { labels }),
    },
    timestamp,
    window: WINDOW,
    ...rest,
  };
  readings.set(answer, reading);
  return answer;
}

function podMetrics(request: MetricsCall, of: Pod) {
  const containers = request.meter.ofPod(of);
  if (containers === undefined) return undefined;
  const total = { cpu: 0, memory: 0 };
  for (const { reading } of containers) for (const resource of MEASURED) total[resource] += reading[resource] ?? 0;
  return metricsOf(request, 'PodMetrics', of, total, {
    containers: containers.map(({ name, reading }) => ({ name, usage: usageOf(reading) })),
  });
}

type Metrics<T> = (request: MetricsCall, of: T) => ReturnType<typeof metricsOf> | undefined;

function listed<T extends ApiObject>(request: MetricsCall, kind: MadeKind, all: Iterable<T>, metrics: Metrics<T>): HttpReply {
  const { call, apiVersion } = request;
  const [matches, isNamed] = [labelsIn(call, 'labelSelector'), namesIn(call)];
  const chosen = [...all].filter(({ metadata }) => matches(metadata.labels) && isNamed(metadata)).sort(byName);
  return many(
    call,
    kind,
    apiVersion,
    chosen.flatMap((each) => metrics(request, each) ?? []),
  );
}

function pods(request: MetricsCall, namespace: string | undefined): HttpReply {
  const { store } = request.call.backend;
  return listed(request, PODS, namespace === undefined ? store.values('Pod') : store.by('Pod', 'namespace', namespace), podMetrics);
}

function pod(request: MetricsCall, namespace: string, name: string): HttpReply {
  const found = request.call.backend.store.get('Pod', `${namespace}/${name}`);
  if (found === undefined) throw missing('pods', '', name);
  const answer = podMetrics(request, found);
  if (answer === undefined) throw missing('podmetrics', request.group, `${namespace}/${name}`);
  return one(request.call, PODS, answer);
}

/** A metrics server can read the usage of a node while its agent responds. */
const isReachable = ({ status }: Node): boolean =>
  status.conditions?.some(({ type, status: is }) => type === 'Ready' && is !== 'Unknown') === true;

function nodeMetrics(request: MetricsCall, of: Node) {
  if (!isReachable(of)) return undefined;
  const { name } = of.metadata;
  const reading = request.meter.ofNode(name, request.call.backend.store.by('Pod', 'nodeName', name));
  return metricsOf(request, 'NodeMetrics', of, reading, { usage: usageOf(reading) });
}

function node(request: MetricsCall, name: string): HttpReply {
  const found = request.call.backend.store.get('Node', name);
  if (found === undefined) throw missing('nodes', '', name);
  const answer = nodeMetrics(request, found);
  if (answer === undefined) throw missing('nodemetrics', request.group, name);
  return one(request.call, NODES, answer);
}
