/**
 * Watch streams from the store to processes. A change touches only the streams it concerns: those of its kind, and, through a map,
 * those that follow its node or its name; never one subscriber per node. A stream delivers in order, however its latency varies.
 */
import type { ApiObject } from '../api/object.ts';
import type { Change } from '../store/index.ts';

export interface Stream {
  readonly process: string;
  readonly incarnation: number;
  readonly kind: string;
  readonly only?: { readonly index: 'nodeName' | 'name'; readonly value: string };
  /** Renewals of leases may go unseen. */
  readonly unseenBeats: boolean;
  /** Changes on their way, oldest first; those before `head` have arrived. */
  inFlight: Change[];
  head: number;
  /** Instant of the last planned delivery: the next is never earlier. */
  lastAt: number;
  /** Revision up to which the process has seen everything. */
  seenRevision: number;
  open: boolean;
}

export interface Streams {
  add(stream: Stream): void;
  close(stream: Stream): void;
  /** Streams a change concerns, in order of subscription (all-kind streams first). */
  concerned(change: Change): readonly Stream[];
  /** Streams that an object is on. */
  following(object: ApiObject): readonly Stream[];
}

const nodeNameOf = (object: ApiObject): string | undefined => (object['spec'] as { readonly nodeName?: string } | undefined)?.nodeName;

/** No streams yet. */
export function createStreams(): Streams {
  const wide = new Map<string, Stream[]>();
  const narrow = new Map<string, Stream[]>();
  const place = (stream: Stream): { map: Map<string, Stream[]>; at: string } =>
    stream.only === undefined ? { map: wide, at: stream.kind } : { map: narrow, at: `${stream.kind}/${stream.only.index}/${stream.only.value}` };
  const NONE: readonly Stream[] = [];
  const following = (kind: string, object: ApiObject): readonly Stream[] => {
    const all = wide.get(kind) ?? NONE;
    const node = nodeNameOf(object);
    const byNode = node === undefined ? undefined : narrow.get(`${kind}/nodeName/${node}`);
    const byName = narrow.size === 0 ? undefined : narrow.get(`${kind}/name/${object.metadata.name}`);
    if (byNode === undefined && byName === undefined) return all;
    return [...all, ...(byNode ?? NONE), ...(byName ?? NONE)];
  };

  return {
    add(stream) {
      const { map, at } = place(stream);
      const list = map.get(at);
      if (list === undefined) map.set(at, [stream]);
      else list.push(stream);
    },
    close(stream) {
      stream.open = false;
      const { map, at } = place(stream);
      const left = (map.get(at) ?? []).filter((other) => other !== stream);
      if (left.length === 0) map.delete(at);
      else map.set(at, left);
    },
    concerned: ({ kind, object }) => following(kind, object),
    following: (object) => following(object.kind, object),
  };
}

/** Takes the next change on its way, if it is the one of this revision: a relist voids what was planned before it. */
export function takeNext(stream: Stream, revision: number): Change | undefined {
  const change = stream.inFlight[stream.head];
  if (change === undefined || change.revision !== revision) return undefined;
  stream.head++;
  if (stream.head > 256 && stream.head * 2 > stream.inFlight.length) {
    stream.inFlight = stream.inFlight.slice(stream.head);
    stream.head = 0;
  }
  return change;
}
