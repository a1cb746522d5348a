/** Positions of the processes that decide, in the first tier of the stage. */
import type { Actor } from './actors.ts';
import { CROWDED, GAP, LABEL, PAD, row, type Box } from './boxes.ts';

const DECIDER = { narrowest: 206, head: 56, flat: 34, row: 60, brief: 26, column: 168, briefColumn: 330 };
/** Below this width cards of three controllers stand alone. */
const NARROW = 600;
/** From this width a head has one line: it also says how old the cache is. */
const WIDE = 420;

/** A process with more controllers has a wider card. */
const weightOf = ({ controllers }: Actor): number => 1 + 0.6 * Math.max(0, controllers.length - 1);

export const columnsIn = (w: number, brief: boolean): number =>
  Math.max(1, Math.floor((w - 22) / (brief ? DECIDER.briefColumn : DECIDER.column)));

interface Detail {
  /** A reason has one line, beside the name of its controller. */
  readonly brief: boolean;
  /** No reasons. */
  readonly terse: boolean;
}

/** Places the processes. Returns whether their heads have one line. */
export function decide(actors: readonly Actor[], inner: number, { terse, brief }: Detail, into: Map<string, Box>): boolean {
  const lines = linesOf(actors, inner, terse).map((line) => {
    const spare = inner - (line.length - 1) * GAP - line.length * (DECIDER.narrowest - GAP);
    const weight = line.reduce((sum, actor) => sum + weightOf(actor), 0);
    return { line, widths: line.map((actor) => DECIDER.narrowest - GAP + (spare * weightOf(actor)) / weight) };
  });
  const flat = brief && lines.every(({ widths }) => widths.every((w) => w >= WIDE));
  let y = LABEL + 8;
  for (const { line, widths } of lines) {
    const rows = Math.max(1, ...line.map(({ controllers }, index) => Math.ceil(controllers.length / columnsIn(widths[index] ?? 0, brief))));
    const h = (flat ? DECIDER.flat : DECIDER.head) + (terse ? 0 : rows) * (brief ? DECIDER.brief : DECIDER.row);
    let x = PAD;
    line.forEach(({ process }, index) => {
      const w = widths[index] ?? 0;
      into.set(process, { x, y, w, h });
      x += w + GAP;
    });
    y += h + GAP;
  }
  return flat;
}

/** As many cards in a line as fit. A card with many controllers stands alone if the others would leave it one column. */
function linesOf(actors: readonly Actor[], inner: number, terse: boolean): readonly (readonly Actor[])[] {
  const { each } = row(actors.length, inner, DECIDER.narrowest);
  const lines: Actor[][] = [];
  // Three cards in a line have only one column each.
  const narrow = !terse && inner < (actors.length > 2 ? CROWDED : NARROW);
  for (const actor of actors) {
    const last = lines.at(-1);
    const alone = narrow && (actor.controllers.length > 2 || (last?.[0]?.controllers.length ?? 0) > 2);
    if (last === undefined || last.length >= each || alone) lines.push([actor]);
    else last.push(actor);
  }
  return lines;
}
