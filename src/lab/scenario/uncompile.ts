/** The inverse of compile.ts and check.ts: a scenario as plain data in the members and order of the format. */
import { formatDurationMs, isMapping } from '../../schema/values/index.ts';
import { type Plain, stepDocuments } from './uncompile-steps.ts';
import type { ClusterSpec, LatencyRange, Scenario, ScenarioFrom } from './types.ts';
import type { FaultCall, SourcedManifest, TargetRef } from './values.ts';
import type { NodeSpec } from '../../controlplane/agents/index.ts';
import { injectedFaultDocument } from './choice-format.ts';
import { type Curve, RESOURCES } from '../../controlplane/usage/index.ts';
import { SCENARIO_DEFAULTS } from './compile-cluster.ts';
import { behaviorOf } from './compile-from.ts';
import { type FaultSpec, type Field, type Fields, nameOf } from './fields.ts';
import { SCENARIO, SCENARIO_API_VERSION, SCENARIO_KIND } from './format.ts';
import type { Given } from './given-fields.ts';
import { formatRecorded, type RecordedWrite } from './recorded-writes.ts';
import { formatInstant } from './targets.ts';
import { formatYaml } from '../../schema/yaml/index.ts';

/** The members of a scenario that are needed to write it; the others have defaults. */
export type ScenarioLike = Pick<Scenario, 'name'> & Partial<Scenario>;

/** Returns the document for a YAML or JSON printer: the members of the format, in its order. */
function scenarioDocument(scenario: ScenarioLike, faults: readonly FaultSpec[]): unknown {
  const { name, startAt, limits, cluster, featureGates = {}, clients = [], webhooks, namespaces = [], steps = [] } = scenario;
  const spec: Plain = {
    ...scenario,
    startTime: startAt,
    limits: limits === undefined ? undefined : nonEmpty(limits),
    from: fromDocument(scenario.from),
    featureGates: nonEmpty(featureGates),
    cluster: cluster === undefined ? undefined : nonEmpty(clusterDocument(withoutDump(cluster, scenario.from))),
    clients: clients.length === 0 ? undefined : Object.fromEntries(clients.map(({ name: client, ...how }) => [client, how])),
    webhooks: webhooks === undefined ? undefined : Object.fromEntries(webhooks.map(({ name: webhook, ...how }) => [webhook, how])),
    namespaces: namespaces.length === 0 ? undefined : namespaces.map((each) => (each.labels === undefined ? each.name : each)),
    steps: stepDocuments(steps),
    invariants: invariantsDocument(scenario),
    choices: scenario.choices?.map(({ at, injectedFault }) => ({ at, ...injectedFaultDocument(injectedFault) })),
  };
  return unread(SCENARIO, { apiVersion: SCENARIO_API_VERSION, kind: SCENARIO_KIND, metadata: { name }, spec }, faults);
}

/** The nodes that the file states: those of a dump are not written again. */
function ownNodes(nodes: readonly NodeSpec[]): unknown {
  const own = nodes.filter(({ restored }) => restored === undefined);
  return own.length === 0 && nodes.length > 0 ? undefined : nodesDocument(own);
}

/** Without what comes from the dump and its file of behaviours, which stands after what the scenario states. */
function withoutDump(cluster: ClusterSpec, from: ScenarioFrom | undefined): ClusterSpec {
  if (from === undefined) return cluster;
  const { podBehaviors, usage, metrics } = behaviorOf(from);
  const { usage: allUsage = [], metrics: allMetrics = [], ...rest } = cluster;
  const own = <T>(all: readonly T[], { length }: readonly T[]): readonly T[] => all.slice(0, Math.max(all.length - length, 0));
  const [ownUsage, ownMetrics] = [own(allUsage, usage), own(allMetrics, metrics)];
  return {
    ...rest,
    podBehaviors: own(cluster.podBehaviors, podBehaviors),
    ...(ownUsage.length === 0 ? {} : { usage: ownUsage }),
    ...(ownMetrics.length === 0 ? {} : { metrics: ownMetrics }),
  };
}

