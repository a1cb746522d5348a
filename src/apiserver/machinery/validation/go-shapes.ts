/** The Go structs of values that errors print whole. The field order is that of the internal types. Models: v1.24 pkg/apis. */
import { asGiven } from '../../../schema/shape/index.ts';
import { goSyntax, GoText, type GoField, type GoType } from '../../../schema/values/index.ts';

export const text: GoType = { type: 'string' };
export const int: GoType = { type: 'int' };
export const int64: GoType = { type: 'int', name: 'int64' };
export const flag: GoType = { type: 'bool' };
export const pointer = (to: GoType): GoType => ({ type: 'pointer', to });
export const listOf = (of: GoType): GoType => ({ type: 'list', of });
export const mapOf = (of: GoType): GoType => ({ type: 'map', of });
const field = (go: string, json: string, is: GoType): GoField => ({ go, json, is });
/** A field `Name` is read from `name` unless stated otherwise. */
export const struct = (name: string, fields: Readonly<Record<string, GoType | readonly [json: string, is: GoType]>>): GoType => ({
  type: 'struct',
  name,
  fields: Object.entries(fields).map(([go, is]) =>
    isPair(is) ? field(go, is[0], is[1]) : field(go, `${go.charAt(0).toLowerCase()}${go.slice(1)}`, is),
  ),
});
const isPair = (value: GoType | readonly [string, GoType]): value is readonly [string, GoType] => Array.isArray(value);

/** Prints a value as Go does with `%#v`. */
export const shown = (value: unknown, type: GoType): GoText => new GoText(goSyntax(asGiven(value), type));
/** Prints a field of an object, which may have been given empty. */
export const shownField = (object: object, name: string, type: GoType): GoText =>
  new GoText(goSyntax((asGiven(object) as Readonly<Record<string, unknown>>)[name], type));

export const labelSelectorType = struct('v1.LabelSelector', {
  MatchLabels: mapOf(text),
  MatchExpressions: listOf(struct('v1.LabelSelectorRequirement', { Key: text, Operator: text, Values: listOf(text) })),
});
export const tolerationType = struct('core.Toleration', {
  Key: text,
  Operator: text,
  Value: text,
  Effect: text,
  TolerationSeconds: pointer(int64),
});
export const ownerType = struct('v1.OwnerReference', {
  APIVersion: ['apiVersion', text],
  Kind: text,
  Name: text,
  UID: ['uid', text],
  Controller: pointer(flag),
  BlockOwnerDeletion: pointer(flag),
});
export const labelsType = mapOf(text);
const instant: GoType = { type: 'time' };
export const metaType = struct('v1.ObjectMeta', {
  Name: text,
  GenerateName: text,
  Namespace: text,
  SelfLink: text,
  UID: ['uid', text],
  ResourceVersion: text,
  Generation: int64,
  CreationTimestamp: instant,
  DeletionTimestamp: pointer(instant),
  DeletionGracePeriodSeconds: pointer(int64),
  Labels: mapOf(text),
  Annotations: mapOf(text),
  OwnerReferences: listOf(ownerType),
  Finalizers: listOf(text),
  ZZZ_DeprecatedClusterName: ['clusterName', text],
  ManagedFields: listOf(struct('v1.ManagedFieldsEntry', {})),
});
