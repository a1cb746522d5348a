/** The notation of the tables of built-in roles: a rule is a line, a role is a row. Names are upstream's. */

/** A rule as it is written: lists separated by blanks. They are split only when the roles are needed, and most runs do not need them. */
export interface Line {
  readonly verbs: string;
  /** Without their domain; `core` for the group without a name. */
  readonly groups?: string;
  readonly resources?: string;
  readonly names?: string;
  readonly paths?: string;
}

/** A cluster role, or the role of a namespace. */
export interface RoleRow {
  readonly name: string;
  readonly namespace?: string;
  readonly rules: readonly Line[];
  /** The aggregated role that includes this one: `view`. */
  readonly aggregatesTo?: string;
  /** Aggregates the roles with this `aggregatesTo`. */
  readonly aggregates?: string;
}

export type Rules = Readonly<Record<string, readonly Line[]>>;

export const rolesOf = (rules: Rules, namespace?: string): readonly RoleRow[] =>
  Object.entries(rules).map(([name, lines]) => ({ name, rules: lines, ...(namespace === undefined ? {} : { namespace }) }));

type SubjectKind = 'User' | 'Group' | 'ServiceAccount';

/** The subjects of a role. Service accounts are in the system's namespace. */
export interface BindingRow {
  readonly name: string;
  readonly namespace?: string;
  /** Absent: the role with the name of the binding. */
  readonly role?: string;
  readonly subjects: readonly (readonly [SubjectKind, string])[];
}

/** `may('get list', 'core', 'pods nodes')`: groups `core`, without their domain, or `*`; names where only some objects are meant. */
export const may = (verbs: string, groups: string, resources: string, names?: string): Line => ({
  verbs,
  groups,
  resources,
  ...(names === undefined ? {} : { names }),
});

/** A rule about non-resource paths. */
export const mayAsk = (verbs: string, paths: string): Line => ({ verbs, paths });

export const READ = 'get list watch';
export const WRITE = 'create delete deletecollection patch update';

export const EVENTS = may('create patch update', 'core events', 'events');
