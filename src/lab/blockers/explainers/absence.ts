/** An object that is not there: deleted, or one that somebody would make who waits himself. */
import type { AbsenceExplainer } from '../contract.ts';
import { at, keyOfName, nameOf } from '../words.ts';

export const deleted: AbsenceExplainer = {
  name: 'deleted',
  explain(name, situation) {
    const { trace, step } = situation;
    for (let index = step - 1; index >= 0; index--) {
      const entry = trace.entries[index];
      if (entry?.type !== 'write' || entry.change.kind !== name.kind || entry.change.key !== keyOfName(name)) continue;
      return entry.change.type !== 'DELETED'
        ? []
        : [{ text: `is gone: ${entry.controller ?? entry.actor} deleted it at ${at(situation, entry.at)} (#${index + 1})` }];
    }
    return [];
  },
};

/** Somebody wanted to make it, and the server said no. */
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
      return [{ text: `is not there: the server refused it to ${who} at ${at(situation, entry.at)} (#${index + 1}): ${code} ${message}` }];
    }
    return [];
  },
};

/** Names of children tell their parents: `web-2` is StatefulSet web's, `nightly-28401120` CronJob nightly's. */
const PARENTS: Readonly<Record<string, string>> = { Pod: 'StatefulSet', Job: 'CronJob' };

export const parent: AbsenceExplainer = {
  name: 'parent',
  explain({ kind, namespace, name }, { world }) {
    const owner = Object.hasOwn(PARENTS, kind) ? PARENTS[kind] : undefined;
    const stem = /^(.+)-\d+$/.exec(name)?.[1];
    const object = owner === undefined || stem === undefined ? undefined : world.get(owner, namespace, stem);
    return object === undefined
      ? []
      : [{ text: `is not there; ${object.kind} ${object.metadata.name} makes it`, leadsTo: [nameOf(object)] }];
  },
};

export const home: AbsenceExplainer = {
  name: 'home',
  explain({ namespace }, { world }) {
    if (namespace === undefined) return [];
    const found = world.get('Namespace', undefined, namespace);
    if (found === undefined) return [{ text: `is not there, and neither is its namespace ${namespace}` }];
    return found.metadata.deletionTimestamp === undefined
      ? []
      : [{ text: `is not there: its namespace ${namespace} is being deleted`, leadsTo: [nameOf(found)] }];
  },
};
