/** The format as sections: each mapping once, with its members, rules and places. */
import { describe, expect, it } from 'vitest';
import { referencePaths, referenceSections, type ReferenceSection } from '../../../src/lab/scenario/index.ts';
import { faults } from './vocabulary.ts';

const sections = referenceSections({ faults });
const section = (title: string): ReferenceSection => {
  const found = sections.filter((each) => each.title === title);
  expect(found, title).toHaveLength(1);
  return found[0] as ReferenceSection;
};
const names = ({ fields }: ReferenceSection) => fields.map(({ name }) => name);

describe('the sections', () => {
  it('begin with the whole file, and have each mapping once', () => {
    expect(sections[0]).toEqual({
      title: 'a scenario',
      description: 'A scenario: a cluster, actions, and expectations.',
      places: [''],
      fields: [
        { name: 'apiVersion', wants: 'scenario.orch.io/v1', description: 'The version of this format.', required: true },
        { name: 'kind', wants: 'Scenario', description: 'Scenario.', required: true },
        { name: 'metadata', wants: 'a mapping', description: 'Its metadata.', required: true },
        { name: 'spec', wants: 'a mapping', description: 'The scenario itself.', required: true },
      ],
      elsewhere: new Map(),
      rules: [],
    });
    expect(new Set(sections.map(({ title }) => title)).size).toBe(sections.length);
    expect(sections.every(({ description, places }) => description !== '' && places.length > 0)).toBe(true);
  });

  it('end with targets and the faults of the vocabulary', () => {
    const target = section('a target');
    expect([names(target), target.description, target.rules]).toEqual([
      ['kind', 'namespace', 'name', 'labels', 'cel', 'nth', 'only'],
      'A reference to objects.',
      [],
    ]);
    expect(target.places).toContain('spec.steps[].delete');
    expect(target.places).not.toContain('spec.steps[].try[].fault');
    expect(sections.slice(sections.indexOf(target) + 1)).toEqual([
      {
        title: 'fault crash',
        description: 'Ends a process.',
        places: ['spec.steps[].fault', 'spec.steps[].try[].fault'],
        marked: 'crash',
        fields: [
          { name: 'crash', wants: 'controller-manager or scheduler', description: 'A process.', required: true },
          { name: 'restartAfter', wants: 'a duration such as 500ms or 1h30m', description: 'A time.', required: false },
        ],
        elsewhere: new Map(),
        rules: [],
      },
      ...faults.slice(1).map(({ name }) => expect.objectContaining({ title: `fault ${name}`, marked: name }) as unknown),
    ]);
    expect(referenceSections().at(-1)?.title).toBe('a target');
  });

  it('name members that are documented elsewhere by the section', () => {
    const expectation = section('spec.steps[].expect[]');
    expect(names(expectation)).toEqual(expect.arrayContaining(['match', 'absent', 'count', 'cel', 'allowed', 'traffic']));
    const waiting = section('spec.steps[].waitFor');
    expect(names(waiting)).toEqual(['within']);
    expect([...waiting.elsewhere]).toEqual([['spec.steps[].expect[]', names(expectation)]]);
    expect(expectation.places).toEqual(['spec.steps[].expect[]', 'spec.steps[].try[].then[]']);
    expect([...section('spec.steps[].assert[]').elsewhere.keys()]).toEqual(['spec.steps[].expect[]']);
  });

  it('have the rules about groups of members as sentences', () => {
    expect(section('spec.steps[].expect[]').rules).toEqual([expect.stringMatching(/^Exactly one of match, absent, count, /)]);
    expect(section('spec.steps[]').rules).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^At least one of apply, create, /),
        'At most one of at, after, when.',
        'assert needs note.',
        'ask needs note.',
        'try needs note.',
      ]),
    );
    expect(section('spec.webhooks.*').rules).toEqual(['message needs allow.', 'when needs mutate.']);
  });

  it('have maps and lists in their paths', () => {
    expect(sections.map(({ places: [first] }) => first)).toEqual(
      expect.arrayContaining(['spec.cluster', 'spec.cluster.nodes[]', 'spec.clients.*', 'spec.steps[].ask.choices[]', 'spec.choices[]']),
    );
    expect(section('spec.cluster.nodes').elsewhere.size + section('spec.cluster.nodes[]').elsewhere.size).toBeGreaterThan(0);
  });
});

it('the paths are those of the fields, without targets and faults', () => {
  const paths = referencePaths(sections);
  expect(paths.slice(0, 5)).toEqual(['apiVersion', 'kind', 'metadata', 'spec', 'metadata.name']);
  expect(paths).toEqual(expect.arrayContaining(['spec.steps[].at', 'spec.cluster.nodes[].name', 'spec.steps[].waitFor.within']));
  for (const none of ['a target.kind', 'fault crash.crash', 'spec.steps[].waitFor.match', 'spec.steps[].fault.crash'])
    expect(paths).not.toContain(none);
  expect(new Set(paths).size).toBe(paths.length);
});
