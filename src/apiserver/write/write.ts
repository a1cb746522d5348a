/** One write on its way through its plan, and the parts of its object that differ from what is known to be valid. */
import type { Attributes, Scope } from '../admission/index.ts';
import { ALWAYS, castDraft, createDraft, currentOf, finishDraft, WHOLE } from '../machinery/index.ts';
import type { ApiObject, Draft, FieldError, ManagedFieldsEntry, ObjectMeta, Parts } from '../machinery/index.ts';

/** What is written where, and who asks for it. Always made as one literal with all members: each write makes one. */
export interface Place extends Attributes {
  readonly verb: 'create' | 'update';
  /** Empty for a creation until the name is known. */
  name: string;
  readonly subresource: string | undefined;
  /** The stored object that an update replaces. */
  readonly before: ApiObject | undefined;
  /** The document of the client; undefined: there is none, as for a view of the object. */
  readonly sent: unknown;
}

/** The object as it should be, decoded, and what is known of it. */
export interface Change {
  readonly object: ApiObject;
  /** The parts that differ from the stored object, or from the first object of a template. */
  readonly changed: Parts;
  /** Whether no other code holds the object; its parts may be shared. */
  readonly isFresh: boolean;
}

/** Returns the change for an object whose changed parts are unknown. */
export const unknownChange = (object: ApiObject): Change => ({ object, changed: WHOLE, isFresh: false });

const NO_ERRORS: readonly FieldError[] = [];
const NO_TEXTS: readonly string[] = [];

export class Write {
  readonly scope: Scope;
  readonly place: Place;
  /** The metadata as the author sent it. */
  readonly given: ObjectMeta;
  changed: Parts;
  /** Whether no other code holds the object, so that the store may keep it without a copy. */
  isFresh: boolean;
  managers: readonly ManagedFieldsEntry[] | undefined;
  /** Errors of validation so far, which are reported together. */
  errors: readonly FieldError[] = NO_ERRORS;
  /** Warnings about rules of the specification that are not enforced. They follow all others. */
  unenforced: readonly string[] = NO_TEXTS;
  /** Texts for the client, in order; undefined: none so far. */
  warnings: string[] | undefined = undefined;
  /** The object as it is stored, or would be; the last stage sets it. */
  result: ApiObject | undefined = undefined;
  // Private by type alone: objects with private names of the language are three times as large, and each write makes one.
  private inner: ApiObject;
  private drafted: Draft | undefined = undefined;
  private ownsMetadata = false;

  constructor(scope: Scope, place: Place, { object, changed, isFresh }: Change, managers?: readonly ManagedFieldsEntry[]) {
    this.scope = scope;
    this.place = place;
    this.given = object.metadata;
    this.changed = changed | ALWAYS;
    this.managers = managers;
    this.inner = object;
    this.isFresh = isFresh;
  }

  /** The object so far, for reading. A part that a draft has changed is read with `currentOf`. */
  get object(): ApiObject {
    return this.drafted === undefined ? this.inner : currentOf<ApiObject>(this.drafted);
  }

  /** The object so far, for stages that read single members of it: a draft is not copied. */
  get view(): Draft {
    return this.drafted ?? castDraft(this.inner);
  }

  /** Whether a stage has asked for a draft, so that hooks no longer spare one. */
  get isDrafted(): boolean {
    return this.drafted !== undefined;
  }

  /** Returns the object as a draft, for a stage that may change any part of it: afterwards the changed parts are unknown. */
  draft(): Draft {
    this.changed = WHOLE;
    return (this.drafted ??= createDraft(this.inner));
  }

  /** Returns the metadata, for a stage that changes nothing else. */
  metadata(): Draft<ObjectMeta> {
    if (this.drafted !== undefined) return this.drafted.metadata;
    const object = this.own();
    if (!this.ownsMetadata) {
      object.metadata = { ...object.metadata };
      this.ownsMetadata = true;
    }
    return object.metadata;
  }

  /** Sets a member other than metadata. */
  set(member: string, value: unknown): void {
    (this.drafted ?? this.own())[member] = value;
  }

  /** Returns the object, copied if somebody else may know it. */
  private own(): Draft {
    if (!this.isFresh) this.inner = { ...this.inner };
    this.isFresh = true;
    return castDraft(this.inner);
  }

  /** Replaces the object by one that no other code holds. */
  replace(object: ApiObject): void {
    this.inner = object;
    this.drafted = undefined;
    this.isFresh = true;
    this.ownsMetadata = false;
  }

  /** Ends the draft, if there is one. After it stages only read. */
  complete(): void {
    if (this.drafted === undefined) return;
    this.inner = finishDraft(this.drafted);
    this.drafted = undefined;
    this.isFresh = false;
    this.ownsMetadata = false;
  }

  warn(texts: readonly string[]): void {
    if (texts.length > 0) (this.warnings ??= []).push(...texts);
  }
}
