/** The shape of a kind as data; it lives in the schema room and is named here because every kind is made of it. */
export type { Complete, Fieldset, Infer, ObjectShape, Schema } from '../../grammar/schema/index.ts';
