/** Explicit tags of values: those of JSON, no others. */
import { isLong, type RawNumber } from '../values/index.ts';
import { resolvePlain } from './scalars.ts';

const TAG_PREFIX = 'tag:yaml.org,2002:';
/** A tag as people write it. */
export const shortTag = (tag: string) => (tag.startsWith(TAG_PREFIX) ? `!!${tag.slice(TAG_PREFIX.length)}` : tag);
/** Whether a tag says no more than the shape does. */
export const isOrdinaryTag = (tag: string | undefined, name: string) => tag === undefined || tag === '!' || tag === `${TAG_PREFIX}${name}`;

/** The value of a scalar with an explicit tag, or undefined if the two do not go together. */
export function tagged(text: string, plain: boolean, tag: string | undefined): string | number | boolean | null | RawNumber | undefined {
  if (tag === undefined) return plain ? resolvePlain(text) : text;
  if (tag === '!' || tag === `${TAG_PREFIX}str`) return text;
  const value = resolvePlain(text);
  switch (tag) {
    case `${TAG_PREFIX}int`:
      return (typeof value === 'number' && Number.isInteger(value)) || isLong(value) ? value : undefined;
    case `${TAG_PREFIX}float`:
      return typeof value === 'number' ? value : undefined;
    case `${TAG_PREFIX}bool`:
      return typeof value === 'boolean' ? value : undefined;
    case `${TAG_PREFIX}null`:
      return value === null ? null : undefined;
    default:
      return undefined;
  }
}
