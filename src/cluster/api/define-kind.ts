/** Building kinds: what most of them have in common is said once here. */
import type { Schema } from '../schema/index.ts';
import type { Draft, Kind } from './kind.ts';
import type { ApiObject } from './object.ts';
import { ageColumn, nameColumn } from './columns.ts';

type Common = 'singular' | 'shortNames' | 'categories' | 'subresources' | 'generation' | 'allowCreateOnUpdate' | 'allowUnconditionalUpdate' | 'deleteReturns' | 'defaultPropagation' | 'columns';

/** A kind file's contribution; what it leaves out has the value most kinds have. */
export type KindDefinition = Omit<Kind, Common> & Partial<Pick<Kind, Common>>;

export const defineKind = (definition: KindDefinition): Kind => ({
  singular: definition.kind.toLowerCase(),
  shortNames: [],
  categories: [],
  subresources: [],
  generation: 'none',
  allowCreateOnUpdate: false,
  allowUnconditionalUpdate: true,
  deleteReturns: 'Status',
  defaultPropagation: 'Background',
  columns: [nameColumn, ageColumn],
  ...definition,
});

/** A draft of an object: own top level and metadata, the rest shared. */
export const draftOf = (object: ApiObject): Draft => ({ ...object, metadata: { ...object.metadata } });

export type ObjectSchema = Schema & { readonly type: 'object' };
