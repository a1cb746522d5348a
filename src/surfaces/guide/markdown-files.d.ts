/** A markdown file, imported as its text: the build and the test loader provide it. */
declare module '*.md' {
  const text: string;
  export default text;
}
