/**
 * The scenario format as sections for people: each mapping that may stand in a file, with its members, told once; a member that several
 * mappings share (what `waitFor` and `expect` take, say) is told where it is at home, and elsewhere by its name.
 */
import { describeField, type Field, type Fields, type Vocabulary } from './fields.ts';
import { SCENARIO, STEP, TARGET_FIELDS } from './format.ts';

/** One member of a mapping. */
export interface ReferenceField {
  readonly name: string;
  /** What may stand there, in words. */
  readonly wants: string;
  readonly description: string;
  readonly required: boolean;
}

/** One mapping of the format. */
export interface ReferenceSection {
  /** What people call it: `spec.cluster`, `a target`, `fault crash`. */
  readonly title: string;
  readonly description: string;
  /** Where it stands, `[]` for an item of a list (or what stands without one) and `*` for any key; the first is where it is told. */
  readonly places: readonly string[];
  /** Only the mappings at these places that have this member. */
  readonly marked?: string;
  /** Members that are told here. */
  readonly fields: readonly ReferenceField[];
  /** Members that are told elsewhere, by the title of the section. */
  readonly elsewhere: ReadonlyMap<string, readonly string[]>;
  /** Which members go together, a sentence each. */
  readonly rules: readonly string[];
}

/** Written where what it takes is used, before the verbs that use it too. */
const AT_HOME: readonly (readonly [path: string, field: Field])[] = [['spec.steps[].expect[]', STEP.fields.expect.items]];

/** Every section, from the whole file inwards; with a vocabulary, one of each fault too. */
export function referenceSections({ faults = [] }: Partial<Pick<Vocabulary, 'faults'>> = {}): readonly ReferenceSection[] {
  const sections: Section[] = [];
  /** Where the members of a mapping are told, by these members. */
  const tellers = new Map<Fields, Section>();
  const homes = new Map<Field, string>();
  const [targets, faultPlaces]: [string[], string[]] = [[], []];
  for (const [path, field] of AT_HOME)
    if (field.type === 'object') for (const member of Object.values(field.fields)) homes.set(member, path);

  /** `told`: this is where it is at home; elsewhere it is followed for its places alone, and not into itself. */
  function visit(field: Field, path: string, reported: boolean, within: readonly Field[]): void {
    if (within.includes(field)) return;
    const inside = [...within, field];
    if (field.type === 'list') visit(field.items, `${path}[]`, reported, inside);
    else if (field.type === 'map') visit(field.values, `${path}.*`, reported, inside);
    else if (field.type === 'either') for (const form of field.forms) visit(form, path, reported, inside);
    else if (field.type === 'target') targets.push(path);
    else if (field.type === 'fault') faultPlaces.push(path);
    else if (field.type === 'object') {
      const section = reported ? sectionOf(field, path, homes) : undefined;
      if (section !== undefined) sections.push(section);
      if (section !== undefined && section.fields.length > 0) tellers.set(field.fields, section);
      else tellers.get(field.fields)?.places.push(path);
      for (const [name, member] of Object.entries(field.fields))
        visit(member, path === '' ? name : `${path}.${name}`, reported && homes.get(member) === path, inside);
    }
  }
  visit(SCENARIO, '', true, []);
  return [
    ...sections,
    sectionOf({ type: 'object', description: 'Which object is meant.', fields: TARGET_FIELDS }, 'a target', homes, targets),
    ...faults.map(({ name, description, subject, parameters }) => ({
      ...sectionOf(
        { type: 'object', description, fields: { [name]: { ...subject, required: true }, ...parameters } },
        `fault ${name}`,
        new Map(),
        faultPlaces,
      ),
      marked: name,
    })),
  ];
}

type Section = ReferenceSection & { readonly places: string[] };
type ObjectField = Field & { readonly type: 'object' };

function sectionOf(field: ObjectField, path: string, homes: Map<Field, string>, places: string[] = [path]): Section {
  const fields: ReferenceField[] = [];
  const elsewhere = new Map<string, string[]>();
  for (const [name, member] of Object.entries(field.fields)) {
    const home = homes.get(member) ?? path;
    homes.set(member, home);
    if (home === path) fields.push(reported(name, member));
    else elsewhere.set(home, [...(elsewhere.get(home) ?? []), name]);
  }
  return { title: path === '' ? 'a scenario' : path, description: field.description, places, fields, elsewhere, rules: rulesOf(field) };
}

const reported = (name: string, field: Field): ReferenceField => ({
  name,
  wants: describeField(field),
  description: field.description,
  required: field.required === true,
});

function rulesOf({ exactlyOneOf, atLeastOneOf, atMostOneOf = [], needs = {} }: ObjectField): readonly string[] {
  return [
    ...(exactlyOneOf === undefined ? [] : [`Exactly one of ${exactlyOneOf.join(', ')}.`]),
    ...(atLeastOneOf === undefined ? [] : [`At least one of ${atLeastOneOf.join(', ')}.`]),
    ...atMostOneOf.map((names) => `At most one of ${names.join(', ')}.`),
    ...Object.entries(needs).map(([name, other]) => `${name} needs ${other}.`),
  ];
}

/** Every path of the format that is told, such as `spec.steps[].at`, without those of faults and targets. */
export const referencePaths = (sections: readonly ReferenceSection[]): readonly string[] =>
  sections.flatMap(({ title, places: [place = ''], fields, marked }) =>
    marked !== undefined || title === 'a target' ? [] : fields.map(({ name }) => (place === '' ? name : `${place}.${name}`)),
  );
