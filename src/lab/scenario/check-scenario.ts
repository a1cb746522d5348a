/**
 * Checks of a whole scenario: contradictory times (a step after the end or before the previous step, a wait longer than the run, an inverted
 * range), lessons, and what faults are about: the processes and nodes that the cluster will have, as far as the file determines them.
 */
import { driverProcess } from '../../controlplane/shared/index.ts';
import { loadLocation } from '../../schema/schedule/index.ts';
import { formatDurationMs, LATEST_START_MS, nearest, parseCidr } from '../../schema/values/index.ts';
import { joinPath, type Located, showValue } from '../../schema/yaml/index.ts';
import { check } from './check.ts';
import type { RawScenario } from './compile.ts';
import { type CheckContext, memberAt, note, quoted } from './context.ts';
import { formatInstant } from './targets.ts';
import type { ClusterSpec, Scenario } from './types.ts';

/** A step may be this much earlier than the previous one, milliseconds. */
const NOTED_APART_MS = 10;

/** The default limit of virtual time, milliseconds. */
export const MOST_TIME_MS = 400 * 86_400_000;

/**
 * Reports every contradiction. The length of waits is known only during the run, so only times are reported that are impossible whatever
 * the waits take.
 */
export function checkTimes(raw: RawScenario, document: Located, context: CheckContext): void {
  checkYears(raw, document, context);
  const { untilMs: until } = raw.spec;
  const most = raw.spec.limits?.timeMs ?? MOST_TIME_MS;
  const untilNode = memberAt(document, 'spec', 'until');
  if (until !== undefined && until > most && untilNode !== undefined)
    note(context, untilNode, 'spec.until', `a time within the limits (${limitText(raw)})`, formatDurationMs(until));
  checkSteps(raw, document, context);
  checkLatencies(raw, document, context);
}

/** The longest run, milliseconds: from the latest start it ends before instants have no RFC 3339 form. */
const LONGEST_MS = 100 * 366 * 86_400_000;

function checkYears({ spec: { startTime, limits } }: RawScenario, document: Located, context: CheckContext): void {
  const start = memberAt(document, 'spec', 'startTime');
  if (start !== undefined && (startTime ?? 0) > LATEST_START_MS)
    note(context, start, 'spec.startTime', `an instant up to ${formatInstant(LATEST_START_MS)}`, formatInstant(startTime ?? 0));
  const most = memberAt(document, 'spec', 'limits', 'time');
  if (most !== undefined && (limits?.timeMs ?? 0) > LONGEST_MS)
    note(context, most, 'spec.limits.time', `at most ${formatDurationMs(LONGEST_MS)}`, formatDurationMs(limits?.timeMs ?? 0));
}

const limitText = ({ spec: { limits } }: RawScenario): string =>
  limits?.timeMs === undefined
    ? `${formatDurationMs(MOST_TIME_MS)} unless spec.limits.time says more`
    : `spec.limits.time: ${formatDurationMs(limits.timeMs)}`;

function checkSteps(raw: RawScenario, document: Located, context: CheckContext): void {
  const { untilMs: until, limits } = raw.spec;
  const steps = memberAt(document, 'spec', 'steps');
  if (steps?.shape !== 'list') return;
  const most = limits?.timeMs ?? MOST_TIME_MS;
  const quiet: CheckContext = { ...context, problems: [] };
  const durationOf = (node: Located | undefined): number | undefined =>
    node === undefined ? undefined : check({ type: 'duration' }, node, '', quiet);
  let earliest = 0;
  let before: number | undefined;
  for (const [index, item] of steps.items.entries()) {
    const [at, after] = [memberAt(item, 'at'), memberAt(item, 'after')];
    const [time, wait] = [durationOf(at), durationOf(after)];
    const node = at ?? after;
    if (node === undefined || (time === undefined && wait === undefined)) continue;
    const path = joinPath(`spec.steps[${index}]`, at === undefined ? 'after' : 'at');
    const found = `${formatDurationMs(time ?? wait ?? 0)}${time === undefined ? ` after ${formatDurationMs(earliest)}` : ''}`;
    const starts = time ?? earliest + (wait ?? 0);
    if (until !== undefined && starts > until)
      note(context, node, path, `a time before the run ends (until: ${formatDurationMs(until)})`, found);
    else if (starts > most) note(context, node, path, `a time within the limits (${limitText(raw)})`, found);
    // Recorded times are those at which requests were sent; requests sent together may be recorded a few milliseconds apart in another
    // order.
    else if (time !== undefined && before !== undefined && time < before - NOTED_APART_MS)
      note(context, node, path, `a time not before that of the steps above (${formatDurationMs(before)}), since steps run in order`, found);
    if (time !== undefined) before = Math.max(before ?? 0, time);
    earliest = Math.max(earliest, starts);
  }
}

