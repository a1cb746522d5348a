/**
 * Addresses of choice points. Another seed, and mostly another version of the code,
 * finds the point again: an address contains no generated name.
 *
 *   see controller-manager Pod default/a~4 #1        the first watch event of that pod for that process
 *   decide controller-manager job default/a w7+1     the first decision after the seventh write of that key
 *   write controller-manager job default/a: create Pod #2
 *   start agent/node-0 default/a~2 #1                its containers are about to be created
 *   actor controller-manager sees Pod                all watch events of a kind for a process
 *   actor controller-manager job decides             all decisions (writes: all requests) of a controller
 *
 * Decisions are counted from the last write of their key: idle ones come and go with every change of code.
 */
import { keyOf, type ApiObject } from '../../apiserver/machinery/index.ts';
import type { Envelope } from '../../apiserver/request/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import type { DecidePoint } from '../../controlplane/runtime/index.ts';
import type { Sort } from '../faults/index.ts';
import { rolesIn } from './roles.ts';

/** A choice point. */
export interface Point {
  readonly sort: Exclude<Sort, 'actor'>;
  readonly process: string;
  /** The controller; for watch events, the kind. */
  readonly who: string;
  readonly address: string;
  /** The object, or the key, by its name in this run. */
  readonly key: string;
  /** For watch events, the revision. */
  readonly revision?: number;
  /** The address that all points of this actor share. */
  readonly actor: string;
}

/** Computes the address of each point as a run reaches it. It counts occurrences, so it is called exactly once for each point. */
export interface Addresses {
  see(process: string, change: Change): Point;
  decide(point: DecidePoint): Point;
  write(envelope: Envelope): Point;
  start(process: string, pod: ApiObject): Point;
}

interface Turns {
  writes: number;
  /** The number of decisions since the last write. */
  decisions: number;
}

/** Returns the addresses of points in a cluster, counted from the time of the call. */
export function addressesIn({ store }: Pick<Cluster, 'store'>): Addresses {
  const roles = rolesIn(store);
  const counts = new Map<string, number>();
  const turns = new Map<string, Turns>();
  const numbered = (text: string): string => {
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return `${text} #${count}`;
  };
  const turnsOf = (whose: string): Turns => {
    let found = turns.get(whose);
    if (found === undefined) turns.set(whose, (found = { writes: 0, decisions: 0 }));
    return found;
  };
  return {
    see(process, { type, kind, key, object, revision }) {
      if (type === 'ADDED') roles.enter(object);
      const address = numbered(`see ${process} ${kind} ${roles.of(key)}`);
      return { sort: 'see', process, who: kind, address, key, revision, actor: `actor ${process} sees ${kind}` };
    },
    decide({ process, controller, key }) {
      const whose = `${process} ${controller} ${roles.of(key)}`;
      const at = turnsOf(whose);
      at.decisions++;
      const address = `decide ${whose} w${at.writes}+${at.decisions}`;
      return { sort: 'decide', process, who: controller, address, key, actor: `actor ${process} ${controller} decides` };
    },
    write({ by: { process, controller = '', key = '' }, request }) {
      const whose = `${process} ${controller} ${roles.of(key)}`;
      const at = turnsOf(whose);
      at.writes++;
      at.decisions = 0;
      const sub = 'subresource' in request && request.subresource !== undefined ? `/${request.subresource}` : '';
      const address = numbered(`write ${whose}: ${request.verb} ${request.kind}${sub}`);
      return { sort: 'write', process, who: controller, address, key, actor: `actor ${process} ${controller} writes` };
    },
    start(process, pod) {
      const key = keyOf(pod);
      const address = numbered(`start ${process} ${roles.of(key)}`);
      return { sort: 'start', process, who: 'Pod', address, key, actor: '' };
    },
  };
}

/** Returns the sort with which an address begins. */
export const sortOf = (address: string): string => address.slice(0, address.indexOf(' '));

/** Returns the actor of an address: its process, and its controller or kind. */
export function whoseOf(address: string): { readonly sort: string; readonly process: string; readonly who: string } {
  const [sort = '', process = '', who = ''] = address.split(' ');
  return { sort, process, who };
}
