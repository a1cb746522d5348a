/** An admission plug-in changes the object of one write, or refuses it by throwing a `Refusal`. Models: apiserver pkg/admission. */
import type { ApiObject, Draft } from '../machinery/index.ts';
import type { ApiRequest, Resource } from '../request/index.ts';
import type { Scope } from './request-scope.ts';

export type AdmissionVerb = 'create' | 'update' | 'delete';

export interface Attributes {
  readonly verb: AdmissionVerb;
  readonly resource: Resource;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly subresource?: string | undefined;
  readonly dryRun: boolean;
  /** Whether webhooks have been asked already, about the form of the sub-resource by which it is written. */
  readonly isReviewed?: boolean;
  readonly request: ApiRequest;
}

/** Takes warnings for the client. */
export interface Warner {
  warn(texts: readonly string[]): void;
}

export interface AdmissionPlugin {
  readonly name: string;
  readonly verbs: readonly AdmissionVerb[];
  /** The kinds that it handles; absent: all. */
  readonly kinds?: readonly string[];
  /** Whether it handles writes to sub-resources, too. */
  readonly subresources?: boolean;
  /**
   * The kinds that it reads. A plug-in with this member guarantees that its decision on a new object depends only on the namespace, on the
   * part that all objects of one template share, and on objects of these kinds. It runs once for each template; other plug-ins run for each
   * object.
   */
  readonly reads?: readonly string[];
  /**
   * The parts that `mutate` changes. `nothing`: it only refuses new objects early. `spec`: it changes the specification (and annotations
   * about it), but not one that it has handled before, so that a write which keeps the specification does not need it. Absent: anything.
   */
  readonly changes?: 'nothing' | 'spec';
  /** Members that it sets where they are missing: their absence before it has run is not an error. */
  readonly fills?: readonly string[];
  /** The part of `mutate` that does not depend on stored objects, for checks of a document without a server. */
  mutateWithoutStore?(draft: Draft): void;
  /** Runs before validation. It may change the object. */
  mutate?(scope: Scope, attributes: Attributes, draft: Draft, old: ApiObject | undefined, warner?: Warner): void;
  /** Runs on the final object. For deletions `object` and `old` are the stored object. */
  validate?(scope: Scope, attributes: Attributes, object: ApiObject, old: ApiObject | undefined, warner?: Warner): void;
}
