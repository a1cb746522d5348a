/**
 * Somebody else edits an object: between a decision and its request in a search, at any time in a scenario. What an edit can be depends on
 * the object as its schema has it, and the server decides whether it is valid.
 */
import { PRIVILEGED } from '../../apiserver/access/index.ts';
import { storeKey, type ApiObject, type ObjectInput } from '../../apiserver/machinery/index.ts';
import type { ApiRequest, Envelope } from '../../apiserver/request/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { formatDurationMs, isMapping, present } from '../../schema/values/index.ts';
import { choice, duration, EDITED, type Edit, type Edited, EDITS, MILD_EDITS, required } from '../scenario/index.ts';
import type { Fault, Injection } from './fault.ts';
import { milliseconds } from './parameters.ts';

/** The client that edits. */
export const SOMEBODY = 'somebody';
const USER = { name: SOMEBODY, groups: [PRIVILEGED] };
const ANNOTATION = 'example.com/edited';
/** What somebody has scaled, until it is taken back. */
const SCALED = 'example.com/scaled';
const FINALIZER = 'example.com/held';
/** An object that is deleted to be created anew may be held by finalizers: milliseconds between two looks, and how often. */
const AGAIN_MS = 100;
const MOST_LOOKS = 300;

const whose = ({ kind, metadata: { namespace, name } }: ApiObject) => ({ kind, ...present({ namespace }), name, user: USER });
const patching = (object: ApiObject, body: unknown): ApiRequest => ({ ...whose(object), verb: 'patch', patchType: 'merge', body });
const current = (cluster: Cluster, { kind, metadata: { namespace, name } }: ApiObject): ApiObject | undefined =>
  cluster.store.get(kind, storeKey(namespace, name));

/** An edit, with what takes it back from the object as it is then; undefined: the object has nothing of that sort. */
interface Editing {
  readonly request: ApiRequest;
  readonly undo: (object: ApiObject) => ApiRequest;
  /** It is taken back sooner where the object is being deleted: a scenario that recreates it does not expect to wait. */
  readonly untilDeleted?: true;
}

/** Returns a patch that changes the first whole number of a spec by one, at most two levels deep, and the patch that restores it. */
function otherSize(spec: unknown, depth = 2): readonly [unknown, unknown] | undefined {
  if (!isMapping(spec) || depth === 0) return undefined;
  for (const [name, value] of Object.entries(spec)) {
    if (Number.isInteger(value)) return [{ [name]: (value as number) + 1 }, { [name]: value }];
    const inner = otherSize(value, depth - 1);
    if (inner !== undefined) return [{ [name]: inner[0] }, { [name]: inner[1] }];
  }
  return undefined;
}

const NONE = (object: ApiObject, names: readonly string[]): ApiRequest =>
  patching(object, { metadata: { labels: Object.fromEntries(names.map((name) => [name, null])) } });

const EDITORS: Readonly<Record<Exclude<Edit, 'recreate'>, (object: ApiObject) => Editing | undefined>> = {
  annotate: (object) => ({
    request: patching(object, { metadata: { annotations: { [ANNOTATION]: object.metadata.resourceVersion } } }),
    undo: (now) => patching(now, { metadata: { annotations: { [ANNOTATION]: null } } }),
  }),
  unlabel(object) {
    const { labels = {} } = object.metadata;
    if (Object.keys(labels).length === 0) return undefined;
    return { request: NONE(object, Object.keys(labels)), undo: (now) => patching(now, { metadata: { labels } }) };
  },
  finalize: (object) => ({
    request: patching(object, { metadata: { finalizers: [...(object.metadata.finalizers ?? []), FINALIZER] } }),
    undo: (now) => patching(now, { metadata: { finalizers: (now.metadata.finalizers ?? []).filter((each) => each !== FINALIZER) } }),
    untilDeleted: true,
  }),
  scale(object) {
    const sizes = otherSize(object['spec']);
    // Scaled already, and not taken back yet.
    if (sizes === undefined || object.metadata.annotations?.[SCALED] !== undefined) return undefined;
    const [larger, former] = sizes;
    return {
      request: patching(object, { metadata: { annotations: { [SCALED]: JSON.stringify(larger) } }, spec: larger }),
      undo: (now) => {
        const since = otherSize(now['spec']);
        // Somebody else has set another size meanwhile, which stays.
        const isLeft = since !== undefined && JSON.stringify(since[1]) === JSON.stringify(larger);
        return patching(now, { metadata: { annotations: { [SCALED]: null } }, ...(isLeft ? { spec: former } : {}) });
      },
    };
  },
};

