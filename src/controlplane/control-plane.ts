/**
 * The processes of the control plane besides the server: controller managers and schedulers, one each or several candidates for one lease.
 * Without an election the one there is leads unasked, and no component lease exists.
 */
import { scheduler } from './agents/index.ts';
import type { Names } from '../apiserver/vocabulary/index.ts';
import { parseSchedulerFlags } from './config/index.ts';
import { DEFAULT_ELECTION, elector, type ElectionSettings } from './controllers/index.ts';
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
}

export interface ControlPlaneOptions {
  readonly controllerManager?: Candidacy;
  readonly scheduler?: Candidacy;
}

/** As upstream, a controller manager that is told to stop just stops: its lease runs out. */
const MANAGER_DEFAULTS: ElectionSettings = { ...DEFAULT_ELECTION, releaseOnStop: false };

const candidates = (
  spec: ProcessSpec,
  { candidates: count = 1, elect = true, settings, lease }: Candidacy,
  defaults: ElectionSettings,
  name: (names: Names) => string,
  component: string,
): readonly ProcessSpec[] => {
  const options = {
    ...defaults,
    ...settings,
    component,
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
  { controllerManager, scheduler: schedulers }: ControlPlaneOptions,
  names: Names,
): readonly ProcessSpec[] {
  const manager: ProcessSpec = { name: 'controller-manager', controllers };
  return [
    ...(controllerManager === undefined
      ? [manager]
      : candidates(
          manager,
          controllerManager,
          MANAGER_DEFAULTS,
          ({ controllerManagerName }) => controllerManagerName,
          names.controllerManagerName,
        )),
    ...(schedulers === undefined
      ? [scheduler()]
      : candidates(scheduler(), schedulers, DEFAULT_ELECTION, ({ schedulerName }) => schedulerName, 'default-scheduler')),
  ];
}

const isElectionFlag = (path: string): boolean => path.startsWith('--leader-elect') || path.startsWith('--lock-object');

/** The election that a scheduler's flags ask for; undefined when they do not speak of it. */
export function electionOfFlags(flags: readonly string[]): Candidacy | undefined {
  const { config, values } = parseSchedulerFlags(flags);
  const given = new Set(values.filter(({ path, source }) => source !== 'default' && isElectionFlag(path)).map(({ path }) => path));
  if (given.size === 0) return undefined;
  const ms = (text: string): number => Number((parseGoDuration(text).value ?? 0n) / 1_000_000n);
  return {
    elect: config['leader-elect'],
    settings: {
      leaseDurationMs: ms(config['leader-elect-lease-duration']),
      renewDeadlineMs: ms(config['leader-elect-renew-deadline']),
      retryPeriodMs: ms(config['leader-elect-retry-period']),
    },
    lease: {
      ...(given.has('--leader-elect-resource-name') ? { name: config['leader-elect-resource-name'] } : {}),
      ...(given.has('--leader-elect-resource-namespace') ? { namespace: config['leader-elect-resource-namespace'] } : {}),
    },
  };
}
