/** Asks somebody at each point of a run what shall happen there, does it, and writes it down. */
import type { Cluster } from '../../controlplane/cluster.ts';
import type { Points } from '../../controlplane/runtime/index.ts';
import type { Deed, PointChoice } from '../scenario/index.ts';
import { addressesIn, type Point } from './address.ts';
import { choiceText, kindOf } from './registry.ts';

/** Who is asked: what shall happen at a point; undefined: what would happen by itself. */
export interface Chooser {
  choose(point: Point, now: number): Deed | undefined;
  /** Those who are slow, by the address of their points. */
  readonly slow: ReadonlyMap<string, Extract<Deed, { do: 'slow' }>>;
}

/** What has been done so far, in its order. */
export type Taken = readonly PointChoice[];

/** Begins to ask; answers what is done, as a list that grows. */
export function askIn(cluster: Cluster, chooser: Chooser): Taken {
  const taken: PointChoice[] = [];
  const addresses = addressesIn(cluster);
  const done = (at: string, deed: Deed): void => {
    const choice = { at, deed };
    taken.push(choice);
    cluster.note({ type: 'fault', causes: [], fault: deed.do, detail: choiceText(choice) });
  };
  const slowed = new Set<string>();
  /** How much later it comes because who does it is slow. */
  const slowness = ({ actor }: Point): number => {
    const deed = chooser.slow.get(actor);
    if (deed === undefined || (deed.untilMs !== undefined && cluster.now >= cluster.startAt + deed.untilMs)) return 0;
    if (!slowed.has(actor)) {
      slowed.add(actor);
      done(actor, deed);
    }
    return deed.ms;
  };
  const chosen = (point: Point): Deed | undefined => {
    const deed = chooser.choose(point, cluster.now);
    if (deed !== undefined) done(point.address, deed);
    return deed;
  };
  cluster.ask(points({ cluster, addresses, chosen, slowness }));
  return taken;
}

interface Asking {
  readonly cluster: Cluster;
  readonly addresses: ReturnType<typeof addressesIn>;
  chosen(point: Point): Deed | undefined;
  slowness(point: Point): number;
}

const points = ({ cluster, addresses, chosen, slowness }: Asking): Points => ({
  see(process, change) {
    const point = addresses.see(process, change);
    const deed = chosen(point);
    return (deed === undefined ? 0 : (kindOf(deed).see?.(deed) ?? 0)) + slowness(point);
  },
  decide(which) {
    const point = addresses.decide(which);
    const deed = chosen(point);
    const verdict = deed === undefined ? undefined : kindOf(deed).decide?.(cluster, deed, point);
    if (verdict !== undefined) return verdict;
    const ms = slowness(point);
    return ms === 0 ? undefined : { hold: ms };
  },
  write(envelope) {
    const point = addresses.write(envelope);
    const deed = chosen(point);
    const verdict = deed === undefined ? undefined : kindOf(deed).write?.(cluster, deed, point);
    if (verdict !== undefined) return verdict;
    const ms = slowness(point);
    return ms === 0 ? undefined : { delayMs: ms };
  },
  start: (process, pod) => chosen(addresses.start(process, pod))?.do === 'hang',
});
