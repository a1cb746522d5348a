/** The names of objects without what is drawn: a drawn name is that of its prefix, an owned object is one of its owner. */

/** What tells who an object is. */
export interface Identity {
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  /** `metadata.generateName`. */
  readonly prefix: string | undefined;
  /** Its controller. */
  readonly owner: { readonly kind: string; readonly name: string } | undefined;
  /** The hash of the template, which ends the name of its ReplicaSet. */
  readonly hash: string | undefined;
}

export interface Subjects {
  /** `Pod of Job default/pi`, `Pod of ReplicaSet default/web-*`, `Job default/backup-*`, `Node node-1`; undefined: it has no name. */
  of(kind: string, identity: Identity): string | undefined;
  /** Remembers an object whose name, or a part of it, was drawn. */
  remember(kind: string, identity: Identity): void;
}

const idOf = (kind: string, namespace: string | undefined, name: string): string => `${kind} ${namespace ?? ''}/${name}`;

/** Creates the subjects of a cluster, which remember drawn names. */
export function createSubjects(): Subjects {
  const masks = new Map<string, string>();
  /** The owner's name, without what is drawn. */
  const ownerIn = ({ namespace, owner, hash }: Identity): string => {
    if (owner === undefined) return '';
    const { kind, name } = owner;
    const mask = masks.get(idOf(kind, namespace, name)) ?? name;
    return hash !== undefined && mask.endsWith(`-${hash}`) ? `${mask.slice(0, -hash.length)}*` : mask;
  };
  return {
    of(kind, identity) {
      const { namespace, name, prefix, owner } = identity;
      const where = namespace === undefined ? '' : `${namespace}/`;
      if (owner !== undefined) return `${kind} of ${owner.kind} ${where}${ownerIn(identity)}`;
      const said = prefix === undefined ? name : `${prefix}*`;
      return said === undefined ? undefined : `${kind} ${where}${said}`;
    },
    remember(kind, { namespace, name, prefix, owner }) {
      if (name === undefined) return;
      if (owner === undefined) {
        if (prefix !== undefined) masks.set(idOf(kind, namespace, name), `${prefix}*`);
        return;
      }
      const mask = masks.get(idOf(owner.kind, namespace, owner.name));
      if (mask !== undefined && name.startsWith(owner.name)) masks.set(idOf(kind, namespace, name), mask + name.slice(owner.name.length));
    },
  };
}
