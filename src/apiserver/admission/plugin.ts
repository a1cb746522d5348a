/**
 * The contract of an admission plug-in: it looks at one write, may change the object, may refuse it by throwing a `Refusal`. Models:
 * apiserver pkg/admission.
 */
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
  readonly request: ApiRequest;
}

export interface AdmissionPlugin {
  readonly name: string;
  readonly verbs: readonly AdmissionVerb[];
  /** Kinds it looks at; absent: all. */
  readonly kinds?: readonly string[];
  /** Whether it sees writes to sub-resources too. */
  readonly subresources?: boolean;
  /**
   * Kinds it reads. Who says so promises that its word on a new object follows from its namespace, from what all objects of one template
   * have in common, and from objects of these kinds: it is asked once a family. Others are asked about each object.
   */
  readonly reads?: readonly string[];
  /**
   * What `mutate` changes: `nothing`, it only refuses new objects early; the specification (and what it tells of that), but none that it
   * has seen, so that a write that leaves it as it is does not concern it. Absent: anything.
   */
  readonly changes?: 'nothing' | 'spec';
  /** Members that it gives to objects which come without: before it has run, their absence is no mistake. */
  readonly fills?: readonly string[];
  /** What `mutate` makes of a new object whatever is stored: for whoever judges it before there is a server. */
  presume?(draft: Draft): void;
  /** Runs before validation and may change the object. */
  mutate?(scope: Scope, attributes: Attributes, draft: Draft, old: ApiObject | undefined): void;
  /** Runs on the finished object. For deletions `object` and `old` are what is stored. */
  validate?(scope: Scope, attributes: Attributes, object: ApiObject, old: ApiObject | undefined): void;
}
