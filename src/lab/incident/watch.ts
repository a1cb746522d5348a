/**
 * A recorded watch (`kubectl get -w -o json`, with or without `--output-watch-events`) as records. It shows states, not requests: what changes
 * the desired state of an object without a controller was a client; the rest was the cluster. Times are those of which the objects speak.
 */
import { isMapping, membersOf, present } from '../../schema/values/index.ts';
import type { Problem } from '../../schema/yaml/index.ts';
import { factsOf, identityIn } from '../invariants/index.ts';
import { formatInstant, parseInstant } from '../scenario/index.ts';
import { documentsIn, newestIn, type SnapshotFile } from '../snapshot/index.ts';
import { createdBody } from './bodies.ts';
import { type LogRecord, type Members, type Ref, textIn } from './records.ts';

/** The records of watches, with what could not be read. */
export interface WatchRead {
  readonly records: readonly LogRecord[];
  readonly events: number;
  readonly problems: readonly Problem[];
}

/** Who changed something is not in a watch. */
const CLIENT = 'a client';
const CLUSTER = { sort: 'cluster', name: 'the cluster' } as const;

interface Reading {
  readonly records: LogRecord[];
  /** The last state of each object, by uid, and what a client sent as it. */
  readonly states: Map<string, Members>;
  at: number;
}

/** Reads recorded watches. `refOf`: the resource of a kind; undefined: it is not known. */
export function readWatches(files: readonly SnapshotFile[], refOf: (apiVersion: string, kind: string) => Ref | undefined): WatchRead {
  const problems: Problem[] = [];
  const records: LogRecord[] = [];
  let events = 0;
  for (const file of files) {
    const { found, problems: unread } = documentsIn([file]);
    problems.push(...unread);
    const reading: Reading = { records, states: new Map(), at: 0 };
    for (const { value, at } of found) {
      const type = isMapping(value['object']) ? textIn(value, 'type') : undefined;
      const object = type === undefined ? value : membersOf(value['object']);
      const position = at();
      const [apiVersion, kind] = [textIn(object, 'apiVersion'), textIn(object, 'kind')];
      if (type === 'BOOKMARK' || type === 'ERROR') continue;
      const ref = apiVersion === undefined || kind === undefined ? undefined : refOf(apiVersion, kind);
      if (kind === undefined || apiVersion === undefined)
        problems.push({ ...position, path: '', expected: 'an object, or an event of a watch', found: 'neither' });
      else if (ref !== undefined) take(reading, type, object, ref, `${position.file}:${position.line}`);
      events++;
    }
  }
  return { records: records.sort((a, b) => a.at - b.at), events, problems };
}

function take(reading: Reading, type: string | undefined, object: Members, resource: Ref, place: string): void {
  const metadata = membersOf(object['metadata']);
  const uid = textIn(metadata, 'uid') ?? `${textIn(metadata, 'namespace') ?? ''}/${textIn(metadata, 'name') ?? ''}`;
  const before = reading.states.get(uid);
  const created = parseInstant(textIn(metadata, 'creationTimestamp') ?? '');
  const newest = newestIn([object]) ?? created ?? reading.at;
  const deletion = parseInstant(textIn(metadata, 'deletionTimestamp') ?? '');
  const grace = metadata['deletionGracePeriodSeconds'];
  const asked = deletion === undefined ? undefined : deletion - (typeof grace === 'number' ? grace * 1000 : 0);
  // What comes later in a watch happened later.
  reading.at = Math.max(reading.at, before === undefined && created !== undefined ? created : newest, asked ?? 0);
  const record = recordFor(object, resource, reading.at, place);
  const isOwned = record.identity?.owner !== undefined;
  if (before === undefined)
    reading.records.push(isOwned ? { ...record, by: CLUSTER, verb: 'create' } : clientRecord(record, 'create', object));
  const isAsked = asked !== undefined || type === 'DELETED';
  const wasAsked = before !== undefined && textIn(membersOf(before['metadata']), 'deletionTimestamp') !== undefined;
  if (before !== undefined && !isOwned && !isAsked && isChanged(before, object))
    reading.records.push(clientRecord(record, 'update', object));
  if (isAsked && !wasAsked)
    reading.records.push(isOwned ? { ...record, by: CLUSTER, verb: 'delete' } : { ...record, verb: 'delete', body: undefined });
  // The state that a new object has already, is a write after its creation.
  reading.records.push({ ...record, by: CLUSTER, verb: 'update', facts: withoutDeletion(record) });
  reading.states.set(uid, object);
}

const withoutDeletion = ({ facts }: LogRecord): LogRecord['facts'] => new Map([...facts].filter(([what]) => what !== 'deleted'));

function recordFor(object: Members, resource: Ref, at: number, place: string): LogRecord {
  const metadata = membersOf(object['metadata']);
  const [namespace, name] = [textIn(metadata, 'namespace'), textIn(metadata, 'name')];
  const kind = textIn(object, 'kind') ?? '';
  return {
    at,
    time: formatInstant(at),
    place,
    verb: 'update',
    ref: { ...resource, ...present({ namespace, name }) },
    code: 200,
    reason: '',
    message: '',
    user: CLIENT,
    userAgent: '',
    isBare: false,
    ...present({ name }),
    identity: identityIn(object),
    labels: membersOf(metadata['labels']),
    facts: factsOf(kind, object),
    exitCodes: [],
    query: undefined,
  };
}

/** Annotations of controllers. */
const OF_CONTROLLERS = /(?:^|\.)(?:kubernetes|k8s|orch)\.io\//;

/** What a client wants: without status, and what the server and controllers add. */
function desired(object: Members): Members {
  const { metadata, ...body } = createdBody(object, () => false);
  const { annotations, namespace, name, generateName } = membersOf(metadata);
  const kept = Object.entries(membersOf(annotations)).filter(([key]) => !OF_CONTROLLERS.test(key));
  const labels = Object.entries(membersOf(membersOf(metadata)['labels'])).filter(([key]) => !OF_JOB.test(key));
  const texts = present({
    labels: labels.length === 0 ? undefined : Object.fromEntries(labels),
    annotations: kept.length === 0 ? undefined : Object.fromEntries(kept),
  });
  return { ...body, metadata: { ...present({ namespace, name, generateName }), ...texts } };
}

/** Labels that a Job is given. */
const OF_JOB = /^(?:controller-uid|job-name)$|\/(?:controller-uid|job-name)$/;

const isChanged = (before: Members, now: Members): boolean => JSON.stringify(desired(before)) !== JSON.stringify(desired(now));

/** A request of a client; its object has no state yet. */
const clientRecord = (record: LogRecord, verb: string, object: Members): LogRecord => ({
  ...record,
  verb,
  body: creatable(textIn(object, 'kind') ?? '', desired(object)),
  facts: new Map(),
});

/** A Job's selector and labels are given out; a pod has been assigned to a node. */
function creatable(kind: string, body: Members): Members {
  const spec = membersOf(body['spec']);
  if (kind === 'Pod') {
    const { nodeName: _, ...rest } = spec;
    return { ...body, spec: rest };
  }
  if (kind !== 'Job') return body;
  const { selector: _, ...rest } = spec;
  const template = membersOf(rest['template']);
  const { metadata: _m, ...inner } = template;
  const labels = Object.fromEntries(
    Object.entries(membersOf(membersOf(template['metadata'])['labels'])).filter(([key]) => !OF_JOB.test(key)),
  );
  return { ...body, spec: { ...rest, template: { ...inner, ...(Object.keys(labels).length === 0 ? {} : { metadata: { labels } }) } } };
}
