/** The inverse of compile.ts and check.ts: a scenario as plain data in the members and order of the format. */
import { formatDurationMs } from '../../schema/values/index.ts';
import { only, stepDocuments, type Plain } from './uncompile-steps.ts';
import type { ClusterSpec, LatencyRange, Scenario } from './types.ts';
import type { SourcedManifest, TargetRef } from './values.ts';
import type { NodeSpec } from '../../controlplane/agents/index.ts';
import { injectedFaultDocument } from './choice-format.ts';
import { type Curve, RESOURCES } from '../../controlplane/usage/index.ts';
import { SCENARIO_DEFAULTS } from './compile.ts';
import type { FaultSpec, Field, Fields } from './fields.ts';
import { SCENARIO, SCENARIO_API_VERSION, SCENARIO_KIND } from './format.ts';
import { formatInstant } from './instants.ts';

/** The members of a scenario that are needed to write it; the others have defaults. */
export type ScenarioLike = Pick<Scenario, 'name'> & Partial<Scenario>;

/** Returns the document for a YAML or JSON printer, with members in the order of the format. */
export function scenarioDocument(scenario: ScenarioLike, faults: readonly FaultSpec[]): unknown {
  const { name, startAt, untilMs, limits, cluster, domain, rules, featureGates = {}, namespaces = [], steps = [] } = scenario;
  const spec: Plain = {
    ...only(scenario, 'title', 'teaches', 'seed'),
    startTime: startAt,
    until: untilMs,
    limits: limits === undefined ? undefined : nonEmpty({ steps: limits.steps, time: limits.timeMs, objects: limits.objects }),
    domain,
    rules,
    allowUnknownFields: scenario.allowUnknownFields,
    featureGates: nonEmpty(featureGates),
    cluster: cluster === undefined ? undefined : nonEmpty(clusterDocument(cluster)),
    namespaces: namespaces.length === 0 ? undefined : namespaces.map((each) => (each.labels === undefined ? each.name : each)),
    steps: stepDocuments(steps),
    invariants: invariantsDocument(scenario),
    choices: scenario.choices?.map(({ at, injectedFault }) => ({ at, ...injectedFaultDocument(injectedFault) })),
  };
  return unread(SCENARIO, { apiVersion: SCENARIO_API_VERSION, kind: SCENARIO_KIND, metadata: { name }, spec }, faults);
}

function invariantsDocument({ invariants, expressed = [] }: Partial<Scenario>): unknown {
  if (invariants === undefined && expressed.length === 0) return undefined;
  const own = expressed.map(({ temporal, condition, withinMs, source: _, ...rest }) => ({
    ...rest,
    [temporal]: condition,
    within: withinMs,
  }));
  return [...(invariants ?? []), ...own];
}

function nonEmpty(members: Plain): Plain | undefined {
  return Object.values(members).every((value) => value === undefined) ? undefined : members;
}

function clusterDocument(cluster: ClusterSpec): Plain {
  const list = (items: readonly unknown[]) => (items.length === 0 ? undefined : items);
  return {
    nodes: nodesDocument(cluster.nodes),
    agent: cluster.agent,
    agentFlags: cluster.agentFlags,
    scheduler: list(cluster.scheduler),
    schedulers: cluster.schedulers,
    controllerManagers: cluster.controllerManagers,
    latency: nonEmpty({ api: latencyDocument(cluster.latency.api), watch: latencyDocument(cluster.latency.watch) }),
    podBehaviors: list(
      cluster.podBehaviors.map(({ startDelayMs, readyDelayMs, runForMs, terminationDelayMs, ...rest }) => ({
        ...rest,
        startDelay: startDelayMs,
        readyDelay: readyDelayMs,
        runFor: runForMs,
        terminationDelay: terminationDelayMs,
      })),
    ),
    certificateSigners: cluster.certificateSigners?.map(({ delayMs, lastsMs, fromMs, untilMs, ...rest }) => ({
      ...rest,
      delay: delayMs,
      lasts: lastsMs,
      from: fromMs,
      until: untilMs,
    })),
    credentialProviders: cluster.credentialProviders?.map(({ cacheMs, defaultCacheMs, delayMs, ...rest }) => ({
      ...rest,
      cacheDuration: cacheMs,
      defaultCacheDuration: defaultCacheMs,
      delay: delayMs,
    })),
    images: cluster.images?.map(({ sizeBytes, pullMs, fromMs, untilMs, access, ...rest }) => ({
      ...rest,
      size: String(sizeBytes),
      pullTime: pullMs,
      from: fromMs,
      until: untilMs,
      private: access === 'private' ? true : access === 'public' ? false : access,
    })),
    podSources: cluster.podSources?.map(({ fromMs, untilMs, ...rest }) => ({ ...rest, from: fromMs, until: untilMs })),
    usage: cluster.usage?.map((each) => ({
      ...each,
      ...Object.fromEntries(
        RESOURCES.flatMap((resource) =>
          each[resource] === undefined ? [] : [[resource, curveDocument(resource === 'cpu' ? milli : String, each[resource])]],
        ),
      ),
    })),
    metrics: cluster.metrics?.map(({ value, ...rest }) => ({ ...rest, value: curveDocument(milli, value) })),
    ...only(cluster, 'bootstrap', 'podEvents', 'managedFields', 'timeZone'),
    storageDrivers: list(
      cluster.storageDrivers.map(({ attachDelayMs, detachDelayMs, provisionDelayMs, expandDelayMs, ...rest }) => ({
        ...rest,
        attachDelay: attachDelayMs,
        detachDelay: detachDelayMs,
        provisionDelay: provisionDelayMs,
        expandDelay: expandDelayMs,
      })),
    ),
  };
}

