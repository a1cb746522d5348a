/**
 * Checks of a whole scenario: contradictory times (a step after the end or before the previous step, a wait longer than the run, an inverted
 * range), lessons, and what faults are about: the processes and nodes that the cluster will have, as far as the file determines them.
 */
import { driverProcess } from '../../controlplane/shared/index.ts';
import { loadLocation } from '../../schema/schedule/index.ts';
import { formatDurationMs, LATEST_START_MS, nearest, parseCidr } from '../../schema/values/index.ts';
import { joinPath, showValue } from '../../schema/yaml/index.ts';
import { check } from './check.ts';
import type { RawScenario } from './compile.ts';
import { quoted, Reading } from './context.ts';
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
export function checkTimes(raw: RawScenario, scenario: Reading): void {
  const { startTime = 0, untilMs: until = 0, limits, cluster } = raw.spec;
  const spec = scenario.member('spec');
  if (startTime > LATEST_START_MS)
    spec?.member('startTime')?.refuse(`an instant up to ${formatInstant(LATEST_START_MS)}`, formatInstant(startTime));
  if ((limits?.timeMs ?? 0) > LONGEST_MS)
    spec?.member('limits', 'time')?.refuse(`at most ${formatDurationMs(LONGEST_MS)}`, formatDurationMs(limits?.timeMs ?? 0));
  if (until > (limits?.timeMs ?? MOST_TIME_MS))
    spec?.member('until')?.refuse(`a time within the limits (${limitText(raw)})`, formatDurationMs(until));
  checkSteps(raw, scenario);
  for (const name of ['api', 'watch'] as const) {
    const range = cluster?.latency?.[name];
    if (typeof range === 'object' && range.minMs > range.maxMs)
      spec
        ?.member('cluster', 'latency', name)
        ?.refuse('min not above max', `${formatDurationMs(range.minMs)} and ${formatDurationMs(range.maxMs)}`);
  }
}

/** The longest run, milliseconds: from the latest start it ends before instants have no RFC 3339 form. */
const LONGEST_MS = 100 * 366 * 86_400_000;

const limitText = ({ spec: { limits } }: RawScenario): string =>
  limits?.timeMs === undefined
    ? `${formatDurationMs(MOST_TIME_MS)} unless spec.limits.time says more`
    : `spec.limits.time: ${formatDurationMs(limits.timeMs)}`;

const stepsIn = (scenario: Reading): readonly Reading[] => scenario.member('spec', 'steps')?.items() ?? [];

/** Reads a duration whose problems have been reported. */
const durationIn = (at: Reading | undefined): number | undefined =>
  at && check({ type: 'duration' }, new Reading(at.node, at.path, { ...at.context, problems: [] }));

function checkSteps(raw: RawScenario, scenario: Reading): void {
  const { untilMs: until, limits } = raw.spec;
  const most = limits?.timeMs ?? MOST_TIME_MS;
  let earliest = 0;
  let before: number | undefined;
  for (const item of stepsIn(scenario)) {
    const [at, after] = [item.member('at'), item.member('after')];
    const [time, wait] = [durationIn(at), durationIn(after)];
    const timing = at ?? after;
    if (timing === undefined || (time === undefined && wait === undefined)) continue;
    const found = `${formatDurationMs(time ?? wait ?? 0)}${time === undefined ? ` after ${formatDurationMs(earliest)}` : ''}`;
    const starts = time ?? earliest + (wait ?? 0);
    if (until !== undefined && starts > until) timing.refuse(`a time before the run ends (until: ${formatDurationMs(until)})`, found);
    else if (starts > most) timing.refuse(`a time within the limits (${limitText(raw)})`, found);
    // Recorded times are those at which requests were sent; requests sent together may be recorded a few milliseconds apart in another
    // order.
    else if (time !== undefined && before !== undefined && time < before - NOTED_APART_MS)
      timing.refuse(`a time not before that of the steps above (${formatDurationMs(before)}), since steps run in order`, found);
    if (time !== undefined) before = Math.max(before ?? 0, time);
    earliest = Math.max(earliest, starts);
  }
}

/** Reports processes with equal names (nodes of a group, candidates of a scheduler), and clients that are named wrongly. */
export function checkProcesses({ cluster, clients = [] }: Scenario, scenario: Reading): void {
  checkClients(clients, processesOf(cluster), scenario);
  const seen = new Set<string>();
  for (const name of processesOf({ ...cluster, storageDrivers: [] })) {
    if (seen.has(name))
      scenario.member('spec', 'cluster', name.startsWith('agent/') ? 'nodes' : 'schedulers')?.refuse('names that differ', `${name} twice`);
    seen.add(name);
  }
}

const CLIENT_NAME = /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/;