function checkLatencies(raw: RawScenario, document: Located, context: CheckContext): void {
  for (const name of ['api', 'watch'] as const) {
    const range = raw.spec.cluster?.latency?.[name];
    const node = memberAt(document, 'spec', 'cluster', 'latency', name);
    if (typeof range === 'object' && range.minMs > range.maxMs && node !== undefined)
      note(
        context,
        node,
        `spec.cluster.latency.${name}`,
        'min not above max',
        `${formatDurationMs(range.minMs)} and ${formatDurationMs(range.maxMs)}`,
      );
  }
}

/** Reports processes with equal names: nodes of a group, candidates of a scheduler. */
export function checkProcesses({ cluster, clients = [] }: Scenario, document: Located, context: CheckContext): void {
  checkClients(clients, processesOf(cluster), document, context);
  const seen = new Set<string>();
  for (const name of processesOf({ ...cluster, storageDrivers: [] })) {
    const node = memberAt(document, 'spec', 'cluster', name.startsWith('agent/') ? 'nodes' : 'schedulers');
    if (seen.has(name) && node !== undefined)
      note(context, node, `spec.cluster.${name.startsWith('agent/') ? 'nodes' : 'schedulers'}`, 'names that differ', `${name} twice`);
    seen.add(name);
  }
}

const CLIENT_NAME = /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/;

/** Reports names of clients that are no names, or that a process of the cluster has. */
function checkClients(
  clients: NonNullable<Scenario['clients']>,
  processes: readonly string[],
  document: Located,
  context: CheckContext,
): void {
  for (const { name } of clients) {
    const node = memberAt(document, 'spec', 'clients', name);
    const expected = !CLIENT_NAME.test(name)
      ? 'a name of lower case letters, digits, - and .'
      : processes.includes(name)
        ? 'a name that no process of the cluster has'
        : undefined;
    if (node !== undefined && expected !== undefined) note(context, node, joinPath('spec.clients', name), expected, showValue(name));
  }
}

/** Reports unknown time zones, invalid ranges of addresses, and pods on nodes that the cluster lacks. */
export function checkMachines(scenario: Scenario, document: Located, context: CheckContext): void {
  const { cluster } = scenario;
  checkPlacements(scenario, document, context);
  const zone = memberAt(document, 'spec', 'cluster', 'timeZone');
  if (zone !== undefined && cluster.timeZone !== undefined && loadLocation(cluster.timeZone).error !== undefined)
    note(context, zone, 'spec.cluster.timeZone', 'the name of a time zone, such as Europe/Berlin', JSON.stringify(cluster.timeZone));
  const nodes = memberAt(document, 'spec', 'cluster', 'nodes');
  for (const { name, podCIDR } of cluster.nodes)
    if (nodes !== undefined && podCIDR !== undefined && parseCidr(podCIDR).value === undefined)
      note(context, nodes, `spec.cluster.nodes (${name}).podCIDR`, 'a range such as 10.244.1.0/24', JSON.stringify(podCIDR));
}

function checkPlacements({ cluster, manifests, steps }: Scenario, document: Located, context: CheckContext): void {
  const behaviors = memberAt(document, 'spec', 'cluster', 'podBehaviors');
  if (behaviors?.shape !== 'list' || bringsNodes(manifests, steps)) return;
  const known = cluster.nodes.map(({ name }) => name);
  const names = new Set(known);
  for (const [index, behavior] of behaviors.items.entries()) {
    const nodes = memberAt(behavior, 'nodes');
    for (const [nth, node] of (nodes?.shape === 'list' ? nodes.items : []).entries())
      if (typeof node.plain === 'string' && !names.has(node.plain))
        note(
          context,
          node,
          `spec.cluster.podBehaviors[${index}].nodes[${nth}]`,
          `a node of this cluster (${some(known)})`,
          showValue(node.plain),
          quoted(nearest(node.plain, known)),
        );
  }
}

/** Whether nodes come that the cluster of the file does not have. */
const bringsNodes = (manifests: Scenario['manifests'], steps: Scenario['steps']): boolean =>
  [...manifests, ...steps.flatMap((step) => ('objects' in step ? step.objects : []))].some(({ object }) => object.kind === 'Node');

