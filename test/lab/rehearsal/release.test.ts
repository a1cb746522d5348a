/** Annotations separate the hooks of a chart from its other objects. */
import { describe, expect, it } from 'vitest';
import { installed, onDemand, releaseOf } from '../../../src/lab/rehearsal/index.ts';
import type { SourcedManifest } from '../../../src/lab/scenario/index.ts';

const manifest = (kind: string, name: string, annotations?: Readonly<Record<string, string>>): SourcedManifest => ({
  object: { kind, metadata: { name, ...(annotations === undefined ? {} : { annotations }) } },
});
const hook = (name: string, events: string, more: Readonly<Record<string, string>> = {}): SourcedManifest =>
  manifest('Job', name, { 'helm.sh/hook': events, ...more });
const namesOf = (manifests: readonly SourcedManifest[]) => manifests.map(({ object }) => object.metadata?.['name']);

describe('an object with events in its annotation', () => {
  it('is a hook with its words, whatever blanks and commas are between them', () => {
    const { objects, hooks } = releaseOf([
      hook('migrate', ' pre-install, pre-upgrade,', {
        'helm.sh/hook-weight': '-5',
        'helm.sh/hook-delete-policy': 'hook-succeeded ,hook-failed',
      }),
    ]);
    expect(objects).toEqual([]);
    expect(hooks).toMatchObject([{ events: ['pre-install', 'pre-upgrade'], weight: -5, policies: ['hook-succeeded', 'hook-failed'] }]);
  });

  it('is installed after the objects, but on demand where all its events are tests and deletions', () => {
    const all = [hook('probe', 'test'), hook('migrate', 'post-install,test'), hook('clean', 'pre-delete'), manifest('Service', 'web')];
    expect(namesOf(installed(all))).toEqual(['web', 'migrate']);
    expect(onDemand(all)).toEqual(['Job clean: pre-delete', 'Job probe: test']);
    // The former names of tests are tests too.
    const tests = [hook('a', 'test-success'), hook('b', 'test-failure, post-delete'), hook('c', 'pre-rollback'), hook('d', 'latest')];
    expect(namesOf(installed(tests))).toEqual(['c', 'd']);
    expect(onDemand(tests)).toEqual(['Job a: test-success', 'Job b: test-failure, post-delete']);
  });
});

it('an annotation without a word makes no hook, and no word is the default deletion policy', () => {
  const { objects, hooks } = releaseOf([hook('plain', ' , '), hook('migrate', 'pre-install', { 'helm.sh/hook-delete-policy': ',' })]);
  expect(namesOf(objects)).toEqual(['plain']);
  expect(hooks).toMatchObject([{ events: ['pre-install'], weight: 0, policies: ['before-hook-creation'] }]);
});
