/** Tasks of a search worker, and their results: runs of a round, or a finding to reduce. The same function runs in every thread. */
import { findingOf, make, type Catch, type Draw, type Finding, type Ground, type Outcome } from '../../../lab/search/index.ts';
import type { Plugins, Sources } from '../../plugins/index.ts';

export type WorkerTask = { readonly kind: 'make'; readonly draws: readonly Draw[] } | { readonly kind: 'shrink'; readonly caught: Catch };

export type TaskResult =
  | { readonly kind: 'make'; readonly outcomes: readonly Outcome[] }
  | { readonly kind: 'shrink'; readonly finding: Finding | undefined };

/** The data that a search thread is started with. */
export interface SearchData {
  readonly sources: Sources;
  readonly ground: Ground;
}

export function performTask(task: WorkerTask, ground: Ground, plugins: Plugins): TaskResult {
  const making = { with: plugins.definitions };
  switch (task.kind) {
    case 'make':
      return { kind: 'make', outcomes: task.draws.map((draw) => make(ground, draw, making)) };
    case 'shrink':
      return { kind: 'shrink', finding: findingOf(ground, task.caught, making) };
    default: {
      const never: never = task;
      return never;
    }
  }
}
