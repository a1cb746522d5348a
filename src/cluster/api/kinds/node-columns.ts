/** Printed columns. Models: v1.24 pkg/printers/internalversion. */
import { ageColumn, nameColumn } from '../columns.ts';
import type { Column } from '../kind.ts';

export const nodeColumns: readonly Column[] = [nameColumn, ageColumn];
