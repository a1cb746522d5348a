/** Keys of objects: a namespace and a name, or a name alone. */
import { expect, it } from 'vitest';
import { keyOf, splitKey } from '../../src/apiserver/machinery/index.ts';

it.each([
  ['default/a', { namespace: 'default', name: 'a' }],
  ['a', { name: 'a' }],
  ['/a', { namespace: '', name: 'a' }],
])('%s names %j, and back', (key, parts) => {
  expect(splitKey(key)).toEqual(parts);
  if (!key.startsWith('/')) expect(keyOf({ metadata: parts })).toBe(key);
});
