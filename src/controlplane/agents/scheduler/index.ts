/**
 * The scheduler: finds a node for every unscheduled pod. `queue.ts` orders the pods, `filtering.ts` and `placement.ts` call the plugins
 * (`plugins/`), `attempt.ts` decides, `observe.ts` updates the scheduler's state, one delta at a time.
 */
import { defineController, watch, type Enqueue, type ObserveContext, type Outcome, type ProcessSpec } from '../../runtime/index.ts';
import { decide, lookAtVolumes, recover } from './attempt.ts';
import { observe } from './observe.ts';
import { plugins } from './plugins/index.ts';
import { type SchedulerSettings, SchedulerState } from './state.ts';

export type { SchedulerSettings, SchedulerState } from './state.ts';

const FIVE_MINUTES = 300_000;

export const defaultSettings: SchedulerSettings = { schedulerName: 'default-scheduler', plugins, maxRefusedMs: FIVE_MINUTES };

const OTHER_KINDS = [
  'Node',
  'Namespace',
  'Service',
  'ReplicationController',
  'ReplicaSet',
  'StatefulSet',
  'PodDisruptionBudget',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'StorageClass',
  'CSINode',
  'CSIDriver',
  'CSIStorageCapacity',
] as const;
export const KINDS: readonly string[] = ['Pod', ...OTHER_KINDS];

const moved = (_delta: unknown, { state, elapsed }: ObserveContext<SchedulerState>): readonly Enqueue[] => state.takeMoved(elapsed);

/** The queue uses the monotonic clock, as upstream's timers do; wake-up times of outcomes use the process's clock. */
const byItsClock = (outcome: Outcome, aheadMs: number): Outcome =>
  outcome.wakeAt === undefined || aheadMs === 0 ? outcome : { ...outcome, wakeAt: outcome.wakeAt + aheadMs };

export const controllerOf = (schedulerName: string): string =>
  schedulerName === defaultSettings.schedulerName ? 'scheduler' : `scheduler-for-${schedulerName}`;

const schedulerController = (settings: SchedulerSettings) =>
  defineController<'Pod', unknown, SchedulerState>({
    name: controllerOf(settings.schedulerName),
    component: settings.schedulerName,
    recorder: 'events',
    reconciles: 'Pod',
    writes: ['Pod', 'PersistentVolume', 'PersistentVolumeClaim'],
    models:
      'v1.24 pkg/scheduler with its default plug-ins. Simplified: an attempt takes no time; a node that several plugins refuse counts for all of them with the most severe code (upstream: one at random). ' +
      'Omits: extenders, permit and wait, in-tree volumes migrated to CSI, volume capacity scores (alpha).',
    self: { enqueue: moved },
    watches: OTHER_KINDS.map((kind) => watch(kind, moved)),
    start: (context) => new SchedulerState(settings, context),
    describe: (state) => state.describe(),
    observe,
    reconcile({ state, key, self, now, elapsed }) {
      state.aheadMs = now - elapsed;
      const waiting = state.volumes.waiting.get(key);
      return byItsClock(
        waiting === undefined || waiting.info.uid !== self.metadata.uid || state.decided.has(key)
          ? decide(state, key, elapsed)
          : lookAtVolumes(state, waiting, self, elapsed),
        state.aheadMs,
      );
    },
    recover({ state, key, self, now, elapsed }, failure) {
      state.aheadMs = now - elapsed;
      return byItsClock(recover(state, key, self, failure, elapsed), state.aheadMs);
    },
  });

export const scheduler = (settings: SchedulerSettings = defaultSettings): ProcessSpec => ({
  name: 'scheduler',
  controllers: [schedulerController(settings)],
});
