/** Files that are imported as text. The build and the test loader support these endings. */
declare module '*.md' {
  const text: string;
  export default text;
}
declare module '*.yaml' {
  const text: string;
  export default text;
}
declare module '*.sh' {
  const text: string;
  export default text;
}
declare module '*.txt' {
  const text: string;
  export default text;
}