/** Reports faults whose process or node will never exist. Nodes that a step creates are checked during the run. */
export function checkFaults({ cluster, clients = [], manifests, steps: taken }: Scenario, document: Located, context: CheckContext): void {
  const steps = memberAt(document, 'spec', 'steps');
  if (steps?.shape !== 'list' || bringsNodes(manifests, taken)) return;
  const outside = clients.map(({ name }) => name);
  const known = { process: [...processesOf(cluster), ...outside], node: cluster.nodes.map(({ name }) => name), client: outside };
  for (const { fault, path } of faultsIn(steps.items)) {
    const spec = context.vocabulary.faults.find(({ name }) => memberAt(fault, name) !== undefined);
    const about = spec?.subject.type === 'string' ? spec.subject.names : undefined;
    const subject = spec === undefined ? undefined : memberAt(fault, spec.name);
    if (spec === undefined || about === undefined || typeof subject?.plain !== 'string' || known[about].includes(subject.plain)) continue;
    note(
      context,
      subject,
      joinPath(path, spec.name),
      about === 'client' ? `a client of spec.clients (${some(outside)})` : `a ${about} of this cluster (${some(known[about])})`,
      JSON.stringify(subject.plain),
      quoted(nearest(subject.plain, known[about])),
    );
  }
}

function faultsIn(items: readonly Located[]): readonly { readonly fault: Located | undefined; readonly path: string }[] {
  return items.flatMap((item, index) => {
    const tries = memberAt(item, 'try');
    const list = tries?.shape === 'list' ? tries.items : tries === undefined ? [] : [tries];
    return [
      { fault: memberAt(item, 'fault'), path: `spec.steps[${index}].fault` },
      ...list.map((each, at) => ({ fault: memberAt(each, 'fault'), path: `spec.steps[${index}].try[${at}].fault` })),
    ];
  });
}

const MANY = 8;
const some = (names: readonly string[]): string =>
  names.length === 0 ? 'it has none' : `${names.slice(0, MANY).join(', ')}${names.length > MANY ? ', …' : ''}`;

/** Returns the names of the processes that the cluster of a scenario will have. */
export function processesOf({ nodes, storageDrivers, schedulers: stated = 1, controllerManagers = 1 }: ClusterSpec): readonly string[] {
  const schedulers = typeof stated === 'number' ? [{ name: 'scheduler', candidates: stated }] : stated;
  const candidates = (name: string, count: number) => Array.from({ length: count }, (_, at) => (at === 0 ? name : `${name}-${at}`));
  return [
    ...candidates('controller-manager', controllerManagers),
    ...schedulers.flatMap((each) => candidates(each.name, each.candidates ?? 1)),
    ...nodes.map(({ name }) => `agent/${name}`),
    ...storageDrivers.map(({ name }) => driverProcess(name)),
  ];
}

/** Reports a question whose step waits for its own answer, equal answers, unknown processes. */
export function checkLessons({ cluster, manifests, steps: taken }: Scenario, document: Located, context: CheckContext): void {
  const steps = memberAt(document, 'spec', 'steps');
  if (steps?.shape !== 'list') return;
  const processes = bringsNodes(manifests, taken) ? undefined : processesOf(cluster);
  for (const [index, item] of steps.items.entries()) {
    const path = `spec.steps[${index}]`;
    if (memberAt(item, 'ask') !== undefined) checkQuestion(item, path, context);
    const viewer = memberAt(item, 'look', 'as');
    if (processes === undefined || typeof viewer?.plain !== 'string' || processes.includes(viewer.plain)) continue;
    const near = quoted(nearest(viewer.plain, processes));
    note(context, viewer, `${path}.look.as`, `a process of this cluster (${some(processes)})`, showValue(viewer.plain), near);
  }
}

const BY_TIME =
  'a step that is due by time (at, after) or in the settled cluster (when: settled), because a wait stops at the moment at which the answer becomes true';

function checkQuestion(item: Located, path: string, context: CheckContext): void {
  const wait = memberAt(item, 'waitFor') ?? memberAt(item, 'when', 'cel');
  if (wait !== undefined)
    note(context, wait, `${path}.ask`, BY_TIME, memberAt(item, 'waitFor') === undefined ? 'when: { cel }' : 'waitFor');
  const choices = memberAt(item, 'ask', 'choices');
  if (choices?.shape !== 'list') return;
  const said = new Set<unknown>();
  for (const [at, choice] of choices.items.entries()) {
    const say = memberAt(choice, 'say');
    if (say !== undefined && said.has(say.plain))
      note(context, say, `${path}.ask.choices[${at}].say`, 'an answer that no other choice gives', showValue(say.plain));
    said.add(say?.plain);
  }
}
