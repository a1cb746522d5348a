/**
 * `metrics.orch.io/v1beta1`: what pods and nodes use, as `kubectl top` asks for it. Read-only. Models: metrics-server pkg/api. A node whose
 * agent is silent has no metrics, and neither has a pod that does not run.
 */
import type { Node, Pod } from '../../../apiserver/kinds/index.ts';
import { nameColumn, type ApiObject, type Kind } from '../../../apiserver/machinery/index.ts';
import { failure, type Refusal } from '../../../apiserver/request/index.ts';
import { compareText, quote } from '../../../schema/values/index.ts';
import { MEASURED, meterAt, type Meter, type Reading, reportsUsage } from '../../../controlplane/usage/index.ts';
import type { Backend } from '../backend.ts';
import type { Call } from '../call.ts';
import type { ExtraRow } from '../discovery/resource-list.ts';
import type { HttpReply } from '../message.ts';
import { unknownResource } from '../refusals.ts';
import type { VersionPath } from '../request/path.ts';
import { bytesQuantity, checkRead, labelsIn, many, milliQuantity, namesIn, one, timestampOf, type MadeKind } from './made.ts';

export const VERSION = 'v1beta1';
/** What a metrics server gathers one number from. */
const WINDOW = '15s';

/** How many pods say themselves what they use, by the server that holds them. */
const tellers = new WeakMap<Backend, Set<string>>();

function anyTells(backend: Backend): boolean {
  let found = tellers.get(backend);
  if (found === undefined) {
    const keys = new Set<string>();
    const keep = (key: string, pod: Pod, isThere: boolean): void => {
      if (isThere && reportsUsage(pod)) keys.add(key);
      else keys.delete(key);
    };
    for (const pod of backend.store.values('Pod')) keep(`${pod.metadata.namespace ?? ''}/${pod.metadata.name}`, pod, true);
    backend.listen('Pod', ({ key, object, type }) => {
      keep(key, object as Pod, type !== 'DELETED');
    });
    tellers.set(backend, (found = keys));
  }
  return found.size > 0;
}

/** Whether there is a metrics server: somebody says what pods use. */
export const hasMeter = (backend: Backend): boolean => backend.metered?.usage !== undefined || anyTells(backend);

/** Its rows in discovery. */
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

/** What is printed is added up from what was measured: the answer itself holds texts. */
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

interface Asked {
  readonly call: Call;
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
  const asked: Asked = { call, apiVersion: `${group}/${VERSION}`, meter };
  if (subresource !== undefined || namespace === '' || (resource !== 'pods' && resource !== 'nodes')) throw unknownResource();
  if (resource === 'nodes' && namespace !== undefined) throw unknownResource();
  if (resource === 'pods' && namespace === undefined && name !== '') throw unknownResource();
  checkRead(call);
  if (resource === 'nodes') return name === '' ? nodes(asked) : node(asked, name);
  return name === '' ? pods(asked, namespace) : pod(asked, namespace ?? '', name);
}

const byName = (a: ApiObject, b: ApiObject): number =>
  compareText(a.metadata.namespace ?? '', b.metadata.namespace ?? '') || compareText(a.metadata.name, b.metadata.name);

function reported({ call, apiVersion }: Asked, kind: string, { metadata }: ApiObject, reading: Reading, rest: object) {
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

function podReported(asked: Asked, of: Pod) {
  const containers = asked.meter.ofPod(of);
  if (containers === undefined) return undefined;
  const total = { cpu: 0, memory: 0 };
  for (const { reading } of containers) for (const resource of MEASURED) total[resource] += reading[resource] ?? 0;
  return reported(asked, 'PodMetrics', of, total, {
    containers: containers.map(({ name, reading }) => ({ name, usage: usageOf(reading) })),
  });
}

function pods(asked: Asked, namespace: string | undefined): HttpReply {
  const { call, apiVersion } = asked;
  const { store } = call.backend;
  const [matches, isNamed] = [labelsIn(call, 'labelSelector'), namesIn(call)];
  const all = namespace === undefined ? [...store.values('Pod')] : store.by('Pod', 'namespace', namespace);
  const chosen = all.filter(({ metadata }) => matches(metadata.labels) && isNamed(metadata)).sort(byName);
  const items = chosen.flatMap((each) => podReported(asked, each) ?? []);
  return many(call, PODS, apiVersion, items);
}

function pod(asked: Asked, namespace: string, name: string): HttpReply {
  const found = asked.call.backend.store.get('Pod', `${namespace}/${name}`);
  if (found === undefined) throw missing('pods', '', name);
  const answer = podReported(asked, found);
  if (answer === undefined) throw missing('podmetrics', asked.apiVersion, `${namespace}/${name}`);
  return one(asked.call, PODS, answer);
}

/** The agent of a node answers a metrics server as long as it answers anybody. */
const isHeard = ({ status }: Node): boolean =>
  status.conditions?.some(({ type, status: is }) => type === 'Ready' && is !== 'Unknown') === true;

function nodeReported(asked: Asked, of: Node) {
  if (!isHeard(of)) return undefined;
  const { name } = of.metadata;
  const reading = asked.meter.ofNode(name, asked.call.backend.store.by('Pod', 'nodeName', name));
  return reported(asked, 'NodeMetrics', of, reading, { usage: usageOf(reading) });
}

function nodes(asked: Asked): HttpReply {
  const { call, apiVersion } = asked;
  const [matches, isNamed] = [labelsIn(call, 'labelSelector'), namesIn(call)];
  const chosen = [...call.backend.store.values('Node')]
    .filter(({ metadata }) => matches(metadata.labels) && isNamed(metadata))
    .sort(byName);
  const items = chosen.flatMap((each) => nodeReported(asked, each) ?? []);
  return many(call, NODES, apiVersion, items);
}

function node(asked: Asked, name: string): HttpReply {
  const found = asked.call.backend.store.get('Node', name);
  if (found === undefined) throw missing('nodes', '', name);
  const answer = nodeReported(asked, found);
  if (answer === undefined) throw missing('nodemetrics', asked.apiVersion, name);
  return one(asked.call, NODES, answer);
}

function missing(resource: string, apiVersion: string, name: string): Refusal {
  const group = apiVersion.split('/', 1)[0] ?? '';
  return failure({
    code: 404,
    reason: 'NotFound',
    message: `${resource}${group === '' ? '' : `.${group}`} ${quote(name)} not found`,
    details: { name, ...(group === '' ? {} : { group }), kind: resource },
  });
}
