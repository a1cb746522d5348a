/** The settings that follow from the options of a cluster. */
import { expect, it } from 'vitest';
import { type CustomKind, kindsFor } from '../../src/apiserver/kinds/index.ts';
import { type Kind, type Names, namesFor } from '../../src/apiserver/machinery/index.ts';
import { type Settings, settingsOf } from '../../src/controlplane/cluster-options.ts';

const NAMES = namesFor('k8s.io');
const kindLikePod = (kind: string, more: Partial<Kind> = {}): Kind => {
  const pod = kindsFor(NAMES).byKind('Pod');
  if (pod === undefined) throw new Error('there are pods');
  return { ...pod, kind, plural: kind.toLowerCase(), ...more };
};

it('the kinds are the built-in ones and those of the user, without those of definitions, which the cluster stores', () => {
  const kinds: readonly CustomKind[] = [
    kindLikePod('Plain'),
    ({ domain }: Names) => kindLikePod('Made', { shortNames: [domain] }),
    kindLikePod('Defined', { definition: { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: {} } }),
  ];
  const settings = settingsOf({ domain: 'k8s.io', kinds });
  const found = ['Pod', 'Plain', 'Made', 'Defined'].map((kind) => settings.kinds.byKind(kind));
  expect(found.map((kind) => kind?.kind)).toEqual(['Pod', 'Plain', 'Made', undefined]);
  expect(found[2]?.shortNames).toEqual(['k8s.io']);
  // Registries are large: the same list gives the same one.
  expect(settingsOf({ domain: 'k8s.io', kinds }).kinds).toBe(settings.kinds);
  expect(settingsOf({ domain: 'k8s.io' }).kinds).toBe(kindsFor(NAMES));
});

it('the domain determines names and rules where no rules are given', () => {
  const of = ({ names, rules }: Settings): readonly unknown[] => [names.domain, rules];
  expect(of(settingsOf({}))).toEqual(['orch.io', 'specification']);
  expect(of(settingsOf({ domain: 'k8s.io' }))).toEqual(['k8s.io', 'recorded']);
  expect(of(settingsOf({ domain: 'k8s.io', rules: 'specification' }))).toEqual(['k8s.io', 'specification']);
});
