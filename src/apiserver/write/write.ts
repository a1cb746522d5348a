/**
 * One write on its way through the stages of its plan: the request, the stored object, the object as it is so far, and which parts of it
 * differ from what is known to be decoded, defaulted, admitted and valid.
 */
import type { Attributes, Scope } from '../admission/index.ts';
import {
  ALWAYS,
  type ApiObject,
  castDraft,
  createDraft,
  currentOf,
  type Draft,
  type FieldError,
  finishDraft,
  type ManagedFieldsEntry,
  type ObjectMeta,
  type Parts,
  WHOLE,
} from '../machinery/index.ts';
import type { ApiRequest, Resource } from '../request/index.ts';

/** What a write begins with. */
export interface WriteInput {
  readonly verb: 'create' | 'update';
  readonly resource: Resource;
  readonly request: ApiRequest;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly subresource?: string | undefined;
  readonly dryRun: boolean;
  /** The stored object that an update replaces. */
  readonly before?: ApiObject;
  /** The object as it should be, decoded. */
  readonly object: ApiObject;
  /** The parts that differ from the stored object, or from the first object of a template; absent: nobody knows. */
  readonly changed?: Parts;
  /** Whether nobody else knows the object, though its parts may be shared. */
  readonly isFresh?: boolean;
  /** The document of the client; absent: there is none, as for a view of the object. */
  readonly sent?: unknown;
  /** The managed fields, if they have been computed already, as for an apply. */
  readonly managers?: readonly ManagedFieldsEntry[] | undefined;
}

type Metadata = Draft<ObjectMeta>;
const NO_ERRORS: readonly FieldError[] = [];
const NO_TEXTS: readonly string[] = [];

/** A write. It is its own attributes for admission. */
export class Write implements Attributes {
  readonly scope: Scope;
  readonly verb: 'create' | 'update';
  readonly resource: Resource;
  readonly request: ApiRequest;
  readonly namespace: string | undefined;
  readonly subresource: string | undefined;
  readonly dryRun: boolean;
  readonly before: ApiObject | undefined;
  readonly sent: unknown;
  /** The metadata as the author sent it. */
  readonly given: ObjectMeta;
  name: string;
  changed: Parts;
  managers: readonly ManagedFieldsEntry[] | undefined;
  /** Errors of validation so far, which are reported together. */
  errors: readonly FieldError[] = NO_ERRORS;
  /** Warnings about rules of the specification that are not enforced. They follow all others. */
  unenforced: readonly string[] = NO_TEXTS;
  /** Texts for the client, in order; undefined: none so far. */
  warnings: string[] | undefined = undefined;
  /** The object as it is stored, or would be; the last stage sets it. */
  result: ApiObject | undefined = undefined;
  #object: ApiObject;
  #draft: Draft | undefined = undefined;
  #isFresh: boolean;
  #ownsMetadata = false;

  constructor(scope: Scope, input: WriteInput) {
    this.scope = scope;
    this.verb = input.verb;
    this.resource = input.resource;
    this.request = input.request;
    this.namespace = input.namespace;
    this.name = input.name;
    this.subresource = input.subresource;
    this.dryRun = input.dryRun;
    this.before = input.before;
    this.sent = input.sent;
    this.managers = input.managers;
    this.changed = input.changed === undefined ? WHOLE : input.changed | ALWAYS;
    this.given = input.object.metadata;
    this.#object = input.object;
    this.#isFresh = input.isFresh === true;
  }

  /** The object so far, for reading. A part that a draft has changed is read with `currentOf`. */
  get object(): ApiObject {
    return this.#draft === undefined ? this.#object : currentOf<ApiObject>(this.#draft);
  }

  /** Whether the object is known to nobody else, so that the store may take it without a copy. */
  get isFresh(): boolean {
    return this.#isFresh;
  }

  /** The object so far, for stages that read single members of it: a draft is not copied. */
  get view(): Draft {
    return this.#draft ?? castDraft(this.#object);
  }

  /** Whether a stage has asked for a draft, so that hooks no longer spare one. */
  get isDrafted(): boolean {
    return this.#draft !== undefined;
  }

  /** Returns the object as a draft, for a stage that may change any part of it: afterwards nobody knows what has changed. */
  draft(): Draft {
    this.changed = WHOLE;
    return (this.#draft ??= createDraft(this.#object));
  }

  /** Returns the metadata, for a stage that changes nothing else. */
  metadata(): Metadata {
    if (this.#draft !== undefined) return this.#draft.metadata;
    const object = this.#own();
    if (!this.#ownsMetadata) {
      object.metadata = { ...object.metadata };
      this.#ownsMetadata = true;
    }
    return object.metadata;
  }

  /** Sets a member other than metadata. */
  set(member: string, value: unknown): void {
    (this.#draft ?? this.#own())[member] = value;
  }

  /** Returns the object, copied if somebody else may know it. */
  #own(): Draft {
    if (!this.#isFresh) this.#object = { ...this.#object };
    this.#isFresh = true;
    return castDraft(this.#object);
  }

  /** Replaces the object by one that is known to nobody else. */
  replace(object: ApiObject): void {
    this.#object = object;
    this.#draft = undefined;
    this.#isFresh = true;
    this.#ownsMetadata = false;
  }

  /** Ends the draft, if there is one. After it stages only read. */
  complete(): void {
    if (this.#draft === undefined) return;
    this.#object = finishDraft(this.#draft);
    this.#draft = undefined;
    this.#isFresh = false;
    this.#ownsMetadata = false;
  }

  /** Adds texts for the client. */
  warn(texts: readonly string[]): void {
    if (texts.length > 0) (this.warnings ??= []).push(...texts);
  }
}
