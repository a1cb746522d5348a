/** What the page and its editor say to each other. The editor is a script of its own, which starts when it is first needed. */
import type { Assistance } from '../../../lab/scenario/index.ts';
import type { PageProblem } from '../protocol.ts';

export interface EditorOptions {
  /** The element that holds it; its styles do not reach outside. */
  readonly host: HTMLElement;
  readonly text: string;
  readonly readOnly: boolean;
  /** The name for readers. */
  readonly label: string;
  change(text: string): void;
  run(): void;
  /** Escape was pressed twice. */
  leave(): void;
  /** Lines and columns from 1; undefined: there is no answer. */
  assist(text: string, line: number, col: number): Promise<Assistance | undefined>;
}

export interface EditorHandle {
  /** Replaces the text in a way that can be undone; the same text changes nothing. */
  setText(text: string): void;
  setProblems(problems: readonly PageProblem[]): void;
  setWrap(is: boolean): void;
  goTo(line: number, col: number): void;
  focus(): void;
  find(): void;
  destroy(): void;
}

export type CreateEditor = (options: EditorOptions) => EditorHandle;

declare global {
  // oxlint-disable-next-line eslint/no-var
  var orchsimEditor: CreateEditor | undefined;
}
