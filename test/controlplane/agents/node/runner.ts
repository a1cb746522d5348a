/** An agent's decisions about one pod p on node n, as lines: the reason, the writes, the actions, and what follows. */
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';
import type { Action } from '../../../../src/controlplane/agents/node/actions.ts';
import { defaultSettings } from '../../../../src/controlplane/agents/node/configuration.ts';
import { type Behavior, created, passed, type Run } from '../../../../src/controlplane/agents/node/containers.ts';
import { createWorld, type Machine } from '../../../../src/controlplane/agents/node/machine.ts';
import type { PodRunnerOptions } from '../../../../src/controlplane/agents/node/node-context.ts';
import { podRunner } from '../../../../src/controlplane/agents/node/pod-runner.ts';
import type { Outcome, Write } from '../../../../src/controlplane/runtime/index.ts';
import { requestsOf } from '../../../../src/controlplane/shared/index.ts';
import { AT, at, barePod } from '../../../support/objects.ts';
import { decide, phrase, type Situation } from '../../../support/reconcile.ts';

export type Prepare = (machine: Machine) => void;
export const SETTINGS = defaultSettings({ clusterGates: {}, leaseSeconds: 40 });

export function runnerOn(prepare: Prepare = () => undefined, options: Partial<PodRunnerOptions> = {}) {
  const world = createWorld();
  const machine = world.machine('n');
  prepare(machine);
  const usual = { nodeName: 'n', behaviors: [], processName: 'agent/n', recordsEvents: false, drivers: [], handlers: undefined };
  const allocatable = () => ({ cpu: '4', memory: '8Gi', pods: '110' });
  return podRunner({ ...usual, allocatable, machine, world, settings: SETTINGS, ...options });
}

const seconds = (time: number | null | undefined): string =>
  time === undefined || time === null || time === Infinity ? 'never' : `${(time - at(0)) / 1000} s`;

const statusIn = (write: Write): string => {
  const { status } = (write.op === 'patch' ? write.patch : {}) as { status?: { phase?: string; reason?: string } };
  return status?.phase === undefined ? '' : ` ${[status.phase, status.reason].join(' ').trim()}`;
};
function actionText(action: Action): string {
  switch (action.does) {
    case 'put':
      return `${action.run.stage} until ${seconds(action.run.until)}`;
    case 'forget':
      return `forget at ${seconds(action.at)}`;
    case 'wait':
      return `waits ${action.waits}`;
    case 'use':
      return `uses ${action.volumes?.join() ?? 'nothing'}`;
    default:
      return action.does;
  }
}
/** An outcome, as its reason, its writes, its actions, and what follows. */
export function said(outcome: Outcome | undefined): readonly string[] {
  if (outcome === undefined) return [];
  const { why, writes, actions = [], wakeAt, background, enqueue = [], memory } = outcome as Outcome<unknown, Action>;
  return [
    why,
    ...writes.map((write) => phrase(write) + statusIn(write)),
    ...actions.map(actionText),
    ...(wakeAt === undefined ? [] : [`again at ${seconds(wakeAt)}${background === true ? ', background' : ''}`]),
    ...enqueue.map((key) => `then ${String(key)}`),
    ...(memory === undefined ? [] : [`remembers ${memory === null ? 'nothing' : Object.keys(memory).join()}`]),
  ];
}

const BEHAVIOR: Behavior = {
  startDelayMs: 0,
  readyDelayMs: 0,
  runForMs: undefined,
  exitCodes: [0],
  terminationDelayMs: 0,
  terminationExitCode: 143,
};
export const containers = (behavior: Partial<Behavior> = {}, more: Partial<Run> = {}): Run => ({
  ...created(
    {
      behavior: { ...BEHAVIOR, ...behavior },
      policy: 'Always',
      attemptsOf: 'uid-p',
      ip: '10.244.0.1',
      asks: requestsOf({ containers: [] }),
      held: false,
      leastStartMs: 0,
    },
    at(0),
  ),
  ...more,
});
export const running = (behavior: Partial<Behavior> = {}, more: Partial<Run> = {}): Run => passed(containers(behavior, more), at(0), 0);
export const has =
  (run: Run): Prepare =>
  (machine) =>
    machine.put('uid-p', run);
export const podIn = (phase: string, { spec = {}, status = {}, meta = {} } = {}): Pod =>
  barePod('p', phase, { spec: { nodeName: 'n', restartPolicy: 'Always', ...spec }, status: { startTime: AT, ...status }, meta });
export const NEW = podIn('Pending', { status: { startTime: undefined } });
export const GOING = { deletionTimestamp: AT, deletionGracePeriodSeconds: 3 };
export const decided = (pod: Pod, prepare?: Prepare, now = 5, options?: Partial<PodRunnerOptions>, more: Partial<Situation> = {}) =>
  said(decide(runnerOn(prepare, options), { objects: [pod], now: at(now), startedAt: at(0), ...more }));
export const REPORT = 'patch Pod p Running';
