/**
 * A number as the client wrote it, where the text matters: `1e3`, `15.0` and integers beyond 2^53. JSON numbers are otherwise plain
 * numbers; Go refuses `15.0` for an integer and echoes the text in its error, so the parser must not lose it.
 */
export class RawNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toJSON(): number {
    return Number(this.text);
  }
}
