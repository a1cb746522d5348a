/** Structs of which exactly one member is set: the source of a volume, what a probe does. */
import type { FieldError } from '../status.ts';
import { forbidden, required } from './field-errors.ts';

/** How such a struct is judged. */
interface SoleMember<K extends string> {
  /** The members in the order in which they are judged. */
  readonly names: readonly K[];
  /** The words of the errors for a further member, and for none. */
  readonly most: string;
  readonly none: string;
  /** Upstream's spelling of a member in the error for a further one. */
  readonly spelt?: Readonly<Record<string, string>>;
  /** A member that may be there besides another one. */
  readonly besides?: K;
}

/** Returns the errors of the first member that is set, and of further ones. `judge` is told whether it is the first. */
export function soleMemberErrors<K extends string>(
  value: { readonly [N in K]?: unknown },
  field: string,
  { names, most, none, spelt = {}, besides }: SoleMember<K>,
  judge: (name: K, path: string, isSole: boolean) => readonly FieldError[],
): FieldError[] {
  const given = names.filter((name) => value[name] !== undefined);
  if (given.length === 0) return [required(field, none)];
  return given.flatMap((name, at) => {
    const isSole = at === 0 || name === besides;
    return [...(isSole ? [] : [forbidden(`${field}.${spelt[name] ?? name}`, most)]), ...judge(name, `${field}.${name}`, isSole)];
  });
}
