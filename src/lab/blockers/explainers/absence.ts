/** Explains an object that does not exist: it was deleted, or its owner has not created it yet. */
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
        : [{ text: `does not exist: ${entry.controller ?? entry.actor} deleted it at ${at(situation, entry.at)} (#${index + 1})` }];
    }
    return [];
  },
};

/** The server refused to create it. */
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
