/** The scale of custom resources: a definition says where its objects keep the fields of a Scale. */
import { type ApiObject, type FieldError, invalid, type ScalePaths } from '../machinery/index.ts';
import type { CustomKindDefinition } from './define-custom-kind.ts';
import type { Note } from './structural.ts';

export type Given = Readonly<Record<string, unknown>>;
/** Returns the members of a map; of any other value, none. */
export const given = (value: unknown): Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Given) : {};

const INT32_MAX = 2_147_483_647;

/** Returns the sub-resources of a definition, and the paths of its scale. */
export function subresourcesOf(
  { status, scale }: Given,
  path: string,
  note: Note,
): Pick<CustomKindDefinition<ApiObject>, 'subresources' | 'scale'> {
  const subresources = [...(status === undefined ? [] : ['status']), ...(scale === undefined ? [] : ['scale'])];
  if (scale === undefined) return { subresources };
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = given(scale);
  const names = (value: unknown, field: string, under: readonly string[]): readonly string[] => {
    const found = typeof value === 'string' && /^(?:\.[A-Za-z][\w-]*)+$/.test(value) ? value.slice(1).split('.') : [];
    if (found.length < 2 || !under.includes(found[0] ?? ''))
      note(
        `${path}.scale.${field}`,
        `expected a path such as .${under[0] ?? ''}.${field === 'labelSelectorPath' ? 'selector' : 'replicas'}`,
      );
    return found;
  };
  const paths = {
    spec: names(specReplicasPath, 'specReplicasPath', ['spec']),
    status: names(statusReplicasPath, 'statusReplicasPath', ['status']),
    ...(labelSelectorPath === undefined ? {} : { selector: names(labelSelectorPath, 'labelSelectorPath', ['status', 'spec']) }),
  };
  return { subresources, scale: paths };
}

/** Validates the values that a Scale shows. Models: customresource validator.go ValidateScaleSpec, ValidateScaleStatus. */
export function scaleErrors(object: unknown, { spec, status }: ScalePaths): readonly FieldError[] {
  return [spec, status].flatMap((path) => {
    const value = path.reduce<unknown>((inner, name) => given(inner)[name], object);
    const field = `.${path.join('.')}`;
    if (typeof value !== 'number') return [];
    if (value < 0) return [invalid(field, value, 'should be a non-negative integer')];
    return value > INT32_MAX ? [invalid(field, value, `should be less than or equal to ${INT32_MAX}`)] : [];
  });
}