function fromDocument(from: ScenarioFrom | undefined): unknown {
  if (from === undefined) return undefined;
  const { paths, secrets, lenient, behaviors } = from;
  const [only] = paths;
  if (secrets !== true && lenient !== true && behaviors === undefined) return paths.length === 1 ? only : paths;
  return { paths, secrets, lenient, behaviors };
}

function invariantsDocument({ invariants, expressed = [] }: Partial<Scenario>): unknown {
  if (invariants === undefined && expressed.length === 0) return undefined;
  const own = expressed.map(({ temporal, condition, ...rest }) => ({ ...rest, [temporal]: condition }));
  return [...(invariants ?? []), ...own];
}

function nonEmpty(members: Plain): Plain | undefined {
  return Object.values(members).every((value) => value === undefined) ? undefined : members;
}

function clusterDocument(cluster: ClusterSpec): Plain {
  const list = (items: readonly unknown[]) => (items.length === 0 ? undefined : items);
  return {
    ...cluster,
    nodes: ownNodes(cluster.nodes),
    scheduler: list(cluster.scheduler),
    latency: nonEmpty({ api: latencyDocument(cluster.latency.api), watch: latencyDocument(cluster.latency.watch) }),
    podBehaviors: list(cluster.podBehaviors),
    images: cluster.images?.map(({ sizeBytes, access, ...rest }) => ({
      ...rest,
      size: String(sizeBytes),
      private: access === 'private' ? true : access === 'public' ? false : access,
    })),
    usage: cluster.usage?.map((each) => ({
      ...each,
      ...Object.fromEntries(
        RESOURCES.flatMap((resource) =>
          each[resource] === undefined ? [] : [[resource, curveDocument(resource === 'cpu' ? milli : String, each[resource])]],
        ),
      ),
    })),
    metrics: cluster.metrics?.map(({ value, ...rest }) => ({ ...rest, value: curveDocument(milli, value) })),
    storageDrivers: list(cluster.storageDrivers),
  };
}

const milli = (thousandths: number): string => `${thousandths}m`;

function curveDocument(amount: (units: number) => string, curve: Curve): unknown {
  switch (curve.shape) {
    case 'constant':
      return amount(curve.is);
    case 'steps':
      return curve.steps.map(({ is, ...rest }) => ({ ...rest, is: amount(is) }));
    case 'ramp':
      return { ...curve, from: amount(curve.from), to: amount(curve.to) };
    case 'periodic':
      return { from: amount(curve.low), to: amount(curve.high), every: curve.periodMs };
    default:
      return curve satisfies never;
  }
}

/** Returns `{ count }` where the nodes are those that a count would create. */
function nodesDocument(nodes: readonly NodeSpec[]): unknown {
  const shapes = nodes.map(({ name: _, capacity, ...rest }) => ({ ...(sameCapacity(capacity) ? {} : { capacity }), ...rest }));
  const [first = {}] = shapes;
  const text = JSON.stringify(first);
  const alike = nodes.every(({ name }, index) => name === `node-${index}` && JSON.stringify(shapes[index]) === text);
  return alike ? { count: nodes.length, ...first } : nodes.map(({ name }, index) => ({ name, ...shapes[index] }));
}

function sameCapacity(capacity: NodeSpec['capacity']): boolean {
  const usual: Readonly<Record<string, string>> = SCENARIO_DEFAULTS.capacity;
  return (
    Object.keys(capacity).length === Object.keys(usual).length &&
    Object.entries(usual).every(([resource, quantity]) => capacity[resource] === quantity)
  );
}

function latencyDocument({ minMs, maxMs }: LatencyRange): unknown {
  if (minMs !== maxMs) return { min: minMs, max: maxMs };
  return minMs === SCENARIO_DEFAULTS.latencyMs ? undefined : minMs;
}

/**
 * The inverse of reading a field: milliseconds become durations, targets and expressions become texts, members take the order of the
 * format.
 */
const unread = (field: Field, value: unknown, faults: readonly FaultSpec[]): unknown =>
  // Every field has the writer of its own type, which TypeScript cannot infer of a union.
  (WRITERS[field.type] as Writer<Field> | undefined)?.(field, value, faults) ?? value;

type Writer<F extends Field> = (field: F, value: unknown, faults: readonly FaultSpec[]) => unknown;

