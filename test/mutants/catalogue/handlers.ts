/** Request handlers: reads, deletions, access, patches. */
import { inFile, type Mutant } from '../mutant.ts';

export const handlers: readonly Mutant[] = [
  ...inFile('src/apiserver/handlers/read.ts', {
    'handlers/full-last-page': ['items.length === limit && i + 1 < end', 'items.length === limit'],
    'handlers/remaining-where-nothing-is-filtered': [
      '...(selection.everything ? { remaining: end - i - 1 } : {})',
      'remaining: end - i - 1',
    ],
    'handlers/next-begins-behind': ['next: `${key.slice(prefix.length)}\\0`', 'next: key.slice(prefix.length)'],
    'handlers/version-in-the-future': ['if (version > scope.store.revision) throw', 'if (version >= scope.store.revision) throw'],
    'handlers/page-of-a-revision': ['if (!before.has(key)) before.set(key, previous);', 'before.set(key, previous);'],
    'handlers/those-that-went-since': ['return [...made, ...gone.slice(next)];', 'return made;'],
  }),
  ...inFile('src/apiserver/handlers/deletion.ts', {
    'handlers/equal-grace-period': ['asked >= granted) return undefined', 'asked > granted) return undefined'],
    'handlers/shorter-grace-counts-from-the-first': [
      'const startedAt = Date.parse(metadata.deletionTimestamp) - granted * 1000;',
      'const startedAt = scope.now();',
    ],
    'handlers/deletion-is-a-change-of-what-is-wanted': ['if (first === true && next.generation', 'if (false && next.generation'],
    'handlers/marked-once': ['at: deletionTimestamp ?? formatTime(scope.now())', 'at: formatTime(scope.now())'],
    'handlers/precondition-of-uid': ['preconditions.uid !== undefined && preconditions.uid !== uid', 'false'],
    'handlers/precondition-of-revision': [
      'preconditions.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion',
      'false',
    ],
  }),
  ...inFile('src/apiserver/handlers/graceful.ts', {
    'handlers/finished-pods-need-no-grace': ["if (status.phase === 'Failed' || status.phase === 'Succeeded') return 0;", ''],
    'handlers/unscheduled-pods-need-no-grace': ["if (spec.nodeName === undefined || spec.nodeName === '') return 0;", ''],
  }),
  ...inFile('src/apiserver/handlers/patches.ts', {
    'handlers/patches-one-after-the-other': ['if (result.ok !== document) checkValues(result.ok);', ''],
  }),
  ...inFile('src/apiserver/access/rules.ts', {
    'access/subresource-of-anything': ['|| has(resources, `*/${subresource}`)', ''],
    'access/path-of-anything': [
      "url === '*' || url === path",
      'url === path',
      { equivalent: 'a star alone ends with a star too, and what begins with nothing is everything' },
    ],
    'access/path-that-begins-so': ["url.endsWith('*') && path.startsWith", 'path.startsWith'],
    'access/names': ['names.length === 0 || names.includes(name)', 'true'],
    'access/group': ["if (!has(rule.apiGroups, '*') && !has(rule.apiGroups, group)) return false;", ''],
    'access/subresource-is-not-the-resource': ["if (subresource === '') return has", 'return has'],
  }),
];
