/**
 * The open streams, and which of them carry a change: those of its kind, and, through a map, those filtered by its node or its name, so
 * that no change visits one subscriber per node. A stream delivers in order, however its latency varies.
 */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import type { Stream } from './process.ts';

/** Streams, and the numbers by which a pending delivery names them. Both are immutable: a new or closed stream makes new ones. */
export interface Audience {
  readonly streams: readonly Stream[];
  readonly numbers: readonly number[];
}

export interface Streams {
  add(stream: Omit<Stream, 'number'>): Stream;
  close(stream: Stream): void;
  /** The stream of a number; undefined once it is closed. */
  byNumber(number: number): Stream | undefined;
  /** Streams that carry an object, in order of subscription (streams without a filter first). */
  following(kind: string, object: ApiObject): Audience;
}

const nodeNameOf = (object: ApiObject): string | undefined => (object['spec'] as { readonly nodeName?: string } | undefined)?.nodeName;

const audienceOf = (streams: readonly Stream[]): Audience => ({ streams, numbers: streams.map(({ number }) => number) });
const NO_AUDIENCE = audienceOf([]);

/**
 * Streams of one kind; `all` are those without a filter. Audiences are computed when a change first needs them, because thousands of agents
 * subscribe one after the other: `toAll` for objects of nodes without a subscriber, `onNode` for those of a node.
 */
interface Followers {
  all: Stream[];
  toAll: Audience | undefined;
  readonly nodeName: Map<string, Stream[]>;
  readonly name: Map<string, Stream[]>;
  readonly onNode: Map<string, Audience>;
}

/** Whether a stream with a filter carries an object. */
export function carries({ only }: Stream, object: ApiObject): boolean {
  if (only === undefined) return true;
  return only.index === 'name' ? object.metadata.name === only.value : nodeNameOf(object) === only.value;
}

/** Takes the next change in flight, if it has this revision: a relist cancels the deliveries planned before it. */
export function takeNext(stream: Stream, revision: number): Change | undefined {
  const change = stream.inFlight[stream.head];
  if (change === undefined || change.revision !== revision) return undefined;
  stream.head++;
  if (stream.head === stream.inFlight.length) {
    // Delivered changes are released at once, or they would survive many garbage collections.
    if (stream.head === 1) stream.inFlight.pop();
    else stream.inFlight = [];
    stream.head = 0;
  } else if (stream.head > 256 && stream.head * 2 > stream.inFlight.length) {
    stream.inFlight = stream.inFlight.slice(stream.head);
    stream.head = 0;
  }
  return change;
}

/** No streams yet. */
export function createStreams(): Streams {
  const kinds = new Map<string, Followers>();
  const byNumber: (Stream | undefined)[] = [];
  let last: Followers | undefined;
  let lastKind: string | undefined;
  const known = (kind: string): Followers | undefined => {
    if (last !== undefined && kind === lastKind) return last;
    lastKind = kind;
    last = kinds.get(kind);
    return last;
  };
  return {
    add(parts) {
      const stream: Stream = { number: byNumber.length, ...parts };
      byNumber.push(stream);
      enter(followersOf(kinds, stream.kind), stream);
      return stream;
    },
    close(stream) {
      byNumber[stream.number] = undefined;
      // Expectations on a closed stream count as satisfied.
      stream.seenRevision = Infinity;
      leave(followersOf(kinds, stream.kind), stream);
    },
    byNumber: (number) => byNumber[number],
    following(kind, object) {
      const followers = known(kind);
      if (followers === undefined) return NO_AUDIENCE;
      const node = followers.nodeName.size === 0 ? undefined : nodeNameOf(object);
      const general = node === undefined ? toAll(followers) : onNode(followers, node);
      const byName = followers.name.size === 0 ? undefined : followers.name.get(object.metadata.name);
      return byName === undefined ? general : audienceOf([...general.streams, ...byName]);
    },
  };
}

function followersOf(kinds: Map<string, Followers>, kind: string): Followers {
  let followers = kinds.get(kind);
  if (followers === undefined) {
    followers = { all: [], toAll: undefined, nodeName: new Map(), name: new Map(), onNode: new Map() };
    kinds.set(kind, followers);
  }
  return followers;
}

// A copy, because streams may be opened or closed while a change is delivered.
const toAll = (followers: Followers): Audience => (followers.toAll ??= audienceOf([...followers.all]));

function onNode(followers: Followers, node: string): Audience {
  const known = followers.onNode.get(node);
  if (known !== undefined) return known;
  const byNode = followers.nodeName.get(node);
  const joined = byNode === undefined ? toAll(followers) : audienceOf([...followers.all, ...byNode]);
  followers.onNode.set(node, joined);
  return joined;
}

/** Clears the audiences that include a stream. */
function forget(followers: Followers, { only }: Stream): void {
  if (only === undefined) {
    followers.toAll = undefined;
    followers.onNode.clear();
  } else if (only.index === 'nodeName') followers.onNode.delete(only.value);
}

function enter(followers: Followers, stream: Stream): void {
  forget(followers, stream);
  if (stream.only === undefined) {
    followers.all.push(stream);
    return;
  }
  const map = followers[stream.only.index];
  const list = map.get(stream.only.value);
  if (list === undefined) map.set(stream.only.value, [stream]);
  else list.push(stream);
}

function leave(followers: Followers, stream: Stream): void {
  forget(followers, stream);
  if (stream.only === undefined) {
    followers.all = followers.all.filter((other) => other !== stream);
    return;
  }
  const map = followers[stream.only.index];
  const left = (map.get(stream.only.value) ?? []).filter((other) => other !== stream);
  if (left.length === 0) map.delete(stream.only.value);
  else map.set(stream.only.value, left);
}
