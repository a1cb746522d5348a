/**
 * The scenario format as sections for a reader: each mapping of a file with its members, documented once. A member that several mappings
 * share (of `waitFor` and `expect`, for example) is documented in one of them, and listed by name in the others.
 */
import { describeField } from './field-types.ts';
import { faultField, type Field, type Fields, type Vocabulary } from './fields.ts';
import { SCENARIO, STEP, TARGET_FIELDS } from './format.ts';

export interface ReferenceField {
  readonly name: string;
  readonly wants: string;
  readonly description: string;
  readonly required: boolean;
}

export interface ReferenceSection {
  /** Its name: `spec.cluster`, `a target`, `fault crash`. */
  readonly title: string;
  readonly description: string;
  /** Its paths, with `[]` for an item of a list (or a single one without a list) and `*` for any key; the first is the documented one. */
  readonly places: readonly string[];
  /** Only the mappings at these paths that have this member. */
  readonly marked?: string;
  readonly fields: readonly ReferenceField[];
  /** Members that are documented elsewhere, by the title of the section. */
  readonly elsewhere: ReadonlyMap<string, readonly string[]>;
  /** Rules about groups of members, a sentence each. */
  readonly rules: readonly string[];
}

/** Members that are documented at a later path than their first. */
const DOCUMENTED_AT: readonly (readonly [path: string, field: Field])[] = [['spec.steps[].expect[]', STEP.fields.expect.items]];

/** Returns every section, from the whole file inwards; with a vocabulary, one for each fault too. */
export function referenceSections({ faults = [] }: Partial<Pick<Vocabulary, 'faults'>> = {}): readonly ReferenceSection[] {
  const sections: Section[] = [];
  const documented = new Map<Fields, Section>();
  const documentedAt = new Map<Field, string>();
  const [targets, faultPlaces]: [string[], string[]] = [[], []];
  for (const [path, field] of DOCUMENTED_AT)
    if (field.type === 'object') for (const member of Object.values(field.fields)) documentedAt.set(member, path);

  /** `isDocumented`: the mapping is documented here; otherwise only its paths are collected, without recursion into itself. */
  function visit(field: Field, path: string, isDocumented: boolean, within: readonly Field[]): void {
    if (within.includes(field)) return;
    const inside = [...within, field];
    if (field.type === 'list') visit(field.items, `${path}[]`, isDocumented, inside);
    else if (field.type === 'map') visit(field.values, `${path}.*`, isDocumented, inside);
    else if (field.type === 'either') for (const form of field.forms) visit(form, path, isDocumented, inside);
    else if (field.type === 'target') targets.push(path);
    else if (field.type === 'fault') faultPlaces.push(path);
    else if (field.type === 'object') {
      const section = isDocumented ? sectionOf(field, path, documentedAt) : undefined;
      if (section !== undefined) sections.push(section);
      if (section !== undefined && section.fields.length > 0) documented.set(field.fields, section);
      else documented.get(field.fields)?.places.push(path);
      for (const [name, member] of Object.entries(field.fields))
        visit(member, path === '' ? name : `${path}.${name}`, isDocumented && documentedAt.get(member) === path, inside);
    }
  }
  visit(SCENARIO, '', true, []);
  return [
    ...sections,
    sectionOf({ type: 'object', says: 'A reference to objects.', fields: TARGET_FIELDS }, 'a target', documentedAt, targets),
    ...faults.map((fault) => ({
      ...sectionOf(faultField(fault), `fault ${fault.name}`, new Map(), faultPlaces),
      marked: fault.name,
    })),
  ];
}

type Section = ReferenceSection & { readonly places: string[] };
type ObjectField = Field & { readonly type: 'object' };

function sectionOf(field: ObjectField, path: string, documentedAt: Map<Field, string>, places: string[] = [path]): Section {
  const fields: ReferenceField[] = [];
  const elsewhere = new Map<string, string[]>();
  for (const [name, member] of Object.entries(field.fields)) {
    const documentedPath = documentedAt.get(member) ?? path;
    documentedAt.set(member, documentedPath);
    if (documentedPath === path) fields.push(fieldOf(name, member));
    else elsewhere.set(documentedPath, [...(elsewhere.get(documentedPath) ?? []), name]);
  }
  return { title: path === '' ? 'a scenario' : path, description: field.says ?? '', places, fields, elsewhere, rules: rulesOf(field) };
}

const fieldOf = (name: string, field: Field): ReferenceField => ({
  name,
  wants: describeField(field),
  description: field.says ?? '',
  required: field.needed === true,
});

function rulesOf({ exactlyOneOf, atLeastOneOf, atMostOneOf = [], needs = {} }: ObjectField): readonly string[] {
  return [
    ...(exactlyOneOf === undefined ? [] : [`Exactly one of ${exactlyOneOf.join(', ')}.`]),
    ...(atLeastOneOf === undefined ? [] : [`At least one of ${atLeastOneOf.join(', ')}.`]),
    ...atMostOneOf.map((names) => `At most one of ${names.join(', ')}.`),
    ...Object.entries(needs).map(([name, other]) => `${name} needs ${other}.`),
  ];
}

/** Returns every documented path of the format, such as `spec.steps[].at`, without those of faults and targets. */
export const referencePaths = (sections: readonly ReferenceSection[]): readonly string[] =>
  sections.flatMap(({ title, places: [place = ''], fields, marked }) =>
    marked !== undefined || title === 'a target' ? [] : fields.map(({ name }) => (place === '' ? name : `${place}.${name}`)),
  );
