/**
 * Words of the project that were replaced by the terms of the field. Each is searched as a whole word in sources, tests, scenarios and
 * documents; the message has the replacement.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Replacements, by the word as a regular expression. */
const RETIRED: Readonly<Record<string, string>> = {
  'deeds?|DEEDS?': 'fault (search), action (agent)',
  'hearts?|heartTurns|forbidHearts': 'elided lease renewals',
  'toldAt|readTold|tellApart|tellReal': 'report, render, distinguish',
  'openDoor|doorsOf|Door': 'RequestContext, request scope',
  'furnish|furnishing': 'bootstrap',
  'familyBook|rememberFamily': 'TemplateMemo',
  'shelf|shelves': 'table',
  isNews: 'predicate',
  'seesOwnWrites|own-writes': 'expectationsSatisfied',
  'NOBODY|nobodyEnqueues': 'watchOnly',
  'sightOf|podSight': 'cacheViewOf',
  'TellingSign|commonSigns': 'features',
  'isNowhere|goesNowhere': 'livelock',
  'calmed|Calm': 'quiescence',
  'restless|resettle': 'non-terminating activity; re-anchor',
  doings: 'fault helpers, walk commands',
  'spot|remarks': 'cursor context, lint warnings',
  wayThere: 'oneWayLatency',
  heldBack: 'throttled',
  'late news': 'watch delay',
  'lost answers?': 'lost response',
  '(?:is|was|were|are|never) put out': 'evicted',
  'house|houses|roof': 'architecture, layer, module',
  'heeds?|heeded': 'read, respect, take into account',
  'comes by|puts? out|whose eyes': 'reaches, evict, in whose cache',
  pulses: 'renewal intervals',
  'shelve|knowingPrograms|asListening|underwayOf': 'replaceObject, withPrograms, withHandledKinds, inFlightOf',
  'roomReader|choosePlace|VolumeInBooks': 'capacityReader, chooseSegment, TrackedVolume',
  'VolumeBook|WaitingRoom|createWaitingRoom': 'AssumedVolumes, AwaitingPreBind',
  'turnAway|clearAway|lookAtSources|papersOf': 'reject, endOrphan, syncSources, certificatesOf',
  'bookTurn|takeStock|scaleAway|isAlien': 'queueTaint, listNext, scaleDown, isAttachedByAgent',
  'vouchedFor|tellsUsage|strangersAt|enliven': 'schedulerAccess, reportsUsage, foreignAt, startRuntime',
  'judgeOnce|isKeeper|ownErrors|finishedPatch': 'validateOnce, isRestoringHook, kindErrors, fastPatch',
  'comesAgain|areSilent|legible|mistaken|presume': 'seenBefore, areInert, checkReadable, typeMismatch, mutateWithoutStore',
  'slipAt|Slip': 'syntax error',
  'isBelieved|runUnseen': 'isAuthenticated, runUnmirrored',
  'judgedAccess|linesInstead|systemSays': 'rbacAccess, jsonLinesProblem, systemMessage',
};

/** The table of names in the map contains the old words. */
const TABLE = /^## Names$[\s\S]*?(?=^## |(?![\s\S]))/m;

/** Files that contain an old word on purpose, with the reason. */
const EXEMPT: Readonly<Record<string, string>> = {
  'test/retired-words.test.ts': 'the list',
  'src/CHANGELOG.md': 'names old spellings with the new ones',
  'src/surfaces/cli/program.ts': 'answers old spellings with new ones',
  'test/surfaces/cli/search.test.ts': 'tries old spellings',
  'test/surfaces/page/link.test.ts': 'links of old versions are refused',
  'test/habits/all.mjs': 'answers an old spelling with the new one',
};

const files = execFileSync('git', ['ls-files', 'src', 'test', 'bench', 'scenarios', 'README.md', '.github'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /\.(?:tsx?|mjs|yaml|md|css)$/.test(path) && EXEMPT[path] === undefined);

const textOf = (path: string): string => {
  const text = readFileSync(join(root, path), 'utf8');
  return path === 'src/README.md' ? text.replace(TABLE, (table) => '\n'.repeat(table.split('\n').length - 1)) : text;
};

const wholeWord = (words: string): RegExp => new RegExp(String.raw`\b(?:${words})\b`);

/** The lines with any of the words. They are looked for all at once, because reading every file for each word takes a hundred times as long. */
const suspects = files.flatMap((path) => {
  const any = wholeWord(Object.keys(RETIRED).join('|'));
  return textOf(path)
    .split('\n')
    .flatMap((line, at) => (any.test(line) ? [{ path, line, at: at + 1 }] : []));
});

it.each(Object.entries(RETIRED))('%s is not used', (word, instead) => {
  const pattern = wholeWord(word);
  const found = suspects.filter(({ line }) => pattern.test(line)).map(({ path, line, at }) => `${path}:${at} ${line.trim().slice(0, 80)}`);
  expect(found, `write: ${instead}`).toEqual([]);
});
