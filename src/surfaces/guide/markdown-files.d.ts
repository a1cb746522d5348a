/** A Markdown file, imported as text. The build and the test loader support this. */
declare module '*.md' {
  const text: string;
  export default text;
}
