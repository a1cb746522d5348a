/** A figure beside its limit. Only exact ones decide the exit code, because the others depend on the machine. */
import type { Scale } from '../benchmark.ts';

export interface Figure {
  readonly label: string;
  readonly value: number;
  readonly limit: number;
  /** `most`: the value may be at most the limit. */
  readonly is: 'most' | 'least';
  readonly unit: '×' | 'ms' | 's' | '%' | '' | 'KB';
  /** The same on any machine. */
  readonly exact?: true;
}

/** Figures that are measured together. */
export interface FigureGroup {
  readonly name: string;
  readonly asks: string;
  measure(scale: Scale): readonly Figure[] | Promise<readonly Figure[]>;
}

/** Whether a figure keeps its limit. */
export const isHeld = ({ value, limit, is }: Figure): boolean => (is === 'most' ? value <= limit : value >= limit);

const number = (value: number): string => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));

/** A row of the table. */
export function figureLine(figure: Figure): string {
  const { label, value, limit, is, unit, exact } = figure;
  const today = `${number(value)} ${unit}`.trimEnd();
  const bound = `${is === 'most' ? '≤' : '≥'} ${limit} ${unit}`.trimEnd();
  return `${isHeld(figure) ? 'held    ' : 'not held'}  ${label.padEnd(66)} ${today.padStart(10)}   ${bound.padEnd(10)}${exact === true ? ' exact' : ''}`.trimEnd();
}
