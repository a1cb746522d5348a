/** Traces that are made by hand, entry by entry. */
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import type { Entry, Trace } from '../../../src/lab/trace/index.ts';

export const START = Date.UTC(2024, 2, 1);

/** An object with a revision, of the namespace `default` unless its metadata says otherwise. */
export const objectOf = (kind: string, name: string, resourceVersion: number, members: object = {}, metadata: object = {}): ApiObject => ({
  apiVersion: 'v1',
  kind,
  metadata: {
    name,
    namespace: 'default',
    uid: `uid-${name}`,
    resourceVersion: String(resourceVersion),
    creationTimestamp: '2024-03-01T00:00:00Z',
    ...metadata,
  },
  ...members,
});

interface Written {
  readonly previous?: ApiObject;
  readonly deleted?: true;
  readonly actor?: string;
  readonly controller?: string;
  readonly about?: string;
  readonly causes?: readonly number[];
}

type Made = (id: number) => Entry;

const made =
  (sinceMs: number, members: object): Made =>
  (id) =>
    ({ id, at: START + sinceMs, causes: [], ...members }) as unknown as Entry;

const keyOf = ({ metadata: { namespace, name } }: ApiObject): string => (namespace === undefined ? name : `${namespace}/${name}`);

export const wrote = (sinceMs: number, object: ApiObject, { previous, deleted, about, actor = 'user', ...more }: Written = {}): Made =>
  made(sinceMs, {
    type: 'write',
    actor,
    request: '',
    ...(about === undefined ? {} : { key: about }),
    ...more,
    change: {
      revision: Number(object.metadata.resourceVersion),
      type: deleted === true ? 'DELETED' : previous === undefined ? 'ADDED' : 'MODIFIED',
      kind: object.kind,
      key: keyOf(object),
      object,
      ...(previous === undefined ? {} : { previous }),
      at: START + sinceMs,
      entry: 0,
    },
  });

export const delivered = (sinceMs: number, process: string, object: ApiObject, delta = 'MODIFIED', causes: readonly number[] = []): Made =>
  made(sinceMs, {
    type: 'delivery',
    process,
    delta,
    kind: object.kind,
    key: keyOf(object),
    revision: Number(object.metadata.resourceVersion),
    causes,
  });

export const decided = (sinceMs: number, process: string, controller: string, key: string, more: object = {}): Made =>
  made(sinceMs, { type: 'reconcile', process, controller, key, why: 'because', writes: 0, failures: 0, ...more });

export const became = (sinceMs: number, process: string, what: string, more: object = {}): Made =>
  made(sinceMs, { type: 'process', process, what, ...more });

/** The lists of a process that starts; a controller is given as `name:Kind`. */
export const lists = (revision: number, kinds: readonly (string | object)[], controllers: readonly string[] = []) => ({
  lists: {
    revision,
    kinds: kinds.map((kind) => (typeof kind === 'string' ? { kind } : kind)),
    controllers: controllers.map((each) => {
      const [name = '', reconciles] = each.split(':');
      return { name, ...(reconciles === undefined ? {} : { reconciles }) };
    }),
  },
});

export const fault = (sinceMs: number, name: string, subject: string, parameters: object = {}, text = ''): Made =>
  made(sinceMs, { type: 'fault', fault: name, detail: `${name} happens`, given: { subject, parameters, text } });

export const other = made;

/** A trace of these entries, which count from 1. */
export const traceOf = (entries: readonly Made[], more: Partial<Trace> = {}): Trace => ({
  startAt: START,
  prologue: [],
  entries: entries.map((each, at) => each(at + 1)),
  ...more,
});
