/** Wide columns of every kind with a pod template. Models: v1.24 pkg/printers/internalversion layoutContainerCells. */
import { formatLabelSelector, type LabelSelector } from '../../../schema/values/index.ts';
import { type ApiObject, type ColumnOf, wideColumn } from '../../machinery/index.ts';

interface Template {
  readonly spec: { readonly containers: readonly { readonly name: string; readonly image?: string }[] | null };
}

/** Returns columns with the names and images of the containers in the template that `of` returns. */
export const templateColumns = <T extends ApiObject>(of: (object: T) => Template): readonly ColumnOf<T>[] => [
  wideColumn('Containers', 'string', 'Names of the containers in the template.', (object) =>
    (of(object).spec.containers ?? []).map(({ name }) => name).join(','),
  ),
  wideColumn('Images', 'string', 'Images of the containers in the template.', (object) =>
    (of(object).spec.containers ?? []).map(({ image = '' }) => image).join(','),
  ),
];

/** Returns a column with the selector that `of` returns, in kubectl's form. */
export const selectorColumn = <T extends ApiObject>(of: (object: T) => LabelSelector | undefined): ColumnOf<T> =>
  wideColumn('Selector', 'string', 'Selector of the pods.', (object) => formatLabelSelector(of(object)));
