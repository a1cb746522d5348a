/**
 * Drafts: objects under construction, made with immer. Defaults, admission and hooks assign to the draft at any depth. Parts without
 * changes stay shared with the sent or stored object, and the completed object is frozen. There is one draft for each write.
 */
import { createDraft, current, finishDraft, isDraft, type Draft as Drafted } from 'immer';
import { deepFreeze, type Schema } from '../../schema/shape/index.ts';
import type { ApiObject } from '../objects/index.ts';

export { castDraft, createDraft, finishDraft, produce } from 'immer';

/** A mutable object. */
export type Draft<O = ApiObject> = Drafted<O>;

/** Returns a draft of an object. A shallow copy (`literal`) is enough where only the server's metadata is set. */
export const beginDraft = (object: ApiObject, literal: boolean): Draft =>
  literal ? { ...object, metadata: { ...(object.metadata as Draft['metadata']) } } : createDraft(object);

/** Returns the completed object, frozen. */
export const completeDraft = (draft: Draft): ApiObject => (isDraft(draft) ? finishDraft(draft) : deepFreeze(draft));

/**
 * Returns the current value of a part of a draft, for reading. An unchanged part is returned by reference, so it can be compared by
 * identity. Read only the parts that are needed: a changed part is copied, with drafts of all its members.
 */
export function currentOf<T>(part: T | Draft<T>): T;
export function currentOf(part: unknown): unknown {
  return isDraft(part) ? current<unknown>(part) : part;
}

/** Sets a member, or removes it when the value is undefined. */
export function assign<T extends object, K extends keyof T>(draft: T, name: K, value: T[K] | undefined): void {
  if (value !== undefined) draft[name] = value;
  else if (draft[name] !== undefined) Reflect.deleteProperty(draft, name);
}

/** Sets members of a struct in published order, so that members added by the server are in the order of a decoded object. */
export function insertInOrder<T extends object>(
  shape: Schema | undefined,
  draft: T,
  members: { readonly [K in keyof T]?: T[K] | undefined },
): void {
  for (const name in members) {
    const isNew = members[name] !== undefined && !(name in draft);
    assign(draft, name, members[name]);
    if (!isNew || shape?.type !== 'object') continue;
    // Members that are published later are moved behind it, in their order.
    const names = Object.keys(shape.fields);
    for (const later of names.slice(names.indexOf(name) + 1) as (keyof T & string)[]) {
      if (!(later in draft)) continue;
      const value = draft[later];
      Reflect.deleteProperty(draft, later);
      draft[later] = value;
    }
  }
}
