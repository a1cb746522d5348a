/**
 * The processes of the control plane besides the server: controller managers and schedulers, one each or several candidates for one lease.
 * Without an election the only process leads at once, and there is no lease.
 */
import { agentOf, authenticationLookup, defaultSettings, scheduler } from './agents/index.ts';
import type { AgentOptions, AgentStart, NodeSpec, PodBehavior } from './agents/index.ts';
import { type Names, resolveGates } from '../apiserver/machinery/index.ts';
import { parseSchedulerFlags } from './config/index.ts';
import { apiServerIdentity, DEFAULT_ELECTION, elector, type ElectionSettings, LOCK_KINDS, type LockKind } from './controllers/index.ts';
import type { Controller, ProcessSpec } from './runtime/index.ts';
import { parseGoDuration } from '../schema/values/index.ts';

/** The candidates of an election: `scheduler`, `scheduler-1`, … */
export interface Candidacy {
  /** The number of processes; default 1. */
  readonly candidates?: number;
  /** false: all of them lead at once, as with --leader-elect=false. */
  readonly elect?: boolean;
  readonly settings?: Partial<ElectionSettings>;
  /** Default: the component's name in the system namespace. */
  readonly lease?: { readonly name?: string; readonly namespace?: string };
  /** The kind of lock; default: a lease alone. */
  readonly lock?: LockKind;
}

/** A scheduler: the name of its processes (`batch`, `batch-1`, …), the pods that it schedules, and its flags. */
export interface SchedulerStart {
  readonly name: string;
  /** `spec.schedulerName` of its pods; default: `default-scheduler`. */
  readonly schedulerName?: string;
  readonly flags: readonly string[];
  /** The number of processes; with more than one there is an election. */
  readonly candidates?: number;
}

export interface ControlPlaneOptions {
  readonly controllerManager?: Candidacy;
  readonly scheduler?: Candidacy;
  /** Instead of `scheduler`: several schedulers, each with its own flags. */
  readonly schedulers?: readonly SchedulerStart[];
}

/** As in upstream, a controller manager that is stopped does not release its lease, which expires. */
const MANAGER_DEFAULTS: ElectionSettings = { ...DEFAULT_ELECTION, releaseOnStop: false };

const candidates = (
  spec: ProcessSpec,
  { candidates: count = 1, elect = true, settings, lease, lock = 'leases' }: Candidacy,
  defaults: ElectionSettings,
  name: (names: Names) => string,
  component: string,
): readonly ProcessSpec[] => {
  const options = {
    ...defaults,
    ...settings,
    component,
    lock,
    lease: (names: Names) => ({ namespace: lease?.namespace ?? names.systemNamespace, name: lease?.name ?? name(names) }),
  };
  return Array.from({ length: count }, (_, i): ProcessSpec => ({
    ...spec,
    name: i === 0 ? spec.name : `${spec.name}-${i}`,
    ...(elect ? { elector: elector(options) } : {}),
  }));
};

type Gates = Readonly<Record<string, boolean>>;
type Behaviors = readonly PodBehavior[];

/** The processes, in order of their start. `podBehaviors` may state the nodes of pods. */
export function controlPlane(
  controllers: readonly Controller[],
  { controllerManager, scheduler: candidacy, schedulers }: ControlPlaneOptions,
  names: Names,
  featureGates: Gates = {},
  podBehaviors: Behaviors = [],
): readonly ProcessSpec[] {
  const manager: ProcessSpec = { name: 'controller-manager', controllers };
  return [
    ...(featureGates['APIServerIdentity'] === true ? [{ name: 'api-server', controllers: [apiServerIdentity] }] : []),
    ...(controllerManager === undefined
      ? [manager]
      : candidates(
          manager,
          controllerManager,
          MANAGER_DEFAULTS,
          ({ controllerManagerName }) => controllerManagerName,
          names.controllerManagerName,
        )),
    ...(schedulers?.flatMap((start) => schedulerProcesses(start, featureGates, podBehaviors)) ??
      (candidacy === undefined
        ? [unflagged(podBehaviors)]
        : candidates(unflagged(podBehaviors), candidacy, DEFAULT_ELECTION, ({ schedulerName }) => schedulerName, 'default-scheduler'))),
  ];
}

/** A scheduler without flags: a client with 50 requests per second and a burst of 100. */
const unflagged = (podBehaviors: Behaviors): ProcessSpec => ({
  ...scheduler({ ...defaultSettings, podBehaviors }),
  requestRate: { qps: 50, burst: 100 },
});

