/** What happens in the run without faults, as plain data: the moments at which faults are worth most. */
import type { Cluster } from '../../controlplane/cluster.ts';
import type { Point } from '../choices/index.ts';
import type { Transition } from '../scenario/index.ts';
import type { Entry } from '../trace/index.ts';
import type { Making } from './cause.ts';

/** Something that happened to an object. */
export interface Happening {
  /** `Pod default/a~1 gone #1`. */
  readonly name: string;
  readonly what: Transition;
  readonly kind: string;
  /** Milliseconds since the start. */
  readonly atMs: number;
  /** The controller that wrote it; absent: somebody outside the processes did. */
  readonly by?: string;
  /** Addresses of its watch events, by process. */
  readonly seen: ReadonlyMap<string, string>;
}

/** A decision or a request of a controller. */
export interface Deciding {
  readonly sort: 'decide' | 'write';
  readonly at: string;
  readonly process: string;
  readonly who: string;
  readonly atMs: number;
  /** What the request did, where it changed an object. */
  readonly did?: Transition;
}

export interface History {
  /** The user's controllers; without any, all that decided. */
  readonly mine: readonly string[];
  /** The kinds that those read or write. */
  readonly kinds: readonly string[];
  readonly happenings: readonly Happening[];
  readonly deciding: readonly Deciding[];
}

type Open<T> = { -readonly [K in keyof T]: T[K] };

/** Listens to a run; `history` returns what it has heard before the end of fault injection. */
export function historian() {
  const happenings = new Map<string, Open<Omit<Happening, 'seen'>> & { readonly seen: Map<string, string> }>();
  const deciding: Open<Deciding>[] = [];
  /** By revision. A change is sent to processes before its write is reported, or after it. */
  const names = new Map<number, string>();
  const writers = new Map<number, { readonly controller: string; readonly request: Open<Deciding> | undefined }>();
  let lastWrite: Open<Deciding> | undefined;
  const attribute = (revision: number): void => {
    const [known, writer] = [happenings.get(names.get(revision) ?? ''), writers.get(revision)];
    if (known === undefined || writer === undefined) return;
    known.by = writer.controller;
    if (writer.request?.who === writer.controller) writer.request.did ??= known.what;
  };
  return {
    reached({ sort, process, who, address, transition, revision = 0 }: Point, atMs: number): void {
      if (sort === 'decide' || sort === 'write') {
        const each: Open<Deciding> = { sort, at: address, process, who, atMs };
        deciding.push(each);
        if (sort === 'write') lastWrite = each;
        return;
      }
      if (transition === undefined) return;
      const words = transition.split(' ');
      let known = happenings.get(transition);
      if (known === undefined) {
        known = { name: transition, what: words.at(-2) as Transition, kind: words[0] ?? '', atMs, seen: new Map() };
        happenings.set(transition, known);
        names.set(revision, transition);
        attribute(revision);
      }
      if (!known.seen.has(process)) known.seen.set(process, address);
    },
    observe(entry: Entry): void {
      if (entry.type !== 'write' || entry.controller === undefined) return;
      writers.set(entry.change.revision, { controller: entry.controller, request: lastWrite });
      attribute(entry.change.revision);
    },
    history({ kinds }: Pick<Cluster, 'kinds'>, { with: own }: Making): History {
      const controllers = (own?.controllers ?? []).map((each) => (typeof each === 'function' ? each(kinds) : each));
      const mine = controllers.length > 0 ? controllers.map(({ name }) => name) : [...new Set(deciding.map(({ who }) => who))];
      const read = controllers.flatMap(({ reconciles, watches = [], writes }) => [
        ...(reconciles === undefined ? [] : [reconciles]),
        ...watches.map(({ kind }) => kind),
        ...writes,
      ]);
      const all = [...happenings.values()];
      return { mine, kinds: [...new Set(controllers.length > 0 ? read : all.map(({ kind }) => kind))], happenings: all, deciding };
    },
  };
}
