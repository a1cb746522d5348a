/** How the tables of built-in roles are written: a rule is a line, a role is a row. Names stand there as the real project has them. */
import { compareText } from '../../../grammar/values/index.ts';

export interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** A role: cluster-wide, or of a namespace. */
export interface RoleRow {
  readonly name: string;
  readonly namespace?: string;
  readonly rules: readonly Rule[];
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

const words = (text: string): readonly string[] => text.split(' ').sort(compareText);

/** `may('get list', 'core', 'pods nodes')`: groups `core`, without their domain, or `*`; names where only some objects are meant. */
export const may = (verbs: string, groups: string, resources: string, resourceNames?: string): Rule => ({
  verbs: words(verbs),
  apiGroups: words(groups).map((group) => (group === 'core' ? '' : group)),
  resources: words(resources),
  ...(resourceNames === undefined ? {} : { resourceNames: words(resourceNames) }),
});

/** About paths that are no resources. */
export const mayAsk = (verbs: string, paths: string): Rule => ({ verbs: words(verbs), nonResourceURLs: words(paths) });

export const READ = 'get list watch';
export const WRITE = 'create delete deletecollection patch update';

/** What everybody may who records events. */
export const EVENTS = may('create patch update', 'core events', 'events');