/** Formats thousandths as a quantity. */
const milli = (thousandths: number): string => `${thousandths}m`;

function curveDocument(amount: (units: number) => string, curve: Curve): unknown {
  switch (curve.shape) {
    case 'constant':
      return amount(curve.is);
    case 'steps':
      return curve.steps.map(({ atMs, is }) => ({ at: atMs, is: amount(is) }));
    case 'ramp':
      return { from: amount(curve.from), to: amount(curve.to), over: curve.overMs };
    case 'periodic':
      return { from: amount(curve.low), to: amount(curve.high), every: curve.periodMs };
    default:
      return curve satisfies never;
  }
}

/** Returns `{ count }` where the nodes are those that a count would create. */
function nodesDocument(nodes: readonly NodeSpec[]): unknown {
  const shapes = nodes.map((node) => ({
    ...(sameCapacity(node.capacity) ? {} : { capacity: node.capacity }),
    ...only(node, 'labels', 'taints', 'agent', 'agentFlags', 'runtimeHandlers', 'podCIDR', 'numa', 'threadsPerCore', 'resolvers'),
    ...(node.clientCertificateMs === undefined ? {} : { clientCertificate: node.clientCertificateMs }),
  }));
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
function unread(field: Field, value: unknown, faults: readonly FaultSpec[]): unknown {
  switch (field.type) {
    case 'duration':
      return formatDurationMs(Number(value));
    case 'instant':
      return formatInstant(Number(value));
    case 'expression':
      return (value as { readonly cel: string }).cel;
    case 'target':
      return targetDocument(value as TargetRef);
    case 'manifests':
      return manifestsDocument(value as readonly SourcedManifest[]);
    case 'map':
      return Object.fromEntries(Object.entries(value as Plain).map(([key, each]) => [key, unread(field.values, each, faults)]));
    case 'list':
      return unreadList(field, value as readonly unknown[], faults);
    case 'object':
      return unreadMembers(field.fields, value as Plain, faults);
    case 'either':
      return unread(formOf(field.forms, value), value, faults);
    case 'fault':
      return faultDocument(value as { readonly name: string; readonly subject: unknown; readonly parameters: Plain }, faults);
    default:
      return value;
  }
}

/** Returns a single mapping without its list where that is valid. */
function unreadList(field: Field & { readonly type: 'list' }, values: readonly unknown[], faults: readonly FaultSpec[]): unknown {
  const items = values.map((each) => unread(field.items, each, faults));
  return field.orOne === true && field.items.type === 'object' && items.length === 1 ? items[0] : items;
}

const unreadMembers = (fields: Fields, value: Plain, faults: readonly FaultSpec[]): Plain =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => (value[name] === undefined ? [] : [[name, unread(field, value[name], faults)]])),
  );

function formOf(forms: readonly Field[], value: unknown): Field {
  const fits = (form: Field): boolean => {
    if (form.type === 'target') return typeof value === 'object' && value !== null && 'kind' in value;
    if (form.type === 'list') return Array.isArray(value);
    if (form.type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
    return typeof value !== 'object';
  };
  return forms.find(fits) ?? { type: 'any', description: '' };
}

function targetDocument({ kind, namespace, name, labels, cel, nth, only }: TargetRef): unknown {
  const plain = (part: string | undefined) => part === undefined || /^[^\s/]+$/.test(part);
  if (name !== undefined && labels === undefined && cel === undefined && nth === undefined && [kind, namespace, name].every(plain))
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

function faultDocument(
  { name, subject, parameters }: { readonly name: string; readonly subject: unknown; readonly parameters: Plain },
  faults: readonly FaultSpec[],
): Plain {
  const spec = faults.find((fault) => fault.name === name);
  return spec === undefined
    ? { [name]: subject, ...parameters }
    : { [name]: unread(spec.subject, subject, faults), ...unreadMembers(spec.parameters, parameters, faults) };
}
