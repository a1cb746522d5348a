/** How the tables of built-in roles are written: a rule is a line, a role is a row. Names stand there as the real project has them. */

/** A rule as it is written: lists with blanks between. They are taken apart when somebody wants the roles, and most runs never do. */
export interface Line {
  readonly verbs: string;
  /** Without their domain; `core` for the one without a name. */
  readonly groups?: string;
  readonly resources?: string;
  readonly names?: string;
  readonly paths?: string;
}

/** A role: cluster-wide, or of a namespace. */
export interface RoleRow {
  readonly name: string;
  readonly namespace?: string;
  readonly rules: readonly Line[];
  /** Roles that gather others take in those that say so: `view`. */
  readonly aggregatesTo?: string;
  /** Gathers the rules of the roles that say so. */
  readonly gathers?: string;
}

type SubjectKind = 'User' | 'Group' | 'ServiceAccount';

/** Who has a role: accounts are of the system's namespace. */
export interface BindingRow {
  readonly name: string;
  readonly namespace?: string;
  /** Absent: the role of the binding's own name. */
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

/** About paths that are no resources. */
export const mayAsk = (verbs: string, paths: string): Line => ({ verbs, paths });

export const READ = 'get list watch';
export const WRITE = 'create delete deletecollection patch update';

/** What everybody may who records events. */
export const EVENTS = may('create patch update', 'core events', 'events');
