/** Objects that do not exist, that no controller serves, and that a warning is about. */
import { unservedBy, at, isDone, keyOfName, nameOf, type AbsenceExplainer, type Explainer, type Wait } from '../situation.ts';

export const deleted: AbsenceExplainer = {
  name: 'deleted',
  explain(name, situation) {
    const { trace, step } = situation;
    for (let index = step - 1; index >= 0; index--) {
      const entry = trace.entries[index];
      if (entry?.type !== 'write' || entry.change.kind !== name.kind || entry.change.key !== keyOfName(name)) continue;
      return entry.change.type !== 'DELETED'
        ? []
        : [{ text: `does not exist: ${entry.controller ?? entry.actor} deleted it at ${at(situation, entry.at)} (#${index + 1})` }];
    }
    return [];
  },
};

export const refused: AbsenceExplainer = {
  name: 'refused',
  explain({ kind, name }, situation) {
    const { trace, step } = situation;
    for (let index = step - 1; index >= 0; index--) {
      const entry = trace.entries[index];
      if (entry?.type !== 'refusal' || !entry.request.startsWith(`create ${kind} `) || entry.request.split(/[ /]/).at(-1) !== name)
        continue;
      const { code = '', message = '' } = entry.status;
      const who = entry.controller ?? entry.actor;
      return [
        {
          text: `does not exist: the server refused its creation by ${who} at ${at(situation, entry.at)} (#${index + 1}): ${code} ${message}`,
        },
      ];
    }
    return [];
  },
};

/** The owner's kind for names of dependents: `web-2` belongs to StatefulSet web, `nightly-28401120` to CronJob nightly. */
const PARENTS: Readonly<Record<string, string>> = { Pod: 'StatefulSet', Job: 'CronJob' };

export const parent: AbsenceExplainer = {
  name: 'parent',
  explain({ kind, namespace, name }, { world }) {
    const owner = Object.hasOwn(PARENTS, kind) ? PARENTS[kind] : undefined;
    const stem = /^(.+)-\d+$/.exec(name)?.[1];
    const object = owner === undefined || stem === undefined ? undefined : world.get(owner, namespace, stem);
    return object === undefined
      ? []
      : [{ text: `does not exist; ${object.kind} ${object.metadata.name} creates it`, leadsTo: [nameOf(object)] }];
  },
};

export const namespaceAbsence: AbsenceExplainer = {
  name: 'namespace',
  explain({ namespace }, { world }) {
    if (namespace === undefined) return [];
    const found = world.get('Namespace', undefined, namespace);
    if (found === undefined) return [{ text: `does not exist, and neither does its namespace ${namespace}` }];
    return found.metadata.deletionTimestamp === undefined
      ? []
      : [{ text: `does not exist: its namespace ${namespace} is being deleted`, leadsTo: [nameOf(found)] }];
  },
};

/** Agents share these kinds, each for its own objects; the explainers of these kinds find the right agent. */
const SHARED: ReadonlySet<string> = new Set([
  'Pod',
  'Node',
  'Lease',
  'Event',
  'VolumeAttachment',
  'PersistentVolume',
  'PersistentVolumeClaim',
]);

export const unserved: Explainer = {
  name: 'unserved',
  explain(object, situation) {
    if (SHARED.has(object.kind) || isDone(object) || object.metadata.deletionTimestamp !== undefined) return [];
    const names = new Set(
      situation.introspection.processes.flatMap(({ controllers }) =>
        controllers.filter(({ reconciles }) => reconciles === object.kind).map(({ name }) => name),
      ),
    );
    const waits = new Map<string, Wait>();
    for (const controller of names) {
      const found = unservedBy(situation, ({ name }) => name === controller, 'its controller');
      if (found !== undefined && !waits.has(found.text)) waits.set(found.text, found);
    }
    return [...waits.values()];
  },
};

export const warning: Explainer = {
  name: 'warning',
  explain(object, situation) {
    if (object.kind === 'Event' || isDone(object)) return [];
    // The explainers of pods report failures of scheduling in full.
    const { uid, namespace = 'default' } = object.metadata;
    const when = (event: { readonly lastTimestamp?: string | null; readonly eventTime?: string | null }): number =>
      Date.parse(event.lastTimestamp ?? event.eventTime ?? '') || 0;
    const [last] = situation.world
      .list('Event', namespace)
      .filter(({ type, involvedObject, reason = '' }) => type === 'Warning' && involvedObject?.uid === uid && reason !== 'FailedScheduling')
      .toSorted((a, b) => when(b) - when(a));
    if (last === undefined) return [];
    const often = (last.count ?? 1) > 1 ? `, ${last.count} times` : '';
    return [{ text: `has a warning of ${at(situation, when(last))}${often}: ${last.reason ?? ''}: ${last.message ?? ''}` }];
  },
};
