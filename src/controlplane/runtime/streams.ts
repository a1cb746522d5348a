/**
 * Watch streams from the store to processes. A change touches only the streams it concerns: those of its kind, and, through a map,
 * those that follow its node or its name; never one subscriber per node. A stream delivers in order, however its latency varies.
 */
import type { ApiObject } from '../../apiserver/vocabulary/index.ts';
import type { Change } from '../../apiserver/store/index.ts';

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

/** Streams of one kind. `onNode`: those that all objects of a node are on, by node, put together when first asked for. */
interface Followers {
  all: readonly Stream[];
  readonly nodeName: Map<string, Stream[]>;
  readonly name: Map<string, Stream[]>;
  readonly onNode: Map<string, readonly Stream[]>;
}

/** No streams yet. */
export function createStreams(): Streams {
  const kinds = new Map<string, Followers>();
  const NONE: readonly Stream[] = [];
  const open = (kind: string): Followers => {
    let followers = kinds.get(kind);
    if (followers === undefined) kinds.set(kind, (followers = { all: [], nodeName: new Map(), name: new Map(), onNode: new Map() }));
    return followers;
  };
  const following = (kind: string, object: ApiObject): readonly Stream[] => {
    const followers = kinds.get(kind);
    if (followers === undefined) return NONE;
    const node = followers.nodeName.size === 0 ? undefined : nodeNameOf(object);
    const general = node === undefined ? followers.all : allOf(followers, node);
    const byName = followers.name.size === 0 ? undefined : followers.name.get(object.metadata.name);
    return byName === undefined ? general : [...general, ...byName];
  };
  const allOf = (followers: Followers, node: string): readonly Stream[] => {
    const byNode = followers.nodeName.get(node);
    if (byNode === undefined) return followers.all;
    let joined = followers.onNode.get(node);
    if (joined === undefined) followers.onNode.set(node, (joined = [...followers.all, ...byNode]));
    return joined;
  };

  return {
    add(stream) {
      const followers = open(stream.kind);
      followers.onNode.clear();
      if (stream.only === undefined) {
        followers.all = [...followers.all, stream];
        return;
      }
      const map = followers[stream.only.index];
      const list = map.get(stream.only.value);
      if (list === undefined) map.set(stream.only.value, [stream]);
      else list.push(stream);
    },
    close(stream) {
      stream.open = false;
      const followers = open(stream.kind);
      followers.onNode.clear();
      if (stream.only === undefined) {
        followers.all = followers.all.filter((other) => other !== stream);
        return;
      }
      const map = followers[stream.only.index];
      const left = (map.get(stream.only.value) ?? []).filter((other) => other !== stream);
      if (left.length === 0) map.delete(stream.only.value);
      else map.set(stream.only.value, left);
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
