/** Wide columns of every kind with a pod template. Models: v1.24 pkg/printers/internalversion layoutContainerCells. */
import { formatLabelSelector, type LabelSelector } from '../../../schema/values/index.ts';
import type { ApiObject, ColumnOf } from '../../machinery/index.ts';

interface Template {
  readonly spec: { readonly containers: readonly { readonly name: string; readonly image?: string }[] | null };
}

/** Returns columns with the names and images of the containers in the template that `of` returns. */
export const templateColumns = <T extends ApiObject>(of: (object: T) => Template): readonly ColumnOf<T>[] => [
  {
    name: 'Containers',
    type: 'string',
    description: 'Names of the containers in the template.',
    priority: 1,
    cell: (object) => (of(object).spec.containers ?? []).map(({ name }) => name).join(','),
  },
  {
    name: 'Images',
    type: 'string',
    description: 'Images of the containers in the template.',
    priority: 1,
    cell: (object) => (of(object).spec.containers ?? []).map(({ image = '' }) => image).join(','),
  },
];

/** Returns a column with the selector that `of` returns, in kubectl's form. */
export const selectorColumn = <T extends ApiObject>(of: (object: T) => LabelSelector | undefined): ColumnOf<T> => ({
  name: 'Selector',
  type: 'string',
  description: 'Selector of the pods.',
  priority: 1,
  cell: (object) => formatLabelSelector(of(object)),
});
