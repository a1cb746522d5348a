/**
 * An agent that runs its pods once: it reads its sources at its start, starts those pods, waits until all of them run, and exits; the
 * containers stay. Models: v1.24 pkg/kubelet/runonce.go. Simplified: all sources count, not only the first one.
 */
import { defineController, onElapsed, type Outcome } from '../../runtime/index.ts';
import type { MachineView } from './machine.ts';

const DELAY_MS = 1_000;
const MOST_TRIES = 10;
const KEY = 'pods';

interface Memory {
  readonly tries: number;
  /** The delay until the next check, milliseconds. */
  readonly delayMs: number;
}

const many = (n: number): string => (n === 1 ? '1 pod' : `${n} pods`);

/** Checks with doubling delays whether the containers run; then it ends its process. */
export function runOnce(machine: MachineView, nodeName: string) {
  return defineController<never, Memory>({
    name: 'run-once',
    writes: [],
    models: 'v1.24 pkg/kubelet/runonce.go.',
    startKeys: () => [KEY],
    reconcile: onElapsed(({ now, memory, cache }): Outcome<Memory> => {
      const { tries, delayMs } = memory ?? { tries: 0, delayMs: DELAY_MS };
      const later = { memory: { tries: tries + 1, delayMs: delayMs * 2 }, writes: [], wakeAt: now + delayMs };
      if (tries === 0) return { why: 'its pods have one second to start', ...later };
      const runs = [...machine.uids()].flatMap((uid) => {
        const run = machine.run(uid);
        return run === undefined ? [] : [{ uid, run }];
      });
      const out = runs.filter(({ run }) => run.failure !== undefined).length;
      const late = runs.filter(({ run: { stage, until } }) => stage !== 'over' && (stage !== 'running' || until <= now));
      const refusals = out === 0 ? '' : `, ${out} refused`;
      if (runs.length === 0) return { why: 'runonce failed: no pod manifest update after 1s', writes: [], process: 'stop' };
      if (late.length === 0) return { why: `${many(runs.length - out)} started${refusals}: it exits`, writes: [], process: 'stop' };
      const names = late.map(({ uid, run }) => {
        const pod = cache.by('Pod', 'nodeName', nodeName).find(({ metadata }) => metadata.uid === uid);
        return run.called ?? `${pod?.metadata.namespace ?? ''}/${pod?.metadata.name ?? uid}`;
      });
      if (tries < MOST_TRIES) return { why: `waiting for ${names.join(', ')}`, ...later };
      return { why: `runonce failed: error running pods: [${names.join(' ')}]`, writes: [], process: 'stop' };
    }),
  });
}
