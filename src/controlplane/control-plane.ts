/**
 * The processes of the control plane besides the server: controller managers and schedulers, one each or several candidates for one lease.
 * Without an election the one there is leads unasked, and no component lease exists.
 */
import { authenticationLookup, defaultSettings, scheduler } from './agents/index.ts';
import { type Names, resolveGates } from '../apiserver/vocabulary/index.ts';
import { parseSchedulerFlags } from './config/index.ts';
import { apiServerIdentity, DEFAULT_ELECTION, elector, type ElectionSettings, LOCK_KINDS, type LockKind } from './controllers/index.ts';
import type { Controller, ProcessSpec } from './runtime/index.ts';
import { parseGoDuration } from '../grammar/values/index.ts';

/** Who stands for election: `scheduler`, `scheduler-1`, … */
export interface Candidacy {
  /** How many processes; default 1. */
  readonly candidates?: number;
  /** false: all of them lead at once, as --leader-elect=false lets them. */
  readonly elect?: boolean;
  readonly settings?: Partial<ElectionSettings>;
  /** Default: the component's own name in the system namespace. */
  readonly lease?: { readonly name?: string; readonly namespace?: string };
  /** What is locked there; default: a lease alone. */
  readonly lock?: LockKind;
}

/** A scheduler: what its processes are called (`batch`, `batch-1`, …), which pods it is for, how it is started. */
export interface SchedulerStart {
  readonly name: string;
  /** `spec.schedulerName` of its pods; default: `default-scheduler`. */
  readonly schedulerName?: string;
  readonly flags: readonly string[];
  /** How many processes; more than one stand for election. */
  readonly candidates?: number;
}

export interface ControlPlaneOptions {
  readonly controllerManager?: Candidacy;
  readonly scheduler?: Candidacy;
  /** In place of `scheduler`: each with flags of its own. */
  readonly schedulers?: readonly SchedulerStart[];
}

/** As upstream, a controller manager that is told to stop just stops: its lease runs out. */
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

/** The processes, in order of their start. */
export function controlPlane(
  controllers: readonly Controller[],
  { controllerManager, scheduler: candidacy, schedulers }: ControlPlaneOptions,
  names: Names,
  featureGates: Readonly<Record<string, boolean>> = {},
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
    ...(schedulers?.flatMap((start) => schedulerProcesses(start, featureGates)) ??
      (candidacy === undefined
        ? [unflagged()]
        : candidates(unflagged(), candidacy, DEFAULT_ELECTION, ({ schedulerName }) => schedulerName, 'default-scheduler'))),
  ];
}

/** A scheduler that is started without flags: a client of 50 requests a second and of 100 at once. */
const unflagged = (): ProcessSpec => ({ ...scheduler(), requestRate: { qps: 50, burst: 100 } });

/** The processes of one scheduler. What its flags are refused for, each of them says at its start. */
export function schedulerProcesses(
  { name, schedulerName = defaultSettings.schedulerName, flags, candidates: count }: SchedulerStart,
  featureGates: Readonly<Record<string, boolean>>,
): readonly ProcessSpec[] {
  const { config, values, errors } = parseSchedulerFlags(flags);
  const isSet = (flag: string): boolean => values.some(({ path, source }) => path === flag && source !== 'default');
  const plain = scheduler({
    ...defaultSettings,
    schedulerName,
    ...(errors.length === 0 ? { maxRefusedMs: milliseconds(config['pod-max-in-unschedulable-pods-duration']) } : {}),
  });
  const spec: ProcessSpec = {
    ...plain,
    ...(mustLookUp(config) ? { controllers: [authenticationLookup, ...plain.controllers] } : {}),
    name,
    ...(flags.length === 0 ? {} : { start: { flags } }),
    ...rateOf(config['orch-api-qps'], config['orch-api-burst']),
    ...(isSet('--feature-gates') ? { gates: resolveGates({ ...featureGates, ...config['feature-gates'] }).gates } : {}),
    ...(errors.length === 0 ? {} : { refusal: errors.map(({ message }) => message).join('; ') }),
  };
  const election = errors.length === 0 ? electionOfFlags(flags) : undefined;
  if (election === undefined && count === undefined) return [spec];
  return candidates(spec, { ...election, candidates: count ?? 1 }, DEFAULT_ELECTION, (names) => names.schedulerName, schedulerName);
}

/** Whether it asks for authorities when it starts, and may not go without. */
const mustLookUp = (config: ReturnType<typeof parseSchedulerFlags>['config']): boolean =>
  config['authentication-kubeconfig'] !== '' && !config['authentication-skip-lookup'] && !config['authentication-tolerate-lookup-failure'];

/** A rate of nothing is none. */
const rateOf = (qps: number, burst: number): Pick<ProcessSpec, 'requestRate'> => (qps <= 0 ? {} : { requestRate: { qps, burst } });

const milliseconds = (duration: string): number => Number((parseGoDuration(duration).value ?? 0n) / 1_000_000n);

const isElectionFlag = (path: string): boolean => path.startsWith('--leader-elect') || path.startsWith('--lock-object');

/** The election that a scheduler's flags ask for; undefined when they do not speak of it. */
function electionOfFlags(flags: readonly string[]): Candidacy | undefined {
  const { config, values } = parseSchedulerFlags(flags);
  const given = new Set(values.filter(({ path, source }) => source !== 'default' && isElectionFlag(path)).map(({ path }) => path));
  if (given.size === 0) return undefined;
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
