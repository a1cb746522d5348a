/**
 * Stable names in place of generated ones: the second pod that job default/a created is `default/a~2`, whatever its name. A name that
 * contains a uid contains the role of that object instead.
 */
import { controllerOf, keyOf, type ApiObject } from '../../apiserver/machinery/index.ts';
import type { Store } from '../../apiserver/store/index.ts';

export interface Roles {
  /** Replaces the generated names in a key, or in any text in which names are separated by slashes. */
  of(text: string): string;
  /** Registers an object. It is called by a listener that runs before the other listeners of the store. */
  enter(object: ApiObject): void;
}

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** The name of a VolumeAttachment is a hash of what it attaches. */
const ATTACHMENT = 'VolumeAttachment';

interface State {
  /** Objects with generated names, by name. */
  readonly names: Map<string, string>;
  readonly uids: Map<string, string>;
  /** The number of objects that an owner has had, by owner and kind. */
  readonly counts: Map<string, number>;
  /** Results for texts, memoized. */
  readonly known: Map<string, string>;
}

/** Returns the roles of the objects in a store, now and later. */
export function rolesIn(store: Store): Roles {
  const state: State = { names: new Map(), uids: new Map(), counts: new Map(), known: new Map() };
  for (const kind of store.kinds()) for (const object of store.values(kind)) enter(state, object);
  store.onChange(({ type, object }) => {
    if (type === 'ADDED') enter(state, object);
  });
  return {
    enter: (object) => enter(state, object),
    of(text) {
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

/** Returns the role of an object with a generated name; undefined: its name was given. */
function drawnRole(state: State, object: ApiObject): string | undefined {
  const { metadata, kind } = object;
  if (kind === ATTACHMENT) return attachmentRole(state, object);
  const { generateName = '' } = metadata;
  if (generateName === '' || !metadata.name.startsWith(generateName)) return undefined;
  const owner = controllerOf(object) ?? metadata.ownerReferences?.[0];
  const whose = owner === undefined ? `${metadata.namespace ?? ''}/${generateName}` : owner.uid;
  const count = (state.counts.get(`${whose} ${kind}`) ?? 0) + 1;
  state.counts.set(`${whose} ${kind}`, count);
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
