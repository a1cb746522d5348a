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
import { type ApiObject, controllerOf, keyOf } from '../../apiserver/machinery/index.ts';
import type { Envelope } from '../../apiserver/request/index.ts';
import type { Change, Store } from '../../apiserver/store/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import type { DecidePoint } from '../../controlplane/runtime/index.ts';
import { bump, keptIn } from '../../schema/values/index.ts';
import { type Sort, transitionsIn } from '../faults/index.ts';

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** The name of a VolumeAttachment is a hash of what it attaches. */
const ATTACHMENT = 'VolumeAttachment';

type State = ReturnType<typeof noRoles>;

const noRoles = () => ({
  /** Objects with generated names, by name. */
  names: new Map<string, string>(),
  uids: new Map<string, string>(),
  counts: new Map<string, number>(),
  /** Results for texts, memoized. */
  known: new Map<string, string>(),
});

function rolesIn(store: Store) {
  const state = noRoles();
  for (const kind of store.kinds()) for (const object of store.values(kind)) enter(state, object);
  store.onChange(({ type, object }) => {
    if (type === 'ADDED') enter(state, object);
  });
  return {
    /** Registers an object. It is called by a listener that runs before the other listeners of the store. */
    enter: (object: ApiObject): void => enter(state, object),
    /** Replaces the generated names in a key, or in any text in which names are separated by slashes. */
    of(text: string): string {
      let role = state.known.get(text);
      if (role === undefined) state.known.set(text, (role = roleOf(state, text)));
      return role;
    },
  };
}

function enter(state: State, object: ApiObject): void {
  const { metadata } = object;
  if (state.uids.has(metadata.uid)) return;
  const role = drawnRole(state, object);
  if (role !== undefined) {
    state.names.set(metadata.name, role);
    state.known.delete(keyOf(object));
    state.known.delete(metadata.name);
  }
  state.uids.set(metadata.uid, `<${object.kind}/${roleOf(state, keyOf(object))}>`);
}

function drawnRole(state: State, object: ApiObject): string | undefined {
  const { metadata, kind } = object;
  if (kind === ATTACHMENT) return attachmentRole(state, object);
  const { generateName = '' } = metadata;
  if (generateName === '' || !metadata.name.startsWith(generateName)) return undefined;
  const owner = controllerOf(object) ?? metadata.ownerReferences?.[0];
  const whose = owner === undefined ? `${metadata.namespace ?? ''}/${generateName}` : owner.uid;
  const count = bump(state.counts, `${whose} ${kind}`);
  const base = owner === undefined ? generateName : (state.names.get(owner.name) ?? owner.name);
  // The kind is omitted for pods, because most addresses are about pods.
  return `${base}~${kind === 'Pod' ? '' : kind}${count}`;
}

function attachmentRole(state: State, object: ApiObject): string {
  const { nodeName = '', source } = (object['spec'] ?? {}) as {
    readonly nodeName?: string;
    readonly source?: { readonly persistentVolumeName?: string };
  };
  return `${roleOf(state, source?.persistentVolumeName ?? '')}@${nodeName}`;
}

function roleOf({ names, uids }: State, text: string): string {
  return text
    .split('/')
    .map((part) => names.get(part) ?? part.replace(UID, (uid) => uids.get(uid) ?? uid))
    .join('/');
}

export interface Point {
  readonly sort: Exclude<Sort, 'actor'>;
  readonly process: string;
  /** The controller; for watch events, the kind. */
  readonly who: string;
  readonly address: string;
  /** The object, or the key, by its name in this run. */
  readonly key: string;
  /** For watch events, the revision, and what happened to the object at it: `Pod default/a~1 gone #1`. */
  readonly revision?: number;
  readonly transition?: string;
  /** The address that all points of this actor share. */
  readonly actor: string;
}

interface Turns {
  writes: number;
  decisions: number;
}

/** Returns the addresses of points as a cluster reaches them from now on. It counts occurrences, so each point is to be asked for once. */
export function addressesIn({ store }: Pick<Cluster, 'store'>) {
  const roles = rolesIn(store);
  const transitions = transitionsIn(roles.of);
  store.onChange((change) => void transitions.name(change));
  const counts = new Map<string, number>();
  const turns = new Map<string, Turns>();
  const numbered = (text: string): string => `${text} #${bump(counts, text)}`;
  const turnsOf = (whose: string): Turns => keptIn(turns, whose, () => ({ writes: 0, decisions: 0 }));
  return {
    /** Returns the revision just before or after something has happened to an object. */
    revision: transitions.revision,
    see(process: string, change: Change): Point {
      const { type, kind, key, object, revision } = change;
      if (type === 'ADDED') roles.enter(object);
      const address = numbered(`see ${process} ${kind} ${roles.of(key)}`);
      const transition = transitions.name(change);
      return { sort: 'see', process, who: kind, address, key, revision, transition, actor: `actor ${process} sees ${kind}` };
    },
    decide({ process, controller, key }: DecidePoint): Point {
      const whose = `${process} ${controller} ${roles.of(key)}`;
      const at = turnsOf(whose);
      at.decisions++;
      const address = `decide ${whose} w${at.writes}+${at.decisions}`;
      return { sort: 'decide', process, who: controller, address, key, actor: `actor ${process} ${controller} decides` };
    },
    write({ by: { process, controller = '', key = '' }, request }: Envelope): Point {
      const whose = `${process} ${controller} ${roles.of(key)}`;
      const at = turnsOf(whose);
      at.writes++;
      at.decisions = 0;
      const sub = 'subresource' in request && request.subresource !== undefined ? `/${request.subresource}` : '';
      const address = numbered(`write ${whose}: ${request.verb} ${request.kind}${sub}`);
      return { sort: 'write', process, who: controller, address, key, actor: `actor ${process} ${controller} writes` };
    },
    start(process: string, pod: ApiObject): Point {
      const key = keyOf(pod);
      const address = numbered(`start ${process} ${roles.of(key)}`);
      return { sort: 'start', process, who: 'Pod', address, key, actor: '' };
    },
  };
}

export const sortOf = (address: string): string => address.slice(0, address.indexOf(' '));

/** Returns the actor of an address: its process, and its controller or kind. */
export function whoseOf(address: string): { readonly sort: string; readonly process: string; readonly who: string } {
  const [sort = '', process = '', who = ''] = address.split(' ');
  return { sort, process, who };
}