/** The object as somebody would create it again: without what the server fills in. */
function bare(object: ApiObject): ObjectInput {
  const { status: _, metadata, ...rest } = object;
  const { namespace, name, labels, annotations } = metadata;
  return { ...rest, metadata: present({ namespace, name, labels, annotations }) };
}

/** Deletes an object, and creates it again, with another uid, as soon as it is gone. */
function recreate(cluster: Cluster, object: ApiObject): boolean {
  const { uid } = object.metadata;
  const gone = cluster.request(SOMEBODY, { ...whose(object), verb: 'delete', propagationPolicy: 'Background' });
  const createWhenGone = (looks: number): void => {
    const left = current(cluster, object);
    if (left === undefined) {
      const { kind, metadata } = object;
      cluster.request(SOMEBODY, { verb: 'create', kind, ...present({ namespace: metadata.namespace }), body: bare(object), user: USER });
    } else if (left.metadata.uid === uid && looks > 0)
      cluster.plan(cluster.now + AGAIN_MS, `${SOMEBODY} looks whether ${object.metadata.name} is gone`, () => createWhenGone(looks - 1));
  };
  if (gone.ok) createWhenGone(MOST_LOOKS);
  return gone.ok;
}

/** Edits an object, and takes it back after `undoMs`; returns whether the server accepted it. */
function meddle(cluster: Cluster, object: ApiObject, edit: Edit, undoMs: number | undefined): boolean {
  if (edit === 'recreate') return recreate(cluster, object);
  const editing = EDITORS[edit](object);
  if (editing === undefined || !cluster.request(SOMEBODY, editing.request).ok) return false;
  if (undoMs !== undefined) planUndo(cluster, object, editing, cluster.now + undoMs);
  return true;
}

/** Takes an edit back at an instant, or when the object is being deleted. */
function planUndo(cluster: Cluster, object: ApiObject, { undo, untilDeleted }: Omit<Editing, 'request'>, at: number): void {
  const { uid, name } = object.metadata;
  const next = untilDeleted === true ? Math.min(at, cluster.now + AGAIN_MS) : at;
  cluster.plan(
    next,
    `${SOMEBODY} takes back what was done to ${name}`,
    () => {
      const now = current(cluster, object);
      if (now?.metadata.uid !== uid) return;
      if (cluster.now >= at || now.metadata.deletionTimestamp !== undefined) cluster.request(SOMEBODY, undo(now));
      else planUndo(cluster, object, { undo, ...present({ untilDeleted }) }, at);
    },
    [uid, at],
  );
}

const WORDS: Readonly<Record<Edit, string>> = {
  annotate: 'annotates',
  unlabel: 'removes the labels of',
  finalize: 'adds a finalizer to',
  scale: 'scales',
  recreate: 'deletes and recreates',
};

