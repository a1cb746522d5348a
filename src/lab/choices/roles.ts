/**
 * Stable names in place of generated ones: the pod that job default/a created second is `default/a~2`, whatever it is
 * called. Where uids stand in names, the role of what they belong to does.
 */
import { controllerOf, keyOf, type ApiObject } from '../../apiserver/machinery/index.ts';
import type { Store } from '../../apiserver/store/index.ts';

export interface Roles {
  /** A key, or any text in which names stand between slashes, without generated names. */
  of(text: string): string;
  /** Registers an object; called by listeners that receive it before the other listeners of the store. */
  enter(object: ApiObject): void;
}

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** The name of an attachment is a hash of what it attaches. */
const ATTACHMENT = 'VolumeAttachment';

interface State {
  /** Objects with generated names, by name. */
  readonly names: Map<string, string>;
  readonly uids: Map<string, string>;
  /** How many an owner has had, by owner and kind. */
  readonly counts: Map<string, number>;
  /** Memo of texts. */
  readonly known: Map<string, string>;
}

/** Roles of the objects in a store, and of later ones. */
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

/** The role of an object with a generated name; undefined: the name was given. */
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
  // Of several kinds with one owner only pods go without theirs: they are what addresses are mostly about.
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
