/** `metrics.orch.io/v1beta1`: usage of running pods, and of nodes whose agent reports. Read only. Models: metrics-server pkg/api. */
import type { Node, Pod } from '../../../apiserver/kinds/index.ts';
import { perObject } from '../../../engine/memo.ts';
import { keyOf, nameColumn, type ApiObject, type Kind } from '../../../apiserver/machinery/index.ts';
import { compareText, present } from '../../../schema/values/index.ts';
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

/** The keys of pods that declare their usage. */
const reporters = perObject((backend: Backend): ReadonlySet<string> => {
  const keys = new Set<string>();
  for (const pod of backend.store.values('Pod')) if (reportsUsage(pod)) keys.add(keyOf(pod));
  backend.listen('Pod', ({ key, object, type }) => {
    if (type !== 'DELETED' && reportsUsage(object as Pod)) keys.add(key);
    else keys.delete(key);
  });
  return keys;
});

/** Whether there is a metrics server: a scenario or a pod provides usage. */
export const hasMeter = (backend: Backend): boolean => backend.metered?.usage !== undefined || reporters(backend).size > 0;

export const meterRows = (group: string): readonly ExtraRow[] =>
  [
    { name: 'nodes', namespaced: false, kind: 'NodeMetrics' },
    { name: 'pods', namespaced: true, kind: 'PodMetrics' },
  ].map((row) => ({ group, version: VERSION, row: { ...row, singularName: '', verbs: ['get', 'list'] } }));

const usageOf = ({ cpu, memory }: Reading) =>
  present({
    cpu: cpu === undefined ? undefined : milliQuantity(cpu),
    memory: memory === undefined ? undefined : bytesQuantity(memory),
  });

/** The readings behind replies, for printing sums: the replies contain only texts. */
const readings = new WeakMap<object, Reading>();
type Column = Kind['columns'][number];
const TEXT: Pick<Column, 'type' | 'description' | 'priority'> = { type: 'string', description: '', priority: 0 };
const kindOf = (kind: string): MadeKind => ({
  kind,
  groupPrefix: 'metrics',
  columns: [
    nameColumn,
    ...MEASURED.map((name): Column => {
      const cell = (object: ApiObject) => usageOf({ [name]: readings.get(object)?.[name] ?? 0 })[name];
      return { ...TEXT, name, format: 'quantity', cell };
    }),
    { ...TEXT, name: 'Window', format: 'duration', cell: () => WINDOW },
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
  const isUnthrottled = (node: string): boolean => metered?.unthrottled?.has(node) === true;
  const meter = meterAt({ usage: metered?.usage, everyPod: () => store.values('Pod'), isUnthrottled }, now());
  const request: MetricsCall = { call, group, apiVersion: `${group}/${VERSION}`, meter };
  if (subresource !== undefined || namespace === '' || (resource !== 'pods' && resource !== 'nodes')) throw unknownResource();
  if (resource === 'nodes' && namespace !== undefined) throw unknownResource();
  if (resource === 'pods' && namespace === undefined && name !== '') throw unknownResource();
  checkRead(call);
  if (resource === 'nodes')
    return name === ''
      ? listed(request, NODES, store.values('Node'), nodeMetrics)
      : single(request, NODES, name, store.get('Node', name), nodeMetrics);
  if (name !== '') return single(request, PODS, name, store.get('Pod', `${namespace ?? ''}/${name}`), podMetrics);
  return listed(request, PODS, namespace === undefined ? store.values('Pod') : store.by('Pod', 'namespace', namespace), podMetrics);
}

const byName = (a: ApiObject, b: ApiObject): number =>
  compareText(a.metadata.namespace ?? '', b.metadata.namespace ?? '') || compareText(a.metadata.name, b.metadata.name);

function metricsOf({ call, apiVersion }: MetricsCall, kind: string, { metadata }: ApiObject, reading: Reading, rest: object) {
  const { name, namespace, labels } = metadata;
  const timestamp = timestampOf(call);
  const about = present({ name, namespace, creationTimestamp: timestamp, labels });
  const answer = { kind, apiVersion, metadata: about, timestamp, window: WINDOW, ...rest };
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
  const items = chosen.flatMap((each) => metrics(request, each) ?? []);
  return many(call, kind, apiVersion, items);
}

function single<T extends ApiObject>(request: MetricsCall, kind: MadeKind, name: string, found: T | undefined, metrics: Metrics<T>) {
  if (found === undefined) throw missing(kind === PODS ? 'pods' : 'nodes', '', name);
  const answer = metrics(request, found);
  if (answer === undefined) throw missing(kind.kind.toLowerCase(), request.group, keyOf(found));
  return one(request.call, kind, answer);
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
