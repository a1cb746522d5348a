/**
 * Objects under construction: immer drafts. Whoever has a say in a write (defaults, admission, the hooks of a kind) assigns to the draft,
 * at any depth; what nobody touches stays shared with what was sent or stored, and the finished object is frozen. One draft a write, of one
 * object.
 */
import { createDraft, current, finishDraft, isDraft, type Draft as Drafted } from 'immer';
import { deepFreeze, type Schema } from '../../schema/shape/index.ts';
import type { ApiObject } from './object.ts';

export { castDraft, createDraft, finishDraft, produce } from 'immer';

/** An object that may be assigned to. */
export type Draft<O = ApiObject> = Drafted<O>;

/** A draft of an object; where nobody but the server fills in its metadata, a literal is enough. */
export const beginDraft = (object: ApiObject, literal: boolean): Draft =>
  literal ? { ...object, metadata: { ...(object.metadata as Draft['metadata']) } } : createDraft(object);

/** The finished object, frozen. */
export const completeDraft = (draft: Draft): ApiObject => (isDraft(draft) ? finishDraft(draft) : deepFreeze(draft));

/**
 * A part of a draft as it stands, to be read: shared where nothing changed it, so that it is known by sight. Ask for the parts you read:
 * one that was changed is made anew, and every member of it is drafted on the way.
 */
export function currentOf<T>(part: T | Draft<T>): T;
export function currentOf(part: unknown): unknown {
  return isDraft(part) ? current<unknown>(part) : part;
}

/** Sets a member, or takes it away. */
export function assign<T extends object, K extends keyof T>(draft: T, name: K, value: T[K] | undefined): void {
  if (value !== undefined) draft[name] = value;
  else if (draft[name] !== undefined) Reflect.deleteProperty(draft, name);
}

/** Sets members of a struct where its shape publishes them: what the server adds is written as if it had been decoded that way. */
export function insertInOrder<T extends object>(
  shape: Schema | undefined,
  draft: T,
  members: { readonly [K in keyof T]?: T[K] | undefined },
): void {
  for (const name in members) {
    const isNew = members[name] !== undefined && !(name in draft);
    assign(draft, name, members[name]);
    if (!isNew || shape?.type !== 'object') continue;
    // Those published later move behind it, in the order they had.
    const names = Object.keys(shape.fields);
    for (const later of names.slice(names.indexOf(name) + 1) as (keyof T & string)[]) {
      if (!(later in draft)) continue;
      const value = draft[later];
      Reflect.deleteProperty(draft, later);
      draft[later] = value;
    }
  }
}
