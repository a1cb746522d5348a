/** Calls a strategy at each choice point of a run, applies its choice, and records it; a strategy that replays choices, each once. */
import type { Cluster } from '../../controlplane/cluster.ts';
import type { Points } from '../../controlplane/runtime/index.ts';
import { choiceText, kindOf } from '../faults/index.ts';
import type { InjectedFault, PointChoice } from '../scenario/index.ts';
import { addressesIn, sortOf, type Point } from './address.ts';

/** The strategy: returns the choice at a point; undefined: no fault. */
export interface Chooser {
  choose(point: Point, now: number): InjectedFault | undefined;
  /** Slow actors, by the address of their points. */
  readonly slow: ReadonlyMap<string, Extract<InjectedFault, { do: 'slow' }>>;
}

/** Installs the strategy; returns the choices made so far, as a list that grows. */
export function askIn(cluster: Cluster, chooser: Chooser): readonly PointChoice[] {
  const taken: PointChoice[] = [];
  const addresses = addressesIn(cluster);
  const done = (at: string, injectedFault: InjectedFault): void => {
    const choice = { at, injectedFault };
    taken.push(choice);
    cluster.note({ type: 'fault', causes: [], fault: injectedFault.do, detail: choiceText(choice) });
  };
  const slowed = new Set<string>();
  /** Returns the delay that a slow actor adds, in milliseconds. */
  const slowness = ({ actor }: Point): number => {
    const injectedFault = chooser.slow.get(actor);
    if (injectedFault === undefined || (injectedFault.untilMs !== undefined && cluster.now >= cluster.startAt + injectedFault.untilMs))
      return 0;
    if (!slowed.has(actor)) {
      slowed.add(actor);
      done(actor, injectedFault);
    }
    return injectedFault.ms;
  };
  const chosen = (point: Point): InjectedFault | undefined => {
    const injectedFault = chooser.choose(point, cluster.now);
    if (injectedFault !== undefined) done(point.address, injectedFault);
    return injectedFault;
  };
  cluster.setStrategy(points({ cluster, addresses, chosen, slowness }));
  return taken;
}

interface Strategy {
  readonly cluster: Cluster;
  readonly addresses: ReturnType<typeof addressesIn>;
  chosen(point: Point): InjectedFault | undefined;
  slowness(point: Point): number;
}

const points = ({ cluster, addresses, chosen, slowness }: Strategy): Points => ({
  see(process, change) {
    const point = addresses.see(process, change);
    const injectedFault = chosen(point);
    const at = { process, revision: addresses.revision, kind: change.kind };
    return (injectedFault === undefined ? 0 : (kindOf(injectedFault).see?.(cluster, injectedFault, at) ?? 0)) + slowness(point);
  },
  decide(which) {
    const point = addresses.decide(which);
    const injectedFault = chosen(point);
    const verdict =
      injectedFault && kindOf(injectedFault).decide?.(cluster, injectedFault, { process: point.process, revision: addresses.revision });
    if (verdict !== undefined) return verdict;
    const ms = slowness(point);
    return ms === 0 ? undefined : { hold: ms };
  },
  write(envelope) {
    const point = addresses.write(envelope);
    const injectedFault = chosen(point);
    const at = { process: point.process, revision: addresses.revision, envelope };
    const verdict = injectedFault && kindOf(injectedFault).write?.(cluster, injectedFault, at);
    if (verdict !== undefined) return verdict;
    const ms = slowness(point);
    return ms === 0 ? undefined : { delayMs: ms };
  },
  start: (process, pod) => chosen(addresses.start(process, pod))?.do === 'hang',
});

export const NO_CHOICES: Chooser = { choose: () => undefined, slow: new Map() };

/** Returns a strategy that reports each point before another one chooses. */
export const listening = (reached: (point: Point, now: number) => void, { slow, choose }: Chooser = NO_CHOICES): Chooser => ({
  slow,
  choose(point, now) {
    reached(point, now);
    return choose(point, now);
  },
});

export function replaying(choices: readonly PointChoice[]): Chooser {
  const faults = new Map<string, InjectedFault>();
  const slow = new Map<string, Extract<InjectedFault, { do: 'slow' }>>();
  for (const { at, injectedFault } of choices) {
    if (injectedFault.do === 'slow') slow.set(at, injectedFault);
    else if (sortOf(at) !== 'actor') faults.set(at, injectedFault);
  }
  return {
    slow,
    // A run reaches the same point again after a crash, so a choice is made only once.
    choose({ address }) {
      const injectedFault = faults.get(address);
      if (injectedFault !== undefined) faults.delete(address);
      return injectedFault;
    },
  };
}

/** Returns the choices whose point was not reached. */
export function unusedOf(choices: readonly PointChoice[], taken: readonly PointChoice[]): readonly PointChoice[] {
  const used = new Set(taken.map(({ at }) => at));
  return choices.filter(({ at }) => !used.has(at));
}