export const meddleFault: Fault = {
  name: 'meddle',
  description: 'Somebody edits an object: annotates it, removes its labels, adds a finalizer, scales it, or recreates it.',
  overlap: 'Each edits the object as it is then.',
  subject: { type: 'target', says: 'The object: Kind/name or Kind/namespace/name.' },
  parameters: {
    edit: required(choice('What is done to it. scale: the first whole number of its spec grows by one.', ...EDITS)),
    undoAfter: duration(
      'The edit is taken back after this long, a finalizer also once the object is deleted; absent: it stays. A recreated object stays.',
    ),
  },
  apply(cluster, call) {
    const { kind, namespace, name } = call.subject as { readonly kind: string; readonly namespace?: string; readonly name?: string };
    if (name === undefined) return { error: `meddle needs one object: ${kind}/NAME` };
    const isNamespaced = cluster.kinds.byKind(kind)?.namespaced === true;
    const object = cluster.store.get(kind, storeKey(isNamespaced ? (namespace ?? 'default') : undefined, name));
    if (object === undefined) return { error: `there is no ${kind} ${name}` };
    const edit = call.parameters['edit'] as Edit;
    return meddle(cluster, object, edit, milliseconds(call, 'undoAfter'))
      ? { detail: `${SOMEBODY} ${WORDS[edit]} ${kind} ${name}` }
      : { error: `${kind} ${name} cannot be edited so: ${edit}` };
  },
};

/** The object of a decision, or that of its request: where the request creates one, the object of the decision. */
function edited(cluster: Cluster, of: Edited, { by: { process, controller = '', key = '' }, request }: Envelope) {
  if (of === 'target' && 'name' in request && request.verb !== 'create')
    return cluster.store.get(request.kind, storeKey(request.namespace, request.name ?? ''));
  const kind = cluster.runtime.process(process)?.running.get(controller)?.controller.reconciles;
  return kind === undefined ? undefined : cluster.store.get(kind, key);
}

const UNDONE_MS = 3_000;

const wordsFor = (edit: Edit, of: Edited, undoMs: number | undefined): string =>
  `before it arrives, somebody ${WORDS[edit]} ${of === 'object' ? 'the object of the decision' : 'its target'}${undoMs === undefined ? '' : `, and takes that back ${formatDurationMs(undoMs)} later`}`;

export const meddleInjection: Injection<'meddle'> = {
  name: 'meddle',
  sorts: ['write'],
  description: 'Somebody edits the object of a decision or the target of its request before that arrives: metadata, for a while.',
  drawn: () => MILD_EDITS.flatMap((edit) => EDITED.map((of) => ({ do: 'meddle', edit, of, undoMs: UNDONE_MS }) as const)),
  weaker: ({ edit, ...rest }) => (edit === 'annotate' ? [] : [{ ...rest, edit: 'annotate' }]),
  says: ({ edit, of, undoMs }) => wordsFor(edit, of, undoMs),
  write(cluster, { edit, of, undoMs }, { envelope }) {
    const object = edited(cluster, of, envelope);
    if (object !== undefined) meddle(cluster, object, edit, undoMs);
    return undefined;
  },
};

/** A fault that changes what the scenario wants, so that an innocent controller may break its expectations. */
const changesDesiredState = (
  edit: 'unlabel' | 'scale' | 'recreate',
  description: string,
  undoMs: number | undefined,
): Injection<typeof edit> => ({
  name: edit,
  sorts: ['write'],
  description,
  drawn: () => EDITED.map((of) => ({ do: edit, of, ...present({ undoMs }) })),
  weaker: () => [],
  says: (fault) => wordsFor(edit, fault.of, fault.undoMs),
  write(cluster, fault, { envelope }) {
    const object = edited(cluster, fault.of, envelope);
    if (object !== undefined) meddle(cluster, object, edit, fault.undoMs);
    return undefined;
  },
  onRequest: 'it changes what the scenario wants',
});

export const unlabelInjection = changesDesiredState(
  'unlabel',
  'Somebody removes the labels of such an object, and puts them back later.',
  UNDONE_MS,
);
export const scaleInjection = changesDesiredState('scale', 'Somebody scales such an object, and back later.', UNDONE_MS);
export const recreateInjection = changesDesiredState(
  'recreate',
  'Somebody deletes such an object and creates it again, with another uid.',
  undefined,
);
