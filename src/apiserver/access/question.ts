/** The question to the authorizer, and its answer. */

/** The requesting user, with groups. A service account is a user whose name has a special form. */
export interface Subject {
  readonly name: string;
  readonly groups: readonly string[];
}

/** Whether this user may use a verb on a resource, or on a non-resource path. */
export type AccessQuestion = { readonly user: Subject; readonly verb: string } & (
  | { readonly path: string }
  | {
      readonly path?: undefined;
      readonly group: string;
      readonly resource: string;
      readonly subresource?: string;
      readonly name?: string;
      readonly namespace?: string;
    }
);

export interface Decision {
  readonly allowed: boolean;
  /** The binding that allowed it, or the errors met while bindings were read; mostly empty for a denial. */
  readonly reason: string;
}
