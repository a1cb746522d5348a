/** What is asked and what is answered. */

/** Who asks: a user with groups; a service account is a user of its own form of name. */
export interface Subject {
  readonly name: string;
  readonly groups: readonly string[];
}

/** May this user do this? About a resource, or about a path that is none. */
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
  /** Which binding allowed it; or what went wrong while bindings were read; mostly empty for a refusal. */
  readonly reason: string;
}