/** Reports names of clients that are no names, or that a process of the cluster has. */
function checkClients(clients: NonNullable<Scenario['clients']>, processes: readonly string[], scenario: Reading): void {
  for (const { name } of clients) {
    const at = scenario.member('spec', 'clients', name);
    if (!CLIENT_NAME.test(name)) at?.refuse('a name of lower case letters, digits, - and .', showValue(name));
    else if (processes.includes(name)) at?.refuse('a name that no process of the cluster has', showValue(name));
  }
}

/** Reports unknown time zones, invalid ranges of addresses, and pods on nodes that the cluster lacks. */
export function checkMachines({ cluster, manifests, steps }: Scenario, scenario: Reading): void {
  if (!bringsNodes(manifests, steps)) checkPlacements(cluster, scenario);
  if (cluster.timeZone !== undefined && loadLocation(cluster.timeZone).error !== undefined)
    scenario
      .member('spec', 'cluster', 'timeZone')
      ?.refuse('the name of a time zone, such as Europe/Berlin', JSON.stringify(cluster.timeZone));
  const nodes = scenario.member('spec', 'cluster', 'nodes');
  for (const { name, podCIDR } of cluster.nodes)
    if (podCIDR !== undefined && parseCidr(podCIDR).value === undefined)
      nodes?.refuseAt(nodes.node, `${nodes.path} (${name}).podCIDR`, 'a range such as 10.244.1.0/24', JSON.stringify(podCIDR));
}

/** Returns a check that reports a name that is none of those that are known; `which`: what it should be. */
function checkerOf(known: readonly string[], which: string): (at: Reading | undefined, found?: string) => void {
  const names = new Set(known);
  return (at, found) => {
    if (typeof at?.plain === 'string' && !names.has(at.plain))
      at.refuse(`${which} (${some(known)})`, found, quoted(nearest(at.plain, known)));
  };
}

function checkPlacements({ nodes }: ClusterSpec, scenario: Reading): void {
  const checkName = checkerOf(
    nodes.map(({ name }) => name),
    'a node of this cluster',
  );
  for (const behavior of scenario.member('spec', 'cluster', 'podBehaviors')?.items() ?? [])
    for (const node of behavior.member('nodes')?.items() ?? []) checkName(node);
}

/** Whether nodes come that the cluster of the file does not have. */
const bringsNodes = (manifests: Scenario['manifests'], steps: Scenario['steps']): boolean =>
  [...manifests, ...steps.flatMap((step) => ('objects' in step ? step.objects : []))].some(({ object }) => object.kind === 'Node');

/** Reports faults whose process or node will never exist. Nodes that a step creates are checked during the run. */
export function checkFaults({ cluster, clients = [], manifests, steps }: Scenario, scenario: Reading): void {
  if (bringsNodes(manifests, steps)) return;
  const client = clients.map(({ name }) => name);
  const checks = {
    process: checkerOf([...processesOf(cluster), ...client], 'a process of this cluster'),
    node: checkerOf(
      cluster.nodes.map(({ name }) => name),
      'a node of this cluster',
    ),
    client: checkerOf(client, 'a client of spec.clients'),
  };
  const faults = stepsIn(scenario).flatMap((item) => [item, ...triesOf(item)].flatMap((each) => each.member('fault') ?? []));
  for (const fault of faults) {
    const spec = scenario.context.vocabulary.faults.find(({ name }) => fault.member(name) !== undefined);
    const about = spec?.subject.type === 'string' ? spec.subject.names : undefined;
    if (spec === undefined || about === undefined) continue;
    const subject = fault.member(spec.name);
    // A long name stands whole in the message.
    checks[about](subject, JSON.stringify(subject?.plain));
  }
}

/** The suggestions of a step; a single one may stand without its list. */
export function triesOf(item: Reading): readonly Reading[] {
  const tries = item.member('try');
  if (tries === undefined || tries.node.shape === 'list') return tries?.items() ?? [];
  return [new Reading(tries.node, joinPath(tries.path, 0), tries.context)];
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
export function checkLessons({ cluster, manifests, steps }: Scenario, scenario: Reading): void {
  const checkProcess = bringsNodes(manifests, steps) ? undefined : checkerOf(processesOf(cluster), 'a process of this cluster');
  for (const item of stepsIn(scenario)) {
    checkQuestion(item);
    checkProcess?.(item.member('look', 'as'));
  }
}

const BY_TIME =
  'a step that is due by time (at, after) or in the settled cluster (when: settled), because a wait stops at the moment at which the answer becomes true';

function checkQuestion(item: Reading): void {
  const ask = item.member('ask');
  const waitFor = item.member('waitFor');
  const wait = waitFor ?? item.member('when', 'cel');
  if (ask !== undefined && wait !== undefined)
    item.refuseAt(wait.node, ask.path, BY_TIME, waitFor === undefined ? 'when: { cel }' : 'waitFor');
  const said = new Set<unknown>();
  for (const choice of ask?.member('choices')?.items() ?? []) {
    const say = choice.member('say');
    if (said.has(say?.plain)) say?.refuse('an answer that no other choice gives');
    said.add(say?.plain);
  }
}
