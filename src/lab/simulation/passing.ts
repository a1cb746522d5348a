/** A run from its manifests to its end, from pause to pause. */
import { LimitTripped } from '../../engine/index.ts';
import { passTime, PAUSED, waitForEnd, type Wait } from './drive.ts';
import type { Scenario } from '../scenario/index.ts';
import { noteFailure, type Play } from './run-record.ts';
import type { Trouble } from './run.ts';
import { loopingAt, noteThrown } from './sandbox-findings.ts';
import { beginCourse, changeCourse, prepare, takeSteps, type Course } from './steps.ts';

/** Virtual time that passes: `next` returns at each pause, and continues from there. */
export type Passing<T> = Required<Pick<Iterator<undefined, T>, 'next'>> & {
  /**
   * Goes on as another scenario with the same cluster, whose steps up to here are the same. Returns whether it can: not in the middle of a
   * step.
   */
  continueAs(next: Scenario): boolean;
};

/** How far a run has come: its manifests are applied, its steps taken, its end is waited for. */
interface Progress {
  readonly course: Course;
  phase: 'begins' | 'steps' | 'ends' | 'over';
  end?: Wait<Trouble | undefined>;
  settled: boolean;
}

/** Returns the passing time of a run; its value is whether only heartbeats were pending at the end. */
export function passingOf(of: Play): Passing<boolean> {
  const progress: Progress = { course: beginCourse(of.scenario), phase: 'begins', settled: false };
  return {
    next() {
      if (progress.phase !== 'over' && goOn(of, progress)) return { done: false, value: undefined };
      progress.phase = 'over';
      return { done: true, value: progress.settled };
    },
    continueAs(next) {
      if (progress.phase === 'over' || !changeCourse(of, progress.course, next)) return false;
      // All steps of the former scenario may be taken.
      if (progress.phase === 'ends') progress.phase = 'steps';
      delete progress.end;
      return true;
    },
  };
}

/** Goes on to the next pause; false: the run is over. */
function goOn(of: Play, progress: Progress): boolean {
  const { cluster, scenario, record } = of;
  const limit = (trouble: Trouble, looping: Parameters<typeof loopingAt>[1]): void =>
    noteFailure(record, cluster, 'limit', trouble, { source: loopingAt(of, looping) ?? scenario.source });
  try {
    if (progress.phase === 'begins') {
      const before = record.failures.length;
      prepare(of);
      progress.phase = record.failures.length === before ? 'steps' : 'ends';
      if (of.driver.holds?.(cluster.now) === true) return true;
    }
    if (progress.phase === 'steps') {
      if (takeSteps(of, progress.course) === PAUSED) return true;
      progress.phase = 'ends';
    }
    if (progress.end === undefined && record.failures.some(({ kind }) => kind === 'limit')) return false;
    const trouble = passTime(of.driver, (progress.end ??= waitForEnd(of.driver)));
    if (trouble === PAUSED) return true;
    if (trouble !== undefined) limit(trouble, trouble);
  } catch (error) {
    if (error instanceof LimitTripped) limit({ message: error.culprit, detail: [] }, error);
    else noteThrown(of, error);
    return false;
  }
  progress.settled = cluster.kernel.settled;
  return false;
}
