/** The door: reads, deletions, access, patches. */
import { inFile, type Mutant } from '../mutant.ts';

export const door: readonly Mutant[] = [
  ...inFile('src/apiserver/handlers/read.ts', {
    'door/full-last-page': ['items.length === limit && i + 1 < end', 'items.length === limit'],
    'door/remaining-where-nothing-is-filtered': ['...(selection.everything ? { remaining: end - i - 1 } : {})', 'remaining: end - i - 1'],
    'door/next-begins-behind': ['next: `${key.slice(prefix.length)}\\0`', 'next: key.slice(prefix.length)'],
    'door/version-in-the-future': ['if (version > scope.store.revision) throw', 'if (version >= scope.store.revision) throw'],
    'door/page-of-a-revision': ['if (!before.has(key)) before.set(key, previous);', 'before.set(key, previous);'],
    'door/those-that-went-since': ['return [...made, ...gone.slice(next)];', 'return made;'],
  }),
  ...inFile('src/apiserver/handlers/deletion.ts', {
    'door/equal-grace-period': ['asked >= granted) return undefined', 'asked > granted) return undefined'],
    'door/shorter-grace-counts-from-the-first': [
      'const startedAt = Date.parse(metadata.deletionTimestamp) - granted * 1000;',
      'const startedAt = scope.now();',
    ],
    'door/deletion-is-a-change-of-what-is-wanted': ['if (first === true && next.generation', 'if (false && next.generation'],
    'door/marked-once': ['at: deletionTimestamp ?? formatTime(scope.now())', 'at: formatTime(scope.now())'],
    'door/precondition-of-uid': ['preconditions.uid !== undefined && preconditions.uid !== uid', 'false'],
    'door/precondition-of-revision': [
      'preconditions.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion',
      'false',
    ],
  }),
  ...inFile('src/apiserver/handlers/graceful.ts', {
    'door/finished-pods-need-no-grace': ["if (status.phase === 'Failed' || status.phase === 'Succeeded') return 0;", ''],
    'door/unscheduled-pods-need-no-grace': ["if (spec.nodeName === undefined || spec.nodeName === '') return 0;", ''],
  }),
  ...inFile('src/apiserver/handlers/patches.ts', {
    'door/patches-one-after-the-other': ['if (result.ok !== document) checkValues(result.ok);', ''],
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
