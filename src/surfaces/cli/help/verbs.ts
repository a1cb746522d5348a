/** The verbs of a step, from the table that reads files. */
import { type ReferenceField, referenceSections } from '../../../lab/scenario/index.ts';

const sections = referenceSections();

/** The members of the mapping at this path. */
export const fieldsAt = (path: string): readonly ReferenceField[] => sections.find(({ title }) => title === path)?.fields ?? [];

const STARTS: ReadonlySet<string> = new Set(['at', 'after', 'when']);
/** Fields that the topic lessons describes, or that check instead of acting. */
const REPORTED: ReadonlySet<string> = new Set(['before', 'note', 'about', 'assert', 'ask', 'look', 'try']);

/** The fields of a step that the topic lessons describes. */
export const proseFields = (): readonly ReferenceField[] => fieldsAt('spec.steps[]').filter(({ name }) => REPORTED.has(name));

const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

export const STEP_STARTS = quoted([...STARTS]);
export const STEP_VERBS = quoted(
  fieldsAt('spec.steps[]')
    .map(({ name }) => name)
    .filter((name) => !STARTS.has(name) && !REPORTED.has(name) && name !== 'expect'),
);