/** The processes of one scheduler. If its flags are invalid, each process reports that at its start. */
function schedulerProcesses(
  { name, schedulerName = defaultSettings.schedulerName, flags, candidates: count }: SchedulerStart,
  featureGates: Gates,
  podBehaviors: Behaviors,
): readonly ProcessSpec[] {
  const { config, values, errors } = parseSchedulerFlags(flags);
  const given = new Set(values.flatMap(({ path, source }) => (source === 'default' ? [] : [path])));
  const maxRefusedMs = milliseconds(config['pod-max-in-unschedulable-pods-duration']);
  const plain = scheduler({ ...defaultSettings, schedulerName, podBehaviors, maxRefusedMs });
  const spec: ProcessSpec = {
    ...plain,
    ...(mustLookUp(config) ? { controllers: [authenticationLookup, ...plain.controllers] } : {}),
    name,
    ...(flags.length === 0 ? {} : { start: { flags } }),
    ...rateOf(config['orch-api-qps'], config['orch-api-burst']),
    ...(given.has('--feature-gates') ? { gates: resolveGates({ ...featureGates, ...config['feature-gates'] }).gates } : {}),
    ...(errors.length === 0 ? {} : { refusal: errors.map(({ message }) => message).join('; ') }),
  };
  const election = errors.length === 0 ? electionOfFlags(config, given) : undefined;
  if (election === undefined && count === undefined) return [spec];
  return candidates(spec, { ...election, candidates: count ?? 1 }, DEFAULT_ELECTION, (names) => names.schedulerName, schedulerName);
}

type Flags = ReturnType<typeof parseSchedulerFlags>['config'];

/** Whether it asks for authorities when it starts, and may not go without. */
const mustLookUp = (config: Flags): boolean =>
  config['authentication-kubeconfig'] !== '' && !config['authentication-skip-lookup'] && !config['authentication-tolerate-lookup-failure'];

/** A rate of 0 means no limit. */
const rateOf = (qps: number, burst: number): Pick<ProcessSpec, 'requestRate'> => (qps <= 0 ? {} : { requestRate: { qps, burst } });

const milliseconds = (duration: string): number => Number((parseGoDuration(duration).value ?? 0n) / 1_000_000n);

const isElectionFlag = (path: string): boolean => path.startsWith('--leader-elect') || path.startsWith('--lock-object');

/** The election by a scheduler's flags; undefined: no given flag concerns it. */
function electionOfFlags(config: Flags, given: ReadonlySet<string>): Candidacy | undefined {
  if (![...given].some(isElectionFlag)) return undefined;
  return {
    elect: config['leader-elect'],
    lock: LOCK_KINDS.find((kind) => kind === config['leader-elect-resource-lock']) ?? 'leases',
    settings: {
      leaseDurationMs: milliseconds(config['leader-elect-lease-duration']),
      renewDeadlineMs: milliseconds(config['leader-elect-renew-deadline']),
      retryPeriodMs: milliseconds(config['leader-elect-retry-period']),
    },
    lease: {
      ...(given.has('--leader-elect-resource-name') ? { name: config['leader-elect-resource-name'] } : {}),
      ...(given.has('--leader-elect-resource-namespace') ? { namespace: config['leader-elect-resource-namespace'] } : {}),
    },
  };
}

interface Configured {
  readonly options: {
    readonly nodes?: readonly NodeSpec[];
    readonly controlPlane?: ControlPlaneOptions;
    readonly featureGates?: Readonly<Record<string, boolean>>;
  };
  readonly agentOptions: AgentOptions;
}

/**
 * The specification of a process with another file or other flags; undefined: the process has neither a file nor flags. What is absent stays
 * as it was when the cluster was created.
 */
export function reconfigured(
  { options, agentOptions }: Configured,
  process: string,
  { config, flags }: AgentStart,
): ProcessSpec | undefined {
  const node = process.startsWith('agent/') ? process.slice('agent/'.length) : undefined;
  if (node !== undefined) {
    const before = options.nodes?.find(({ name }) => name === node) ?? { name: node, capacity: {} };
    const after = { ...before, ...(config === undefined ? {} : { agent: config }), ...(flags === undefined ? {} : { agentFlags: flags }) };
    return agentOf(after, agentOptions, true);
  }
  const { schedulers = [{ name: 'scheduler', flags: [] }] } = options.controlPlane ?? {};
  const start = schedulers.find(({ name }) => process === name || process.replace(/-\d+$/, '') === name);
  if (start === undefined) return undefined;
  const processes = schedulerProcesses({ ...start, flags: flags ?? start.flags }, options.featureGates ?? {}, agentOptions.podBehaviors);
  return processes.find(({ name }) => name === process);
}