const WRITERS: { readonly [T in Field['type']]?: Writer<Extract<Field, { readonly type: T }>> } = {
  duration: (_, value) => formatDurationMs(Number(value)),
  instant: (_, value) => formatInstant(Number(value)),
  recordedWrites: (_, value) => formatRecorded(value as readonly RecordedWrite[]),
  expression: (_, value) => (value as { readonly cel: string }).cel,
  target: (_, value) => targetDocument(value as TargetRef),
  manifests: (_, value) => manifestsDocument(value as readonly SourcedManifest[]),
  map: ({ values }, value, faults) =>
    Object.fromEntries(Object.entries(value as Plain).map(([key, each]) => [key, unread(values, each, faults)])),
  list: (field, value, faults) => unreadList(field, value as readonly unknown[], faults),
  object: ({ fields }, value, faults) => unreadMembers(fields, value as Plain, faults),
  either: ({ forms }, value, faults) => unread(formOf(forms, value), value, faults),
  fault: (_, value, faults) => faultDocument(value as FaultCall, faults),
};

/** Returns a single mapping without its list where that is valid. */
function unreadList(field: Field & { readonly type: 'list' }, values: readonly unknown[], faults: readonly FaultSpec[]): unknown {
  const items = values.map((each) => unread(field.items, each, faults));
  return field.orOne === true && field.items.type === 'object' && items.length === 1 ? items[0] : items;
}

/** Parameters of faults have their own names, other members those after reading. */
const unreadMembers = (fields: Fields, value: Plain, faults: readonly FaultSpec[]): Plain =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const given = value[name] ?? value[nameOf(name, field)];
      return given === undefined ? [] : [[name, unread(field, given, faults)]];
    }),
  );

function formOf(forms: readonly Field[], value: unknown): Field {
  const fits = (form: Field): boolean => {
    if (form.type === 'target') return isMapping(value) && 'kind' in value;
    if (form.type === 'list') return Array.isArray(value);
    if (form.type === 'object') return isMapping(value);
    return typeof value !== 'object';
  };
  return forms.find(fits) ?? { type: 'any' };
}

function targetDocument({ kind, namespace, name, labels, cel, nth, only }: TargetRef): unknown {
  const plain = (part: string | undefined) => part === undefined || /^[^\s/]+$/.test(part);
  if (name !== undefined && [labels, cel, nth, only].every((part) => part === undefined) && [kind, namespace, name].every(plain))
    return [kind, namespace, name].filter((part) => part !== undefined).join('/');
  if (only === true && [namespace, name, labels, cel, nth].every((part) => part === undefined) && plain(kind)) return kind;
  return Object.fromEntries(
    Object.entries({ kind, namespace, name, labels, cel: cel?.cel, nth, only }).filter(([, value]) => value !== undefined),
  );
}

function manifestsDocument(manifests: readonly SourcedManifest[]): unknown {
  const [first, ...others] = manifests.map(({ object }) => object);
  return others.length === 0 ? first : [first, ...others];
}

function faultDocument({ name, subject, parameters }: FaultCall, faults: readonly FaultSpec[]): Plain {
  const spec = faults.find((fault) => fault.name === name);
  return spec === undefined
    ? { [name]: subject, ...parameters }
    : { [name]: unread(spec.subject, subject, faults), ...unreadMembers(spec.parameters, parameters, faults) };
}

/** Options of writing a scenario. */
export interface FormatOptions {
  /** The registered faults, which define the parameters that are durations. */
  readonly faults?: readonly (FaultSpec | Given<FaultSpec>)[];
  /** A comment at the head of the file, one line for each line of the text. */
  readonly comment?: string;
}

/** Returns the file: the scenario, then its manifests as separate documents. */
export function formatScenario(scenario: ScenarioLike, options: FormatOptions = {}): string {
  const head =
    options.comment === undefined
      ? ''
      : `${options.comment
          .split('\n')
          .map((line) => `# ${line}`.trimEnd())
          .join('\n')}\n`;
  // Of fields only types are read here, which have the same words in both.
  const faults = (options.faults ?? []) as readonly FaultSpec[];
  const documents = [scenarioDocument(scenario, faults), ...(scenario.manifests ?? []).map(({ object }) => object)];
  return head + documents.map(formatYaml).join('---\n');
}
