/** A run as an observable: every entry with its step, every object change, the end. Each subscription makes a run. */
import { Observable } from 'rxjs';
import type { Change } from '../../../apiserver/store/index.ts';
import { simulate, type Run, type SimulateOptions } from '../../../lab/simulation/index.ts';
import type { Scenario } from '../../../lab/scenario/index.ts';
import type { Entry } from '../../../lab/trace/index.ts';

export type Signal =
  | { readonly type: 'entry'; readonly entry: Entry; readonly step: number }
  | { readonly type: 'change'; readonly change: Change }
  | { readonly type: 'end'; readonly run: Run };

export interface SignalOptions extends Pick<SimulateOptions, 'trace' | 'with' | 'invariants' | 'controllers'> {
  readonly seed: number;
  /** Whether object changes are emitted. */
  readonly changes?: boolean;
}

export const runSignals = (scenario: Scenario, { changes = false, ...options }: SignalOptions): Observable<Signal> =>
  new Observable((subscriber) => {
    let step = 0;
    const run = simulate(scenario, {
      ...options,
      onEntry: (entry) => {
        subscriber.next({ type: 'entry', entry, step: ++step });
      },
      ...(changes
        ? {
            onObjectChange: (change: Change) => {
              subscriber.next({ type: 'change', change });
            },
          }
        : {}),
    });
    subscriber.next({ type: 'end', run });
    subscriber.complete();
  });
