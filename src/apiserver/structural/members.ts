/** The members of a structural schema. Models: v1.24 apiextensions v1 JSONSchemaProps. */
import { any, bool, type Infer, int32, list, type Schema, str } from '../../schema/shape/index.ts';

/** In the order in which errors list them. */
export const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'] as const;
const number = { type: 'float64' } as const;

/** The members of a schema that are no schemas themselves. */
export const MEMBERS = {
  type: str(),
  description: str(),
  title: str(),
  example: any,
  externalDocs: any,
  format: str(),
  required: list(str()),
  enum: list(any),
  default: any,
  nullable: bool,
  pattern: str(),
  multipleOf: number,
  minimum: number,
  maximum: number,
  exclusiveMinimum: bool,
  exclusiveMaximum: bool,
  minLength: int32,
  maxLength: int32,
  minItems: int32,
  maxItems: int32,
  uniqueItems: bool,
  minProperties: int32,
  maxProperties: int32,
  'x-kubernetes-preserve-unknown-fields': bool,
  'x-kubernetes-embedded-resource': bool,
  'x-kubernetes-int-or-string': bool,
  'x-kubernetes-list-type': str(),
  'x-kubernetes-list-map-keys': list(str()),
  'x-kubernetes-map-type': str(),
} as const satisfies Readonly<Record<string, Schema>>;

export interface CelRule {
  readonly rule: string;
  readonly message?: string;
}

export type Structural = { readonly [K in keyof typeof MEMBERS]?: Infer<(typeof MEMBERS)[K]> } & {
  readonly properties?: Readonly<Record<string, Structural>>;
  readonly additionalProperties?: Structural | boolean;
  readonly items?: Structural;
  readonly not?: Structural;
  readonly allOf?: readonly Structural[];
  readonly anyOf?: readonly Structural[];
  readonly oneOf?: readonly Structural[];
  readonly 'x-kubernetes-validations'?: readonly CelRule[];
};
