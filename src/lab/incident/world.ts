/**
 * The objects of a log, as far as they are known: those of the dump, and those that the log creates. An object whose name was drawn is identified by
 * its owner and its order, because a run draws another name.
 */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import { factsOf, idOf, type Identity, identityIn, type ObjectFacts, type Subjects } from '../invariants/index.ts';
import { pushTo } from '../../schema/values/index.ts';
import type { TargetRef } from '../scenario/index.ts';
import type { LogRecord } from './records.ts';

/** An object of the log. */
export interface Known {
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly name: string;
  /** Without what is drawn. */
  readonly subject: string;
  /** The run draws another name. */
  readonly isDrawn: boolean;
  readonly facts: Map<string, string>;
  readonly labels: Readonly<{ [name: string]: unknown }>;
  /** What a client sent last as the whole object. */
  sent?: unknown;
  /** When its deletion was asked for, milliseconds since the epoch. */
  deletedAt?: number;
  isGone: boolean;
}

/** A pod that was deleted is gone after so long, also where the log does not say so. */
const GONE_AFTER_MS = 35_000;

export interface World {
  get(kind: string, namespace: string | undefined, name: string): Known | undefined;
  /** Adds an object that exists in the run too. */
  add(known: Known): void;
  remove(known: Known): void;
  /** How a step refers to it at an instant. */
  target(known: Known, at: number): TargetRef;
}

/** The names that upstream draws are found by their owners; those of StatefulSets and CronJobs follow from what they are of. */
const NAMED_BY_OWNER = /^(?:Pod of StatefulSet|Job of CronJob) /;

/** The subject of a generated name contains a *, unless it is named by its owner. */
export const isNameDrawn = (subject: string, { owner }: Pick<Identity, 'owner'>): boolean =>
  subject.includes('*') || (owner !== undefined && !NAMED_BY_OWNER.test(subject));

/** The objects with which a run begins; without a dump, none that a step could be about. */
export function createWorld(objects: readonly ApiObject[], subjects: Subjects): World {
  const byId = new Map<string, Known>();
  const bySubject = new Map<string, Known[]>();
  const add = (known: Known): void => {
    byId.set(idOf(known.kind, known.namespace, known.name), known);
    pushTo(bySubject, known.subject, known);
  };
  for (const object of objects) {
    const { kind, metadata } = object;
    const subject = subjects.of(kind, identityIn(object));
    if (subject === undefined) continue;
    const { namespace, name, labels = {} } = metadata;
    add({ kind, namespace, name, subject, isDrawn: false, facts: new Map(factsOf(kind, object)), labels, isGone: false });
  }
  return {
    get(kind, namespace, name) {
      const known = byId.get(idOf(kind, namespace, name));
      return known?.isGone === true ? undefined : known;
    },
    add,
    remove(known) {
      known.isGone = true;
    },
    target(known, at) {
      const { kind, namespace, name, subject, isDrawn } = known;
      const place = namespace === undefined ? {} : { namespace };
      if (!isDrawn) return { kind, ...place, name };
      const present = (bySubject.get(subject) ?? []).filter((each) => isThere(each, at));
      bySubject.set(subject, present);
      return { kind, ...place, cel: { cel: conditionOf(subject) }, nth: Math.max(1, present.indexOf(known) + 1) };
    },
  };
}

const isThere = ({ isGone, deletedAt }: Known, at: number): boolean =>
  !isGone && (deletedAt === undefined || at - deletedAt < GONE_AFTER_MS);

/** `Pod of ReplicaSet default/web-*`, `Job default/backup-*` as a condition on an object. */
function conditionOf(subject: string): string {
  const owned = /^\S+ of (\S+) (?:\S+\/)?(\S+)$/.exec(subject);
  const [, kind = '', name = ''] = owned ?? [];
  if (owned === null) {
    const prefix = /(?:\/| )([^/ ]+)\*$/.exec(subject)?.[1] ?? '';
    return `has(self.metadata.generateName) && self.metadata.generateName == '${prefix}'`;
  }
  const named = name.includes('*')
    ? `o.name.matches('^${name.replaceAll('.', '[.]').replaceAll('*', '[a-z0-9]+')}$')`
    : `o.name == '${name}'`;
  return `has(self.metadata.ownerReferences) && self.metadata.ownerReferences.exists(o, o.kind == '${kind}' && ${named})`;
}

/** What becomes true of an object by a write: what was known, and what the write says. */
export const learn = (known: Known, { facts }: Pick<LogRecord, 'facts'>): ObjectFacts => new Map([...known.facts, ...facts]);
